import type { ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'
import { createRandom } from '../seeded-random.ts'

const isSame = (a: ReportedResult, b: ReportedResult): boolean =>
  a.name === b.name && a.provider_id === b.provider_id && a.loinc === b.loinc

/** Adds a note about the previously reported result, as laboratories do. */
function withNote(result: ReportedResult, previous: ReportedResult): ReportedResult {
  const unit = previous.unit === null ? '' : ` ${previous.unit}`
  const note = `Corrected result. Previously reported as ${previous.result}${unit}.`
  // A result in words keeps its words in front.
  if (result.type !== 'numeric') return { ...result, notes: `${result.result}. ${note}` }
  const method = (result.notes ?? '').split('\n').filter((line) => !line.startsWith('Corrected'))
  return { ...result, notes: [...method, note].filter((line) => line !== '').join('\n') }
}

/**
 * Returns the results after the one at `index` was changed; undefined when that is not possible.
 */
export type Recalculate = (
  results: readonly ReportedResult[],
  index: number,
) => readonly ReportedResult[] | undefined

/** Returns the next values of the same meaning: one or two steps of the last digit away. */
function nearbyTexts(result: ReportedResult, upwards: boolean): string[] {
  const { min_range_value: low, max_range_value: high, flag } = result
  const decimals = result.result.split('.')[1]?.length ?? 0
  const step = 10 ** -decimals
  const value = Number(result.result)
  // A result of zero does not become a small amount.
  if (value === 0) return []
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

/** Returns the results with another text at `index`, and of the results calculated from it. */
function changeAt(
  results: readonly ReportedResult[],
  index: number,
  upwards: boolean,
  { recalculate }: Correction,
): readonly ReportedResult[] | undefined {
  const result = results[index] as ReportedResult
  if (result.type === 'comment') {
    const text = OTHER_WORDS[result.result]
    return text === undefined ? undefined : results.with(index, { ...result, result: text })
  }
  if (result.type !== 'numeric') return undefined
  for (const text of nearbyTexts(result, upwards)) {
    const changed = recalculate(results.with(index, { ...result, result: text }), index)
    if (changed !== undefined) return changed
  }
  return undefined
}

/**
 * Changes one result of a report without changing its meaning; results that others are calculated
 * from are changed only where there are no others.
 */
function changeOne(previous: ResultMessage, correction: Correction): ReportedResult[] {
  const { results } = previous
  const { seed, isPreferred, timestamp } = correction
  const random = createRandom(`${seed}|correction|${previous.reported_at?.timestamp}`)
  const upwards = random.next() < 0.5
  const ranked = results
    .flatMap((result, index) => {
      const changed = changeAt(results, index, upwards, correction)
      const order = (isPreferred(result) ? 0 : 2) + (result.flag === 'N' ? 0 : 1) + random.next()
      if (changed === undefined) return []
      return { changed, rank: order + 5 * countChanges(results, changed) }
    })
    .sort((a, b) => a.rank - b.rank)
  // Codes have no other words: then only the note is new.
  const changed = ranked[0]?.changed ?? results
  return results.map((result, index) => {
    const text = changed[index]?.result ?? result.result
    const isCorrected = text !== result.result || (ranked.length === 0 && index === 0)
    return isCorrected ? withNote({ ...result, result: text, timestamp }, result) : result
  })
}

const countChanges = (
  before: readonly ReportedResult[],
  after: readonly ReportedResult[],
): number => after.filter(({ result }, index) => result !== before[index]?.result).length

/**
 * Annotates the results that differ from the previous report; the rest keeps the time of its first
 * report.
 */
function annotateChanges(
  results: readonly ReportedResult[],
  previous: ResultMessage,
): ReportedResult[] {
  return results.map((result) => {
    const before = previous.results.find((other) => isSame(other, result))
    if (before === undefined) return result
    if (before.result === result.result) return { ...result, timestamp: before.timestamp }
    return withNote(result, before)
  })
}

/** Returns the severity of the worst result by its flag. */
function severityOf(results: readonly ReportedResult[]): number {
  const flags = results.map(({ flag }) => flag ?? '')
  if (flags.some((flag) => flag.length > 1)) return 3
  if (flags.some((flag) => /^[AHL]$/.test(flag))) return 2
  return flags.includes('N') ? 1 : 0
}

/** Parameters of a correction. */
export interface Correction {
  /** Results that are preferably changed. */
  isPreferred: (result: ReportedResult) => boolean
  recalculate: Recalculate
  seed: string
  /** Time of the correction, ISO 8601; changed results were reported then. */
  timestamp: string
}

/**
 * Returns the results that replace those of `previous`: one value is changed when `wanted` are as
 * good or bad as the previous ones, else they are `wanted`, with notes where they differ.
 */
export function correctResults(
  wanted: readonly ReportedResult[],
  previous: ResultMessage,
  correction: Correction,
): ReportedResult[] {
  const isAsBad = severityOf(wanted) === severityOf(previous.results)
  const isChanged = wanted.some((result) => {
    const before = previous.results.find((other) => isSame(other, result))
    return before !== undefined && before.result !== result.result
  })
  if (isChanged && !isAsBad) return annotateChanges(wanted, previous)
  return changeOne(previous, correction)
}
