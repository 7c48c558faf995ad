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

/** The next value of the same meaning: one or two steps of its last digit aside. */
function nudge(result: ReportedResult, upwards: boolean): string | undefined {
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
  const found = ways.map((way) => value + way * step).find(isFitting)
  return found?.toFixed(decimals)
}

const OTHER_WORDS: Record<string, string> = {
  Negative: 'Not Detected',
  Positive: 'Detected',
  'Not Detected': 'Negative',
  Detected: 'Positive',
  'Non-Reactive': 'Negative',
  Reactive: 'Positive',
}

function changeOf(result: ReportedResult, upwards: boolean): string | undefined {
  if (result.type === 'numeric') return nudge(result, upwards)
  return result.type === 'comment' ? OTHER_WORDS[result.result] : undefined
}

/** Changes one result of a report so that it means the same; `preferred` are tried first. */
function changeOne(
  previous: LabReport,
  preferred: (result: ReportedResult) => boolean,
  seed: string,
): ReportedResult[] {
  const random = createRandom(`${seed}|correction|${previous.reported_at?.timestamp}`)
  const upwards = random.next() < 0.5
  const ranked = previous.results
    .map((result, index) => ({
      index,
      text: changeOf(result, upwards),
      rank: (preferred(result) ? 0 : 2) + (result.flag === 'N' ? 0 : 1) + random.next(),
    }))
    .filter(({ text }) => text !== undefined)
    .sort((a, b) => a.rank - b.rank)
  const chosen = ranked[0]
  // Codes have no other words: then only the note is new.
  const place = chosen?.index ?? 0
  return previous.results.map((result, index) =>
    index === place
      ? withNote({ ...result, result: chosen?.text ?? result.result }, result)
      : result,
  )
}

/** Marks what differs from the previous report. */
function markChanges(results: readonly ReportedResult[], previous: LabReport): ReportedResult[] {
  return results.map((result) => {
    const before = previous.results.find((other) => isSame(other, result))
    if (before === undefined || before.result === result.result) return result
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

/**
 * Results that replace those of `previous`: one value is changed when `wanted` are as good or bad as
 * those before, else they are `wanted`, with notes where they differ.
 */
export function correctResults(
  wanted: readonly ReportedResult[],
  previous: LabReport,
  preferred: (result: ReportedResult) => boolean,
  seed: string,
): ReportedResult[] {
  const isAsBad = severityOf(wanted) === severityOf(previous.results)
  const changed = markChanges(wanted, previous)
  const isChanged = changed.some((result, index) => result !== wanted[index])
  if (isChanged && !isAsBad) return changed
  return changeOne(previous, preferred, seed)
}
