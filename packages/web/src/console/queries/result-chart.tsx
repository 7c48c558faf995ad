import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { TableColumns } from './query-code.ts'

const COLORS = ['#1f8a70', '#c26a1b', '#4a6fd1', '#a2479b', '#8a7a1c', '#c0405a'] as const
const HEIGHT = 260
const MOST_LINES = COLORS.length

/** A table in the form of a chart: a column that orders the rows, and those with numbers. */
export interface Drawable {
  x: number[]
  xName: string
  isTime: boolean
  lines: { name: string; values: (number | null)[] }[]
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?/

/** Local times are drawn unchanged, whatever zone the reader is in. */
const toSeconds = (text: string): number =>
  Date.parse(`${text.slice(0, 19)}${text.length > 10 ? 'Z' : ''}`) / 1000

/** @returns undefined for a table without a time or group column, or without numbers */
export function findDrawable(table: TableColumns): Drawable | undefined {
  const columns = Object.entries(table)
  const isNumber = (value: unknown): boolean => value === null || typeof value === 'number'
  const numeric = columns.filter(
    ([, values]) => values.every(isNumber) && values.some((value) => value !== null),
  )
  const time = columns.find(
    ([, values]) =>
      values.length > 1 && values.every((value) => typeof value === 'string' && DATE.test(value)),
  )
  const first =
    time ?? (numeric.length > 1 && numeric[0]?.[0].startsWith('group_key') ? numeric[0] : undefined)
  if (first === undefined || first[1].includes(null)) return undefined
  const [xName, values] = first
  const x = values.map((value) => (typeof value === 'number' ? value : toSeconds(String(value))))
  const order = x.map((_, index) => index).sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0))
  const lines = numeric
    .filter(([name]) => name !== xName)
    .slice(0, MOST_LINES)
    .map(([name, all]) => ({
      name,
      values: order.map((index) => (all[index] ?? null) as number | null),
    }))
  if (lines.length === 0) return undefined
  return { xName, x: order.map((index) => x[index] as number), isTime: time !== undefined, lines }
}

const readColor = (name: string): string =>
  getComputedStyle(document.body).getPropertyValue(name) || 'currentColor'

const sizeOf = ({ values }: Drawable['lines'][number]): number =>
  Math.max(...values.map((value) => Math.abs(value ?? 0)))

function makeOptions({ lines, isTime }: Drawable, width: number): uPlot.Options {
  const axis = {
    stroke: readColor('color') || '#888',
    grid: { stroke: 'rgb(128 128 128 / 0.18)' },
    ticks: { show: false },
  }
  const largest = Math.max(...lines.map(sizeOf))
  // Scores beside seconds would be a flat line: much smaller values have an axis of their own.
  const isSmall = (line: Drawable['lines'][number]): boolean => sizeOf(line) < largest / 8
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { x: { time: isTime } },
    axes: [
      axis,
      axis,
      ...(lines.some(isSmall) ? [{ ...axis, scale: 'small', side: 1, grid: { show: false } }] : []),
    ],
    series: [
      {},
      ...lines.map((line, index) => ({
        label: line.name,
        scale: isSmall(line) ? 'small' : 'y',
        stroke: COLORS[index] ?? COLORS[0],
        width: 1.5,
        spanGaps: false,
        points: { size: 5 },
      })),
    ],
  }
}

/** Draws the numbers of a table along its time or its group. */
export function ResultChart({ drawable, label }: { drawable: Drawable; label: string }): ReactNode {
  const parent = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = parent
    if (current === null) return
    const data = [drawable.x, ...drawable.lines.map(({ values }) => values)] as uPlot.AlignedData
    const chart = new uPlot(makeOptions(drawable, current.clientWidth), data, current)
    const resize = new ResizeObserver(() =>
      chart.setSize({ width: current.clientWidth, height: HEIGHT }),
    )
    resize.observe(current)
    return () => {
      resize.disconnect()
      chart.destroy()
    }
  }, [drawable])
  // Screen readers read the same numbers in the table.
  return <div ref={parent} role="img" aria-label={label} className="query-chart" />
}
