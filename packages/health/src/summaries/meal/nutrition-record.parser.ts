import { parseInstant } from '@salus/kernel/time/instants'
import { type NewSummary, newSummary } from '../summary.ts'
import {
  type Interval,
  type ItemSource,
  localTimeAt,
  originOf,
  readInterval,
  readSource,
  startId,
} from '../uploads/item-origin.ts'
import {
  type Fields,
  ItemReader,
  isFields,
  readKey,
  readList,
  readText,
} from '../uploads/item-reader.ts'
import {
  addSample,
  emptyItem,
  type ItemContext,
  type ItemOutcome,
  type ParsedItem,
  type QuarantineReason,
} from '../uploads/parsed-item.ts'
import { HEALTH_CONNECT_NUTRIENTS } from './meal-nutrients.registry.ts'
import {
  addNutrients,
  gramsToColumn,
  mealValues,
  type Nutrients,
  UNNAMED_FOOD,
} from './nutrients.ts'

const MEAL_TYPES = ['unknown', 'breakfast', 'lunch', 'dinner', 'snack']

/** One record: a food, or a whole meal. */
interface NutritionRecord {
  interval: Interval
  /** Index into MEAL_TYPES. */
  mealType: number
  /** Empty when it has none. */
  name: string
  nutrients: Nutrients
  raw: Fields
}

/**
 * Parses one meal of Health Connect, whose records are its foods
 * (docs/contract/07-mobile-sync.md#mealupload).
 */
export function parseNutritionRecords(context: ItemContext, item: Fields): ItemOutcome {
  const parsed = emptyItem()
  const entries = readList(item, 'nutrition_records')
  const source = readSource(context, { ...item, source_bundle: bundleOf(item, entries) })
  if (source === undefined) return 'unknown_source_type'
  const records: NutritionRecord[] = []
  for (const entry of entries) {
    const record = isFields(entry) ? readRecord(entry) : 'not_an_object'
    if (typeof record === 'string') {
      const quarantined = { nutrition_records: [entry] }
      parsed.quarantined.push({ resource: 'meal', reason: record, item: quarantined })
      continue
    }
    records.push(record)
    addCaffeine(parsed, context, source, record)
  }
  const first = firstOf(records)
  if (first === undefined) return parsed
  parsed.summaries.push(toSummary(context, source, first, records))
  return parsed
}

/** Returns the app, which is named for all records, or in the metadata of each. */
function bundleOf(item: Fields, entries: readonly unknown[]): string {
  const said = readText(item, 'source_bundle')
  const [entry] = entries
  const metadata = isFields(entry) ? readKey(entry, 'metadata') : undefined
  const origin = isFields(metadata) ? readKey(metadata, 'data_origin') : undefined
  return said || (isFields(origin) ? readText(origin, 'package_name') : '')
}

const startOf = (record: NutritionRecord): number => record.interval.start.epochMilliseconds

/** Returns the earliest record; of equal ones the first. */
function firstOf(records: readonly NutritionRecord[]): NutritionRecord | undefined {
  return records.toSorted((a, b) => startOf(a) - startOf(b))[0]
}

function readRecord(fields: Fields): NutritionRecord | QuarantineReason {
  const interval = readInterval(fields, ['start_time', 'end_time'])
  if (typeof interval === 'string') return interval
  const reader = new ItemReader(fields)
  const nutrients: Nutrients = {}
  const calories = reader.number('energy')
  if (calories !== null) nutrients.calories = calories
  for (const [name, [column, grams]] of Object.entries(HEALTH_CONNECT_NUTRIENTS)) {
    const amount = reader.number(name)
    if (amount !== null) nutrients[column] ??= gramsToColumn(column, amount * grams)
  }
  reader.number('caffeine')
  const mealType = reader.integer('meal_type') ?? 0
  if (reader.problem !== undefined) return reader.problem
  const offset = offsetOf(fields)
  const start = { ...interval.start, offsetSeconds: offset ?? interval.start.offsetSeconds }
  return {
    interval: { ...interval, start },
    mealType: mealType < MEAL_TYPES.length ? mealType : 0,
    name: readText(fields, 'name'),
    nutrients,
    raw: fields,
  }
}

/** Returns the offset of the place where the meal began; clients write the text `null` for none. */
function offsetOf(fields: Fields): number | null {
  const text = readText(fields, 'start_zone_offset')
  if (text === 'Z') return 0
  if (!/^[+-]\d{2}:\d{2}/.test(text)) return null
  return parseInstant(`2000-01-01T00:00:00${text.slice(0, 6)}`)?.offsetSeconds ?? null
}

function addCaffeine(
  parsed: ParsedItem,
  context: ItemContext,
  source: ItemSource,
  { raw, interval }: NutritionRecord,
): void {
  const value = readKey(raw, 'caffeine')
  if (typeof value !== 'number' || value === 0) return
  const sample = addSample(parsed, context, 'caffeine', {
    ...source.keys,
    value,
    unit: 'mg',
    start_date: readKey(raw, 'start_time'),
    end_date: readKey(raw, 'end_time'),
  })
  const { timezoneOffset, timeZone } = localTimeAt(context, interval.start, source.metadata)
  if (sample !== undefined) Object.assign(sample, { timezoneOffset, timeZone })
}

function toSummary(
  context: ItemContext,
  source: ItemSource,
  first: NutritionRecord,
  records: readonly NutritionRecord[],
): NewSummary<'meal'> {
  const { mealType } = records.find((record) => record.mealType > 0) ?? first
  const name = mealType === 0 ? null : (MEAL_TYPES[mealType] ?? null)
  const total: Nutrients = {}
  const foods = new Map<string, Nutrients>()
  for (const record of records) {
    addNutrients(total, record.nutrients)
    const food = record.name || name || UNNAMED_FOOD
    const amounts = foods.get(food) ?? {}
    addNutrients(amounts, record.nutrients)
    foods.set(food, amounts)
  }
  const { start } = first.interval
  return newSummary(
    'meal',
    {
      ...originOf(context, source, start),
      recordId: `${startId(start.epochMilliseconds, source.sourceType)} ${MEAL_TYPES[mealType]}`,
      startedAt: start.epochMilliseconds,
      endedAt: records.reduce(
        (end, { interval }) => Math.max(end, interval.end.epochMilliseconds),
        start.epochMilliseconds,
      ),
      raw: { nutrition_records: records.map(({ raw }) => raw) },
    },
    mealValues(name, total, foods),
  )
}
