import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedItem } from '../uploads/parsed-item.ts'
import { parseMeal } from './meal.parser.ts'
import { HEALTH_CONNECT_NUTRIENTS, HEALTH_KIT_NUTRIENTS } from './meal-nutrients.registry.ts'

const IOS = { userId: '', provider: 'apple_health_kit', timeZone: 'Europe/Berlin', birthDate: null }
const ANDROID = { ...IOS, provider: 'health_connect' }
const NOON = '2026-02-10T11:00:00Z'

function parse(item: unknown, context = IOS): ParsedItem {
  const parsed = parseMeal(context, item)
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

const mealsOf = (item: unknown, context = IOS) =>
  parse(item, context).summaries.map((summary) => ({
    ...summary,
    values: summary.values as Record<string, unknown>,
  }))

const known = (values: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))

const eaten = (value: number, unit: string, start_date = NOON, change: object = {}) => ({
  value,
  unit,
  start_date,
  end_date: start_date,
  source_bundle: 'com.diary',
  ...change,
})

test('samples of HealthKit of one start and source are one meal, in the units of its columns', () => {
  const item = {
    healthkit: {
      source_bundle: 'com.diary',
      energy_total: [eaten(500, 'kcal'), eaten(90, 'kcal', '2026-02-10T15:00:00Z')],
      carbohydrates: [eaten(60, 'gram')],
      protein: [eaten(25, 'gram'), eaten(5, 'gram')],
      cholesterol: [eaten(80, 'mg')],
      vitamin_a: [eaten(900, 'μg')],
      vitamin_d: [eaten(15, 'μg')],
      sodium: [eaten(1.1, 'gram')],
      manganese: [eaten(2, 'mg')],
      water: [eaten(250, 'mL')],
      caffeine: [eaten(80, 'mg')],
      fiber: null,
    },
  }
  const [lunch, snack] = mealsOf(item)
  const { foods, ...amounts } = known(lunch?.values)
  assert.equal(JSON.parse(String(foods)).food.energy.value, 500)
  assert.deepEqual(amounts, {
    calories: 500,
    carbohydrate_gram: 60,
    protein_gram: 30,
    water_gram: 250,
    cholesterol_gram: 0.08,
    sodium_milligram: 1100,
    vitamin_a_milligram: 0.9,
    vitamin_d_microgram: 15,
    manganese_milligram: 2,
  })
  assert.equal(snack?.values.calories, 90)
  assert.equal(lunch?.recordId, '2026-02-10T11:00:00.000Z unknown')
  assert.deepEqual([lunch?.appId, lunch?.timezoneOffset], ['com.diary', 3600])
  assert.deepEqual(
    parse(item).samples.map(({ series, value, appId }) => [series, value, appId]),
    [
      ['water', 250, 'com.diary'],
      ['caffeine', 0.08, 'com.diary'],
    ],
  )
})

test('samples of two apps at one time are two meals, and foods are named by HealthKit', () => {
  const food = { metadata: { HKFoodType: 'Apple' } }
  const meals = mealsOf({
    health_kit: {
      _0: {
        energy_total: [eaten(52, 'kcal', NOON, food), eaten(30, 'kcal')],
        sugar: [eaten(10, 'gram', NOON, { ...food, source_bundle: 'other' })],
      },
    },
  })
  assert.equal(meals.length, 2)
  assert.equal(meals[0]?.values.calories, 82)
  const foods = JSON.parse(String(meals[0]?.values.foods))
  assert.deepEqual(Object.keys(foods), ['Apple', 'food'])
  assert.deepEqual(foods.Apple.energy, { unit: 'kcal', value: 52 })
})

test('a meal of HealthKit is named by its app, else by its foods', () => {
  const nameOf = (...metadata: object[]) => {
    const energy_total = metadata.map((entry) => eaten(50, 'kcal', NOON, { metadata: entry }))
    return mealsOf({ healthkit: { energy_total } })[0]?.values.name
  }
  assert.equal(nameOf({ HKFoodType: 'Soup' }, { HKFoodMeal: 'Lunch' }), 'lunch')
  assert.equal(nameOf({ HKFoodType: 'Soup' }, { HKFoodType: 'Bread' }, {}), 'Bread, Soup')
  assert.equal(nameOf({}), null)
})

const RECORD = {
  start_time: NOON,
  end_time: '2026-02-10T11:30:00Z',
  start_zone_offset: '+02:00',
  end_zone_offset: 'null',
  name: 'Soup',
  meal_type: 2,
  metadata: { dataOrigin: { packageName: 'com.android.diary' } },
  energy: 250,
  protein: 10,
  cholesterol: 40,
  thiamin: 0.4,
  folate: 30,
  vitamin_a: 500,
  caffeine: null,
}

test('records of Health Connect are the foods of one meal, summed up', () => {
  const records = [
    RECORD,
    { ...RECORD, name: null, energy: 100.1, thiamin: null, folic_acid: 5, caffeine: 95 },
    { ...RECORD, energy: 50, vitamin_a: 1, start_time: '2026-02-10T11:10:00Z' },
  ]
  const item = { health_connect: { nutrition_records: records } }
  const [meal, ...others] = mealsOf(item, ANDROID)
  assert.deepEqual(others, [])
  const { foods, ...values } = known(meal?.values)
  assert.deepEqual(values, {
    name: 'lunch',
    calories: 400.1,
    protein_gram: 30,
    cholesterol_gram: 0.12,
    vitamin_a_milligram: 1.001,
    vitamin_b1_milligram: 0.8,
    folic_acid_microgram: 65,
  })
  const data = JSON.parse(String(foods))
  assert.deepEqual(Object.keys(data), ['Soup', 'lunch'])
  assert.deepEqual(data.Soup.energy, { unit: 'kcal', value: 300 })
  assert.equal(data.lunch.micros.vitamins.folic_acid, 5)
  assert.deepEqual(
    [meal?.appId, meal?.timezoneOffset, meal?.timeZone, meal?.recordId],
    ['com.android.diary', 7200, '', '2026-02-10T11:00:00.000Z unknown lunch'],
  )
  assert.equal(meal?.endedAt, Date.UTC(2026, 1, 10, 11, 30))
  const { samples } = parse(item, ANDROID)
  assert.deepEqual(
    samples.map(({ series, value, timezoneOffset }) => [series, value, timezoneOffset]),
    [['caffeine', 0.095, 7200]],
  )
})

test('records may be in camel case, and their order does not change the id of the meal', () => {
  const later = { ...RECORD, start_time: '2026-02-10T11:20:00Z' }
  const id = (nutritionRecords: object[]) =>
    mealsOf({ healthConnect: { sourceBundle: 'app', nutritionRecords } }, ANDROID)[0]?.recordId
  assert.equal(id([RECORD, later]), id([later, RECORD]))
  const { start_time: startTime, end_time: endTime } = RECORD
  assert.equal(id([{ startTime, endTime, mealType: 2 }]), id([RECORD]))
})

test('each meal type has its name, and an unknown one none', () => {
  const name = (meal_type: unknown) =>
    mealsOf({ health_connect: { nutrition_records: [{ ...RECORD, meal_type }] } }, ANDROID)[0]
      ?.values.name
  assert.deepEqual([0, 1, 2, 3, 4, 5, null].map(name), [
    null,
    'breakfast',
    'lunch',
    'dinner',
    'snack',
    null,
    null,
  ])
})

test('a zone that is null as text leaves the local time to the device', () => {
  const record = { ...RECORD, start_zone_offset: 'null' }
  const [meal] = mealsOf({ health_connect: { nutrition_records: [record] } }, ANDROID)
  assert.deepEqual([meal?.timezoneOffset, meal?.timeZone], [3600, 'Europe/Berlin'])
})

test('wrong parts of a meal are quarantined alone', () => {
  const kit = parse({ healthkit: { protein: [eaten(5, 'kcal'), eaten(5, 'gram')] } })
  assert.deepEqual(kit.quarantined, [
    { resource: 'meal', reason: 'unknown_unit', item: { protein: [eaten(5, 'kcal')] } },
  ])
  assert.equal(kit.summaries.length, 1)
  const wrong = { ...RECORD, protein: 'some' }
  const connect = parse({ health_connect: { nutrition_records: [wrong, RECORD] } }, ANDROID)
  assert.deepEqual(connect.quarantined, [
    { resource: 'meal', reason: 'invalid_value', item: { nutrition_records: [wrong] } },
  ])
  assert.equal(connect.summaries.length, 1)
  assert.equal(parseMeal(IOS, { breakfast: true }), 'invalid_field')
  assert.equal(parseMeal(IOS, 'toast'), 'not_an_object')
})

test('no two nutrients of a client are one column, but folate and folic acid', () => {
  const kit = Object.values(HEALTH_KIT_NUTRIENTS)
  assert.equal(new Set(kit).size, kit.length)
  const connect = Object.values(HEALTH_CONNECT_NUTRIENTS).map(([column]) => column)
  assert.equal(new Set(connect).size, connect.length - 1)
})
