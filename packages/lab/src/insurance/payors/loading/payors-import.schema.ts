import Type from 'typebox'
import { Changes } from '../../../catalog/index.ts'

export const PayorImport = Type.Object(
  {
    csv: Type.String({
      description: 'The text of a CSV file with the columns of docs/insurance.md.',
    }),
  },
  { title: 'PayorImport' },
)

/** What a load did, or would do. */
export const PayorReport = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Nothing was kept.' }),
    payors: Changes,
    deactivated: Type.Integer({ description: 'Payors that the list no longer has.' }),
  },
  { title: 'PayorReport' },
)
export type PayorReport = Type.Static<typeof PayorReport>
