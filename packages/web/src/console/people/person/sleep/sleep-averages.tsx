import type { ReactNode } from 'react'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { formatDuration } from '../local-time.ts'
import { formatHour, type Night } from './sleep-night.ts'

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

type Average = [
  title: string,
  read: (night: Night) => number | null,
  format: (value: number) => string,
]

const AVERAGES: readonly Average[] = [
  ['Asleep', ({ sleep }) => sleep.total || null, formatDuration],
  ['In bed', ({ sleep }) => sleep.duration, formatDuration],
  ['To bed', ({ from }) => from, formatHour],
  ['Up', ({ to }) => to, formatHour],
  ['Efficiency', ({ sleep }) => sleep.efficiency, (value) => `${Math.round(value)} %`],
  ['Resting pulse', ({ sleep }) => sleep.hr_resting, (value) => `${Math.round(value)} bpm`],
  ['Variability', ({ sleep }) => sleep.average_hrv, (value) => `${Math.round(value)} ms`],
]

/** Means over the nights of the visible days, without naps. A value counts where it is known. */
export function SleepAverages({ nights }: { nights: readonly Night[] }): ReactNode {
  const long = nights.filter(({ sleep }) => sleep.type === 'long_sleep')
  const averages = AVERAGES.flatMap(([title, read, format]) => {
    const values = long.map(read).filter((value) => value !== null)
    return values.length === 0 ? [] : [{ title, text: format(mean(values)), count: values.length }]
  })
  if (long.length < 2) return null
  return (
    <section aria-label="Averages">
      <h3 className="averages-title">Averages of {formatQuantity(long.length, 'night')}</h3>
      <dl className="fact-grid">
        {averages.map(({ title, text, count }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {text}
              {count < long.length && <span className="quiet"> of {count}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
