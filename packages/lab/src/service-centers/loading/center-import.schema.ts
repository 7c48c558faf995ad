import Type from 'typebox'
import { Changes } from '../../catalog/index.ts'

export const CentersImport = Type.Object(
  {
    csv: Type.String({
      description: 'Text of a CSV file with the columns of docs/service-centers.md.',
    }),
  },
  { title: 'ServiceCentersImport' },
)

/** What a load of service centers did, or what a dry run would do. */
export const CenterImportSummary = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether this was a dry run, which stores nothing.' }),
    labs: Type.Integer({ description: 'Number of laboratories that the list names.' }),
    service_centers: Changes,
    deactivated: Type.Integer({
      description: 'Number of sites removed because the list no longer has them.',
    }),
  },
  { title: 'ServiceCentersReport' },
)
export type CenterImportSummary = Type.Static<typeof CenterImportSummary>
