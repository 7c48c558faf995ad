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
