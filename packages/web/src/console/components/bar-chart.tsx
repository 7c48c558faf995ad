import type { ReactNode } from 'react'
import './bar-chart.css'

export interface Bar {
  key: string | number
  /** What the bar is of, such as a day or an hour. */
  title: string
  value: number
  /** Part of the value that failed, at the foot of the bar in another color. */
  failed?: number
}

interface BarChartProps {
  /** Description of the chart in a sentence for screen readers. */
  label: string
  bars: readonly Bar[]
  /** Labels of the ends of the horizontal axis. */
  from: string
  to: string
  /** Label between them. */
  between?: string
}

const WIDTH = 10
const HEIGHT = 100
const COUNT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Returns the smallest of 1, 2, 5, 10, 20, 50 and so on that is not below the value. */
function niceCeiling(value: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return [1, 2, 5, 10].map((factor) => factor * step).find((nice) => nice >= value) ?? value
}

/** Shows counts of equal spans of time as bars, with both axes. */
export function BarChart({ label, bars, from, to, between }: BarChartProps): ReactNode {
  const top = niceCeiling(Math.max(...bars.map(({ value }) => value)))
  const heightOf = (value: number): number => (value / top) * HEIGHT
  return (
    <figure className="bar-chart">
      <div className="bar-chart-counts" aria-hidden>
        <span>{COUNT.format(top)}</span>
        <span>0</span>
      </div>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <path
          className="bar-chart-grid"
          d={`M0 ${HEIGHT / 2}h${bars.length * WIDTH}M0 0h${bars.length * WIDTH}`}
        />
        {bars.map(({ key, title, value, failed = 0 }, index) => (
          <g key={key}>
            <title>{describeBar(title, value, failed)}</title>
            <rect
              className="bar-chart-space"
              x={index * WIDTH}
              width={WIDTH}
              y={0}
              height={HEIGHT}
            />
            <rect
              className="bar-chart-bar"
              x={index * WIDTH + 1}
              width={WIDTH - 2}
              y={HEIGHT - heightOf(value)}
              height={heightOf(value - failed)}
            />
            <rect
              className="bar-chart-bar"
              data-tone="bad"
              x={index * WIDTH + 1}
              width={WIDTH - 2}
              y={HEIGHT - heightOf(failed)}
              height={heightOf(failed)}
            />
          </g>
        ))}
      </svg>
      <figcaption aria-hidden>
        <span>{from}</span>
        {between !== undefined && <span>{between}</span>}
        <span>{to}</span>
      </figcaption>
    </figure>
  )
}

function describeBar(title: string, value: number, failed: number): string {
  const count = value.toLocaleString('en')
  return failed === 0 ? `${title}: ${count}` : `${title}: ${count}, ${failed} of them failed`
}
