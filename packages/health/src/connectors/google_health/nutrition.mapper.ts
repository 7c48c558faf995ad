import { type VendorFood, valuesOfMeal } from '../meal-values.ts'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { listOf } from './google-pages.ts'
import {
  type Fields,
  fieldsOf,
  intervalOf,
  lookUp,
  numberOf,
  recordIdOf,
  sessionIdOf,
  sourceOf,
  textOf,
} from './points.ts'

type Nutrient = keyof VendorFood['grams']

/**
 * Nutrients of the vendor and their columns. Of two names of one column the first known one counts:
 * folate contains folic acid. There are no columns for caffeine, which is a series, trans fat and
 * unsaturated fat.
 */
const NUTRIENTS: Readonly<Record<string, Nutrient>> = {
  CARBOHYDRATES: 'carbohydrate_gram',
  PROTEIN: 'protein_gram',
  DIETARY_FIBER: 'fibre_gram',
  SUGAR: 'sugar_gram',
  CHOLESTEROL: 'cholesterol_gram',
  SATURATED_FAT: 'saturated_fat_gram',
  MONOUNSATURATED_FAT: 'monounsaturated_fat_gram',
  POLYUNSATURATED_FAT: 'polyunsaturated_fat_gram',
  SODIUM: 'sodium_milligram',
  POTASSIUM: 'potassium_milligram',
  CALCIUM: 'calcium_milligram',
  PHOSPHORUS: 'phosphorus_milligram',
  MAGNESIUM: 'magnesium_milligram',
  IRON: 'iron_milligram',
  ZINC: 'zinc_milligram',
  CHLORIDE: 'chloride_milligram',
  VITAMIN_A: 'vitamin_a_milligram',
  THIAMIN: 'vitamin_b1_milligram',
  RIBOFLAVIN: 'riboflavin_milligram',
  NIACIN: 'niacin_milligram',
  PANTOTHENIC_ACID: 'pantothenic_acid_milligram',
  VITAMIN_B6: 'vitamin_b6_milligram',
  BIOTIN: 'biotin_microgram',
  VITAMIN_B12: 'vitamin_b12_microgram',
  VITAMIN_C: 'vitamin_c_milligram',
  VITAMIN_D: 'vitamin_d_microgram',
  VITAMIN_E: 'vitamin_e_milligram',
  VITAMIN_K: 'vitamin_k_microgram',
  FOLIC_ACID: 'folic_acid_microgram',
  FOLATE: 'folic_acid_microgram',
  CHROMIUM: 'chromium_microgram',
  COPPER: 'copper_milligram',
  IODINE: 'iodine_microgram',
  MANGANESE: 'manganese_milligram',
  MOLYBDENUM: 'molybdenum_microgram',
  SELENIUM: 'selenium_microgram',
}
const UNNAMED_FOOD = 'food'

/** Maps entries of a food diary: each is a food of a meal, and a meal of its own in Salus. */
export function mapNutrition(answer: unknown, data: PageData): void {
  for (const record of listOf(answer, 'dataPoints')) {
    const content = isFields(record) ? record.nutritionLog : undefined
    if (!isFields(record) || !isFields(content)) {
      data.quarantine('meal', 'not_an_object', record)
      continue
    }
    const interval = intervalOf(data, { resource: 'meal', record }, content.interval)
    const amounts = interval && amountsOf(data, record, content)
    if (!interval || amounts === undefined) continue
    const { start, end } = interval
    const sourceType = sourceOf(record)
    const name = textOf(content.foodDisplayName) ?? UNNAMED_FOOD
    const { caffeine, ...food } = amounts
    data.addSummary('meal', {
      recordId: sessionIdOf(record, start),
      start,
      end,
      sourceType,
      values: valuesOfMeal(mealOf(content.mealType), [{ name, ...food }]),
      raw: record,
    })
    const frame = { start, end, sourceType, recordId: recordIdOf(record), unit: 'g' }
    const { carbohydrate_gram: carbohydrates } = food.grams
    if (carbohydrates) data.addSample('carbohydrates', { ...frame, value: carbohydrates }, record)
    if (caffeine) data.addSample('caffeine', { ...frame, value: caffeine }, record)
  }
}

/** Returns the name of a meal, such as `before lunch`; null where the person chose none. */
function mealOf(type: unknown): string | null {
  const name = textOf(type)
  return name === null || name.endsWith('_UNSPECIFIED')
    ? null
    : name.toLowerCase().replaceAll('_', ' ')
}

/** Returns the energy and the grams of a food; undefined for a record that is quarantined. */
function amountsOf(data: PageData, record: Fields, content: Fields) {
  const gramsOf = (quantity: unknown) => numberOf(fieldsOf(quantity).grams)
  const nutrients = Array.isArray(content.nutrients) ? content.nutrients.filter(isFields) : []
  const reader = data.read('meal', {
    ...Object.fromEntries(
      nutrients.map(({ nutrient, quantity }) => [String(nutrient), gramsOf(quantity)]),
    ),
    energy: numberOf(fieldsOf(content.energy).kcal),
    fat: gramsOf(content.totalFat),
    carbohydrate: gramsOf(content.totalCarbohydrate),
  })
  if (reader === undefined) return undefined
  const grams: Partial<Record<Nutrient, number>> = {}
  const add = (column: Nutrient, amount: number | null): void => {
    if (amount !== null) grams[column] ??= amount
  }
  add('carbohydrate_gram', reader.number('carbohydrate'))
  add('total_fat_gram', reader.number('fat'))
  for (const name of Object.keys(NUTRIENTS)) {
    const column = lookUp(NUTRIENTS, name)
    if (column !== undefined) add(column, reader.number(name))
  }
  const calories = reader.number('energy')
  const caffeine = reader.number('CAFFEINE')
  return data.isValid('meal', reader, record) ? { grams, calories, caffeine } : undefined
}
