import type { ReactNode } from 'react'
import { MINUTE_MS } from '../../time-units.ts'
import { BarChart } from '../components/bar-chart.tsx'

interface MinuteValue {
  /** ISO 8601. */
  at: string
  /** Number that succeeded. */
  good: number
  bad: number
}

interface MinuteBarsProps {
  /** Description of the bars in a sentence for screen readers. */
  label: string
  minutes: readonly MinuteValue[]
}

const MINUTES = 60

/** Shows the last hour as a bar a minute; failures are at the foot of each, in another color. */
export function MinuteBars({ label, minutes }: MinuteBarsProps): ReactNode {
  const latest = Math.floor(Date.now() / MINUTE_MS)
  const byMinute = new Map(
    minutes.map((minute) => [Math.round(Date.parse(minute.at) / MINUTE_MS), minute]),
  )
  const bars = Array.from({ length: MINUTES }, (_, index) => {
    const { good = 0, bad = 0 } = byMinute.get(latest - MINUTES + 1 + index) ?? {}
    const title = index === MINUTES - 1 ? 'this minute' : `${MINUTES - 1 - index} min ago`
    return { key: index, title, value: good + bad, failed: bad }
  })
  return <BarChart label={label} bars={bars} from="an hour ago" between="30 min" to="now" />
}
