import type { SummaryColumns } from '../summary-fields.schema.ts'

/** Columns of a meal with amounts, in the order of the table. */
export const NUTRIENT_COLUMNS = {
  calories: 'number',
  carbohydrate_gram: 'number',
  protein_gram: 'number',
  alcohol_gram: 'number',
  water_gram: 'number',
  fibre_gram: 'number',
  sugar_gram: 'number',
  cholesterol_gram: 'number',
  saturated_fat_gram: 'number',
  monounsaturated_fat_gram: 'number',
  polyunsaturated_fat_gram: 'number',
  omega3_fat_gram: 'number',
  omega6_fat_gram: 'number',
  total_fat_gram: 'number',
  sodium_milligram: 'number',
  potassium_milligram: 'number',
  calcium_milligram: 'number',
  phosphorus_milligram: 'number',
  magnesium_milligram: 'number',
  iron_milligram: 'number',
  zinc_milligram: 'number',
  fluoride_milligram: 'number',
  chloride_milligram: 'number',
  vitamin_a_milligram: 'number',
  vitamin_b1_milligram: 'number',
  riboflavin_milligram: 'number',
  niacin_milligram: 'number',
  pantothenic_acid_milligram: 'number',
  vitamin_b6_milligram: 'number',
  biotin_microgram: 'number',
  vitamin_b12_microgram: 'number',
  vitamin_c_milligram: 'number',
  vitamin_d_microgram: 'number',
  vitamin_e_milligram: 'number',
  vitamin_k_microgram: 'number',
  folic_acid_microgram: 'number',
  chromium_microgram: 'number',
  copper_milligram: 'number',
  iodine_microgram: 'number',
  manganese_milligram: 'number',
  molybdenum_microgram: 'number',
  selenium_microgram: 'number',
} as const satisfies SummaryColumns
export type NutrientColumn = keyof typeof NUTRIENT_COLUMNS

/**
 * Lists of a HealthKit meal (docs/contract/07-mobile-sync.md#mealupload), beside energy, and their
 * columns.
 */
export const HEALTH_KIT_NUTRIENTS: Readonly<Record<string, NutrientColumn>> = {
  carbohydrates: 'carbohydrate_gram',
  fiber: 'fibre_gram',
  sugar: 'sugar_gram',
  fat_total: 'total_fat_gram',
  fat_monounsaturated: 'monounsaturated_fat_gram',
  fat_polyunsaturated: 'polyunsaturated_fat_gram',
  fat_saturated: 'saturated_fat_gram',
  cholesterol: 'cholesterol_gram',
  protein: 'protein_gram',
  vitamin_a: 'vitamin_a_milligram',
  vitamin_b1: 'vitamin_b1_milligram',
  riboflavin: 'riboflavin_milligram',
  niacin: 'niacin_milligram',
  pantothenic_acid: 'pantothenic_acid_milligram',
  vitamin_b6: 'vitamin_b6_milligram',
  biotin: 'biotin_microgram',
  vitamin_b12: 'vitamin_b12_microgram',
  vitamin_c: 'vitamin_c_milligram',
  vitamin_d: 'vitamin_d_microgram',
  vitamin_e: 'vitamin_e_milligram',
  vitamin_k: 'vitamin_k_microgram',
  folic_acid: 'folic_acid_microgram',
  calcium: 'calcium_milligram',
  chloride: 'chloride_milligram',
  iron: 'iron_milligram',
  magnesium: 'magnesium_milligram',
  phosphorus: 'phosphorus_milligram',
  potassium: 'potassium_milligram',
  sodium: 'sodium_milligram',
  zinc: 'zinc_milligram',
  chromium: 'chromium_microgram',
  copper: 'copper_milligram',
  iodine: 'iodine_microgram',
  manganese: 'manganese_milligram',
  molybdenum: 'molybdenum_microgram',
  selenium: 'selenium_microgram',
}

/** Grams in one unit of Health Connect's nutrients. */
const G = 1
const MG = 1e-3
const MICROGRAM = 1e-6

/**
 * Nutrients of a record of Health Connect in their units
 * (docs/contract/07-mobile-sync.md#mealupload), and their columns. Of two keys with one column the
 * first known one counts: folate contains folic acid.
 */
export const HEALTH_CONNECT_NUTRIENTS: Readonly<
  Record<string, readonly [column: NutrientColumn, gramsPerUnit: number]>
> = {
  protein: ['protein_gram', G],
  sugar: ['sugar_gram', G],
  dietary_fiber: ['fibre_gram', G],
  total_carbohydrate: ['carbohydrate_gram', G],
  total_fat: ['total_fat_gram', G],
  saturated_fat: ['saturated_fat_gram', G],
  monounsaturated_fat: ['monounsaturated_fat_gram', G],
  polyunsaturated_fat: ['polyunsaturated_fat_gram', G],
  calcium: ['calcium_milligram', MG],
  chloride: ['chloride_milligram', MG],
  cholesterol: ['cholesterol_gram', MG],
  copper: ['copper_milligram', MG],
  iron: ['iron_milligram', MG],
  magnesium: ['magnesium_milligram', MG],
  manganese: ['manganese_milligram', MG],
  niacin: ['niacin_milligram', MG],
  pantothenic_acid: ['pantothenic_acid_milligram', MG],
  phosphorus: ['phosphorus_milligram', MG],
  potassium: ['potassium_milligram', MG],
  riboflavin: ['riboflavin_milligram', MG],
  sodium: ['sodium_milligram', MG],
  thiamin: ['vitamin_b1_milligram', MG],
  vitamin_b6: ['vitamin_b6_milligram', MG],
  vitamin_c: ['vitamin_c_milligram', MG],
  vitamin_e: ['vitamin_e_milligram', MG],
  zinc: ['zinc_milligram', MG],
  biotin: ['biotin_microgram', MICROGRAM],
  chromium: ['chromium_microgram', MICROGRAM],
  folic_acid: ['folic_acid_microgram', MICROGRAM],
  folate: ['folic_acid_microgram', MICROGRAM],
  iodine: ['iodine_microgram', MICROGRAM],
  molybdenum: ['molybdenum_microgram', MICROGRAM],
  selenium: ['selenium_microgram', MICROGRAM],
  vitamin_a: ['vitamin_a_milligram', MICROGRAM],
  vitamin_b12: ['vitamin_b12_microgram', MICROGRAM],
  vitamin_d: ['vitamin_d_microgram', MICROGRAM],
  vitamin_k: ['vitamin_k_microgram', MICROGRAM],
}
