import type { components } from '../api/openapi.generated.d.ts'
import { type ShownUnits, shownUnitOf, toShown } from '../components/units.ts'

export type Chart = components['schemas']['Chart']
export type ChartLine = components['schemas']['ChartLine']
export type ChartSource = components['schemas']['MergedSource']
export type LocalTime = components['schemas']['ChartLocalTime']

/** Source of the value of a bucket. */
export interface Origin {
  used: ChartSource[]
  setAside: ChartSource[]
}

/** One bucket of a line. */
export interface Bucket {
  start: number
  end: number
  /** Local day of the person, the first one of a week or month; null for shorter buckets. */
  date: string | null
  /** Offset of the person's local time from UTC, in seconds. */
  offset: number
  count: number
  /** The sum, or the mean of readings. */
  value: number
  min: number
  max: number
  last: number
  diastolic: { mean: number; min: number; max: number } | null
  origin: Origin
}

export interface Line {
  type: string | null
  source: ChartSource | null
  buckets: Bucket[]
}

/** A chart that is joined of responses about neighboring times. */
export interface JoinedChart {
  resource: string
  unit: string
  kind: Chart['kind']
  bucket: Chart['bucket']
  precision: Chart['precision']
  sources: ChartSource[]
  localTimes: LocalTime[]
  lines: Line[]
}

const at = (numbers: readonly number[] | null | undefined, index: number): number =>
  numbers?.[index] ?? 0

export const nameOfSource = ({ provider, type, app_id }: ChartSource): string =>
  `${provider} ${type} ${app_id ?? ''}`

function bucketsOf(chart: Chart, line: ChartLine): Bucket[] {
  const pick = (positions: readonly number[]) =>
    positions.flatMap((position) => chart.sources[position] ?? [])
  const origins = chart.origins.map(({ used, set_aside }) => ({
    used: pick(used),
    setAside: pick(set_aside),
  }))
  return line.start.map((start, index) => ({
    start,
    end: at(line.end, index),
    date: line.calendar_date?.[index] ?? null,
    offset: at(line.timezone_offset, index),
    count: at(line.count, index),
    value: at(line.sum ?? line.mean, index),
    min: at(line.min ?? line.sum, index),
    max: at(line.max ?? line.sum, index),
    last: at(line.last ?? line.sum, index),
    diastolic: line.diastolic && {
      mean: at(line.diastolic.mean, index),
      min: at(line.diastolic.min, index),
      max: at(line.diastolic.max, index),
    },
    origin: origins[at(line.origin, index)] ?? { used: [], setAside: [] },
  }))
}

const union = (a: readonly ChartSource[], b: readonly ChartSource[]): ChartSource[] => [
  ...new Map([...a, ...b].map((source) => [nameOfSource(source), source])).values(),
]

const isSameBucket = (a: Bucket, b: Bucket): boolean =>
  a.date === null ? a.start === b.start : a.date === b.date

/** Joins a bucket that the edge of a tile cut in two. */
function joinBuckets(a: Bucket, b: Bucket, isSum: boolean): Bucket {
  const count = a.count + b.count
  const mean = (of: (bucket: Bucket) => number) => (of(a) * a.count + of(b) * b.count) / count
  const { diastolic } = b
  return {
    ...b,
    start: a.start,
    count,
    value: isSum ? a.value + b.value : mean(({ value }) => value),
    min: isSum ? a.value + b.value : Math.min(a.min, b.min),
    max: isSum ? a.value + b.value : Math.max(a.max, b.max),
    diastolic: diastolic && {
      mean: mean((bucket) => bucket.diastolic?.mean ?? 0),
      min: Math.min(a.diastolic?.min ?? diastolic.min, diastolic.min),
      max: Math.max(a.diastolic?.max ?? diastolic.max, diastolic.max),
    },
    origin: {
      used: union(a.origin.used, b.origin.used),
      setAside: union(a.origin.setAside, b.origin.setAside),
    },
  }
}

/** Joins responses about neighboring times, in order of time. */
export function joinCharts(charts: readonly Chart[]): JoinedChart | undefined {
  const [first] = charts
  if (first === undefined) return undefined
  const lines = new Map<string, Line>()
  for (const chart of charts) {
    for (const line of chart.lines) {
      const source = line.source === null ? null : (chart.sources[line.source] ?? null)
      const name = `${line.type ?? ''}\t${source === null ? '' : nameOfSource(source)}`
      const joined = lines.get(name) ?? { type: line.type, source, buckets: [] }
      lines.set(name, joined)
      for (const bucket of bucketsOf(chart, line)) {
        const before = joined.buckets.at(-1)
        if (before !== undefined && isSameBucket(before, bucket)) {
          joined.buckets[joined.buckets.length - 1] = joinBuckets(
            before,
            bucket,
            chart.kind === 'sum',
          )
        } else if (before === undefined || before.start < bucket.start) joined.buckets.push(bucket)
      }
    }
  }
  const isExact = charts.every(({ precision }) => precision === 'exact')
  return {
    resource: first.resource,
    unit: first.unit,
    kind: first.kind,
    bucket: first.bucket,
    precision: isExact ? 'exact' : 'quarter_hours',
    sources: charts.reduce<ChartSource[]>((all, { sources }) => union(all, sources), []),
    localTimes: joinLocalTimes(charts),
    lines: [...lines.values()],
  }
}

/** Each response begins with the local time there, which is no change unless it differs. */
function joinLocalTimes(charts: readonly Chart[]): LocalTime[] {
  const joined: LocalTime[] = []
  for (const time of charts.flatMap((chart) => chart.local_times)) {
    if (joined.at(-1)?.timezone_offset !== time.timezone_offset) joined.push(time)
  }
  return joined
}

/** Returns a chart in the units in which the person's values are shown. */
export function convertChart(
  chart: JoinedChart | undefined,
  units: ShownUnits,
): JoinedChart | undefined {
  const shown = chart && shownUnitOf(chart.resource, units)
  if (chart === undefined || shown === undefined || shown.unit === chart.unit) return chart
  const convert = (bucket: Bucket): Bucket => ({
    ...bucket,
    value: toShown(bucket.value, shown),
    min: toShown(bucket.min, shown),
    max: toShown(bucket.max, shown),
    last: toShown(bucket.last, shown),
  })
  const lines = chart.lines.map((line) => ({ ...line, buckets: line.buckets.map(convert) }))
  return { ...chart, unit: shown.unit, lines }
}
