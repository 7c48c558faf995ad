import type { LabReport, ReportedResult } from '../../lab-report.ts'
import { createRandom } from '../seeded-random.ts'

const isSame = (a: ReportedResult, b: ReportedResult): boolean =>
  a.name === b.name && a.provider_id === b.provider_id && a.loinc === b.loinc

/** Says what was reported before, as laboratories do. */
function withNote(result: ReportedResult, previous: ReportedResult): ReportedResult {
  const unit = previous.unit === null ? '' : ` ${previous.unit}`
  const note = `Corrected result. Previously reported as ${previous.result}${unit}.`
  // What is read in words keeps its words in front.
  return { ...result, notes: result.type === 'numeric' ? note : `${result.result}. ${note}` }
}

/** Whether a report may hold these results, of which the one at `index` was changed. */
export type IsPossible = (results: readonly ReportedResult[], index: number) => boolean

/** The next values of the same meaning: one or two steps of its last digit aside. */
function nudge(result: ReportedResult, upwards: boolean): string[] {
  const { min_range_value: low, max_range_value: high, flag } = result
  const decimals = result.result.split('.')[1]?.length ?? 0
  const step = 10 ** -decimals
  const value = Number(result.result)
  const ways = upwards ? [2, 1, -1, -2] : [-2, -1, 1, 2]
  const isFitting = (candidate: number): boolean => {
    if (candidate <= 0) return false
    if (flag === null) return true
    if (flag === 'N')
      return (low === null || candidate > low) && (high === null || candidate < high)
    return flag.startsWith('H') ? candidate >= value : candidate <= value
  }
  return ways
    .map((way) => value + way * step)
    .filter(isFitting)
    .map((candidate) => candidate.toFixed(decimals))
}

const OTHER_WORDS: Record<string, string> = {
  Negative: 'Not Detected',
  Positive: 'Detected',
  'Not Detected': 'Negative',
  Detected: 'Positive',
  'Non-Reactive': 'Negative',
  Reactive: 'Positive',
}

function changeOf(
  results: readonly ReportedResult[],
  index: number,
  upwards: boolean,
  isPossible: IsPossible,
): string | undefined {
  const result = results[index] as ReportedResult
  if (result.type === 'comment') return OTHER_WORDS[result.result]
  if (result.type !== 'numeric') return undefined
  return nudge(result, upwards).find((text) =>
    isPossible(results.with(index, { ...result, result: text }), index),
  )
}

/** Changes one result of a report so that it means the same; `preferred` are tried first. */
function changeOne(previous: LabReport, input: Correction): ReportedResult[] {
  const { results } = previous
  const random = createRandom(`${input.seed}|correction|${previous.reported_at?.timestamp}`)
  const upwards = random.next() < 0.5
  const ranked = results
    .map((result, index) => ({
      index,
      text: changeOf(results, index, upwards, input.isPossible),
      rank: (input.isPreferred(result) ? 0 : 2) + (result.flag === 'N' ? 0 : 1) + random.next(),
    }))
    .filter(({ text }) => text !== undefined)
    .sort((a, b) => a.rank - b.rank)
  const chosen = ranked[0]
  // Codes have no other words: then only the note is new.
  const place = chosen?.index ?? 0
  const { timestamp } = input
  return results.map((result, index) =>
    index === place
      ? withNote({ ...result, result: chosen?.text ?? result.result, timestamp }, result)
      : result,
  )
}

/** Marks what differs from the previous report; the rest keeps the time of its first report. */
function markChanges(results: readonly ReportedResult[], previous: LabReport): ReportedResult[] {
  return results.map((result) => {
    const before = previous.results.find((other) => isSame(other, result))
    if (before === undefined) return result
    if (before.result === result.result) return { ...result, timestamp: before.timestamp }
    return withNote(result, before)
  })
}

/** How bad the worst result is, by its flag. */
function severityOf(results: readonly ReportedResult[]): number {
  const flags = results.map(({ flag }) => flag ?? '')
  if (flags.some((flag) => flag.length > 1)) return 3
  if (flags.some((flag) => /^[AHL]$/.test(flag))) return 2
  return flags.includes('N') ? 1 : 0
}

/** How a report is corrected. */
export interface Correction {
  /** Results that are changed rather than others. */
  isPreferred: (result: ReportedResult) => boolean
  isPossible: IsPossible
  seed: string
  /** When the correction is reported, ISO 8601; changed results were reported then. */
  timestamp: string
}

/**
 * Results that replace those of `previous`: one value is changed when `wanted` are as good or bad as
 * those before, else they are `wanted`, with notes where they differ.
 */
export function correctResults(
  wanted: readonly ReportedResult[],
  previous: LabReport,
  correction: Correction,
): ReportedResult[] {
  const isAsBad = severityOf(wanted) === severityOf(previous.results)
  const isChanged = wanted.some((result) => {
    const before = previous.results.find((other) => isSame(other, result))
    return before !== undefined && before.result !== result.result
  })
  if (isChanged && !isAsBad) return markChanges(wanted, previous)
  return changeOne(previous, correction)
}
