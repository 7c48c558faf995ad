import type { ReactNode } from 'react'

const WIDTH = 300
const HEIGHT = 72
const GAP = 2

interface DayChartProps {
  /** Says what the chart shows; the numbers are in the table below it. */
  label: string
  values: readonly (number | null)[]
  /** Bars from zero, for amounts; otherwise a line within the range of the values. */
  isFromZero: boolean
}

/** A small chart of days, without axes. */
export function DayChart({ label, values, isFromZero }: DayChartProps): ReactNode {
  const known = values.filter((value) => value !== null)
  const most = Math.max(...known)
  const least = isFromZero ? 0 : Math.min(...known)
  const step = WIDTH / values.length
  const heightOf = (value: number): number =>
    most === least ? HEIGHT / 2 : 4 + ((value - least) / (most - least)) * (HEIGHT - 8)
  return (
    <svg
      className="me-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {isFromZero ? (
        values.map((value, index) =>
          value === null ? null : (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a day stays at its place
              key={index}
              x={index * step + GAP / 2}
              y={HEIGHT - heightOf(value)}
              width={step - GAP}
              height={heightOf(value)}
              rx={1.5}
            />
          ),
        )
      ) : (
        <Lines
          values={values}
          xOf={(index) => (index + 0.5) * step}
          yOf={(value) => HEIGHT - heightOf(value)}
        />
      )}
    </svg>
  )
}

interface LinesProps {
  values: readonly (number | null)[]
  xOf: (index: number) => number
  yOf: (value: number) => number
}

/** A line through days that follow each other; a day alone is a short dash. */
function Lines({ values, xOf, yOf }: LinesProps): ReactNode {
  const paths: string[] = []
  let path = ''
  for (const [index, value] of [...values, null].entries()) {
    if (value !== null) {
      path += `${path === '' ? 'M' : 'L'}${xOf(index).toFixed(1)} ${yOf(value).toFixed(1)}`
      continue
    }
    if (path !== '') paths.push(path.includes('L') ? path : `${path}h0.01`)
    path = ''
  }
  return <path d={paths.join('')} vectorEffect="non-scaling-stroke" />
}
