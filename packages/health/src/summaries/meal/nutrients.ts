import { roundMeasured } from '@salus/contracts/series'
import { emptyValues, type SummaryValues } from '../summary-tables.registry.ts'
import { toFood } from './meal.presenter.ts'
import type { NutrientColumn } from './meal-nutrients.registry.ts'

/** Known amounts in the units of their columns. */
export type Nutrients = Partial<Record<NutrientColumn, number>>

/** Name of a food without one. */
export const UNNAMED_FOOD = 'food'

/** Converts grams to the unit that a column names. */
export function gramsToColumn(column: NutrientColumn, grams: number): number {
  if (column.endsWith('_microgram')) return roundMeasured(grams * 1e6)
  return roundMeasured(column.endsWith('_milligram') ? grams * 1000 : grams)
}

/** Adds amounts to those that are already known. */
export function addNutrients(sum: Nutrients, more: Nutrients): void {
  for (const [column, amount] of Object.entries(more) as [NutrientColumn, number][]) {
    sum[column] = roundMeasured((sum[column] ?? 0) + amount)
  }
}

/** Returns the columns of a meal: its totals, and its foods by name as in answers. */
export function mealValues(
  name: string | null,
  total: Nutrients,
  foods: ReadonlyMap<string, Nutrients>,
): SummaryValues<'meal'> {
  const empty = emptyValues('meal')
  const entries = [...foods].map(([food, amounts]) => [food, toFood({ ...empty, ...amounts })])
  const list = entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries))
  return { ...empty, name, ...total, foods: list }
}
