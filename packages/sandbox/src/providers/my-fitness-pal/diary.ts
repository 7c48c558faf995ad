import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { Calendar } from '../people/days.ts'
import { loggedMealsOn, type Meal } from '../people/glucose.ts'
import { dateText } from '../people/local-time.ts'
import { deriveSeed, pickAt, unitAt } from '../people/noise.ts'

/** Diaries of MyFitnessPal, each a function of the person and the day. */

export type Fields = Record<string, unknown>

const KILOJOULES = 4.184
/** Shares of meals that people log on the evening of the next day, and that they delete later. */
const LATE = 0.15
const DELETED_FROM = 0.95
const LATE_MS = DAY_MS
const DELETED_MS = 20 * HOUR_MS

/** Foods with what a gram of carbohydrates of theirs brings along. */
const FOODS = [
  { name: 'Oat porridge', brand: 'Field Mill', protein: 0.2, fat: 0.1, fiber: 0.15, sodium: 1.5 },
  { name: 'Lentil soup', brand: null, protein: 0.45, fat: 0.12, fiber: 0.3, sodium: 14 },
  { name: 'Rice with vegetables', brand: null, protein: 0.12, fat: 0.15, fiber: 0.08, sodium: 6 },
  {
    name: 'Bread and cheese',
    brand: 'Corner Bakery',
    protein: 0.5,
    fat: 0.6,
    fiber: 0.1,
    sodium: 11,
  },
] as const

function mealName(calendar: Calendar, { at }: Meal): string {
  const { from } = calendar.dayAt(at)
  const hours = (at - from) / HOUR_MS
  if (hours < 10.5) return 'Breakfast'
  if (hours < 14.5) return 'Lunch'
  return hours < 17 ? 'Snacks' : 'Dinner'
}

const usesKilojoules = ({ person }: Calendar): boolean => person.seed % 2 === 0

const rounded = (value: number): number => Number(value.toFixed(2))

/** What a part of a meal has, for what was eaten and for one serving. */
function contentsOf(
  calendar: Calendar,
  food: (typeof FOODS)[number],
  carbohydrates: number,
): Fields {
  const [protein, fat] = [carbohydrates * food.protein, carbohydrates * food.fat]
  const kilocalories = 4 * carbohydrates + 4 * protein + 9 * fat
  const energy = usesKilojoules(calendar)
    ? { unit: 'kilojoules', value: rounded(kilocalories * KILOJOULES) }
    : { unit: 'calories', value: rounded(kilocalories) }
  return {
    energy,
    carbohydrates: rounded(carbohydrates),
    protein: rounded(protein),
    fat: rounded(fat),
    fiber: rounded(carbohydrates * food.fiber),
    sodium: rounded(carbohydrates * food.sodium),
    cholesterol: rounded(fat),
    potassium: null,
    sugar: null,
    // A percentage of a daily value.
    calcium: 4,
    vitamin_c: 12,
  }
}

/** A meal that a person logged, in two halves of different foods. */
function entriesOf(calendar: Calendar, meal: Meal, day: number): Fields[] {
  const seed = deriveSeed(calendar.person.seed, 970)
  const minute = Math.floor(meal.at / 60_000)
  const name = mealName(calendar, meal)
  return [0, 1].map((part) => {
    const food = pickAt(deriveSeed(seed, part), minute, FOODS)
    const carbohydrates = meal.carbohydrates / 2
    return {
      id: `${minute}${part}`,
      type: 'food_entry',
      date: dateText(day),
      meal_name: name,
      meal_position: ['Breakfast', 'Lunch', 'Dinner', 'Snacks'].indexOf(name),
      servings: 2,
      serving_size: { value: 100, unit: 'gram', nutrition_multiplier: 1 },
      nutritional_contents: contentsOf(calendar, food, carbohydrates),
      food: {
        id: String(FOODS.indexOf(food) + 7000),
        version: '1',
        description: food.name,
        brand_name: food.brand,
        // Of one serving.
        nutritional_contents: contentsOf(calendar, food, carbohydrates / 2),
      },
    }
  })
}

/** Returns a day of a diary, as the vendor knows it at a moment. */
export function diaryDay(calendar: Calendar, day: number, now: number): Fields {
  const fates = deriveSeed(calendar.person.seed, 971)
  const meals = loggedMealsOn(calendar, day).filter(({ at }) => {
    const fate = unitAt(fates, Math.floor(at / 60_000))
    const isLive = calendar.person.traits.has('live')
    const loggedAt = at + (fate < LATE && !isLive ? LATE_MS : HOUR_MS / 2)
    const isDeleted = fate >= DELETED_FROM && now >= at + DELETED_MS
    return loggedAt <= now && !isDeleted
  })
  return {
    date: dateText(day),
    food_entries: meals.flatMap((meal) => entriesOf(calendar, meal, day)),
    exercise_entries: [],
  }
}
