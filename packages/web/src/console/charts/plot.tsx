import { useComputedColorScheme } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { attachGestures } from './gestures.ts'
import { type PlotColors, readColors } from './plot-colors.ts'
import type { PlotSeries } from './plot-series.ts'
import type { TimeView } from './time-view.ts'
import { formatTick, listTicks, type ZoneTime } from './zone-time.ts'

/** Content of one plot, beside the axis that all plots share. */
export interface PlotContent {
  series: (colors: PlotColors) => PlotSeries
  /** Below the lines and above them. */
  drawBelow?: (plot: uPlot, colors: PlotColors) => void
  drawAbove?: (plot: uPlot, colors: PlotColors) => void
  /** From the smallest and the largest visible value. */
  rangeOf: (least: number | null, most: number | null) => [number, number]
  formatTick?: (value: number) => string
}

interface PlotProps {
  view: TimeView
  time: ZoneTime
  height: number
  content: PlotContent
  /** Whether the axis of values has room for its numbers. */
  isRows?: boolean
  onPoint: (seconds: number | null) => void
  onClick: (seconds: number) => void
}

/** Plots with this name share one cursor. */
const SYNC = 'timeline'
const FONT = '12px system-ui, sans-serif'
const AXIS_WIDTH = 46

function axesOf(colors: PlotColors, { isRows, content, time }: PlotProps): uPlot.Axis[] {
  const common = { stroke: colors.text, font: FONT, ticks: { show: false } }
  const grid = { stroke: colors.grid, width: 1 }
  return [
    {
      ...common,
      grid,
      size: 26,
      space: 74,
      splits: (_, __, from, to, step) => listTicks(from, to, step, time),
      values: (_, splits, __, ___, step) => splits.map((at) => formatTick(at, step, time)),
    },
    {
      ...common,
      grid: { ...grid, show: !isRows },
      size: AXIS_WIDTH,
      space: 28,
      values: (_, values) =>
        isRows ? [] : values.map((value) => content.formatTick?.(value) ?? String(value)),
    },
  ]
}

function optionsOf(
  props: PlotProps,
  colors: PlotColors,
  width: number,
  series: PlotSeries,
): uPlot.Options {
  const { view, content, height } = props
  const { from, to } = view.get()
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 6, 0, 0],
    cursor: {
      drag: { x: false, y: false, setScale: false },
      sync: { key: SYNC, scales: ['x', null] },
      y: false,
    },
    scales: {
      x: { time: true, auto: false, min: from, max: to },
      y: { range: (_, least, most) => content.rangeOf(least, most) },
    },
    axes: axesOf(colors, props),
    series: series.series,
    bands: series.bands,
    hooks: {
      drawClear: [(plot) => content.drawBelow?.(plot, colors)],
      draw: [(plot) => content.drawAbove?.(plot, colors)],
      setCursor: [
        (plot) => {
          const { left } = plot.cursor
          const isOver = left !== undefined && left !== null && left >= 0
          props.onPoint(isOver ? plot.posToVal(left, 'x') : null)
        },
      ],
    },
  }
}

/**
 * Draws a chart on a canvas, at the range of the shared view. Screen readers need a text beside it.
 */
export function Plot(props: PlotProps): ReactNode {
  const { view, content, height, time, isRows = false } = props
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const scheme = useComputedColorScheme('light')
  // biome-ignore lint/correctness/useExhaustiveDependencies: colors follow the scheme
  useEffect(() => {
    const box = element.current
    if (box === null) return
    const colors = readColors(box)
    const series = content.series(colors)
    const options = optionsOf(latestProps(latest), colors, box.clientWidth, series)
    const plot = new uPlot(options, series.data, box)
    return followView(plot, box, view)
  }, [view, content, height, time, isRows, scheme])
  useEffect(() => {
    if (element.current === null) return
    const onClick = (part: number): void => {
      const { from, to } = view.get()
      latest.current.onClick(from + (to - from) * part)
    }
    return attachGestures(element.current, { view, onClick })
  }, [view])
  return <div ref={element} className="plot" style={{ height }} aria-hidden="true" />
}

/** Lets callbacks of the plot use the current props. */
function latestProps(latest: { current: PlotProps }): PlotProps {
  return {
    ...latest.current,
    onPoint: (seconds) => latest.current.onPoint(seconds),
  }
}

/** Keeps a plot at its width and, while it is visible, at the range of the view. */
function followView(plot: uPlot, box: HTMLElement, view: TimeView): () => void {
  let isSeen = true
  const move = (): void => {
    if (!isSeen) return
    const { from, to } = view.get()
    plot.setScale('x', { min: from, max: to })
  }
  const resize = new ResizeObserver(() => {
    if (box.clientWidth > 0) plot.setSize({ width: box.clientWidth, height: plot.height })
  })
  resize.observe(box)
  const seen = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? true
    move()
  })
  seen.observe(box)
  const unsubscribe = view.subscribe(move)
  return () => {
    unsubscribe()
    seen.disconnect()
    resize.disconnect()
    plot.destroy()
  }
}
