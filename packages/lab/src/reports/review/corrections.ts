import type { LabReportResult, ParsedLabReportData } from '../lab-reports.schema.ts'

/** A correction of a reviewer, stored beside the reading. */
export interface Correction {
  /**
   * Position of the result in the reading, from 0; added results follow after it. Null for a field
   * of the metadata.
   */
  position: number | null
  /** Name of the field, or `result` for a result that was added or removed as a whole. */
  field: string
  old_value: unknown
  new_value: unknown
}

export const WHOLE_RESULT = 'result'

/** A corrected result. */
export interface CorrectedResult {
  /** Position in the reading. */
  position: number
  result: LabReportResult
  isCorrected: boolean
}

/** Returns the corrected results, without removed and with added ones. */
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

/** Returns the corrected reading. */
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
