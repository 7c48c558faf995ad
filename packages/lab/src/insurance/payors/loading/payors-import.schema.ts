import Type from 'typebox'
import { Changes } from '../../../catalog/index.ts'

export const PayorImport = Type.Object(
  {
    csv: Type.String({
      description: 'Text of a CSV file with the columns of docs/insurance.md.',
    }),
  },
  { title: 'PayorImport' },
)

/** What a load did, or what a dry run would do. */
export const PayorImportSummary = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether this was a dry run, which stores nothing.' }),
    payors: Changes,
    deactivated: Type.Integer({
      description: 'Number of payors deactivated because the list no longer has them.',
    }),
  },
  { title: 'PayorReport' },
)
export type PayorImportSummary = Type.Static<typeof PayorImportSummary>
