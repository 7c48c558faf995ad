import { roundMeasured } from '@salus/contracts/series'
import { formatInstant } from '@salus/kernel/time/instants'
import { isAnyKnown, type PresenterContext, provenanceOf } from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import type { Food, Meal } from './meal.schema.ts'

type Nutrients = Omit<SummaryValues<'meal'>, 'name' | 'foods'>
type Amounts = Record<string, number | null>

function macrosOf(row: Nutrients): Food['macros'] {
  const fats = {
    saturated: row.saturated_fat_gram,
    monounsaturated: row.monounsaturated_fat_gram,
    polyunsaturated: row.polyunsaturated_fat_gram,
    omega3: row.omega3_fat_gram,
    omega6: row.omega6_fat_gram,
    total: row.total_fat_gram,
  }
  const macros = {
    carbs: row.carbohydrate_gram,
    protein: row.protein_gram,
    alcohol: row.alcohol_gram,
    water: row.water_gram,
    fibre: row.fibre_gram,
    sugar: row.sugar_gram,
    cholesterol: row.cholesterol_gram,
  }
  const amounts = [...Object.values(fats), ...Object.values(macros)]
  return isAnyKnown(amounts) ? { ...macros, fats } : null
}

/** Converts milligrams to micrograms, without the digits that multiplying fractions adds. */
const inMicrograms = (milligrams: number | null): number | null =>
  milligrams === null ? null : roundMeasured(milligrams * 1000)

/** Returns the known amounts of a list, or null. */
function knownAmounts(amounts: Amounts): Record<string, number> | null {
  let known: Record<string, number> | null = null
  for (const name of Object.keys(amounts)) {
    const amount = amounts[name] ?? null
    if (amount === null) continue
    known ??= {}
    known[name] = amount
  }
  return known
}

function microsOf(row: Nutrients): Food['micros'] {
  const minerals = knownAmounts({
    sodium: row.sodium_milligram,
    potassium: row.potassium_milligram,
    calcium: row.calcium_milligram,
    phosphorus: row.phosphorus_milligram,
    magnesium: row.magnesium_milligram,
    iron: row.iron_milligram,
    zinc: row.zinc_milligram,
    fluoride: row.fluoride_milligram,
    chloride: row.chloride_milligram,
  })
  const trace_elements = knownAmounts({
    chromium: row.chromium_microgram,
    copper: row.copper_milligram,
    iodine: row.iodine_microgram,
    manganese: row.manganese_milligram,
    molybdenum: row.molybdenum_microgram,
    selenium: row.selenium_microgram,
  })
  const vitamins = vitaminsOf(row)
  const isEmpty = !isAnyKnown([minerals, trace_elements, vitamins])
  return isEmpty ? null : { minerals, trace_elements, vitamins }
}

function vitaminsOf(row: Nutrients): Record<string, number> | null {
  return knownAmounts({
    // The query language counts vitamin A in milligrams, the objects in micrograms.
    vitamin_a: inMicrograms(row.vitamin_a_milligram),
    vitamin_b1: row.vitamin_b1_milligram,
    riboflavin: row.riboflavin_milligram,
    niacin: row.niacin_milligram,
    pantothenic_acid: row.pantothenic_acid_milligram,
    vitamin_b6: row.vitamin_b6_milligram,
    biotin: row.biotin_microgram,
    vitamin_b12: row.vitamin_b12_microgram,
    vitamin_c: row.vitamin_c_milligram,
    vitamin_d: row.vitamin_d_microgram,
    vitamin_e: row.vitamin_e_milligram,
    vitamin_k: row.vitamin_k_microgram,
    folic_acid: row.folic_acid_microgram,
  })
}

/** Converts columns to energy, macros and micros: the form of a meal, and of each stored food. */
export function toFood(nutrients: Nutrients): Food {
  const { calories } = nutrients
  return {
    energy: calories === null ? null : { unit: 'kcal', value: calories },
    macros: macrosOf(nutrients),
    micros: microsOf(nutrients),
  }
}

/** Name of a meal without one. */
const UNNAMED_MEAL = 'meal'

/** Converts a meal for answers and events (docs/contract/06-summaries.md#meal). */
export function toMeal(row: SummaryRow<'meal'>, context: PresenterContext): Meal {
  const { source, created_at, updated_at } = provenanceOf(row, context)
  return {
    id: row.id,
    user_id: context.userId,
    priority_id: 0,
    source_id: 0,
    provider_id: row.id,
    timestamp: formatInstant(row.started_at),
    calendar_date: row.calendar_date,
    name: row.name ?? UNNAMED_MEAL,
    ...toFood(row),
    data: row.foods === '' ? {} : (JSON.parse(row.foods) as Meal['data']),
    source,
    created_at,
    updated_at,
    source_app_id: row.app_id || null,
    source_device_id: source.device_id,
  }
}
