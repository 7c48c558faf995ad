import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatDistance,
  formatHeight,
  formatSpeed,
  formatTemperature,
  formatTemperatureDelta,
  fromShown,
  type ShownUnits,
  shownUnitOf,
  toShown,
} from '../src/console/components/units.ts'

const METRIC: ShownUnits = {
  ...{ glucose: 'mmol/L', distance: 'km', weight: 'kg', height: 'cm', temperature: '°C' },
} as const
const IMPERIAL: ShownUnits = {
  ...{ glucose: 'mg/dL', distance: 'mi', weight: 'lb', height: 'ft_in', temperature: '°F' },
} as const

/** Values of the API with what they are by the definitions of the units. */
const KNOWN = [
  ['glucose', 5.55, 'mg/dL', 100.00101],
  ['glucose', 3.9, 'mg/dL', 70.27098],
  ['distance', 1609.344, 'mi', 1],
  ['workout_distance', 42_195, 'mi', 26.21875745],
  ['body_weight', 0.45359237, 'lb', 1],
  ['lean_body_mass', 60, 'lb', 132.27735731],
  ['waist_circumference', 254, 'in', 100],
  ['body_temperature', 37, '°F', 98.6],
  ['body_temperature', -40, '°F', -40],
  ['body_temperature_delta', 0.5, '°F', 0.9],
] as const

test('values are converted by the definitions of the units, and back', () => {
  for (const [resource, value, unit, expected] of KNOWN) {
    const shown = shownUnitOf(resource, IMPERIAL)
    assert.ok(shown, resource)
    assert.equal(shown.unit, unit)
    assert.ok(
      Math.abs(toShown(value, shown) - expected) < 1e-7,
      `${resource}: ${toShown(value, shown)}`,
    )
    const digits = Math.max(1, Math.abs(value))
    assert.ok(Math.abs(fromShown(expected, shown) - value) < 1e-7 * digits, resource)
    assert.ok(Math.abs(fromShown(toShown(value, shown), shown) - value) < 1e-12 * digits, resource)
  }
})

test('metric units keep the value, and other series have no unit of their own', () => {
  for (const [resource, value] of KNOWN) {
    const shown = shownUnitOf(resource, METRIC)
    assert.ok(shown)
    assert.equal(toShown(value, shown), shown.unit === 'km' ? value / 1000 : value)
  }
  // Cholesterol is in mmol/L too, with another molar mass.
  for (const resource of ['cholesterol', 'heartrate', 'steps', 'caffeine']) {
    assert.equal(shownUnitOf(resource, IMPERIAL), undefined)
  }
})

test('facts are formatted in the units of the person', () => {
  const of = (units: ShownUnits) => [
    formatDistance(5000, units),
    formatDistance(840, units),
    formatSpeed(3, units),
    formatTemperature(36.6, units),
    formatTemperatureDelta(0.25, units),
    formatTemperatureDelta(-0.25, units),
    formatHeight(178, units),
  ]
  assert.deepEqual(of(METRIC), [
    ...['5.00 km', '840 m', '10.8 km/h', '36.6 °C', '+0.25 °C', '-0.25 °C', '178 cm'],
  ])
  assert.deepEqual(of(IMPERIAL), [
    ...['3.11 mi', '0.52 mi', '6.7 mph', '97.9 °F', '+0.45 °F', '-0.45 °F', '5 ft 10 in'],
  ])
  assert.equal(formatHeight(182.7, IMPERIAL), '6 ft 0 in')
})
