import Type from 'typebox'

/**
 * Types of notes in the code set. `excludes1`: the two codes are never used together; `excludes2`:
 * the codes differ, but a person may have both; `code_first`: the underlying disease is coded
 * first.
 */
export type NoteType = 'excludes1' | 'excludes2' | 'code_first'

/** docs/contract/15-insurance.md#get-v3insurancesearchdiagnosis */
export const Diagnosis = Type.Object(
  {
    diagnosis_code: Type.String({
      description: 'ICD-10-CM code with its dot.',
      examples: ['E11.9'],
    }),
    description: Type.String(),
    is_secondary: Type.Boolean({
      default: false,
      description: 'Whether the code may not be the first diagnosis.',
    }),
  },
  { title: 'Diagnosis' },
)
export type Diagnosis = Type.Static<typeof Diagnosis>

export const DiagnosisQuery = Type.Object({
  diagnosis_query: Type.String({
    minLength: 2,
    maxLength: 100,
    description: 'Code, beginning of a code, or words of the description.',
  }),
})

/** docs/contract/15-insurance.md#post-v3insurancevalidate_icd_codes */
export const IcdCodes = Type.Object({
  codes: Type.Array(Type.String({ maxLength: 20 }), {
    minItems: 1,
    maxItems: 50,
    description: 'ICD-10-CM codes in upper or lower case, with or without the dot.',
    examples: [['E11.9', 'I10']],
  }),
})

export const IcdValidation = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether there are no errors and no violations.' }),
    errors: Type.Array(Type.String(), {
      description: 'Messages for codes that are not valid for claims, one for each.',
    }),
    violations: Type.Array(
      Type.Object({ code: Type.String(), conflicts_with: Type.String(), type: Type.String() }),
      { description: 'Pairs that exclude each other (excludes1).' },
    ),
    warnings: Type.Array(
      Type.Object({ code: Type.String(), overlaps_with: Type.String(), type: Type.String() }),
      { description: 'Pairs that overlap (excludes2).' },
    ),
  },
  { title: 'IcdValidation' },
)
export type IcdValidation = Type.Static<typeof IcdValidation>
