import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  collectionOf,
  knownOf,
  mapRecords,
  REQUEST,
  reasonsOf,
} from '../../../../server/test/connectors/google-health-records.ts'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  GOOGLE_DAY,
  GOOGLE_MEAL,
} from '../../../../server/test/connectors/pages/google-health.pages.ts'

const AT = Date.UTC(2026, 1, 10, 13, 45, 10)

describe('a day of activity', () => {
  const { civilStartTime } = GOOGLE_DAY
  const part = (content: object) => ({ rollupDataPoints: [{ civilStartTime, ...content }] })
  const resting = (beatsPerMinute: string, calculationMethod?: string) => ({
    dailyRestingHeartRate: {
      date: civilStartTime.date,
      beatsPerMinute,
      ...(calculationMethod && { dailyRestingHeartRateMetadata: { calculationMethod } }),
    },
  })
  const level = (activityLevelType: string, totalDuration: string) => ({
    activityLevelType,
    totalDuration,
  })
  const LEVELS = part({
    activityLevel: {
      activityLevelRollupsByActivityLevelType: [
        level('SEDENTARY', '43200s'),
        level('LIGHTLY_ACTIVE', '10800s'),
        level('MODERATELY_ACTIVE', '1800s'),
        level('VERY_ACTIVE', '900s'),
      ],
    },
  })
  const MINUTES = part({
    activeMinutes: {
      activeMinutesRollupByActivityLevel: [
        { activityLevel: 'LIGHT', activeMinutesSum: '181' },
        { activityLevel: 'VIGOROUS', activeMinutesSum: '15' },
      ],
    },
  })
  const REST = [
    part({ distance: { millimetersSum: '7123400' } }),
    part({ floors: { countSum: '11' } }),
    part({ totalCalories: { kcalSum: 2410.5 } }),
    part({ activeEnergyBurned: { kcalSum: 612.25 } }),
    part({
      heartRate: { beatsPerMinuteAvg: 71.5, beatsPerMinuteMin: 48, beatsPerMinuteMax: 151 },
    }),
    { dataPoints: [resting('57', 'WITH_SLEEP'), resting('63')] },
    { timeZone: 'America/New_York', utcOffset: '-18000s' },
  ]

  test('is the sum of its parts, in the zone of the settings', () => {
    const { summaries, quarantined } = mapRecords('activity', undefined, [...REST, LEVELS, MINUTES])
    assert.deepEqual(quarantined, [])
    const [day] = summaries
    assert.deepEqual(
      [day?.recordId, day?.calendarDate, day?.startedAt, day?.timezoneOffset, day?.timeZone],
      ['2026-02-10', '2026-02-10', Date.UTC(2026, 1, 10), -18_000, 'America/New_York'],
    )
    assert.equal(day?.sourceType, 'multiple_sources')
    assert.deepEqual(knownOf(day), {
      calories_total: 2410.5,
      calories_active: 612.25,
      steps: 9731,
      distance_meter: 7123.4,
      floors_climbed: 11,
      heart_rate_mean: 71.5,
      heart_rate_minimum: 48,
      heart_rate_maximum: 151,
      heart_rate_resting: 57,
      intensity_sedentary_second: 43_200,
      intensity_low_second: 10_800,
      intensity_medium_second: 1800,
      intensity_high_second: 900,
    })
  })

  test('has minutes of activity where there are no levels', () => {
    const known = knownOf(mapRecords('activity', undefined, [MINUTES]).summaries[0])
    assert.deepEqual(
      [known.intensity_low_second, known.intensity_medium_second, known.intensity_high_second],
      [10_860, undefined, 900],
    )
  })

  test('without any value is none, and a zone that does not exist is unknown', () => {
    assert.deepEqual(mapRecords('activity', [{ civilStartTime }]).summaries, [])
    const [day] = mapRecords('activity', undefined, [{ timeZone: 'Mars/North' }]).summaries
    assert.deepEqual([day?.timezoneOffset, day?.timeZone], [null, ''])
  })

  test('keeps its other parts when one is wrong', () => {
    const wrong = [part({ floors: { countSum: 'many' } }), part({ distance: 7 })]
    const data = mapRecords('activity', [GOOGLE_DAY, 7, { civilStartTime: {} }], wrong)
    assert.deepEqual(knownOf(data.summaries[0]), { steps: 9731 })
    assert.deepEqual(reasonsOf(data).sort(), [
      'activity invalid_date',
      'activity invalid_date',
      'activity invalid_value',
    ])
  })

  test('is requested with a day more at either end, at most 14 days', () => {
    const { page, details } = collectionOf('activity')
    const day = (date: number) => ({ date: { year: 2026, month: 2, day: date } })
    assert.deepEqual(page(REQUEST.range, null, NO_CONTEXT), {
      method: 'POST',
      path: '/v4/users/me/dataTypes/steps/dataPoints:dailyRollUp',
      json: { range: { start: day(8), end: day(14) }, windowSizeDays: 1 },
    })
    const requests = details?.({}, REQUEST) ?? []
    assert.equal(requests.length, 8)
    assert.ok(requests.every(({ isOptional }) => isOptional))
    assert.deepEqual(details?.({}, { ...REQUEST, cursor: 'next', context: NO_CONTEXT }), [])
  })
})

describe('a measurement of the body', () => {
  const sampleTime = { physicalTime: '2026-02-10T13:45:10Z', utcOffset: '-18000s' }
  const dataSource = { device: { formFactor: 'SCALE' } }
  const fat = { dataSource, bodyFat: { sampleTime, percentage: 22.5 } }

  test('has weight and fat of one instant, whichever is requested', () => {
    const weight = mapRecords('weight', undefined, [{ dataPoints: [fat] }])
    const share = mapRecords('body-fat', [fat], [{ dataPoints: [{ ...weightRecord() }] }])
    for (const { summaries } of [weight, share]) {
      assert.deepEqual(summaries.map(knownOf), [
        { weight_kilogram: 71.25, fat_mass_percentage: 22.5 },
      ])
      assert.equal(summaries[0]?.startedAt, AT)
    }
    assert.equal(weight.summaries[0]?.recordId, share.summaries[0]?.recordId)
    assert.deepEqual(weight.summaries[0]?.raw, share.summaries[0]?.raw)
    assert.deepEqual(
      [...weight.samples, ...share.samples].map(({ series }) => series),
      ['body_weight', 'body_fat'],
    )
  })

  const weightRecord = () => ({ dataSource, weight: { sampleTime, weightGrams: 71_250 } })

  test('of another source is another one', () => {
    const byHand = { ...fat, dataSource: { recordingMethod: 'MANUAL' } }
    const { summaries } = mapRecords('weight', undefined, [{ dataPoints: [byHand] }])
    assert.deepEqual(summaries.map(({ sourceType }) => sourceType).sort(), ['app', 'scale'])
  })

  test('that is wrong is quarantined', () => {
    const heavy = { weight: { sampleTime, weightGrams: 7_125_000 } }
    const data = mapRecords('weight', [heavy, { weight: null }])
    assert.deepEqual(reasonsOf(data), [
      'body_weight out_of_range',
      'body_weight not_an_object',
      'body out_of_range',
    ])
  })

  test('the newest height is that of the profile', () => {
    const height = (physicalTime: string, heightMillimeters: unknown) => ({
      height: { sampleTime: { physicalTime }, heightMillimeters },
    })
    const data = mapRecords('height', [
      height('2024-01-01T00:00:00Z', '1500'),
      height('2026-01-01T00:00:00Z', '1764'),
      height('x', '1'),
    ])
    assert.deepEqual(data.summaries.map(knownOf), [{ height_centimeter: 176 }])
    assert.deepEqual(mapRecords('height', []).summaries, [])
  })
})

describe('an entry of the food diary', () => {
  test('is a meal with its food, and carbohydrates and caffeine are series', () => {
    const { summaries, samples, quarantined } = mapRecords('nutrition-log')
    assert.deepEqual(quarantined, [])
    const { foods, ...known } = knownOf(summaries[0])
    assert.deepEqual(known, {
      name: 'breakfast',
      calories: 412,
      carbohydrate_gram: 58.5,
      protein_gram: 17,
      total_fat_gram: 12.25,
      sodium_milligram: 210,
      vitamin_b12_microgram: 1.2,
    })
    assert.deepEqual(Object.keys(JSON.parse(String(foods))), ['Latte and oats'])
    assert.deepEqual(
      samples.map(({ series, value, sourceType }) => [series, value, sourceType]),
      [
        ['carbohydrates', 58.5, 'app'],
        ['caffeine', 0.126, 'app'],
      ],
    )
  })

  test('keeps the name of its meal, and folate counts where folic acid is unknown', () => {
    const entry = (change: object) => ({
      ...GOOGLE_MEAL,
      nutritionLog: { ...GOOGLE_MEAL.nutritionLog, ...change },
    })
    const known = (change: object) =>
      knownOf(mapRecords('nutrition-log', [entry(change)]).summaries[0])
    assert.equal(known({ mealType: 'BEFORE_LUNCH' }).name, 'before lunch')
    for (const none of ['MEAL_TYPE_UNSPECIFIED', undefined, 7]) {
      assert.equal(known({ mealType: none }).name, undefined)
    }
    const amount = (nutrient: string, grams: number) => ({ nutrient, quantity: { grams } })
    const folates = [amount('FOLATE', 0.0005), amount('FOLIC_ACID', 0.0002)]
    assert.equal(known({ nutrients: folates }).folic_acid_microgram, 200)
    assert.equal(known({ nutrients: folates.slice(0, 1) }).folic_acid_microgram, 500)
  })

  test('with a wrong amount is quarantined', () => {
    const wrong = { nutrient: 'PROTEIN', quantity: { grams: 'much' } }
    const record = { nutritionLog: { ...GOOGLE_MEAL.nutritionLog, nutrients: [wrong] } }
    const data = mapRecords('nutrition-log', [record, GOOGLE_MEAL])
    assert.deepEqual(reasonsOf(data), ['meal invalid_value'])
    assert.equal(data.summaries.length, 1)
  })

  test('of the same minute is another entry', () => {
    const other = { ...GOOGLE_MEAL, name: 'users/me/dataTypes/nutrition-log/dataPoints/n2' }
    const { samples, summaries } = mapRecords('nutrition-log', [GOOGLE_MEAL, other])
    assert.equal(summaries.length, 2)
    const starts = samples
      .filter(({ series }) => series === 'carbohydrates')
      .map(({ startedAt }) => startedAt)
    assert.equal(new Set(starts).size, 2)
  })
})

test('paired devices are those of the person, with the name of the product', () => {
  const { devices } = mapRecords('pairedDevices').toArrivedData()
  assert.deepEqual(
    devices?.map(({ source_type, device_model, device_id }) => [
      source_type,
      device_model,
      device_id,
    ]),
    [['watch', 'Charge 6', 'd1']],
  )
  const data = mapRecords('pairedDevices', [7, { deviceType: 'SCALE', deviceVersion: 'Aria Air' }])
  assert.equal(data.toArrivedData().devices?.[0]?.source_type, 'scale')
  assert.deepEqual(reasonsOf(data), ['device not_an_object'])
})
