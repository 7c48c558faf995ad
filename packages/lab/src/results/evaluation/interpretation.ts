import type { Interpretation } from '@salus/contracts/lab-gateway'
import type { Position, Range } from '@salus/lab-report-parser/values'

/**
 * Flags of laboratories (HL7 table 0078 and the words that some write instead). Those that say only
 * that a value changed, or name an antibiotic's effect, are not here.
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

/** What a flag of a laboratory means; null for one that says nothing of normality. */
export function interpretFlag(flag: string | null): Interpretation | null {
  const word = flag?.trim().replaceAll(/\s+/g, ' ').toUpperCase() ?? ''
  return (Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined) ?? null
}

/**
 * The interpretation of a result: that of the laboratory's flag; without one, by its place in the
 * reference range (docs/contract/13-results.md#reference-ranges). A flag that nobody can read makes
 * a value in range unknown rather than normal.
 */
export function interpret(
  flag: string | null,
  position: Position,
  reference: Range | null,
): Interpretation {
  const known = interpretFlag(flag)
  if (known !== null) return known
  if (position.isAboveMax || position.isBelowMin) return 'abnormal'
  const isInRange =
    reference !== null &&
    (reference.high === null || position.isAboveMax === false) &&
    (reference.low === null || position.isBelowMin === false)
  const isFlagged = flag !== null && flag.trim() !== ''
  return isInRange && !isFlagged ? 'normal' : 'unknown'
}

/**
 * How bad each is; what cannot be decided is the least
 * (docs/contract/13-results.md#interpretation).
 */
const WEIGHT: Record<Interpretation, number> = { critical: 3, abnormal: 2, normal: 1, unknown: 0 }

/** The worst of all; unknown where there is none. */
export function worstOf(interpretations: readonly Interpretation[]): Interpretation {
  return interpretations.reduce<Interpretation>(
    (worst, each) => (WEIGHT[each] > WEIGHT[worst] ? each : worst),
    'unknown',
  )
}
