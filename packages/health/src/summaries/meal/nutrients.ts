import { roundMeasured } from '@salus/contracts/series'
import { emptyValues, type SummaryValues } from '../summary-tables.registry.ts'
import { toFood } from './meal.presenter.ts'
import type { NutrientColumn } from './meal-nutrients.registry.ts'

/** Amounts in the units of their columns, where they are known. */
export type Nutrients = Partial<Record<NutrientColumn, number>>

/** Stands for the name of a food that has none. */
export const UNNAMED_FOOD = 'food'

/** Grams in the unit that a column names. */
export function gramsToColumn(column: NutrientColumn, grams: number): number {
  if (column.endsWith('_microgram')) return roundMeasured(grams * 1e6)
  return roundMeasured(column.endsWith('_milligram') ? grams * 1000 : grams)
}

/** Adds amounts to those that are known already. */
export function addNutrients(sum: Nutrients, more: Nutrients): void {
  for (const [column, amount] of Object.entries(more) as [NutrientColumn, number][]) {
    sum[column] = roundMeasured((sum[column] ?? 0) + amount)
  }
}

/** The columns of a meal: what all of it holds, and its foods by name as answers show them. */
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
