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

/** Returns the meaning of a laboratory's flag; null for one without a meaning for normality. */
export function interpretFlag(flag: string | null): Interpretation | null {
  const word = flag?.trim().replaceAll(/\s+/g, ' ').toUpperCase() ?? ''
  return (Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined) ?? null
}

/**
 * Returns the interpretation of a result by the laboratory's flag, or without one by the reference
 * range (docs/contract/13-results.md#reference-ranges). With an unknown flag a value in range is
 * unknown rather than normal.
 */
export function interpretResult(
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
