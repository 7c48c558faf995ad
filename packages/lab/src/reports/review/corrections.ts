import type { LabReportResult, ParsedLabReportData } from '../lab-reports.schema.ts'

/** One thing that a reviewer changed; the machine's reading stays beside it. */
export interface Correction {
  /** Of the result in what was read, from 0; added ones come after. Null for a fact of the head. */
  position: number | null
  /** A field of the answer, or `result` for one that was added or removed as a whole. */
  field: string
  old_value: unknown
  new_value: unknown
}

export const WHOLE_RESULT = 'result'

/** A result as corrected. */
export interface CorrectedResult {
  /** In what was read. */
  position: number
  result: LabReportResult
  isCorrected: boolean
}

/** The results that are left and added, as corrected. */
export function correctResults(
  read: readonly LabReportResult[],
  corrections: readonly Correction[],
): CorrectedResult[] {
  const results: (LabReportResult | null)[] = read.map((result) => ({ ...result }))
  const corrected = new Set<number>()
  for (const { position, field, new_value: value } of corrections) {
    if (position === null) continue
    corrected.add(position)
    const result = results[position]
    if (field === WHOLE_RESULT) results[position] = value as LabReportResult | null
    else if (result) results[position] = { ...result, [field]: value }
  }
  return results.flatMap((result, position) =>
    result === null ? [] : [{ position, result, isCorrected: corrected.has(position) }],
  )
}

/** What was read, as corrected. */
export function applyCorrections(
  { metadata, results }: ParsedLabReportData,
  corrections: readonly Correction[],
): ParsedLabReportData {
  const ofHead = corrections.filter(({ position }) => position === null)
  const changes = Object.fromEntries(ofHead.map(({ field, new_value }) => [field, new_value]))
  return {
    metadata: { ...metadata, ...changes },
    results: correctResults(results, corrections).map(({ result }) => result),
  }
}
