import type uPlot from 'uplot'
import { type ShownUnits, shownUnitOf, toShown } from '../components/units.ts'
import { type Bucket, type JoinedChart, nameOfSource } from './join-tiles.ts'
import type { PlotColors } from './plot-colors.ts'

/** A range of normal values. */
export interface TargetRange {
  from: number
  to: number
}

/** The usual target of glucose, in mmol/L. */
const TARGETS: Record<string, TargetRange> = { glucose: { from: 3.9, to: 10 } }

/** Returns the target range of a series in the units in which its values are shown. */
export function targetOf(resource: string, units: ShownUnits): TargetRange | undefined {
  const target = TARGETS[resource]
  const shown = shownUnitOf(resource, units)
  if (target === undefined || shown === undefined) return target
  return { from: toShown(target.from, shown), to: toShown(target.to, shown) }
}

const STRIP_HEIGHT = 3

/** Draws the area of the target range below the values. */
export function drawTarget(plot: uPlot, target: TargetRange, colors: PlotColors): void {
  const { ctx, bbox } = plot
  const top = Math.max(plot.valToPos(target.to, 'y', true), bbox.top)
  const bottom = Math.min(plot.valToPos(target.from, 'y', true), bbox.top + bbox.height)
  if (bottom <= top) return
  ctx.save()
  ctx.fillStyle = colors.target
  ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
  ctx.restore()
}

/** Draws lines between pairs, the strip of sources, and changes of local time above the values. */
export function drawLayers(plot: uPlot, chart: JoinedChart, colors: PlotColors): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  if (chart.kind === 'pair') drawPairs(plot, chart, colors)
  if (chart.sources.length > 1 && chart.kind !== 'pair') drawSources(plot, chart, colors)
  drawJourneys(plot, chart, colors)
  ctx.restore()
}

function visibleOf(plot: uPlot, buckets: readonly Bucket[]): Bucket[] {
  const { min = 0, max = 0 } = plot.scales.x ?? {}
  return buckets.filter(({ start, end }) => end >= (min ?? 0) && start <= (max ?? 0))
}

function drawPairs(plot: uPlot, chart: JoinedChart, colors: PlotColors): void {
  const { ctx } = plot
  ctx.lineWidth = 2 * devicePixelRatio
  for (const [index, line] of chart.lines.entries()) {
    ctx.strokeStyle = index === 0 ? colors.line : (colors.sources[index] ?? colors.line)
    ctx.beginPath()
    for (const { start, value, diastolic } of visibleOf(plot, line.buckets)) {
      if (diastolic === null) continue
      const x = plot.valToPos(start, 'x', true)
      ctx.moveTo(x, plot.valToPos(value, 'y', true))
      ctx.lineTo(x, plot.valToPos(diastolic.mean, 'y', true))
    }
    ctx.stroke()
  }
}

/** A strip in the colors of the sources that the values above are from. */
function drawSources(plot: uPlot, chart: JoinedChart, colors: PlotColors): void {
  const { ctx, bbox } = plot
  const positions = new Map(chart.sources.map((source, index) => [nameOfSource(source), index]))
  const height = STRIP_HEIGHT * devicePixelRatio
  const [line] = chart.lines
  for (const { start, end, origin } of visibleOf(plot, line?.buckets ?? [])) {
    const from = plot.valToPos(start, 'x', true)
    const width = Math.max(1, plot.valToPos(end, 'x', true) - from)
    for (const [row, source] of origin.used.entries()) {
      ctx.fillStyle = colors.sources[positions.get(nameOfSource(source)) ?? 0] ?? colors.line
      ctx.fillRect(from, bbox.top + bbox.height - height * (row + 1), width, height)
    }
  }
}

function drawJourneys(plot: uPlot, chart: JoinedChart, colors: PlotColors): void {
  const { ctx, bbox } = plot
  ctx.strokeStyle = colors.mark
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  for (const time of chart.localTimes) {
    if (!time.is_journey) continue
    const x = plot.valToPos(Date.parse(time.from) / 1000, 'x', true)
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
}
