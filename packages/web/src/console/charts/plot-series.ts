import uPlot from 'uplot'
import { MINUTE_SECONDS } from '../../time-units.ts'
import { type Bucket, type JoinedChart, nameOfSource } from './join-tiles.ts'
import type { PlotColors } from './plot-colors.ts'

/** A chart in the form of uPlot: columns, how each is drawn, and the areas between them. */
export interface PlotSeries {
  data: uPlot.AlignedData
  series: uPlot.Series[]
  bands: uPlot.Band[]
}

/**
 * From this distance on, two readings are not connected. What is measured now and then is always
 * connected.
 */
function longestGap(buckets: readonly Bucket[]): number {
  const distances = buckets
    .slice(1)
    .map(({ start }, index) => start - (buckets[index] as Bucket).start)
    .sort((a, b) => a - b)
  const usual = distances[Math.floor(distances.length / 2)] ?? 0
  const [first] = buckets
  const length = first === undefined ? 0 : first.end - first.start
  if (usual > 2 * length && usual > 180 * MINUTE_SECONDS) return 90 * 86_400
  return Math.max(2.5 * length, 4 * usual, 20 * MINUTE_SECONDS)
}

type Column = (number | null)[]

/** A line as it is drawn in one color: the whole of it, or the parts that are from one source. */
interface DrawnLine {
  buckets: readonly Bucket[]
  /** Whether the color is that of the bucket at an index. */
  isDrawn: (index: number) => boolean
}

/** A line as columns, with an empty row in each gap, and where it has another color. */
function columnsOf({ buckets, isDrawn }: DrawnLine): {
  x: number[]
  value: Column
  min: Column
  max: Column
} {
  const gap = longestGap(buckets)
  const columns = { x: [] as number[], value: [] as Column, min: [] as Column, max: [] as Column }
  let before: Bucket | undefined
  for (const [index, bucket] of buckets.entries()) {
    if (before !== undefined && bucket.start - before.start > gap) {
      columns.x.push((before.start + bucket.start) / 2)
      for (const column of [columns.value, columns.min, columns.max]) column.push(null)
    }
    // A reading stands for the time of its bucket.
    columns.x.push(bucket.start)
    columns.value.push(isDrawn(index) ? bucket.value : null)
    columns.min.push(isDrawn(index) ? bucket.min : null)
    columns.max.push(isDrawn(index) ? bucket.max : null)
    before = bucket
  }
  return columns
}

/**
 * Divides the merged line of several sources by the source of each bucket, in the order of the
 * sources, so that each has its own color; of several sources in one bucket the first counts, and
 * the strip below the plot shows them all. Of readings, the way to the next source is drawn too.
 */
function divideBySource(chart: JoinedChart): DrawnLine[] {
  const [line] = chart.lines
  if (line === undefined || chart.lines.length > 1 || chart.sources.length < 2) {
    return chart.lines.map(({ buckets }) => ({ buckets, isDrawn: () => true }))
  }
  const { buckets } = line
  const names = buckets.map(({ origin: { used } }) => (used[0] ? nameOfSource(used[0]) : ''))
  return chart.sources.map((source) => {
    const name = nameOfSource(source)
    const isEnd = (index: number): boolean => chart.kind === 'level' && names[index - 1] === name
    return { buckets, isDrawn: (index) => names[index] === name || isEnd(index) }
  })
}

const colorOf = (colors: PlotColors, index: number): string =>
  index === 0 ? colors.line : (colors.sources[index % colors.sources.length] ?? colors.line)

const X: uPlot.Series = {}

/** Mean with the area from the smallest to the largest reading. */
function levelSeries(chart: JoinedChart, colors: PlotColors): PlotSeries {
  const tables: uPlot.AlignedData[] = []
  const series: uPlot.Series[] = [X]
  const bands: uPlot.Band[] = []
  for (const [index, line] of divideBySource(chart).entries()) {
    const { x, value, min, max } = columnsOf(line)
    tables.push([x, max, min, value])
    const first = series.length
    const edge = { points: { show: false }, width: 0, stroke: 'transparent' }
    series.push(
      edge,
      { ...edge },
      { stroke: colorOf(colors, index), width: 1.5, points: { size: 5 } },
    )
    bands.push({ series: [first, first + 1], fill: colors.band })
  }
  return { data: joinTables(tables), series, bands }
}

/**
 * Joins tables of several lines. Where only one of them has a value, the others go on; their own
 * gaps stay.
 */
function joinTables(tables: uPlot.AlignedData[]): uPlot.AlignedData {
  const [first] = tables
  if (first === undefined) return [[]]
  return tables.length === 1
    ? first
    : uPlot.join(
        tables,
        tables.map((table) => table.map(() => 1)),
      )
}

const BAR_SHARE = 0.86
const WIDEST_BAR = 60

function sumSeries(chart: JoinedChart, colors: PlotColors): PlotSeries {
  const bars = uPlot.paths.bars?.({ size: [BAR_SHARE, WIDEST_BAR], align: 1, radius: 0.15 })
  const lines = divideBySource(chart)
  const tables = lines.map(
    ({ buckets, isDrawn }): uPlot.AlignedData => [
      buckets.map(({ start }) => start),
      buckets.map(({ value }, index) => (isDrawn(index) ? value : null)),
    ],
  )
  const series = lines.map(
    (_, index): uPlot.Series => ({
      stroke: colorOf(colors, index),
      fill: colorOf(colors, index),
      width: 0,
      points: { show: false },
      ...(bars !== undefined && { paths: bars }),
    }),
  )
  return { data: joinTables(tables), series: [X, ...series], bands: [] }
}

/** Systolic and diastolic pressure as ends of one line. */
function pairSeries(chart: JoinedChart, colors: PlotColors): PlotSeries {
  const tables = chart.lines.map(
    ({ buckets }): uPlot.AlignedData => [
      buckets.map(({ start }) => start),
      buckets.map(({ value }) => value),
      buckets.map(({ diastolic }) => diastolic?.mean ?? null),
    ],
  )
  const series = chart.lines.flatMap((_, index): uPlot.Series[] => {
    const color = colorOf(colors, index)
    const dots = { show: true, size: 6, fill: color, stroke: color }
    const none = { stroke: color, paths: () => null, points: dots }
    return [none, { ...none }]
  })
  return { data: joinTables(tables), series: [X, ...series], bands: [] }
}

export function toPlotSeries(chart: JoinedChart, colors: PlotColors): PlotSeries {
  if (chart.kind === 'sum') return sumSeries(chart, colors)
  return chart.kind === 'pair' ? pairSeries(chart, colors) : levelSeries(chart, colors)
}
