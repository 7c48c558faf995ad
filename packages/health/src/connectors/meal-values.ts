import {
  addNutrients,
  gramsToColumn,
  mealValues,
  type NutrientColumn,
  type Nutrients,
  type SummaryValues,
} from '../summaries/index.ts'

/** A food, with its energy and the grams of its nutrients. */
export interface VendorFood {
  name: string
  /** Kilocalories, or null. */
  calories: number | null
  grams: Readonly<Partial<Record<NutrientColumn, number>>>
}

/**
 * Returns the columns of a meal: the sums of its foods, and the foods by name.
 * @param name Such as breakfast, or null.
 */
export function valuesOfMeal(
  name: string | null,
  foods: readonly VendorFood[],
): SummaryValues<'meal'> {
  const total: Nutrients = {}
  const byName = new Map<string, Nutrients>()
  for (const { name: food, calories, grams } of foods) {
    const amounts: Nutrients = calories === null ? {} : { calories }
    for (const [column, amount] of Object.entries(grams) as [NutrientColumn, number][]) {
      amounts[column] = gramsToColumn(column, amount)
    }
    const sum = byName.get(food) ?? {}
    addNutrients(sum, amounts)
    addNutrients(total, amounts)
    byName.set(food, sum)
  }
  return mealValues(name, total, byName)
}
