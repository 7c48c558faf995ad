import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const MOST_FILES = 50

export const CompendiumImport = Type.Object(
  {
    lab: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Slug of the laboratory, which an earlier catalog has loaded.',
    }),
    mapping: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Mapping of the files in the format of data/compendium/README.md.',
      },
    ),
    files: Type.Record(
      Type.String({ minLength: 1, maxLength: 200 }),
      Type.String({ contentEncoding: 'base64' }),
      {
        minProperties: 1,
        maxProperties: MOST_FILES,
        description: 'Contents of the files in base64, by their names.',
      },
    ),
  },
  { title: 'CompendiumImport', additionalProperties: false },
)
export type CompendiumImport = Type.Static<typeof CompendiumImport>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const ChangedField = Type.Object(
  {
    field: Type.String({ description: 'Path of the field, such as `questions.FST.required`.' }),
    before: Nullable(Type.String({ description: 'Value in the catalog.' })),
    after: Nullable(Type.String({ description: 'Value in the files.' })),
  },
  { title: 'CompendiumField' },
)

const ChangedTest = Type.Object(
  {
    change: TextEnum(['added', 'changed', 'retired'] as const),
    code: Type.String({ description: "The laboratory's code of the test." }),
    name: Type.String(),
    fields: Type.Array(ChangedField, { description: 'Fields that differ, of a changed test.' }),
    lab_tests: Count('Number of lab tests of teams that have the test.'),
    open_orders: Count('Number of orders with the test that have not ended.'),
  },
  { title: 'CompendiumChange' },
)

const RefusedCell = Type.Object(
  {
    code: Nullable(Type.String({ description: 'Code of the test, where the row has one.' })),
    path: Type.String({
      description: 'File, row and column, such as `tests.csv, line 12, PRICE`.',
    }),
    message: Type.String(),
  },
  { title: 'CompendiumRefusal' },
)

const AffectedTest = Type.Object(
  {
    team_id: Uuid,
    environment: TextEnum(['sandbox', 'production'] as const),
    lab_test_id: Uuid,
    name: Type.String(),
    retired_codes: Type.Array(Type.String()),
  },
  { title: 'CompendiumAffectedTest' },
)

/** What an import did, or what a dry run would do. */
export const CompendiumReport = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether this was a dry run, which stores nothing.' }),
    lab: Type.String(),
    added: Count('Number of tests that are new.'),
    changed: Count('Number of tests with other fields, and of retired ones that came back.'),
    retired: Count('Number of tests that the laboratory no longer offers.'),
    unchanged: Count('Number of tests without a difference.'),
    refused: Count('Number of tests with a cell that cannot be read, which stay as they are.'),
    loincs_added: Count('Number of LOINC codes that the installation did not have.'),
    unused_rows: Count('Number of rows about tests that the files do not have.'),
    retires_too_many: Type.Boolean({
      description: 'Whether more than a tenth of the tests would be retired.',
    }),
    changes: Type.Array(ChangedTest, { description: 'The first 1,000 changed tests.' }),
    refusals: Type.Array(RefusedCell, { description: 'The first 500 refusals.' }),
    refusal_count: Count('Number of all refusals.'),
    affected_lab_tests: Type.Array(AffectedTest, {
      description: 'Lab tests of teams, the first 500, that have a retired test.',
    }),
  },
  { title: 'CompendiumReport' },
)
export type CompendiumReport = Type.Static<typeof CompendiumReport>
