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

/** What was read, as corrected: later corrections count. */
export function applyCorrections(
  data: ParsedLabReportData,
  corrections: readonly Correction[],
): ParsedLabReportData {
  const metadata: Record<string, unknown> = { ...data.metadata }
  const results: (Record<string, unknown> | null)[] = data.results.map((result) => ({ ...result }))
  for (const { position, field, new_value: value } of corrections) {
    if (position === null) {
      metadata[field] = value
    } else if (field === WHOLE_RESULT) {
      results[position] = value as LabReportResult | null
    } else {
      const result = results[position]
      if (result) result[field] = value
    }
  }
  return {
    metadata: metadata as ParsedLabReportData['metadata'],
    results: results.filter((result) => result != null) as unknown as LabReportResult[],
  }
}
