import type { HistorySubject } from '../../ingest/index.ts'
import { findProvider } from '../../providers/index.ts'
import { type Series, type SeriesName, series } from '../../series/index.ts'
import { type AnnouncedResource, summaryHistory } from '../summaries.events.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'

/** Resources that clients never upload by themselves: they come with a summary. */
const FED_SUMMARIES: Partial<Record<SummaryResource, readonly AnnouncedResource[]>> = {
  sleep: ['sleep_cycle'],
  workouts: ['workout_stream'],
}
const FED_SERIES: Partial<Record<SummaryResource, readonly SeriesName[]>> = {
  workouts: ['workout_distance', 'workout_swimming_stroke'],
  body: ['body_weight', 'body_fat', 'body_mass_index', 'lean_body_mass', 'waist_circumference'],
  electrocardiogram: ['electrocardiogram_voltage'],
}

/**
 * All whose history an upload of a resource brings: the resource, and what else the provider has that
 * comes with it alone.
 */
export function historiesOf(
  resource: SummaryResource,
  provider: string,
): (Series | HistorySubject)[] {
  const offered = findProvider(provider)?.resources ?? []
  const fed = [
    ...(FED_SUMMARIES[resource] ?? []).map(summaryHistory),
    ...(FED_SERIES[resource] ?? []).map(series),
  ]
  return [summaryHistory(resource), ...fed.filter((subject) => offered.includes(subject.resource))]
}
