import type { SeriesName } from '@salus/contracts/series'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Sample } from '../../ingest/index.ts'
import { type NewSummary, newSummary } from '../summary.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import { toInstant } from '../uploads/item-origin.ts'
import { type Fields, isFields, readKey, readText } from '../uploads/item-reader.ts'
import { addSample, emptyItem, type ItemContext, type ItemOutcome } from '../uploads/parsed-item.ts'

type BodyColumn = keyof SummaryValues<'body'>

/** A list of a body upload: its series, and the column of the summary. */
const LISTS: readonly (readonly [list: string, series: SeriesName, column: BodyColumn])[] = [
  ['body_mass', 'body_weight', 'weight_kilogram'],
  ['body_fat_percentage', 'body_fat', 'fat_mass_percentage'],
  ['body_mass_index', 'body_mass_index', 'body_mass_index'],
  ['lean_body_mass', 'lean_body_mass', 'lean_body_mass_kilogram'],
  ['waist_circumference', 'waist_circumference', 'waist_circumference_centimeter'],
]

/** List of the upload by the column that it fills. */
export const BODY_LISTS: ReadonlyMap<BodyColumn, string> = new Map(
  LISTS.map(([list, , column]) => [column, list]),
)

/**
 * Parses body measurements (docs/contract/07-mobile-sync.md#body): a sample each, and one summary
 * of the measurements of one source and minute.
 */
export function parseBody(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  const parsed = emptyItem()
  const zones = readZones(readKey(item, 'time_zones'))
  const groups = new Map<string, NewSummary<'body'>>()
  for (const [list, series, column] of LISTS) {
    const measurements = readKey(item, list) ?? []
    for (const measurement of Array.isArray(measurements) ? measurements : [measurements]) {
      const timeZone = zoneFor(zones, measurement) ?? context.timeZone
      const sample = addSample(parsed, { ...context, timeZone }, series, measurement)
      if (sample !== undefined) addToGroup(groups, sample, { list, column, item: measurement })
    }
  }
  parsed.summaries = [...groups.values()]
  return parsed
}

interface Measurement {
  list: string
  column: BodyColumn
  item: unknown
}

/** Adds a measurement to the summary of its source and minute; the last of a minute counts. */
function addToGroup(
  groups: Map<string, NewSummary<'body'>>,
  sample: Sample,
  { list, column, item }: Measurement,
): void {
  const minute = Math.floor(sample.startedAt / MINUTE_MS) * MINUTE_MS
  const recordId = `${new Date(minute).toISOString()} ${sample.sourceType}`
  const key = JSON.stringify([recordId, sample.appId])
  let group = groups.get(key)
  if (group === undefined) {
    group = openGroup(recordId, sample, item)
    groups.set(key, group)
  }
  group.startedAt = Math.min(group.startedAt, sample.startedAt)
  group.endedAt = group.startedAt
  group.values[column] = sample.value
  const raw = group.raw as Record<string, unknown[]>
  raw[list] ??= []
  raw[list].push(item)
}

function openGroup(recordId: string, sample: Sample, item: unknown): NewSummary<'body'> {
  const fields = item as Fields
  const metadata = readKey(fields, 'metadata')
  const model = isFields(metadata) ? readText(metadata, '_DMO') : ''
  const { sourceType, appId, startedAt, timezoneOffset, timeZone } = sample
  return newSummary(
    'body',
    {
      recordId,
      sourceType,
      appId,
      deviceModel: model || readText(fields, 'product_type'),
      startedAt,
      endedAt: startedAt,
      timezoneOffset,
      timeZone,
      raw: {},
    },
    {},
  )
}

interface Zone {
  from: number
  name: string
}

/**
 * Reads the user's zones by time: pairs, or the alternating keys and values that Swift writes for a
 * map with dates as keys.
 */
function readZones(value: unknown): Zone[] {
  if (!Array.isArray(value)) return []
  const pairs: unknown[][] = value.every((entry) => Array.isArray(entry))
    ? value
    : value.flatMap((entry, index) => (index % 2 === 0 ? [[entry, value[index + 1]]] : []))
  const zones: Zone[] = []
  for (const [date, name] of pairs) {
    const isDay = typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date)
    const from = toInstant(isDay ? `${date}T00:00:00Z` : date)?.epochMilliseconds
    if (from !== undefined && typeof name === 'string') zones.push({ from, name })
  }
  return zones.sort((a, b) => a.from - b.from)
}

/**
 * Returns the zone at the time of a measurement: that of the last date before it, otherwise the
 * first.
 */
function zoneFor(zones: readonly Zone[], measurement: unknown): string | undefined {
  if (zones.length === 0 || !isFields(measurement)) return undefined
  const at = toInstant(readKey(measurement, 'start_date'))?.epochMilliseconds ?? 0
  return (zones.findLast(({ from }) => from <= at) ?? zones[0])?.name
}
