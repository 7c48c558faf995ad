import type { components } from '../../../api/openapi.generated.d.ts'

export type MergedSource = Pick<components['schemas']['MergedSource'], 'provider' | 'type'>

const TYPES: Record<string, string> = {
  multiple_sources: 'several devices',
  fingerprick: 'finger prick',
  manual_scan: 'scan',
  insulin_pump: 'insulin pump',
  chest_strap: 'chest strap',
  exercise_machine: 'exercise machine',
}

/** Returns the title of a source type, such as `watch`; empty for an unknown one. */
export function sourceTypeTitle(type: string): string {
  return type === 'unknown' ? '' : (TYPES[type] ?? type)
}

/** Formats a source as `Apple HealthKit, watch`. */
export function sourceTitle(
  { provider, type }: MergedSource,
  nameOf: (slug: string) => string,
): string {
  const kind = sourceTypeTitle(type)
  return kind === '' ? nameOf(provider) : `${nameOf(provider)}, ${kind}`
}

/** Reasons why a sample does not count (docs/merging.md). */
export const REASONS_TO_SET_ASIDE: Record<string, string> = {
  lower_priority_source: 'covers that time and counts first',
  edge_of_better_source: 'recorded the same by another clock',
  counted_by_better_source: 'counted that much already',
}

/** Rules by which records are the same session (docs/merging.md#nights-and-workouts). */
export const RULES_OF_SAMENESS: Record<string, string> = {
  same_id: 'has the same id at the provider',
  same_time: 'has the same time',
  part_of_record: 'is a part of it',
  several_parts: 'has it as a whole, others have parts',
  same_wall_clock: 'has the same local time, without a zone',
  same_day: 'has the same day, without times',
}

/** Reasons why one record counts rather than another (docs/merging.md#nights-and-workouts). */
export const REASONS_TO_COUNT: Record<string, string> = {
  preferred_by_request: 'is preferred',
  priority_of_person: 'has a higher priority for this person',
  priority_of_team: 'has a higher priority for the team',
  times_known: 'has times',
  zone_known: 'has a time zone',
  stages_known: 'has stages of sleep',
  kind_of_source: 'is of a kind of source that counts first',
  covers_more: 'covers more of it',
  in_one_piece: 'has it in one piece',
  more_detail: 'has more values',
  alphabet: 'is first in the alphabet',
}
