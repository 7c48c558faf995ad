import type { ReportedResult } from '@salus/contracts/lab-gateway'

/** The flag of a result beside its number. */
export interface ResultFlag {
  /** Words with a sign of the direction; empty for a normal result. */
  text: string
  severity: 'none' | 'abnormal' | 'critical'
}

const NONE: ResultFlag = { text: '', severity: 'none' }
const HIGH: ResultFlag = { text: 'High ▲', severity: 'abnormal' }
const LOW: ResultFlag = { text: 'Low ▼', severity: 'abnormal' }
const ABNORMAL: ResultFlag = { text: 'Abnormal', severity: 'abnormal' }
const CRITICAL_HIGH: ResultFlag = { text: 'Critical high', severity: 'critical' }
const CRITICAL_LOW: ResultFlag = { text: 'Critical low', severity: 'critical' }
const CRITICAL: ResultFlag = { text: 'Critical', severity: 'critical' }

/** Flags of laboratories: HL7 table 0078, and words that some laboratories write instead. */
const FLAGS: ReadonlyMap<string, ResultFlag> = new Map([
  ...['N', 'WNL', 'NORMAL'].map((code) => [code, NONE] as const),
  ...['H', 'HU', 'HIGH', '>'].map((code) => [code, HIGH] as const),
  ...['L', 'LU', 'LOW', '<'].map((code) => [code, LOW] as const),
  ...['A', 'ABN', 'ABNORMAL'].map((code) => [code, ABNORMAL] as const),
  ...['HH', 'CH', 'CRITICAL HIGH', 'PANIC HIGH'].map((code) => [code, CRITICAL_HIGH] as const),
  ...['LL', 'CL', 'CRITICAL LOW', 'PANIC LOW'].map((code) => [code, CRITICAL_LOW] as const),
  ...['AA', 'C', 'CRIT', 'CRITICAL', 'PANIC', 'ALERT'].map((code) => [code, CRITICAL] as const),
])

/**
 * Returns the flag of a result: the laboratory's own, or without one, whether a number is outside
 * of the reference interval. An unknown flag is printed as the laboratory wrote it.
 */
export function flagOf(result: ReportedResult): ResultFlag {
  const flag = result.flag?.trim().replace(/\s+/g, ' ') ?? ''
  if (flag !== '') return FLAGS.get(flag.toUpperCase()) ?? { text: flag, severity: 'none' }
  if (result.type !== 'numeric' || !/^\s*-?[\d.]+\s*$/.test(result.result)) return NONE
  const value = Number(result.result)
  const printed = readInterval(result.reference_range)
  const most = result.max_range_value ?? printed.most
  const least = result.min_range_value ?? printed.least
  if (most !== null && (value > most || (value === most && printed.excludes === most))) return HIGH
  if (least !== null && (value < least || (value === least && printed.excludes === least))) {
    return LOW
  }
  return NONE
}

/** Bounds of a printed interval; `excludes` is a bound that is itself outside of it. */
interface Interval {
  least: number | null
  most: number | null
  excludes: number | null
}

/**
 * Reads `<5`, `<=10.5`, `> OR = 2`, `≥ 2`, `1-10` (docs/contract/13-results.md#reference-ranges).
 */
function readInterval(text: string | null): Interval {
  const two = /^\s*(-?[\d.]+)\s*[-–]\s*(-?[\d.]+)\s*$/.exec(text ?? '')
  if (two !== null) return { least: Number(two[1]), most: Number(two[2]), excludes: null }
  const one = /^\s*([<>≤≥])\s*((?:or\s*)?=)?\s*(-?[\d.]+)\s*$/i.exec(text ?? '')
  if (one === null) return { least: null, most: null, excludes: null }
  const [, sign = '', equal] = one
  const bound = Number(one[3])
  const excludes = (sign === '<' || sign === '>') && equal === undefined ? bound : null
  return sign === '<' || sign === '≤'
    ? { least: null, most: bound, excludes }
    : { least: bound, most: null, excludes }
}
