import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const RANGE = '2025-05-01-to-2025-05-02.csv'
const HEAD =
  'Date,Meal,Calories,Fat (g),Saturated Fat,Polyunsaturated Fat,Monounsaturated Fat,Trans Fat,Cholesterol,Sodium (mg),Potassium,Carbohydrates (g),Fiber,Sugar,Protein (g),Vitamin A,Vitamin C,Calcium,Iron,Note'
const MEALS = [
  HEAD,
  '2025-05-01,Breakfast,"1,234.0",10.5,2,1,1,0,30,"1,500",200,60,5,10,20,10,20,5,6,words',
  '2025-05-01,Lunch,600,,,,,,,,,80,,,30,,,,,',
].join('\r\n')
const files = (parts: { meals?: string; weights?: string; exercises?: string }) => ({
  ...(parts.meals !== undefined && { [`Nutrition-Summary-${RANGE}`]: parts.meals }),
  ...(parts.weights !== undefined && { [`Measurement-Summary-${RANGE}`]: parts.weights }),
  ...(parts.exercises !== undefined && { [`Exercise-Summary-${RANGE}`]: parts.exercises }),
})

test('a meal of a day is one meal with the id of the connection, and percentages are left out', async () => {
  const { mapped, of } = await mapContent(files({ meals: MEALS }))
  assert.deepEqual([mapped.format, mapped.provider], ['my_fitness_pal_export', 'my_fitness_pal'])
  const [breakfast, lunch] = of('meal')
  const { foods: _, ...values } = (breakfast?.values ?? {}) as Record<string, unknown>
  assert.deepEqual(
    [breakfast?.id, breakfast?.start, breakfast?.timezone_offset, breakfast?.calendar_date, values],
    [
      ...['2025-05-01-Breakfast', '2025-05-01T12:00:00+00:00', null, '2025-05-01'],
      {
        name: 'Breakfast',
        calories: 1234,
        carbohydrate_gram: 60,
        protein_gram: 20,
        fibre_gram: 5,
        sugar_gram: 10,
        cholesterol_gram: 0.03,
        saturated_fat_gram: 2,
        monounsaturated_fat_gram: 1,
        polyunsaturated_fat_gram: 1,
        total_fat_gram: 10.5,
        sodium_milligram: 1500,
        potassium_milligram: 200,
      },
    ],
  )
  const lunchValues = lunch?.values as Record<string, unknown>
  // An empty cell is unknown and not 0.
  assert.deepEqual([lunchValues.calories, 'total_fat_gram' in lunchValues], [600, false])
  assert.doesNotMatch(JSON.stringify([breakfast, lunch]), /words/)
})

test('rows of one meal are added up in any order, and kilojoules converted', async () => {
  const rows = ['2025-05-01,Snacks,418.4,1', '2025-05-01,Snacks,836.8,2']
  for (const list of [rows, rows.toReversed()]) {
    const meals = ['Date,Meal,Energy (kJ),Protein (g)', ...list].join('\n')
    const [meal] = (await mapContent(meals)).of('meal')
    const { calories, protein_gram: protein } = (meal?.values ?? {}) as Record<string, number>
    assert.deepEqual([Math.round(Number(calories)), protein], [300, 3])
  }
  const bare = 'Date,Meal,Energy,Protein (g)\n2025-05-01,Snacks,418.4,1\n'
  const { mapped } = await mapContent(bare)
  assert.deepEqual(
    mapped.questions.map(({ option }) => option),
    ['energy_unit'],
  )
  assert.equal((await mapContent(bare, { energy_unit: 'kJ' })).of('meal').length, 1)
})

test('the unit of weights is that of the head row, or a question', async () => {
  const weights = 'Date,Weight,Body Fat %,Neck\n2025-05-01,160,20.5,38\n2025-05-02,,,\n'
  const { mapped, lines } = await mapContent(files({ weights }))
  assert.deepEqual([mapped.questions.map(({ option }) => option), lines], [['weight_unit'], []])
  const pounds = await mapContent(files({ weights }), { weight_unit: 'lb' })
  assert.deepEqual(
    pounds.lines.map(({ resource, start, value }) => [resource, start, value]),
    [
      ['body_weight', '2025-05-01T12:00:00+00:00', 72.5747792],
      ['body_fat', '2025-05-01T12:00:00+00:00', 20.5],
      ['body', '2025-05-01T12:00:00+00:00', undefined],
    ],
  )
  const named = await mapContent(files({ weights: 'Date,Weight (kg)\n2025-05-01,72\n' }))
  assert.equal(named.of('body_weight')[0]?.value, 72)
})

test('exercises and corrections of trackers are counted and left out', async () => {
  const exercises =
    'Date,Exercise,Type,Exercise Calories,Exercise Minutes,Sets,Reps Per Set,Kilograms,Steps,Note\n2025-05-01,Running,Cardio,300,30,,,,,\n2025-05-01,Fitbit calorie adjustment,Cardio,-40,1,,,,9000,\n'
  const { mapped, lines } = await mapContent(files({ exercises }))
  assert.deepEqual(lines, [])
  assert.equal(mapped.progress.types[0]?.not_supported, 2)
})

test('formulas, negative amounts and impossible days are quarantined without their words', async () => {
  const rows = [
    '2025-05-01,=1+1,@SUM,1',
    '2025-05-01,A,-5,1',
    '2099-01-01,B,5,1',
    '2025-02-30,C,5,1',
  ]
  const { lines } = await mapContent(['Date,Meal,Calories,Protein (g)', ...rows].join('\n'))
  assert.deepEqual(
    lines.map(({ refused }) => refused),
    ['invalid_value', 'out_of_range', 'invalid_date', 'invalid_date'],
  )
  assert.doesNotMatch(JSON.stringify(lines), /1\+1/)
})
