import type { Segment } from '@salus/hl7v2'

/**
 * What OBX-11 means for a report. `answer` (O) is an answer to a question of the order; `absent`
 * (N) was not asked for.
 */
export type Standing =
  | 'final'
  | 'preliminary'
  | 'corrected'
  | 'confirmed'
  | 'awaited'
  | 'cancelled'
  | 'deleted'
  | 'wrong_patient'
  | 'answer'
  | 'absent'

/** Table 0085. B (appended) and V (verified) are of later versions. */
const STANDINGS: Readonly<Record<string, Standing>> = {
  F: 'final',
  B: 'final',
  V: 'final',
  P: 'preliminary',
  R: 'preliminary',
  S: 'preliminary',
  C: 'corrected',
  U: 'confirmed',
  I: 'awaited',
  X: 'cancelled',
  D: 'deleted',
  W: 'wrong_patient',
  O: 'answer',
  N: 'absent',
}

/** Table 0123, for results without a status of their own. */
const STANDINGS_OF_ORDER: Readonly<Record<string, Standing>> = {
  F: 'final',
  C: 'corrected',
  X: 'cancelled',
  P: 'preliminary',
  A: 'preliminary',
  R: 'preliminary',
  O: 'preliminary',
  S: 'preliminary',
  I: 'preliminary',
}

/** OBX-29 of observations that are no results: questions, and answers on order entry. */
const QUESTION_KINDS = ['QST', 'AOE', 'AOI', 'ASK']

/**
 * Returns the standing of a result. One without a status has that of its order, and is final where
 * the order has none either; one with an unknown status is not called final.
 */
export function standingOf(obx: Segment, obr: Segment | undefined): Standing {
  const kinds = obx.field(29).repetitions.map((each) => each.component(1).trim().toUpperCase())
  if (kinds.some((kind) => QUESTION_KINDS.includes(kind))) return 'answer'
  const status = obx.text(11).trim().toUpperCase()
  if (status !== '') return STANDINGS[status] ?? 'preliminary'
  return STANDINGS_OF_ORDER[orderStatusOf(obr)] ?? 'final'
}

/** OBR-25; '' when it is not given. */
export const orderStatusOf = (obr: Segment | undefined): string =>
  obr?.text(25).trim().toUpperCase() ?? ''
