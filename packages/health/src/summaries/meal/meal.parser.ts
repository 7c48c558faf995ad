import type { Sample } from '../../ingest/index.ts'
import { type NewSummary, newSummary } from '../summary.ts'
import { startId } from '../uploads/item-origin.ts'
import { type Fields, isFields, readKey, readText } from '../uploads/item-reader.ts'
import {
  addSample,
  emptyItem,
  type ItemContext,
  type ItemOutcome,
  type ParsedItem,
} from '../uploads/parsed-item.ts'
import { HEALTH_KIT_NUTRIENTS, type NutrientColumn } from './meal-nutrients.registry.ts'
import {
  addNutrients,
  gramsToColumn,
  mealValues,
  type Nutrients,
  UNNAMED_FOOD,
} from './nutrients.ts'
import { parseNutritionRecords } from './nutrition-record.parser.ts'

/** Samples of one start and source. */
interface Meal {
  first: Sample
  deviceModel: string
  endedAt: number
  total: Nutrients
  foods: Map<string, Nutrients>
  /** The app's name of the meal, such as breakfast. */
  name: string
  raw: Record<string, unknown[]>
}

/** Metadata in which HealthKit names the food of a sample, and apps the meal. */
const FOOD_NAME = 'HKFoodType'
const MEAL_NAMES = ['HKFoodMeal', 'meal', 'Meal']
const MOST_NAMED_FOODS = 5

/**
 * Amounts of nutrients are parsed like samples of this series, in grams, but only stored in the
 * meal.
 */
const MASS = 'carbohydrates'
const ENERGY = 'calories_active'

/**
 * Parses an item of a meal upload: samples of HealthKit, or records of Health Connect
 * (docs/contract/07-mobile-sync.md#mealupload).
 */
export function parseMeal(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  const samples = caseOf(item, 'healthkit')
  if (samples !== undefined) return parseHealthKitMeals(context, samples)
  const records = caseOf(item, 'health_connect') ?? item
  if (Array.isArray(readKey(records, 'nutrition_records'))) {
    return parseNutritionRecords(context, records)
  }
  return 'invalid_field'
}

/** Returns one of the cases of an item; Swift names the value of a case `_0`. */
function caseOf(item: Fields, name: string): Fields | undefined {
  const value = readKey(item, name)
  if (!isFields(value)) return undefined
  return isFields(value._0) ? value._0 : value
}

/**
 * Parses HealthKit meals: samples of equal start and source are one meal
 * (docs/contract/07-mobile-sync.md#mealupload).
 */
function parseHealthKitMeals(context: ItemContext, item: Fields): ParsedItem {
  const parsed = emptyItem()
  const meals = new Map<string, Meal>()
  const bundle = readText(item, 'source_bundle')
  /** Parses a list; its amounts are stored in the meal, and as samples where `isSeries`. */
  const addList = (list: string, series: 'water' | 'caffeine' | typeof MASS | typeof ENERGY) => {
    const isSeries = series === 'water' || series === 'caffeine'
    const entries = readKey(item, list) ?? []
    for (const entry of Array.isArray(entries) ? entries : [entries]) {
      const read = isSeries ? parsed : emptyItem()
      const named = isFields(entry) && bundle !== '' ? withBundle(entry, bundle) : entry
      const sample = addSample(read, context, series, named)
      if (read !== parsed) addRest(parsed, read, list)
      if (sample === undefined || !isFields(entry)) continue
      addToMeal(openMeal(meals, sample, entry), list, entry, sample)
    }
  }
  addList('energy_total', ENERGY)
  for (const list of Object.keys(HEALTH_KIT_NUTRIENTS)) addList(list, MASS)
  addList('water', 'water')
  addList('caffeine', 'caffeine')
  parsed.summaries = [...meals.values()].map(toSummary)
  return parsed
}

/** A sample without an app belongs to the app of the meal. */
function withBundle(entry: Fields, bundle: string): Fields {
  return readText(entry, 'source_bundle') === '' ? { ...entry, source_bundle: bundle } : entry
}

/** Quarantines amounts of other series as parts of a meal. */
function addRest(parsed: ParsedItem, read: ParsedItem, list: string): void {
  for (const device of read.devices) parsed.devices.push(device)
  for (const { reason, item } of read.quarantined) {
    parsed.quarantined.push({ resource: 'meal', reason, item: { [list]: [item] } })
  }
}

function openMeal(meals: Map<string, Meal>, sample: Sample, entry: Fields): Meal {
  const key = JSON.stringify([sample.startedAt, sample.sourceType, sample.appId])
  let meal = meals.get(key)
  if (meal === undefined) {
    const metadata = readKey(entry, 'metadata')
    const model = isFields(metadata) ? readText(metadata, '_DMO') : ''
    meal = {
      first: sample,
      deviceModel: model || readText(entry, 'product_type'),
      endedAt: sample.endedAt,
      total: {},
      foods: new Map(),
      name: '',
      raw: {},
    }
    meals.set(key, meal)
  }
  return meal
}

function addToMeal(meal: Meal, list: string, entry: Fields, sample: Sample): void {
  meal.endedAt = Math.max(meal.endedAt, sample.endedAt)
  meal.raw[list] ??= []
  meal.raw[list].push(entry)
  const said = readKey(entry, 'metadata')
  const metadata = isFields(said) ? said : {}
  meal.name ||= MEAL_NAMES.map((key) => readText(metadata, key)).find((name) => name !== '') ?? ''
  const amount = amountOf(list, sample)
  if (amount === undefined) return
  addNutrients(meal.total, amount)
  const food = readText(metadata, FOOD_NAME) || UNNAMED_FOOD
  const amounts = meal.foods.get(food) ?? {}
  addNutrients(amounts, amount)
  meal.foods.set(food, amounts)
}

/** Returns what a sample adds to a meal; caffeine has no column. */
function amountOf(list: string, { value }: Sample): Nutrients | undefined {
  if (list === 'energy_total') return { calories: value }
  // A milliliter of water is a gram.
  if (list === 'water') return { water_gram: value }
  const column: NutrientColumn | undefined = HEALTH_KIT_NUTRIENTS[list]
  return column === undefined ? undefined : { [column]: gramsToColumn(column, value) }
}

/** Returns the app's name, otherwise the foods, sorted; null when nothing has a name. */
function nameOf(name: string, foods: readonly string[]): string | null {
  if (name !== '') return /^(breakfast|lunch|dinner|snack)$/i.test(name) ? name.toLowerCase() : name
  const named = foods.filter((food) => food !== UNNAMED_FOOD).sort()
  return named.length === 0 ? null : named.slice(0, MOST_NAMED_FOODS).join(', ')
}

function toSummary({
  first,
  deviceModel,
  endedAt,
  total,
  foods,
  name,
  raw,
}: Meal): NewSummary<'meal'> {
  const { startedAt, sourceType, appId, timezoneOffset, timeZone } = first
  return newSummary(
    'meal',
    {
      recordId: startId(startedAt, sourceType),
      sourceType,
      appId,
      deviceModel,
      startedAt,
      endedAt,
      timezoneOffset,
      timeZone,
      raw,
    },
    mealValues(nameOf(name, [...foods.keys()]), total, foods),
  )
}
