import Type from 'typebox'

/** The files of a code set, as they are published. */
export const DiagnosisCodeFiles = Type.Object(
  {
    order_file: Type.String({
      description: 'Text of the order file of ICD-10-CM (`icd10cm_order_2026.txt`).',
    }),
    tabular_xml: Type.Optional(
      Type.String({
        description:
          'Text of the tabular list (`icd10cm_tabular_2026.xml`), which has the notes. The stored notes stay when it is left out.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type DiagnosisCodeFiles = Type.Static<typeof DiagnosisCodeFiles>

/** What a load did, or what a dry run would do. */
export const DiagnosisImportSummary = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether this was a dry run, which stores nothing.' }),
    codes: Type.Object({
      added: Type.Integer(),
      changed: Type.Integer(),
      removed: Type.Integer(),
      unchanged: Type.Integer(),
    }),
    billable: Type.Integer({ description: 'Number of codes that are valid for claims.' }),
    notes: Type.Object({
      excludes1: Type.Integer(),
      excludes2: Type.Integer(),
      code_first: Type.Integer(),
      unread: Type.Integer({
        description:
          'Number of notes that were skipped because their condition is stated in prose.',
      }),
    }),
  },
  { title: 'DiagnosisCodesReport' },
)
export type DiagnosisImportSummary = Type.Static<typeof DiagnosisImportSummary>
