import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { dayOf, type Fields, forEachRecord, noonOf, unexpected } from './fitbit-pages.ts'

const APP = { sourceType: 'app' } as const

const MEALS: Readonly<Record<number, string>> = {
  1: 'breakfast',
  2: 'morning snack',
  3: 'lunch',
  4: 'afternoon snack',
  5: 'dinner',
  7: 'anytime',
}
/** Maps the meals of a day, and its water, which the vendor sums. */
export function mapFoods(
  answer: unknown,
  data: PageData,
  _details: readonly unknown[],
  { range }: PageRequest,
): void {
  if (!isFields(answer)) throw unexpected()
  const { foods, summary } = answer
  if (!Array.isArray(foods) && !(isFields(summary) && 'water' in summary)) throw unexpected()
  const meals = new Map<string, { day: string; type: number; foods: Fields[] }>()
  forEachRecord(Array.isArray(foods) ? foods : [], data, 'meal', (record) => {
    const { loggedFood, logDate } = record
    const day = data.date('meal', logDate ?? dayOf(range), record)
    if (day === undefined) return
    const type = isFields(loggedFood) ? loggedFood.mealTypeId : undefined
    if (typeof type !== 'number' || MEALS[type] === undefined) {
      data.quarantine('meal', 'unknown_type', record)
      return
    }
    const meal = meals.get(`${day}-${type}`) ?? { day, type, foods: [] }
    meals.set(`${day}-${type}`, meal)
    meal.foods.push(record)
  })
  const days = new Set([...meals.values()].map(({ day }) => day))
  const day = [...days][0] ?? dayOf(range)
  for (const [id, meal] of meals) addMeal(data, id, meal)
  for (const type of Array.isArray(foods) ? Object.keys(MEALS) : []) {
    // The person deleted all that was logged of it.
    if (!meals.has(`${day}-${type}`)) data.removeSummary('meal', `${day}-${type}`)
  }
  const water = isFields(summary) ? summary.water : undefined
  if (!water) return
  const sample = { ...APP, start: noonOf(day), value: water as number, unit: 'ml' }
  data.addSample('water', sample, summary)
}

const NUTRIENTS = {
  calories: 'calories',
  carbohydrate_gram: 'carbs',
  total_fat_gram: 'fat',
  fibre_gram: 'fiber',
  protein_gram: 'protein',
  sodium_milligram: 'sodium',
} as const
type Nutrient = keyof typeof NUTRIENTS
type Amounts = Partial<Record<Nutrient, number>>

function addMeal(
  data: PageData,
  recordId: string,
  { day, type, foods }: { day: string; type: number; foods: readonly Fields[] },
): void {
  const total: Amounts = {}
  const byName = new Map<string, Amounts>()
  for (const food of foods) {
    const { nutritionalValues, loggedFood } = food
    const logged = isFields(loggedFood) ? loggedFood : {}
    // Food that is entered by its energy alone has no other values.
    const reader = data.read('meal', nutritionalValues ?? { calories: logged.calories })
    const name = nameOf(logged.name)
    const own = byName.get(name ?? 'food') ?? {}
    const amounts: Amounts = {}
    for (const [column, field] of Object.entries(NUTRIENTS) as [Nutrient, string][]) {
      const amount = reader?.number(field) ?? null
      if (amount !== null) amounts[column] = amount
    }
    if (reader === undefined || !data.isValid('meal', reader, food)) continue
    byName.set(name ?? 'food', own)
    for (const sums of [total, own]) {
      for (const [column, amount] of Object.entries(amounts) as [Nutrient, number][]) {
        sums[column] = Math.round(((sums[column] ?? 0) + amount) * 1e6) / 1e6
      }
    }
  }
  if (byName.size === 0) return
  const listed = [...byName].map(([name, amounts]) => [name, foodOf(amounts)])
  data.addSummary('meal', {
    ...APP,
    recordId,
    calendarDate: day,
    start: noonOf(day),
    values: {
      name: MEALS[type] ?? null,
      ...total,
      foods: JSON.stringify(Object.fromEntries(listed)),
    },
    raw: { foods },
  })
}

/** Returns a food in the form of docs/contract/06-summaries.md#meal. */
function foodOf(amounts: Amounts): object {
  const { calories, sodium_milligram: sodium } = amounts
  const grams = (column: Nutrient): number | null => amounts[column] ?? null
  const fats = {
    saturated: null,
    monounsaturated: null,
    polyunsaturated: null,
    omega3: null,
    omega6: null,
    total: grams('total_fat_gram'),
  }
  const macros = {
    carbs: grams('carbohydrate_gram'),
    protein: grams('protein_gram'),
    alcohol: null,
    water: null,
    fibre: grams('fibre_gram'),
    sugar: null,
    cholesterol: null,
  }
  const isKnown = [...Object.values(macros), fats.total].some((amount) => amount !== null)
  const minerals = { sodium }
  return {
    energy: calories === undefined ? null : { unit: 'kcal', value: calories },
    macros: isKnown ? { ...macros, fats } : null,
    micros: sodium === undefined ? null : { minerals, trace_elements: null, vitamins: null },
  }
}

const nameOf = (name: unknown): string | undefined =>
  typeof name === 'string' ? name.toWellFormed() : undefined
