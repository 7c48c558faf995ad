import { useComputedColorScheme } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type PlotColors, readColors } from '../charts/plot-colors.ts'
import { createOffsetTime, formatTick, listTicks } from '../charts/zone-time.ts'
import type { ResultCharts, ResultPlot } from './result-series.ts'

const HEIGHT = 240
/** Local times are drawn as if they were UTC. */
const LOCAL = createOffsetTime(0)
const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const FONT = '12px system-ui, sans-serif'

const TIME = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** Formats a place on the axis: a day, with the time where it has one, or a number. */
function formatPlace(x: number, isTime: boolean): string {
  if (!isTime) return NUMBER.format(x)
  const date = new Date(x * 1000)
  const time = date.toISOString().slice(11, 16)
  return time === '00:00' ? TIME.format(date) : `${TIME.format(date)}, ${time}`
}

type Range = [least: number, most: number]

/** Sums begin at zero; other values have some room around them. */
function rangeOf(isFromZero: boolean, least: number | null, most: number | null): Range {
  if (least === null || most === null) return [0, 1]
  const room = (most - least || Math.abs(most) || 1) * 0.06
  if (!isFromZero) return [least - room, most + room]
  return [least < 0 ? least - room : 0, most > 0 ? most + room : least < 0 ? 0 : 1]
}

/** Draws the line of zero, where the chart has it within. */
function drawZero(plot: uPlot, colors: PlotColors): void {
  const { min, max } = plot.scales.y ?? {}
  if (min === null || min === undefined || max === null || max === undefined) return
  if (min > 0 || max < 0) return
  const { ctx, bbox } = plot
  const y = Math.round(plot.valToPos(0, 'y', true))
  ctx.save()
  ctx.strokeStyle = colors.text
  ctx.lineWidth = devicePixelRatio
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

function axesOf(charts: ResultCharts, plot: ResultPlot, colors: PlotColors): uPlot.Axis[] {
  const common = {
    ...{ stroke: colors.text, font: FONT, labelFont: FONT, ticks: { show: false } },
    grid: { stroke: colors.grid, width: 1 },
  }
  return [
    {
      ...common,
      size: 28,
      label: charts.isTime ? `${charts.xName}, local time of the person` : charts.xName,
      labelSize: 20,
      ...(charts.isTime && {
        space: 74,
        splits: (_: uPlot, __: number, from: number, to: number, step: number) =>
          listTicks(from, to, step, LOCAL),
        values: (_: uPlot, splits: number[], __: number, ___: number, step: number) =>
          splits.map((at) => formatTick(at, step, LOCAL)),
      }),
    },
    {
      ...common,
      size: 64,
      label: plot.unit === '' ? 'number' : plot.unit,
      labelSize: 18,
      values: (_: uPlot, values: number[]) => values.map((value) => NUMBER.format(value)),
    },
  ]
}

function optionsOf(
  charts: ResultCharts,
  plot: ResultPlot,
  colors: PlotColors,
  view: { width: number; onPoint: (index: number | null) => void },
): uPlot.Options {
  const bars = uPlot.paths.bars?.({ size: [0.8, 48] })
  const isBars = plot.isFromZero && plot.lines.length === 1 && bars !== undefined
  const [first = 0, second = first] = charts.x
  const half = (second - first) / 2
  return {
    width: view.width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      // A bar stands on its place, half of it before.
      x: {
        time: charts.isTime,
        range: (_, least, most) => (isBars ? [least - half, most + half] : [least, most]),
      },
      y: { range: (_, least, most) => rangeOf(plot.isFromZero, least, most) },
    },
    axes: axesOf(charts, plot, colors),
    series: [
      {},
      ...plot.lines.map((line, index): uPlot.Series => {
        const color = colors.sources[index] ?? colors.line
        return {
          label: line.name,
          stroke: color,
          width: isBars ? 0 : 1.5,
          spanGaps: false,
          points: { size: 5, show: !isBars },
          ...(isBars && { fill: color, paths: bars }),
        }
      }),
    ],
    hooks: {
      drawClear: [(drawn) => drawZero(drawn, colors)],
      setCursor: [({ cursor }) => view.onPoint(cursor.idx ?? null)],
    },
  }
}

interface PlotProps {
  charts: ResultCharts
  plot: ResultPlot
  /** Positions of lines that are not drawn. */
  hidden: ReadonlySet<number>
  /** Position on the axis that the keyboard or the mouse points at. */
  at: number | null
  onPoint: (index: number | null) => void
}

function Plot({ charts, plot, hidden, at, onPoint }: PlotProps): ReactNode {
  const parent = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(null)
  const latest = useRef(onPoint)
  latest.current = onPoint
  const scheme = useComputedColorScheme('light')
  // biome-ignore lint/correctness/useExhaustiveDependencies: colors follow the scheme
  useEffect(() => {
    const { current: box } = parent
    if (box === null) return
    const data = [charts.x, ...plot.lines.map(({ values }) => values)] as uPlot.AlignedData
    const view = {
      width: box.clientWidth,
      onPoint: (index: number | null) => latest.current(index),
    }
    const chart = new uPlot(optionsOf(charts, plot, readColors(box), view), data, box)
    drawn.current = chart
    const resize = new ResizeObserver(() => {
      if (box.clientWidth > 0) chart.setSize({ width: box.clientWidth, height: HEIGHT })
    })
    resize.observe(box)
    return () => {
      resize.disconnect()
      chart.destroy()
      drawn.current = null
    }
  }, [charts, plot, scheme])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart that was drawn anew shows all lines
  useEffect(() => {
    for (const [index] of plot.lines.entries()) {
      drawn.current?.setSeries(index + 1, { show: !hidden.has(index) })
    }
  }, [hidden, plot, charts, scheme])
  useEffect(() => {
    const { current: chart } = drawn
    if (chart === null || at === chart.cursor.idx) return
    const x = at === null ? undefined : charts.x[at]
    const left = x === undefined ? -10 : chart.valToPos(x, 'x')
    chart.setCursor({ left, top: left < 0 ? -10 : 1 }, false)
  }, [at, charts])
  return <div ref={parent} className="query-plot" aria-hidden="true" />
}

/** Returns the values of the lines at a position, as a text. */
function describeAt({ x, isTime }: ResultCharts, plot: ResultPlot, at: number): string {
  const values = plot.lines.map(({ name, values: all }) => {
    const value = all[at]
    const text = typeof value === 'number' ? `${NUMBER.format(value)} ${plot.unit}` : 'no value'
    return `${name}: ${text.trim()}`
  })
  return `${formatPlace(x[at] ?? 0, isTime)}: ${values.join('; ')}`
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  PageDown: (at) => at + 10,
  PageUp: (at) => at - 10,
  Home: () => 0,
  End: (_, last) => last,
}

/** A chart of lines with one unit, its legend, and the values at the pointer or by arrow keys. */
function UnitChart({ charts, plot }: { charts: ResultCharts; plot: ResultPlot }): ReactNode {
  const [at, setAt] = useState<number | null>(null)
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const last = charts.x.length - 1
  const names = plot.lines.map(({ name }) => name).join(', ')
  const text = at === null ? '' : describeAt(charts, plot, at)
  return (
    <figure className="query-chart">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Chart of ${names}`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? 0}
        aria-valuetext={text || 'Arrow keys read the values.'}
        onKeyDown={(event) => {
          const step = STEPS[event.key]
          if (step === undefined) return
          event.preventDefault()
          const next = at === null ? (event.key === 'End' ? last : 0) : step(at, last)
          setAt(Math.max(0, Math.min(last, next)))
        }}
      >
        <Plot {...{ charts, plot, hidden, at }} onPoint={setAt} />
      </div>
      <p className="query-readout quiet">
        {text || 'Point at the chart, or use the arrow keys, to read its values.'}
      </p>
      {plot.lines.length > 1 && (
        <ul className="query-legend" aria-label="Lines">
          {plot.lines.map(({ name }, index) => (
            <li key={name}>
              <button
                type="button"
                aria-pressed={!hidden.has(index)}
                onClick={() => setHidden(hidden.symmetricDifference(new Set([index])))}
              >
                <span data-line={index} aria-hidden="true" />
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}

/** Draws the numbers of a result along its time or its group: one chart for each unit. */
export function ResultChart({ charts }: { charts: ResultCharts }): ReactNode {
  return (
    <div className="query-charts">
      {charts.plots.map((plot) => (
        <UnitChart key={plot.unit} charts={charts} plot={plot} />
      ))}
      {charts.leftOut > 0 && (
        <p className="quiet">
          {charts.leftOut} more {charts.leftOut === 1 ? 'line is' : 'lines are'} only in the table:
          a chart shows six for each unit.
        </p>
      )}
    </div>
  )
}
