import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedItem } from '../uploads/parsed-item.ts'
import { parseMenstrualCycle } from './menstrual-cycle.parser.ts'

const IOS = { userId: '', provider: 'apple_health_kit', timeZone: 'Europe/Berlin', birthDate: null }

function stored(parsed: ParsedItem | string): ParsedItem {
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

const CYCLE = {
  period_start: '2026-02-01',
  period_end: '2026-02-05',
  cycle_end: '2026-02-28',
  is_predicted: false,
  menstrual_flow: [{ date: '2026-02-01', flow: 'heavy' }],
  intermenstrual_bleeding: [{ date: '2026-02-14' }],
  sexual_activity: [{ date: '2026-02-10', protection_used: null }],
  basal_body_temperature: [{ date: '2026-02-02', value: 36.4 }],
  ovulation_test: [],
}

test('a cycle fills its columns, its lists as JSON', () => {
  const item = { source_bundle: 'com.apple.Health', cycle: CYCLE }
  const [summary] = stored(parseMenstrualCycle(IOS, item)).summaries
  const values = summary?.values as Record<string, unknown>
  assert.deepEqual(
    [values.period_start, values.period_end, values.cycle_end, values.is_predicted],
    ['2026-02-01', '2026-02-05', '2026-02-28', false],
  )
  assert.equal(values.menstrual_flow, '[{"date":"2026-02-01","flow":"heavy"}]')
  assert.equal(values.intermenstrual_bleeding, '[{"date":"2026-02-14"}]')
  assert.equal(values.sexual_activity, '[{"date":"2026-02-10","protection_used":null}]')
  assert.equal(values.basal_body_temperature, '[{"date":"2026-02-02","value":36.4}]')
  assert.equal(values.ovulation_test, '')
  assert.deepEqual(
    [summary?.recordId, summary?.calendarDate, summary?.appId, summary?.sourceType],
    ['2026-02-01', '2026-02-01', 'com.apple.Health', 'app'],
  )
  assert.deepEqual(
    [summary?.startedAt, summary?.endedAt, summary?.timezoneOffset],
    [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 28), null],
  )
})

test('a cycle in camel case with dates as date-times or with slashes is the same cycle', () => {
  const cycle = {
    periodStart: '2026/02/01',
    periodEnd: '2026-02-05T00:00:00Z',
    menstrualFlow: [{ date: '2026-02-01T12:00:00.123Z', flow: 'heavy' }],
    sexualActivity: [{ date: '2026-02-10', protectionUsed: true }],
  }
  const [summary] = stored(parseMenstrualCycle(IOS, { sourceBundle: 'app', cycle })).summaries
  const values = summary?.values as Record<string, unknown>
  assert.deepEqual([values.period_start, values.period_end], ['2026-02-01', '2026-02-05'])
  assert.equal(values.menstrual_flow, '[{"date":"2026-02-01","flow":"heavy"}]')
  assert.equal(values.sexual_activity, '[{"date":"2026-02-10","protection_used":true}]')
})

test('a wrong entry of a list is quarantined alone', () => {
  const cycle = {
    ...CYCLE,
    cervical_mucus: [
      { date: '2026-02-01', quality: 'blue' },
      { date: 'today', quality: 'dry' },
      { date: '2026-02-03', quality: 'dry' },
      null,
    ],
  }
  const parsed = stored(parseMenstrualCycle(IOS, { cycle }))
  assert.deepEqual(
    parsed.quarantined.map(({ resource, reason }) => [resource, reason]),
    [
      ['menstrual_cycle', 'invalid_field'],
      ['menstrual_cycle', 'invalid_date'],
      ['menstrual_cycle', 'invalid_date'],
    ],
  )
  const values = parsed.summaries[0]?.values as Record<string, unknown>
  assert.equal(values.cervical_mucus, '[{"date":"2026-02-03","quality":"dry"}]')
})

test('a cycle that cannot be stored is quarantined with a reason', () => {
  assert.equal(parseMenstrualCycle(IOS, 5), 'not_an_object')
  assert.equal(parseMenstrualCycle(IOS, { cycle: [] }), 'not_an_object')
  assert.equal(parseMenstrualCycle(IOS, { cycle: {} }), 'invalid_date')
  assert.equal(parseMenstrualCycle(IOS, { cycle: { period_start: '1800-01-01' } }), 'invalid_date')
})
