import Type from 'typebox'

/** What a load of service centers did, or would do. */
export const CentersReport = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Nothing was kept.' }),
    labs: Type.Integer({ description: 'Laboratories that the list names.' }),
    service_centers: Type.Object({
      inserted: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
    }),
    closed: Type.Integer({
      description: 'Sites of these laboratories that the list no longer has.',
    }),
  },
  { title: 'ServiceCentersReport' },
)
export type CentersReport = Type.Static<typeof CentersReport>
