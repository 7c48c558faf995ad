import { resourceTitle } from '../people/person/resource-title.ts'

/** Data types beside series, as priorities name them. */
const SUMMARIES = ['sleep', 'workouts', 'activity', 'body'] as const
export const ALL_SERIES = 'timeseries'

export const isSeries = (subject: string): boolean =>
  subject !== ALL_SERIES && !SUMMARIES.some((name) => name === subject)

/** Series without a merged read (docs/contract/05-timeseries.md#merged-read). */
const NOT_MERGED = ['blood_pressure', 'electrocardiogram_voltage', 'note']

/** Whether the sources of a series are merged; by its name in reads. */
export const isMerged = (series: string): boolean => !NOT_MERGED.includes(series)

/** Returns the choices of what an order is about. */
export const listSubjects = (series: readonly string[]) => [
  {
    group: 'Data types',
    items: [
      { value: ALL_SERIES, label: 'All series' },
      ...SUMMARIES.map((name) => ({ value: name, label: resourceTitle(name) })),
    ],
  },
  {
    group: 'Single series',
    items: series.map((name) => ({ value: name, label: resourceTitle(name) })),
  },
]

/**
 * Returns what a preview shows of a subject: of all series the chosen one; nothing of summaries
 * whose records are not merged.
 */
export function previewOf(subject: string, shown: string): string | undefined {
  if (subject === ALL_SERIES) return shown === '' ? undefined : shown
  return subject === 'activity' || subject === 'body' ? undefined : subject
}
