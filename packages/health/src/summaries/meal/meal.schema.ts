import { DateTime, DateTimeInput, Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import {
  Amount,
  CalendarDate,
  identity,
  provenance,
  type SummaryColumns,
} from '../summary-fields.schema.ts'
import { number, object, sameSchema, samples, text } from '../upload-fields.schema.ts'
import {
  HEALTH_CONNECT_NUTRIENTS,
  HEALTH_KIT_NUTRIENTS,
  NUTRIENT_COLUMNS,
} from './meal-nutrients.registry.ts'

const Energy = Type.Object(
  { unit: Type.Literal('kcal'), value: Type.Number() },
  { title: 'MealEnergy' },
)

const Fats = Type.Object(
  {
    saturated: Amount('g'),
    monounsaturated: Amount('g'),
    polyunsaturated: Amount('g'),
    omega3: Amount('g'),
    omega6: Amount('g'),
    total: Amount('g'),
  },
  { title: 'Fats' },
)

const Macros = Type.Object(
  {
    carbs: Amount('g'),
    protein: Amount('g'),
    alcohol: Amount('g'),
    water: Amount('g'),
    fibre: Amount('g'),
    sugar: Amount('g'),
    cholesterol: Amount('g'),
    fats: Fats,
  },
  { title: 'Macros' },
)

const amounts = (description: string) =>
  Nullable(Type.Record(Type.String(), Type.Number(), { description }))

const Micros = Type.Object(
  {
    minerals: amounts(
      'mg: sodium, potassium, calcium, phosphorus, magnesium, iron, zinc, fluoride, chloride.',
    ),
    trace_elements: amounts('µg: chromium, iodine, molybdenum, selenium; mg: copper, manganese.'),
    vitamins: amounts(
      'µg: vitamin_a, vitamin_b12, vitamin_d, vitamin_k, biotin, folic_acid; mg: vitamin_b1, riboflavin, niacin, pantothenic_acid, vitamin_b6, vitamin_c, vitamin_e.',
    ),
  },
  { title: 'Micros' },
)

const nutrition = {
  energy: Nullable(Energy),
  macros: Nullable(Macros),
  micros: Nullable(Micros),
}

/** Nutrition of a food of a meal; keys are as in Meal. */
export const Food = Type.Object(nutrition, { title: 'Food' })
export type Food = Type.Static<typeof Food>

/** A meal (docs/contract/06-summaries.md#meal). */
export const Meal = Type.Object(
  {
    ...identity,
    priority_id: Type.Integer({ deprecated: true, description: 'Always 0; has no meaning.' }),
    source_id: Type.Integer({ deprecated: true, description: 'Always 0; has no meaning.' }),
    provider_id: Type.String({ deprecated: true, description: 'The value of `id`.' }),
    timestamp: DateTime,
    calendar_date: CalendarDate('Date that the user recorded.'),
    name: Type.String({ description: 'Name of the meal, such as breakfast; empty when unknown.' }),
    ...nutrition,
    data: Type.Record(Type.String(), Food, { description: 'Foods by name.' }),
    ...provenance,
    source_app_id: Nullable(Type.String()),
    source_device_id: Nullable(Uuid),
  },
  { title: 'Meal' },
)
export type Meal = Type.Static<typeof Meal>

/** Columns of the resource, in the order of the table. */
export const MEAL_COLUMNS = {
  name: 'text',
  ...NUTRIENT_COLUMNS,
  foods: 'json',
} as const satisfies SummaryColumns

const NutritionRecord = object('NutritionRecordUpload', {
  start_time: DateTimeInput,
  end_time: DateTimeInput,
  start_zone_offset: text(),
  end_zone_offset: text(),
  name: text(),
  meal_type: Type.Optional(
    Type.Integer({ description: 'Meal type: 0 unknown, 1 breakfast, 2 lunch, 3 dinner, 4 snack.' }),
  ),
  energy: number('kcal'),
  ...sameSchema(Object.keys(HEALTH_CONNECT_NUTRIENTS), number()),
})

/** A meal in an upload (docs/contract/07-mobile-sync.md#mealupload). */
export const MealUpload = object('MealUploadItem', {
  healthkit: Type.Optional(
    object('HealthKitMealUpload', {
      source_bundle: text(),
      ...sameSchema(
        ['energy_total', 'water', 'caffeine', ...Object.keys(HEALTH_KIT_NUTRIENTS)],
        samples(),
      ),
    }),
  ),
  health_connect: Type.Optional(
    object('HealthConnectMealUpload', {
      source_bundle: text(),
      nutrition_records: Type.Array(NutritionRecord),
    }),
  ),
})
