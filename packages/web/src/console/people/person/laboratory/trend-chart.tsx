import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { formatDay, formatNumber, formatUnit } from './analytes.ts'
import { type ChartPoint, listTicks, makeScale, type Scale } from './trend-scale.ts'
import './trend-chart.css'

interface TrendChartProps {
  name: string
  unit: string | null
  /** Oldest first, at least one. */
  points: readonly ChartPoint[]
}

const HEIGHT = 190
const MARGIN = { left: 48, right: 14, top: 12, bottom: 26 }

/** Shows one analyte over time in one unit, with the reference interval of each value behind it. */
export function TrendChart({ name, unit, points }: TrendChartProps): ReactNode {
  const { ref, width } = useElementSize<HTMLDivElement>()
  return (
    <div className="trend-chart" ref={ref}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={summarizeChart({ name, unit, points })}
        >
          <Drawing points={points} unit={unit} width={width} />
        </svg>
      )}
    </div>
  )
}

function Drawing({
  points,
  unit,
  width,
}: Omit<TrendChartProps, 'name'> & { width: number }): ReactNode {
  const right = width - MARGIN.right
  const bottom = HEIGHT - MARGIN.bottom
  const scale = makeScale(points, { left: MARGIN.left, right, top: MARGIN.top, bottom })
  const line = points.map(({ date, value }) => `${scale.x(date)},${scale.y(value)}`).join(' ')
  return (
    <>
      {listTicks(scale.least, scale.most, 4).map((tick) => (
        <g key={tick}>
          <line
            className="trend-grid"
            x1={MARGIN.left}
            x2={right}
            y1={scale.y(tick)}
            y2={scale.y(tick)}
          />
          <text className="trend-tick" x={MARGIN.left - 8} y={scale.y(tick) + 4} textAnchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      <Intervals points={points} scale={scale} right={right} bottom={bottom} />
      <polyline className="trend-line" points={line} />
      {points.map((point, index) => (
        <Mark
          // biome-ignore lint/suspicious/noArrayIndexKey: two values of one day may be alike
          key={index}
          point={point}
          unit={unit}
          scale={scale}
        />
      ))}
      <Days points={points} scale={scale} width={width} />
    </>
  )
}

/** Draws the interval of each value, as wide as to the middle of its neighbors. */
function Intervals({
  points,
  scale,
  right,
  bottom,
}: {
  points: readonly ChartPoint[]
  scale: Scale
  right: number
  bottom: number
}): ReactNode {
  const middle = (one: ChartPoint | undefined, other: ChartPoint, edge: number): number =>
    one === undefined ? edge : (scale.x(one.date) + scale.x(other.date)) / 2
  return points.map((point, index) => {
    const { min_range_value: low, max_range_value: high } = point
    if (low === null && high === null) return null
    const from = middle(points[index - 1], point, MARGIN.left)
    const to = middle(points[index + 1], point, right)
    const top = high === null ? MARGIN.top : scale.y(high)
    const end = low === null ? bottom : scale.y(low)
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        key={index}
        className="trend-interval"
        x={from}
        width={Math.max(to - from, 0)}
        y={top}
        height={Math.max(end - top, 0)}
      />
    )
  })
}

/**
 * Draws a circle within the interval and a square outside of it, so that the color is not the only
 * sign.
 */
function Mark({
  point,
  unit,
  scale,
}: {
  point: ChartPoint
  unit: string | null
  scale: Scale
}): ReactNode {
  const x = scale.x(point.date)
  const y = scale.y(point.value)
  const title = `${formatDay(point.date)}: ${formatNumber(point.value)} ${formatUnit(unit)}`
  if (point.interpretation === 'abnormal' || point.interpretation === 'critical') {
    return (
      <rect
        className="trend-point"
        data-interpretation={point.interpretation}
        x={x - 4.5}
        y={y - 4.5}
        width={9}
        height={9}
      >
        <title>{title}</title>
      </rect>
    )
  }
  return (
    <circle className="trend-point" cx={x} cy={y} r={4.5}>
      <title>{title}</title>
    </circle>
  )
}

/** Labels the first and the last day, and some between where there is room. */
function Days({
  points,
  scale,
  width,
}: {
  points: readonly ChartPoint[]
  scale: Scale
  width: number
}): ReactNode {
  const room = 96
  const shown: { date: string; x: number }[] = []
  const last = points.at(-1)
  for (const { date } of points) {
    const x = scale.x(date)
    const isClear = (shown.at(-1)?.x ?? Number.NEGATIVE_INFINITY) + room < x
    const isBeforeLast = last === undefined || date === last.date || x + room < scale.x(last.date)
    if (isClear && isBeforeLast) shown.push({ date, x })
  }
  return shown.map(({ date, x }) => (
    <text
      key={date}
      className="trend-tick"
      x={Math.min(Math.max(x, MARGIN.left + 30), width - 40)}
      y={HEIGHT - 6}
      textAnchor="middle"
    >
      {formatDay(date)}
    </text>
  ))
}

function summarizeChart({ name, unit, points }: TrendChartProps): string {
  const values = points.map(({ value }) => value)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return name
  const least = formatNumber(Math.min(...values))
  const most = formatNumber(Math.max(...values))
  return (
    `${name}: ${formatQuantity(points.length, 'value')} from ${formatDay(first.date)} to ${formatDay(last.date)}, ` +
    `between ${least} and ${most} ${formatUnit(unit)}. The last is ${formatNumber(last.value)}.`
  )
}

/** Draws a few values as a line that is as small as a word. */
export function Sparkline({ points }: { points: readonly ChartPoint[] }): ReactNode {
  const scale = makeScale(points, { left: 4, right: 92, top: 4, bottom: 20 })
  const last = points.at(-1)
  return (
    <svg className="sparkline" width={96} height={24} aria-hidden="true">
      <Intervals points={points} scale={scale} right={96} bottom={24} />
      <polyline
        className="trend-line"
        points={points.map(({ date, value }) => `${scale.x(date)},${scale.y(value)}`).join(' ')}
      />
      {last !== undefined && (
        <circle
          className="trend-point"
          data-interpretation={last.interpretation}
          cx={scale.x(last.date)}
          cy={scale.y(last.value)}
          r={3}
        />
      )}
    </svg>
  )
}
