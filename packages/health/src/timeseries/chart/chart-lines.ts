import type { Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import type { LocalSlots } from '../merged/local-slots.ts'
import { type BucketName, firstDayOf, storedLengthOf } from './bucket-lengths.ts'
import type { Chart, ChartLine } from './chart.schema.ts'
import type { BucketValues } from './chart-buckets.repository.ts'

/** Maximum number of sources in an answer: no user wears more, but a client may send thousands. */
export const MOST_SOURCES = 50

/** A bucket of a line. Sources are positions, the best first. */
export interface ChartPoint extends BucketValues {
  used: readonly number[]
  /** Sources with samples there. */
  present: readonly number[]
}

export interface PointLine {
  type: string
  /** Null where sources are merged. */
  source: number | null
  /** In order of time. */
  points: ChartPoint[]
}

/** Returns the kind of chart: `sum`, `level`, or `pair` for blood pressure. */
export function chartKindOf(series: Series): Chart['kind'] {
  if (series.shape === 'blood_pressure') return 'pair'
  return series.merge.kind === 'sum' ? 'sum' : 'level'
}

/** Series of texts and codes have no chart. */
export const hasChart = (series: Series): boolean =>
  series.valueKind === 'number' && series.codes === undefined

const unionOf = (a: readonly number[], b: readonly number[]): number[] =>
  [...new Set([...a, ...b])].sort((one, other) => one - other)

/** Joins two neighbors in order of time. */
export function joinPoints(a: ChartPoint, b: ChartPoint): ChartPoint {
  return {
    ...a,
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    last: b.last,
    diastolic_sum: a.diastolic_sum + b.diastolic_sum,
    diastolic_min: Math.min(a.diastolic_min, b.diastolic_min),
    diastolic_max: Math.max(a.diastolic_max, b.diastolic_max),
    diastolic_last: b.diastolic_last,
    used: unionOf(a.used, b.used),
    present: unionOf(a.present, b.present),
  }
}

/** Joins days to weeks or months of the calendar; the key is the first day. */
export function rollUpDays(points: readonly ChartPoint[], name: 'week' | 'month'): ChartPoint[] {
  const rolled: ChartPoint[] = []
  for (const point of points) {
    const key = firstDayOf(point.key, name)
    const last = rolled.at(-1)
    if (last?.key === key) rolled[rolled.length - 1] = joinPoints(last, point)
    else rolled.push({ ...point, key })
  }
  return rolled
}

/** Returns the instants at which the bucket of a point begins and ends. */
function boundsOf(point: ChartPoint, bucket: BucketName, slots: LocalSlots): [number, number] {
  const zone = slots.zoneOf(point.first, point.offset)
  if (bucket !== 'week' && bucket !== 'month') {
    return [slots.start(point.first, zone), slots.end(point.first, zone)]
  }
  // Noon is on the same day, however the clock was changed.
  const midnight = (day: number): number =>
    slots.start((day + 0.5) * DAY_MS - point.offset * 1000, zone)
  const next = firstDayOf(point.key + (bucket === 'week' ? 7 : 31), bucket)
  return [midnight(point.key), midnight(next)]
}

const hasCalendarDate = (bucket: BucketName): boolean => storedLengthOf(bucket) === DAY_MS

/** @param day Counted from 1970-01-01. */
const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const roundToMicros = (value: number): number => Math.round(value * 1e6) / 1e6

/** Numbers the combinations of sources of values. */
export class Origins {
  readonly list: Chart['origins'] = []
  readonly #known = new Map<string, number>()

  positionOf({ used, present }: ChartPoint): number {
    const named = used.filter((source) => source < MOST_SOURCES)
    const aside = present.filter((source) => source < MOST_SOURCES && !used.includes(source))
    const key = `${named.join()}|${aside.join()}`
    let position = this.#known.get(key)
    if (position === undefined) {
      position = this.list.push({ used: named, set_aside: aside }) - 1
      this.#known.set(key, position)
    }
    return position
  }
}

/** Converts a line for the answer. */
export function toChartLine(
  { type, source, points }: PointLine,
  kind: Chart['kind'],
  bucket: BucketName,
  { slots, origins }: { slots: LocalSlots; origins: Origins },
): ChartLine {
  const bounds = points.map((point) => boundsOf(point, bucket, slots))
  const column = (value: (point: ChartPoint) => number) =>
    points.map((point) => roundToMicros(value(point)))
  const isSum = kind === 'sum'
  return {
    type: type || null,
    source,
    start: bounds.map(([start]) => Math.floor(start / 1000)),
    end: bounds.map(([, end]) => Math.floor(end / 1000)),
    timezone_offset: points.map(({ offset }) => offset),
    calendar_date: hasCalendarDate(bucket) ? points.map(({ key }) => formatDay(key)) : null,
    count: points.map(({ count }) => count),
    sum: isSum ? column(({ sum }) => sum) : null,
    mean: isSum ? null : column(({ sum, count }) => sum / count),
    min: isSum ? null : column(({ min }) => min),
    max: isSum ? null : column(({ max }) => max),
    last: isSum ? null : column(({ last }) => last),
    diastolic:
      kind !== 'pair'
        ? null
        : {
            mean: column((point) => point.diastolic_sum / point.count),
            min: column((point) => point.diastolic_min),
            max: column((point) => point.diastolic_max),
            last: column((point) => point.diastolic_last),
          },
    origin: points.map((point) => origins.positionOf(point)),
  }
}
