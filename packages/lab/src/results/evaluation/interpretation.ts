import type { Interpretation } from '@salus/contracts/lab-gateway'
import type { Position, Range } from '@salus/lab-report-parser/values'

/**
 * Flags of laboratories (HL7 table 0078 and words that some laboratories write instead), without
 * those for changes or for effects of antibiotics.
 */
const FLAGS: Readonly<Record<string, Interpretation>> = {
  N: 'normal',
  WNL: 'normal',
  NORMAL: 'normal',
  H: 'abnormal',
  L: 'abnormal',
  A: 'abnormal',
  HIGH: 'abnormal',
  LOW: 'abnormal',
  ABN: 'abnormal',
  ABNORMAL: 'abnormal',
  // Beyond what the instrument can measure
  '>': 'abnormal',
  '<': 'abnormal',
  // Significantly high and low
  HU: 'abnormal',
  LU: 'abnormal',
  HH: 'critical',
  LL: 'critical',
  AA: 'critical',
  C: 'critical',
  CH: 'critical',
  CL: 'critical',
  CRIT: 'critical',
  CRITICAL: 'critical',
  'CRITICAL HIGH': 'critical',
  'CRITICAL LOW': 'critical',
  PANIC: 'critical',
  'PANIC HIGH': 'critical',
  'PANIC LOW': 'critical',
  ALERT: 'critical',
}

/** Flags for the effect of an antibiotic, which say nothing about normality. */
const SUSCEPTIBILITIES = new Set(['S', 'SDD', 'I', 'R', 'NS', 'MS', 'VS', 'SYN-S', 'SYN-R'])

/**
 * Flags for a finding. Whether it is normal depends on the analyte: antibodies to a vaccine are
 * desired, those to HIV are not.
 */
const FINDINGS = new Set(['POS', 'NEG', 'DET', 'ND', 'IND', 'RR', 'WR', 'NR'])
/** Findings that are normal where the printed range says so in words. */
const ABSENT = new Set(['NEG', 'ND', 'NR'])
const ABSENT_RANGE = /^\W*(neg(ative)?|not? detected|none detected|non-?reactive|absent)\b/i
const PRESENT_RANGE = /^\W*(pos(itive)?|detected|reactive|present|immune)\b/i

const wordOf = (flag: string): string => flag.trim().replaceAll(/\s+/g, ' ').toUpperCase()

/**
 * Returns the meaning of all flags of a result, the worst one; null without one. The printed range
 * decides what a finding such as `POS` means; without it the meaning is unknown.
 */
export function interpretFlags(
  flags: readonly string[],
  { reference_range: range }: { reference_range: string | null },
): Interpretation | null {
  const known = flags.flatMap((flag) => {
    const word = wordOf(flag)
    if (SUSCEPTIBILITIES.has(word)) return []
    return FINDINGS.has(word) ? interpretFinding(word, range) : (interpretFlag(flag) ?? [])
  })
  return known.length === 0 ? null : worstOf(known)
}

function interpretFinding(word: string, range: string | null): Interpretation {
  if (word === 'IND') return 'unknown'
  const text = range ?? ''
  if (ABSENT_RANGE.test(text)) return ABSENT.has(word) ? 'normal' : 'abnormal'
  if (PRESENT_RANGE.test(text)) return ABSENT.has(word) ? 'abnormal' : 'normal'
  return 'unknown'
}

/** Returns the meaning of a laboratory's flag; null for one without a meaning for normality. */
export function interpretFlag(flag: string | null): Interpretation | null {
  const word = flag === null ? '' : wordOf(flag)
  return (Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined) ?? null
}

/**
 * Returns the interpretation of a result by the meaning of its flags, or without one by the
 * reference range (docs/contract/13-results.md#reference-ranges). With a flag of no known meaning a
 * value in range is unknown rather than normal.
 */
export function interpretResult(
  known: Interpretation | null,
  position: Position,
  reference: Range | null,
  flags: readonly string[],
): Interpretation {
  if (known !== null) return known
  if (position.isAboveMax || position.isBelowMin) return 'abnormal'
  const isInRange =
    reference !== null &&
    (reference.high === null || position.isAboveMax === false) &&
    (reference.low === null || position.isBelowMin === false)
  const isFlagged = flags.some((flag) => flag.trim() !== '')
  return isInRange && !isFlagged ? 'normal' : 'unknown'
}

/**
 * Severity of interpretations; `unknown` is the lowest
 * (docs/contract/13-results.md#interpretation).
 */
const WEIGHT: Record<Interpretation, number> = { critical: 3, abnormal: 2, normal: 1, unknown: 0 }

/** Returns the worst interpretation; unknown without any. */
export function worstOf(interpretations: readonly Interpretation[]): Interpretation {
  return interpretations.reduce<Interpretation>(
    (worst, each) => (WEIGHT[each] > WEIGHT[worst] ? each : worst),
    'unknown',
  )
}
