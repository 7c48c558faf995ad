import type { Db } from '@salus/kernel/postgres/database'
import { formatCode, parseCode } from './code-form.ts'
import type { IcdValidation } from './diagnoses.schema.ts'
import {
  type ExcludedPair,
  findCodes,
  listExcludedPairs,
} from './diagnosis-codes.global.repository.ts'
import { requireCodes } from './require-codes.ts'

/** Reason for which a code is not valid for claims. */
type CodeFault = 'malformed' | 'unknown' | 'heading'

interface ClassifiedCode {
  given: string
  /** The code as stored, or the input when it has no such form. */
  code: string
  fault: CodeFault | null
}

async function classifyCodes(db: Db, codes: readonly string[]): Promise<ClassifiedCode[]> {
  await requireCodes(db)
  const read = codes.map((given) => ({ given, code: parseCode(given) }))
  const rows = await findCodes(
    db,
    read.flatMap(({ code }) => code ?? []),
  )
  const known = new Map(rows.map((row) => [row.code, row.is_billable]))
  return read.map(({ given, code }) => {
    if (code === undefined) return { given, code: given, fault: 'malformed' }
    const isBillable = known.get(code)
    const fault = isBillable === undefined ? 'unknown' : isBillable ? null : 'heading'
    return { given, code, fault }
  })
}

/**
 * Returns the positions of codes that orders may not have: unknown codes, and headings, which are
 * not valid for claims. Accepts upper or lower case, with or without the dot.
 * @returns positions in the list
 * @throws AppError 503 `diagnosis_codes_loading`
 */
export async function checkDiagnosisCodes(
  db: Db,
  codes: readonly string[],
): Promise<{ unknown: number[] }> {
  const classified = await classifyCodes(db, codes)
  return { unknown: classified.flatMap(({ fault }, index) => (fault === null ? [] : index)) }
}

/**
 * Returns the descriptions of diagnosis codes in the given order; null for an unknown code.
 * @throws AppError 503 `diagnosis_codes_loading`
 */
export async function describeDiagnosisCodes(
  db: Db,
  codes: readonly string[],
): Promise<{ code: string; description: string | null }[]> {
  if (codes.length === 0) return []
  await requireCodes(db)
  const read = codes.map((given) => ({ given, code: parseCode(given) }))
  const rows = await findCodes(
    db,
    read.flatMap(({ code }) => code ?? []),
  )
  const descriptions = new Map(rows.map(({ code, description }) => [code, description]))
  return read.map(({ given, code }) => ({
    code: code === undefined ? given : formatCode(code),
    description: descriptions.get(code ?? '') ?? null,
  }))
}

const FAULT_TEXTS: Record<CodeFault, (code: string) => string> = {
  malformed: (code) => `${code} does not have the form of an ICD-10-CM code.`,
  unknown: (code) => `${code} is not a code of ICD-10-CM.`,
  heading: (code) => `${code} is a heading. Claims need one of the codes below it.`,
}

/**
 * Validates codes individually and in pairs
 * (docs/contract/15-insurance.md#post-v3insurancevalidate_icd_codes).
 * @throws AppError 503 `diagnosis_codes_loading`
 */
export async function validateIcdCodes(db: Db, codes: readonly string[]): Promise<IcdValidation> {
  const classified = await classifyCodes(db, codes)
  const errors = classified.flatMap(({ given, code, fault }) => {
    if (fault === null) return []
    return FAULT_TEXTS[fault](fault === 'malformed' ? given : formatCode(code))
  })
  const valid = [...new Set(classified.flatMap(({ code, fault }) => (fault === null ? code : [])))]
  const pairs = orderPairs(await listExcludedPairs(db, valid), valid)
  const violations = pairs.filter(({ type }) => type === 'excludes1')
  const warnings = pairs.filter(({ type }) => type === 'excludes2')
  return {
    valid: errors.length === 0 && violations.length === 0,
    errors: [...new Set(errors)],
    violations: violations.map(({ type, code, excluded }) => ({
      code: formatCode(code),
      conflicts_with: formatCode(excluded),
      type,
    })),
    warnings: warnings.map(({ type, code, excluded }) => ({
      code: formatCode(code),
      overlaps_with: formatCode(excluded),
      type,
    })),
  }
}

/** Returns each pair once by its strictest note, with the codes in the given order. */
function orderPairs(pairs: readonly ExcludedPair[], codes: readonly string[]): ExcludedPair[] {
  const positions = new Map(codes.map((code, index) => [code, index]))
  const positionOf = (code: string): number => positions.get(code) ?? 0
  const once = new Map<number, ExcludedPair>()
  for (const { type, code: one, excluded: other } of pairs) {
    const [code, excluded] = positionOf(one) < positionOf(other) ? [one, other] : [other, one]
    const key = positionOf(code) * codes.length + positionOf(excluded)
    if (once.get(key)?.type !== 'excludes1') once.set(key, { type, code, excluded })
  }
  return [...once].sort(([a], [b]) => a - b).map(([, pair]) => pair)
}
