import Type from 'typebox'
import { Changes } from '../../catalog/index.ts'

export const CentersImport = Type.Object(
  {
    csv: Type.String({
      description: 'The text of a CSV file with the columns of docs/service-centers.md.',
    }),
  },
  { title: 'ServiceCentersImport' },
)

/** What a load of service centers did, or would do. */
export const CentersReport = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Nothing was kept.' }),
    labs: Type.Integer({ description: 'Laboratories that the list names.' }),
    service_centers: Changes,
    deactivated: Type.Integer({
      description: 'Sites of these laboratories that the list no longer has.',
    }),
  },
  { title: 'ServiceCentersReport' },
)
export type CentersReport = Type.Static<typeof CentersReport>
