import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { convertToCanonical, SERIES, type Series, type SeriesName, series } from './index.ts'
import type { UnitTable } from './units.ts'

const tableOf = ({ units, unitsByType }: Series, type = ''): UnitTable =>
  unitsByType?.[type] ?? units

/**
 * Every unit label of docs/contract/07-mobile-sync.md#quantitysample with its series; the expected
 * values were computed by hand.
 */
const LABELS: [name: SeriesName, label: string, value: number, expected: number, type?: string][] =
  [
    ['body_weight', 'kg', 70, 70],
    ['body_weight', 'lb', 100, 45.359237],
    ['body_weight', 'gram', 70_500, 70.5],
    ['body_weight', 'st', 1, 6.35029318],
    ['lean_body_mass', 'kg', 55.5, 55.5],
    ['lean_body_mass', 'lb', 2, 0.90718474],
    ['waist_circumference', 'centimeter', 80, 80],
    ['waist_circumference', 'cm', 80, 80],
    ['waist_circumference', 'm', 0.8, 80],
    ['waist_circumference', 'in', 10, 25.4],
    ['heartrate', 'bpm', 61, 61],
    ['heartrate', 'count/min', 61, 61],
    ['heartrate', 'count/s', 1.5, 90],
    ['respiratory_rate', 'bpm', 14, 14],
    ['respiratory_rate', 'count/min', 14, 14],
    ['hrv', 'rmssd', 42, 42],
    ['hrv', 'ms', 42, 42],
    ['hrv', 's', 0.042, 42],
    ['blood_oxygen', '%', 97, 97],
    ['body_fat', '%', 21.5, 21.5],
    ['body_fat', 'percent', 21.5, 21.5],
    ['afib_burden', '%', 2, 2],
    ['stress_level', '%', 30, 30],
    ['calories_active', 'kcal', 100, 100],
    ['calories_active', 'Cal', 100, 100],
    ['calories_active', 'kJ', 418.4, 100],
    ['calories_basal', 'kJ', 8.368, 2],
    ['steps', 'count', 10, 10],
    ['steps', '', 10, 10],
    ['floors_climbed', '', 3, 3],
    ['floors_climbed', 'count', 3, 3],
    ['wheelchair_push', 'count', 40, 40],
    ['fall', 'count', 1, 1],
    ['handwashing', 'count', 1, 1],
    ['inhaler_usage', 'count', 2, 2],
    ['sleep_apnea_alert', 'count', 1, 1],
    ['sleep_breathing_disturbance', 'count', 3, 3],
    ['stand_hour', 'count', 1, 1],
    ['heart_rate_alert', 'count', 1, 1],
    ['heart_rate_recovery_one_minute', 'count', 25, 25],
    ['heart_rate_recovery_one_minute', 'bpm', 25, 25],
    ['distance', 'meter', 12, 12],
    ['distance', 'm', 12, 12],
    ['distance', 'km', 1.5, 1500],
    ['distance', 'mi', 2, 3218.688],
    ['distance', 'ft', 10, 3.048],
    ['distance', 'yd', 100, 91.44],
    ['workout_distance', 'm', 400, 400],
    ['vo2_max', 'mL/kg/min', 41, 41],
    ['vo2_max', 'mL/min·kg', 41, 41],
    ['glucose', 'mmol/L', 5.5, 5.5],
    ['glucose', 'mg/dL', 90.091, 5],
    ['cholesterol', 'mmol/L', 3, 3, 'cholesterol/ldl'],
    ['cholesterol', 'mg/dL', 116.01, 3, 'cholesterol/ldl'],
    ['cholesterol', 'mg/dL', 38.67, 1, 'cholesterol/hdl'],
    ['cholesterol', 'mg/dL', 193.35, 5, 'cholesterol/total'],
    ['cholesterol', 'mg/dL', 177.14, 2, 'cholesterol/triglycerides'],
    ['blood_pressure', 'mmHg', 120, 120],
    ['blood_pressure', 'kPa', 16, 120.009852135],
    ['water', 'mL', 250, 250],
    ['water', 'ml', 250, 250],
    ['water', 'L', 0.25, 250],
    ['water', 'fl_oz_us', 2, 59.147059125],
    ['caffeine', 'gram', 0.08, 0.08],
    ['caffeine', 'g', 0.08, 0.08],
    ['caffeine', 'mg', 80, 0.08],
    ['caffeine', '\u03bcg', 80_000, 0.08],
    ['caffeine', '\u00b5g', 80_000, 0.08],
    ['carbohydrates', 'g', 30, 30],
    ['mindfulness_minutes', 'minute', 10, 10],
    ['mindfulness_minutes', 'min', 10, 10],
    ['mindfulness_minutes', 's', 90, 1.5],
    ['stand_duration', 'minute', 5, 5],
    ['daylight_exposure', 'minute', 20, 20],
    ['workout_duration', 'hr', 1.5, 90],
    ['body_temperature', '\u00b0C', 36.6, 36.6],
    ['body_temperature', '\u00b0F', 98.6, 37],
    ['body_temperature', 'degF', 212, 100],
    ['body_temperature', 'degC', 37, 37],
    ['body_temperature', 'K', 310.15, 37],
    ['basal_body_temperature', '\u00b0F', 97.7, 36.5],
    ['body_temperature_delta', '\u00b0C', -0.4, -0.4],
    // A difference has no zero point to move: 1.8 °F more is 1 °C more.
    ['body_temperature_delta', '\u00b0F', 1.8, 1],
    ['hypnogram', 'stage', 3, 3],
    ['forced_expiratory_volume_1', 'L', 3.2, 3.2],
    ['forced_vital_capacity', 'mL', 4100, 4.1],
    ['peak_expiratory_flow_rate', 'L/min', 480, 480],
    ['peak_expiratory_flow_rate', 'L/s', 8, 480],
    ['body_mass_index', 'index', 22, 22],
    ['body_mass_index', 'count', 22, 22],
    ['uv_exposure', 'index', 6, 6],
    ['insulin_injection', 'unit', 4, 4],
    ['insulin_injection', 'IU', 4, 4],
    ['electrocardiogram_voltage', 'mV', -0.2, -0.2],
    ['electrocardiogram_voltage', 'uV', 250, 0.25],
    ['ige', 'FSU', 12, 12],
    ['note', 'text', 1, 1],
  ]

for (const [name, label, value, expected, type] of LABELS) {
  test(`${value} "${label}" of ${type ?? name} are ${expected} ${series(name).unit}`, () => {
    assert.equal(convertToCanonical(tableOf(series(name), type), label, value), expected)
  })
}

test('every series has a label that the table above tries', () => {
  const tried = new Set<string>(LABELS.map(([name]) => name))
  const sameAs = { igg: 'ige', workout_swimming_stroke: 'wheelchair_push' }
  const missing = SERIES.filter(({ name }) => !tried.has(name)).map(({ name }) => name)
  assert.deepEqual(missing, Object.keys(sameAs))
})

test('a label of another dimension, of no unit or of every object is unknown', () => {
  const wrong = ['bpm', 'furlong', 'constructor', '__proto__', 'toString', 'KG', 'kg ']
  for (const label of wrong)
    assert.equal(convertToCanonical(series('body_weight').units, label, 1), undefined)
  assert.equal(convertToCanonical(series('glucose').units, '', 5), undefined)
})

const anyTable = fc.constantFrom(
  ...SERIES.flatMap((entry) => [entry.units, ...Object.values(entry.unitsByType ?? {})]),
)
const measured = fc.double({ min: -1e6, max: 1e6, noNaN: true })

/** Equal to ten digits of the larger of the value and the shifted zero point. */
const isSame = (a: number, b: number, zeroPoint: number): boolean =>
  Math.abs(a - b) <= 1e-10 * Math.max(Math.abs(b), Math.abs(zeroPoint))

test('a value of six digits comes back from every unit as it was written', () => {
  const written = fc
    .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: -6, max: 0 }))
    .map(([digits, power]) => Number(`${digits}e${power}`))
  const property = fc.property(anyTable, written, (table, value) => {
    for (const [label, { times, plus, by }] of Object.entries(table)) {
      const back = ((convertToCanonical(table, label, value) as number) * by - plus) / times
      assert.ok(isSame(back, value, plus / times), `${value} ${label} came back as ${back}`)
      // A value that a client converts to the unit of the series converts back to itself.
      const there = convertToCanonical(table, label, (value * by - plus) / times) as number
      assert.ok(isSame(there, value, plus / by), `${value} came from ${label} as ${there}`)
    }
  })
  fc.assert(property, { seed: 53, numRuns: 1000 })
})

test('round values of one unit are round in the other', () => {
  const cases: [name: SeriesName, label: string, value: number, expected: number][] = [
    ['glucose', 'mg/dL', 90.091, 5],
    ['calories_active', 'kJ', 20.92, 5],
    ['body_weight', 'g', 70_300, 70.3],
    ['body_temperature', '\u00b0F', 98.6, 37],
    ['body_temperature', 'K', 310.15, 37],
    ['waist_circumference', 'in', 33, 83.82],
    ['mindfulness_minutes', 's', 330, 5.5],
  ]
  for (const [name, label, value, expected] of cases) {
    assert.equal(
      convertToCanonical(series(name).units, label, value),
      expected,
      `${value} ${label}`,
    )
  }
})

test('every conversion keeps the order of values', () => {
  const property = fc.property(anyTable, measured, measured, (table, one, other) => {
    const [low, high] = one < other ? [one, other] : [other, one]
    for (const label of Object.keys(table)) {
      const [a, b] = [
        convertToCanonical(table, label, low),
        convertToCanonical(table, label, high),
      ] as [number, number]
      assert.ok(a <= b, label)
    }
  })
  fc.assert(property, { seed: 51, numRuns: 500 })
})

test('the unit that answers carry is stored as it comes, to the last bit', () => {
  const property = fc.property(fc.constantFrom(...SERIES), measured, (entry, value) => {
    for (const table of [entry.units, ...Object.values(entry.unitsByType ?? {})]) {
      assert.equal(convertToCanonical(table, entry.unit, value), value + 0)
    }
  })
  fc.assert(property, { seed: 52, numRuns: 500 })
})
