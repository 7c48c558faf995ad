import Type from 'typebox'

/**
 * Notes of the code set: never together; not the same, though a person may have both; and codes
 * that the underlying disease has to come before.
 */
export type NoteType = 'excludes1' | 'excludes2' | 'code_first'

/** docs/contract/15-insurance.md#get-v3insurancesearchdiagnosis */
export const Diagnosis = Type.Object(
  {
    diagnosis_code: Type.String({ description: 'With its dot.', examples: ['E11.9'] }),
    description: Type.String(),
    is_secondary: Type.Boolean({ default: false, description: 'May not be the first code.' }),
  },
  { title: 'Diagnosis' },
)
export type Diagnosis = Type.Static<typeof Diagnosis>

export const DiagnosisQuery = Type.Object({
  diagnosis_query: Type.String({
    minLength: 2,
    maxLength: 100,
    description: 'A code, the beginning of one, or words of the description.',
  }),
})

/** docs/contract/15-insurance.md#post-v3insurancevalidate_icd_codes */
export const IcdCodes = Type.Object({
  codes: Type.Array(Type.String({ maxLength: 20 }), {
    minItems: 1,
    maxItems: 50,
    description: 'In either case, with or without the dot.',
    examples: [['E11.9', 'I10']],
  }),
})

export const IcdValidation = Type.Object(
  {
    valid: Type.Boolean({ description: 'No errors and no violations.' }),
    errors: Type.Array(Type.String(), {
      description: 'One for each code that claims cannot have.',
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
