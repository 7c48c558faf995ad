import { resourceTitle } from '../people/person/resource-title.ts'
import type { Bucket, ChartSource, JoinedChart } from './join-tiles.ts'

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const TENTHS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const FINE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Formats a value with the digits that a reader needs. */
export function formatValue(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return WHOLE.format(value)
  return size >= 1 || size === 0 ? TENTHS.format(value) : FINE.format(value)
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Formats a value in the width of an axis: `250K`. */
export const formatShort = (value: number): string =>
  Math.abs(value) >= 10_000 ? COMPACT.format(value) : formatValue(value)

const UNITS: Record<string, string> = { count: '', index: '', rmssd: 'ms', stage: '' }

export const unitOf = (unit: string): string => UNITS[unit] ?? unit

const withUnit = (text: string, unit: string): string => {
  const shown = unitOf(unit)
  return shown === '' ? text : `${text} ${shown}`
}

/** `72 bpm (58–121)`, `1,204`, `121/79 mmHg`. */
export function formatBucketValue(bucket: Bucket, { kind, unit }: JoinedChart): string {
  const { value, min, max, diastolic, count } = bucket
  if (kind === 'pair' && diastolic !== null) {
    return withUnit(`${formatValue(value)}/${formatValue(diastolic.mean)}`, unit)
  }
  const text = withUnit(formatValue(value), unit)
  return kind === 'sum' || count === 1 || min === max
    ? text
    : `${text} (${formatValue(min)}–${formatValue(max)})`
}

/** Turns a type of a sample or source, such as `cholesterol/ldl` or `chest_strap`, into words. */
export const wordsOf = (type: string): string =>
  (type.split('/').at(-1) ?? type).replaceAll('_', ' ')

export type NameProvider = (slug: string) => string

/** `Apple Health, watch`. */
export function formatSource({ provider, type }: ChartSource, nameProvider: NameProvider): string {
  const name = nameProvider(provider)
  return type === 'unknown' ? name : `${name}, ${wordsOf(type)}`
}

/** Describes a chart in a sentence for screen readers. */
export function summarizeChart(chart: JoinedChart, from: number, to: number): string {
  const title = resourceTitle(chart.resource)
  const buckets = chart.lines.flatMap((line) =>
    line.buckets.filter(({ start, end }) => end > from && start < to),
  )
  if (buckets.length === 0) return `${title}: no data in this range.`
  const count = buckets.reduce((all, bucket) => all + bucket.count, 0)
  const samples = `${WHOLE.format(count)} ${count === 1 ? 'sample' : 'samples'}`
  const total = buckets.reduce((all, { value }) => all + value, 0)
  if (chart.kind === 'sum') {
    return `${title}: ${withUnit(formatValue(total), chart.unit)} in all, ${samples}.`
  }
  const min = Math.min(...buckets.map((bucket) => bucket.min))
  const max = Math.max(...buckets.map((bucket) => bucket.max))
  const mean = buckets.reduce((all, bucket) => all + bucket.value * bucket.count, 0) / count
  return `${title}: ${withUnit(`${formatValue(mean)}`, chart.unit)} on average, from ${formatValue(min)} to ${formatValue(max)}, ${samples}.`
}
