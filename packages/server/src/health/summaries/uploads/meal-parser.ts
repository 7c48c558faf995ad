import type { PutAsideReason } from '../../ingest/index.ts'
import { parseHealthKitMeals } from './health-kit-meal-parser.ts'
import { type Fields, isFields, readKey } from './item-reader.ts'
import { parseNutritionRecords } from './nutrition-record-parser.ts'
import type { ItemContext, ParsedItem } from './parsed-item.ts'

/** An item of a meal upload: samples of HealthKit, or records of Health Connect (contract 07). */
export function parseMeal(context: ItemContext, item: unknown): ParsedItem | PutAsideReason {
  if (!isFields(item)) return 'not_an_object'
  const samples = caseOf(item, 'healthkit')
  if (samples !== undefined) return parseHealthKitMeals(context, samples)
  const records = caseOf(item, 'health_connect') ?? item
  if (Array.isArray(readKey(records, 'nutrition_records'))) {
    return parseNutritionRecords(context, records)
  }
  return 'invalid_field'
}

/** One of the cases of an item; Swift names the value of a case `_0`. */
function caseOf(item: Fields, name: string): Fields | undefined {
  const value = readKey(item, name)
  if (!isFields(value)) return undefined
  return isFields(value._0) ? value._0 : value
}
