import { badRequest } from '../../../platform/errors.ts'

/** A letter, a digit, then up to five letters or digits, the dot after the third (ICD-10-CM). */
const ICD_10_CM = /^[A-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?$/i

/**
 * Diagnosis codes of an order. Their form is checked; whether a code exists, and which exclude each
 * other, is known once the table of diagnoses is loaded.
 * @throws AppError 400 `icd_codes_required`, `icd_codes_invalid`
 */
export function checkIcdCodes(codes: readonly string[] | null, isRequired: boolean): void {
  const given = codes ?? []
  if (isRequired && given.length === 0) {
    throw badRequest('icd_codes_required', 'Insurance needs at least one diagnosis code.')
  }
  const invalid = given.flatMap((code, index) => (ICD_10_CM.test(code) ? [] : index))
  if (invalid.length > 0) {
    const message = 'A diagnosis code has not the form of ICD-10-CM.'
    throw badRequest('icd_codes_invalid', message, { positions: invalid })
  }
}
