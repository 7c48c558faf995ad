import { HOUR_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import { type VendorFood, valuesOfMeal } from '../meal-values.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './diary-key.ts'

type Fields = Record<string, unknown>

const MILLIGRAM = 1e-3
const KILOJOULES_A_KILOCALORIE = 4.184

/**
 * Nutrients, their columns, and the grams of their units. Minerals and vitamins are left out: they
 * are percentages of a daily value for old foods, and amounts for new ones.
 */
const NUTRIENTS = [
  ['fat', 'total_fat_gram', 1],
  ['saturated_fat', 'saturated_fat_gram', 1],
  ['polyunsaturated_fat', 'polyunsaturated_fat_gram', 1],
  ['monounsaturated_fat', 'monounsaturated_fat_gram', 1],
  ['carbohydrates', 'carbohydrate_gram', 1],
  ['fiber', 'fibre_gram', 1],
  ['sugar', 'sugar_gram', 1],
  ['protein', 'protein_gram', 1],
  ['cholesterol', 'cholesterol_gram', MILLIGRAM],
  ['sodium', 'sodium_milligram', MILLIGRAM],
  ['potassium', 'potassium_milligram', MILLIGRAM],
] as const

const UNNAMED_FOOD = 'food'

/** Maps the days of a diary: what was eaten at one meal of a day is one meal. */
export function mapDiary(answer: unknown, data: PageData): void {
  if (!Array.isArray(answer)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  for (const day of answer) {
    if (!isFields(day)) {
      data.quarantine('meal', 'not_an_object', day)
      continue
    }
    const text = typeof day.date === 'string' ? day.date.slice(0, 10) : day.date
    const date = data.date('meal', text, day)
    if (date === undefined) continue
    const entries = Array.isArray(day.food_entries) ? day.food_entries : []
    // A day without entries was not logged: it is unknown, and not without food.
    for (const [name, eaten] of mealsOf(data, entries)) addMeal(data, { date, name, eaten })
  }
}

/** Entries of a meal with their foods. */
interface Eaten {
  entries: Fields[]
  foods: VendorFood[]
}

/** Returns the entries by the name of their meal, which people choose themselves. */
function mealsOf(data: PageData, entries: readonly unknown[]): Map<string, Eaten> {
  const meals = new Map<string, Eaten>()
  for (const entry of entries) {
    if (!isFields(entry)) {
      data.quarantine('meal', 'not_an_object', entry)
      continue
    }
    const food = foodOf(data, entry)
    if (food === undefined) continue
    const name = typeof entry.meal_name === 'string' ? entry.meal_name.trim() : ''
    const meal = meals.get(name) ?? { entries: [], foods: [] }
    meal.entries.push(entry)
    meal.foods.push(food)
    meals.set(name, meal)
  }
  return meals
}

/** Reads what was eaten: `nutritional_contents` of the food itself is that of one serving. */
function foodOf(data: PageData, entry: Fields): VendorFood | undefined {
  const contents = isFields(entry.nutritional_contents) ? entry.nutritional_contents : {}
  const { energy } = contents
  const reader = data.read('meal', contents)
  const energies = data.read('meal', isFields(energy) ? energy : { value: energy })
  if (reader === undefined || energies === undefined) return undefined
  const grams: Partial<Record<keyof VendorFood['grams'], number>> = {}
  for (const [name, column, gramsPerUnit] of NUTRIENTS) {
    const amount = reader.number(name)
    if (amount !== null) grams[column] = amount * gramsPerUnit
  }
  const amount = energies.number('value')
  const isKilojoules = isFields(energy) && /^(kilojoule|kj)/i.test(String(energy.unit))
  if (![reader, energies].every((each) => data.isValid('meal', each, entry))) return undefined
  const calories = amount !== null && isKilojoules ? amount / KILOJOULES_A_KILOCALORIE : amount
  return { name: nameOf(entry), calories, grams }
}

function nameOf({ food }: Fields): string {
  const { description, brand_name: brand } = isFields(food) ? food : {}
  const parts = [brand, description].filter((part) => typeof part === 'string' && part !== '')
  return parts.join(' ').toWellFormed() || UNNAMED_FOOD
}

/** The times of entries have an unclear zone, so a meal is a value of its day. */
function addMeal(
  data: PageData,
  { date, name, eaten }: { date: string; name: string; eaten: Eaten },
): void {
  data.addSummary('meal', {
    recordId: `${date}-${name}`,
    calendarDate: date,
    start: { at: startOfUtcDay(date) + 12 * HOUR_MS, offset: null },
    sourceType: 'app',
    values: valuesOfMeal(name === '' ? null : name.toWellFormed(), eaten.foods),
    raw: { date, meal_name: name, food_entries: eaten.entries },
  })
}
