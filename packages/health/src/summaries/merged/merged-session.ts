import type { SessionRecord } from './session-record.ts'

/** Why two records are the same session. */
export const SAME_RULES = [
  /** Records of one provider with the same id there, whose times overlap. */
  'same_id',
  /** Each covers at least half of the other. */
  'same_time',
  /** At least half of it is within the other one, of which it covers less than half. */
  'part_of_record',
  /** Several records cover at least half of it together. */
  'several_parts',
  /** One has a wall clock without a zone, and it shows the local time of the other. */
  'same_wall_clock',
  /** It has only a date: the main sleep, or a workout of the same sport and size, of that day. */
  'same_day',
] as const
export type SameRule = (typeof SAME_RULES)[number]

/** Why a record counts rather than another one of the same session. */
export const CHOICE_REASONS = [
  /** The request prefers its provider. */
  'preferred_by_request',
  /** By a rule of the person, or of the team. */
  'priority_of_person',
  'priority_of_team',
  /** Its times are known, the other one names a day. */
  'times_known',
  /** It has instants, the other one a wall clock without a zone. */
  'zone_known',
  /** It has stages of sleep, and the other one has none. */
  'stages_known',
  /** By the kind of source. */
  'kind_of_source',
  /** It covers the session; what the other source has is less than half of it. */
  'covers_more',
  /** It has the session in one piece, the other source in several. */
  'in_one_piece',
  /** It has more values. */
  'more_detail',
  /** Nothing else distinguishes the two. */
  'alphabet',
] as const
export type ChoiceReason = (typeof CHOICE_REASONS)[number]

/** A record that does not count, because another one of the same session does. */
export interface SetAsideRecord {
  record: SessionRecord
  rule: SameRule
  /** Common time of both as a share of the shorter one, 0 to 1; null without times. */
  overlap: number | null
  /** The record that it was compared with. It may be set aside itself, for the one that counts. */
  wonBy: SessionRecord
  reason: ChoiceReason
}

/** A sleep or a workout that counts once. */
export interface MergedSession {
  /** The record that counts. */
  record: SessionRecord
  setAside: SetAsideRecord[]
}
