import type { ReactNode } from 'react'
import { MINUTE_MS } from '../../time-units.ts'

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
const HEIGHT = 56
const WIDTH = 8

/** Shows the last hour as a bar a minute; failures are at the foot of each, in another color. */
export function MinuteBars({ label, minutes }: MinuteBarsProps): ReactNode {
  const latest = Math.floor(Date.now() / MINUTE_MS)
  const byMinute = new Map(
    minutes.map((minute) => [Math.round(Date.parse(minute.at) / MINUTE_MS), minute]),
  )
  const slots = Array.from({ length: MINUTES }, (_, index) => {
    const minute = byMinute.get(latest - MINUTES + 1 + index)
    return { index, good: minute?.good ?? 0, bad: minute?.bad ?? 0 }
  })
  const highest = Math.max(1, ...slots.map(({ good, bad }) => good + bad))
  const heightOf = (value: number): number => (value / highest) * HEIGHT
  return (
    <figure className="operation-bars">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${MINUTES * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {slots.map(({ index, good, bad }) => (
          <g key={index}>
            <rect
              className="operation-bar"
              x={index * WIDTH + 1}
              width={WIDTH - 2}
              y={HEIGHT - heightOf(good + bad)}
              height={heightOf(good)}
            />
            <rect
              className="operation-bar"
              data-tone="bad"
              x={index * WIDTH + 1}
              width={WIDTH - 2}
              y={HEIGHT - heightOf(bad)}
              height={heightOf(bad)}
            />
          </g>
        ))}
      </svg>
      <figcaption>
        <span>an hour ago</span>
        <span>at most {highest} a minute</span>
        <span>now</span>
      </figcaption>
    </figure>
  )
}
