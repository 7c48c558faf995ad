import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { readMetrics } from '../http/metrics.ts'
import { systemClock } from '../time/clock.ts'
import { VERSION } from '../version.ts'

type Metric = MetricObjectWithValues<MetricValue<string>>
type Labels = MetricValue<string>['labels']
/** Start of the counting, and now. */
type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>

const hrTime = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1e6),
]

/**
 * Produces the metrics of a registry for OpenTelemetry: everything is counted once and reported in
 * two ways.
 */
export function createMetricProducer(registry: Registry, resource: Resource): MetricProducer {
  const now = (): number => systemClock.now().getTime()
  const startTime = hrTime(now() - process.uptime() * 1000)
  return {
    async collect() {
      const times = { startTime, endTime: hrTime(now()) }
      const found = await readMetrics(registry, async (name) => {
        const metric = registry.getSingleMetric(name) as unknown as { get(): Promise<Metric> }
        return metric.get()
      })
      const metrics = found.flatMap((metric) => toMetricData(metric, times) ?? [])
      const scope = { name: 'salus', version: VERSION }
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
    },
  }
}

/** Returns undefined for a kind that is not used here. */
function toMetricData(metric: Metric, times: Times): MetricData | undefined {
  const about = {
    descriptor: {
      name: metric.name,
      description: metric.help,
      unit: unitOf(metric.name),
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  // The kind is a word in the output of the registry, whatever its type says.
  const kind = String(metric.type)
  if (kind === 'counter') {
    const dataPoints = pointsOf(metric, times)
    return { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  }
  if (kind === 'gauge') {
    return { ...about, dataPointType: DataPointType.GAUGE, dataPoints: pointsOf(metric, times) }
  }
  if (kind !== 'histogram') return undefined
  return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints: spreadsOf(metric, times) }
}

const pointsOf = ({ values }: Metric, times: Times): DataPoint<number>[] =>
  values.map(({ labels, value }) => ({ ...times, attributes: toAttributes(labels), value }))

/**
 * The registry lists a histogram bucket by bucket, each including all below it; this makes one
 * point of counts.
 */
function spreadsOf({ values, name }: Metric, times: Times): DataPoint<Histogram>[] {
  const spreads = new Map<string, { labels: Labels; below: [number, number][]; sum: number }>()
  for (const { labels, value, metricName } of values as (MetricValue<string> & {
    metricName?: string
  })[]) {
    const { le, ...rest } = labels as Labels & { le?: number | string }
    const key = JSON.stringify(rest)
    const spread = spreads.get(key) ?? { labels: rest, below: [], sum: 0 }
    spreads.set(key, spread)
    if (le !== undefined) spread.below.push([le === '+Inf' ? Infinity : Number(le), value])
    else if (metricName === `${name}_sum`) spread.sum = value
  }
  return [...spreads.values()].map(({ labels, below, sum }) => {
    below.sort(([one], [other]) => one - other)
    const counts = below.map(([, value], index) => value - (below[index - 1]?.[1] ?? 0))
    const boundaries = below.map(([limit]) => limit).filter(Number.isFinite)
    const value = { buckets: { boundaries, counts }, sum, count: below.at(-1)?.[1] ?? 0 }
    return { ...times, attributes: toAttributes(labels), value }
  })
}

const toAttributes = (labels: Labels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '1'
