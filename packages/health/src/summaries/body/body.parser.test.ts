import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedItem } from '../uploads/parsed-item.ts'
import { parseBody } from './body.parser.ts'

const IOS = { userId: '', provider: 'apple_health_kit', timeZone: 'Europe/Berlin', birthDate: null }

const measured = (value: number, unit: string, start_date: string, change: object = {}) => ({
  value,
  unit,
  start_date,
  end_date: start_date,
  source_bundle: 'com.scale',
  product_type: 'Scale,1',
  type: 'scale',
  ...change,
})

function body(item: unknown): ParsedItem {
  const parsed = parseBody(IOS, item)
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

test('what a source measures in one minute is one summary, and each measurement a sample', () => {
  const parsed = body({
    body_mass: [measured(70.5, 'kg', '2026-02-10T08:00:20Z')],
    body_fat_percentage: [measured(21, 'percent', '2026-02-10T08:00:05Z')],
    body_mass_index: [measured(22.5, 'index', '2026-02-10T08:01:00Z')],
    lean_body_mass: [measured(55, 'kg', '2026-02-10T08:00:30Z', { source_bundle: 'other' })],
    waist_circumference: [measured(80, 'centimeter', '2026-02-10T08:00:00Z')],
  })
  assert.deepEqual(
    parsed.samples.map(({ series, value }) => [series, value]),
    [
      ['body_weight', 70.5],
      ['body_fat', 21],
      ['body_mass_index', 22.5],
      ['lean_body_mass', 55],
      ['waist_circumference', 80],
    ],
  )
  const [first, second, third] = parsed.summaries
  assert.equal(parsed.summaries.length, 3)
  assert.equal(first?.recordId, '2026-02-10T08:00:00.000Z scale')
  assert.equal(first?.startedAt, Date.UTC(2026, 1, 10, 8))
  assert.deepEqual(
    [first?.sourceType, first?.appId, first?.deviceModel],
    ['scale', 'com.scale', 'Scale,1'],
  )
  const values = first?.values as Record<string, unknown>
  assert.deepEqual(
    [values.weight_kilogram, values.fat_mass_percentage, values.waist_circumference_centimeter],
    [70.5, 21, 80],
  )
  assert.equal(values.body_mass_index, null)
  assert.equal(second?.recordId, '2026-02-10T08:01:00.000Z scale')
  assert.equal(third?.appId, 'other')
})

test('the keys of a body may be in camel case', () => {
  const item = { bodyMass: [measured(70, 'kg', '2026-02-10T08:00:00Z')] }
  assert.equal(body(item).summaries.length, 1)
})

test('zones by date come before the zone of the device, as pairs or in turns', () => {
  const at = (date: string) => measured(70, 'kg', `${date}T08:00:00Z`)
  const body_mass = [at('2026-02-01'), at('2026-02-10'), at('2026-02-20')]
  const zones = ['2026-02-05T00:00:00Z', 'America/New_York', '2026-02-15', 'Asia/Tokyo']
  const expected = ['America/New_York', 'America/New_York', 'Asia/Tokyo']
  for (const time_zones of [zones, [zones.slice(0, 2), zones.slice(2)]]) {
    assert.deepEqual(
      body({ body_mass, time_zones }).summaries.map(({ timeZone }) => timeZone),
      expected,
    )
  }
  assert.equal(body({ body_mass }).summaries[0]?.timeZone, 'Europe/Berlin')
  assert.equal(body({ body_mass, time_zones: [] }).samples[0]?.timezoneOffset, 3600)
})

test('a wrong measurement is quarantined alone', () => {
  const parsed = body({ body_mass: [measured(70, 'stone', '2026-02-10T08:00:00Z'), 5] })
  assert.deepEqual(
    parsed.quarantined.map(({ resource, reason }) => [resource, reason]),
    [
      ['body_weight', 'unknown_unit'],
      ['body_weight', 'not_an_object'],
    ],
  )
  assert.deepEqual(parsed.summaries, [])
})
