import { DAY_MS } from '../../../../time-units.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import type { Tone } from '../../../components/status-badge.tsx'

type Resources = Record<string, Record<string, components['schemas']['ResourceStatistics']>>
type Pull = components['schemas']['PullStatistics']
type History = Record<string, { pulled: Record<string, Pull>; not_pulled: string[] }>

/** Milliseconds of the epoch. */
export interface TimeSpan {
  from: number
  to: number
}

interface HistoryPull {
  status: Pull['status']
  span: TimeSpan | undefined
  daysWithData: number
  error: string | null
}

export interface CoverageRow {
  resource: string
  held: TimeSpan | undefined
  pull: HistoryPull | undefined
  attempt: components['schemas']['LastAttempt'] | null
}

export interface ProviderCoverage {
  slug: string
  rows: CoverageRow[]
  /** Resources that the provider could send and never did. */
  missing: string[]
}

export const HISTORY_STATES: Record<Pull['status'], { tone: Tone; words: string }> = {
  scheduled: { tone: 'info', words: 'is waiting to be read' },
  in_progress: { tone: 'info', words: 'is being read' },
  retrying: { tone: 'warning', words: 'is being retried' },
  success: { tone: 'good', words: 'was read' },
  failure: { tone: 'bad', words: 'could not be read' },
}

/** Describes the state of a historical pull in words. */
export function describePull({ status, daysWithData, error }: HistoryPull): string {
  const days = `${daysWithData} ${daysWithData === 1 ? 'day' : 'days'} with data`
  return `The history ${HISTORY_STATES[status].words}, ${days}${error === null ? '' : `: ${error}`}`
}

/** Joins stored and requested resources, by provider. */
export function toCoverage(resources: Resources, history: History): ProviderCoverage[] {
  const slugs = new Set([...Object.keys(resources), ...Object.keys(history)])
  return [...slugs].sort().map((slug) => {
    const held = resources[slug] ?? {}
    const { pulled = {}, not_pulled: notPulled = [] } = history[slug] ?? {}
    const names = new Set([...Object.keys(held), ...Object.keys(pulled)])
    const all = [...names]
      .sort()
      .map((resource) => toRow(resource, held[resource], pulled[resource]))
    const rows = all.filter(({ held, pull, attempt }) => held || pull || attempt)
    const shown = new Set(rows.map(({ resource }) => resource))
    const missing = [...new Set([...names, ...notPulled])].filter((name) => !shown.has(name))
    return { slug, rows, missing }
  })
}

function toRow(
  resource: string,
  statistics: Resources[string][string] | undefined,
  pull: Pull | undefined,
): CoverageRow {
  return {
    resource,
    held: toSpan(statistics?.oldest_data, statistics?.newest_data),
    attempt: statistics?.last_attempt ?? null,
    pull: pull && {
      status: pull.status,
      span: toSpan(pull.range_start, pull.range_end),
      daysWithData: pull.days_with_data,
      error: pull.error_details,
    },
  }
}

function toSpan(from: string | null | undefined, to: string | null | undefined) {
  return from && to ? { from: Date.parse(from), to: Date.parse(to) } : undefined
}

/** Returns the range of time of all rows; undefined when none has a time. */
export function spanOf(rows: readonly CoverageRow[]): TimeSpan | undefined {
  const spans = rows
    .flatMap(({ held, pull }) => [held, pull?.span])
    .filter((span) => span !== undefined)
  if (spans.length === 0) return undefined
  const from = Math.min(...spans.map((span) => span.from))
  const to = Math.max(...spans.map((span) => span.to))
  return { from, to: Math.max(to, from + 86_400_000) }
}

/** Distances of ticks in days; the first that yields six or fewer is chosen. */
const STEPS = [1, 2, 7, 14, 31, 61, 92, 183, 366, 731, 1827]

/** Returns the labels of an axis, with days of the person's zone. */
export function ticksOf({ from, to }: TimeSpan, timeZone = 'UTC'): { at: number; label: string }[] {
  const step = (STEPS.find((days) => (to - from) / (days * DAY_MS) <= 6) ?? 3653) * DAY_MS
  const isLong = to - from > 400 * DAY_MS
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    month: 'short',
    ...(isLong ? { year: 'numeric' } : { day: 'numeric' }),
  })
  // There is no room for a label at the very end.
  const count = Math.max(1, Math.ceil((to - from - step * 0.4) / step))
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * step
    return { at, label: format.format(at) }
  })
}
