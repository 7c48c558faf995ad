import { DAY_MS } from '@salus/contracts/time-units'
import { SLOT_MS, type SlotName } from '../timeseries/index.ts'
import type { AnalyzedQuery, GroupKey } from './analysis/plan.ts'
import type { MergedRowsPlan, Window } from './compiled-query.ts'

/** Slots from the longest; each divides those before it. */
const SLOTS: readonly SlotName[] = ['day', 'hour', '15_minutes', '5_minutes', 'minute']

/** Returns the longest slot that divides all these lengths. */
const slotDividing = (lengths: readonly number[]): SlotName =>
  SLOTS.find((slot) => lengths.every((length) => length % SLOT_MS[slot] === 0)) ?? 'minute'

/**
 * Plans the reads of the merged series of a query; null for a query without any. Amounts are cut
 * wherever a bucket may end. For readings the best source of each bucket counts, as in slots of a
 * merged read; in buckets longer than a day, that of each day.
 */
export function planMergedRows(
  { sources, filters, result }: AnalyzedQuery,
  { from, to }: Window,
  preferred: readonly string[],
): MergedRowsPlan | null {
  const first = sources[0]?.merged ?? null
  if (first === null) return null
  const range = { preferred, fromDay: Math.floor(from / DAY_MS), toDay: Math.ceil(to / DAY_MS) }
  if (first.kind === 'sessions') return { kind: 'sessions', resource: first.resource, ...range }
  const lengths =
    result.kind === 'groups' ? result.keys.flatMap(lengthOfKey) : [SLOT_MS['15_minutes']]
  const parts = sources.flatMap(({ merged }, position) => {
    if (merged?.kind !== 'series') return []
    // The window ends within a day only where the query has minutes or hours.
    const slot = slotDividing(merged.isSum ? [...lengths, from, to] : lengths)
    const isSummed =
      slot === 'day' && merged.isSum && filters[position] === null && onlySums({ result }, position)
    return { series: merged.series, slot, isSummed }
  })
  return { kind: 'series', parts, ...range }
}

function lengthOfKey(key: GroupKey): number[] {
  if (key.kind === 'trunc') return key.span.kind === 'fixed' ? [key.span.ms] : []
  if (key.kind === 'value') return key.value.kind === 'shared' ? [] : [SLOT_MS.minute]
  if (key.part === 'minute') return [SLOT_MS.minute]
  return key.part === 'hour' ? [SLOT_MS.hour] : []
}

/** Whether a series is only summed, over time and by source. */
function onlySums({ result }: Pick<AnalyzedQuery, 'result'>, source: number): boolean {
  if (result.kind !== 'groups') return false
  const isKnown = (key: GroupKey): boolean =>
    key.kind !== 'value' || (key.value.kind === 'shared' && key.value.column.startsWith('source_'))
  return (
    result.keys.every(isKnown) &&
    result.aggregates.every(
      ({ func, value, source: of }) =>
        of !== source ||
        (func === 'sum' && value.kind === 'column' && value.column.name === 'value'),
    )
  )
}
