import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { IOS_ITEMS } from '../../../../server/test/summaries/upload-items.registry.ts'
import { QUARANTINE_REASONS } from '../../ingest/index.ts'
import { HEALTH_CONNECT_NUTRIENTS, HEALTH_KIT_NUTRIENTS } from '../meal/meal-nutrients.registry.ts'
import { STAGE_LISTS } from '../sleep/sleep-stages.ts'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '../summary-tables.registry.ts'
import { readKey } from './item-reader.ts'
import { parseSummaryUpload } from './upload-parser.ts'

const KEYS = [
  ...Object.keys(HEALTH_KIT_NUTRIENTS),
  ...Object.keys(HEALTH_CONNECT_NUTRIENTS),
  ...STAGE_LISTS.map(([list]) => list),
  ...SUMMARY_RESOURCES.flatMap((resource) => Object.keys(SUMMARY_TABLES[resource].columns)),
  ...['value', 'unit', 'start_date', 'end_date', 'start_time', 'end_time', 'source_bundle'],
  ...['product_type', 'type', 'source_type', 'metadata', 'id', 'sport', 'day_summary', 'steps'],
  ...['calendar_date', 'cycle', 'healthkit', 'health_connect', 'nutrition_records', 'meal_type'],
  ...['electrocardiogram', 'session_start', 'session_end', 'voltage_data', 'lead1', 'time_zones'],
  ...['session_start_offset_millisecond', 'stream', 'components', 'distance_cycling', 'anchor'],
  ...['start_offset', 'end_offset', 'sleep_stages', 'heart_rate', 'body_mass', 'date', 'height'],
  ...[
    'date_of_birth',
    'biological_sex',
    'wrist_temperature',
    '__proto__',
    'constructor',
    'toString',
    'valueOf',
    '_DMO',
  ],
]
const TEXTS = [
  ...['2026-02-10T08:00:00Z', '2026-02-10T09:00:00+02:00', '2026-02-10', '', 'kg', 'bpm', 'gram'],
  ...['watch', 'null', 'HKTimeZone', 'Europe/Berlin', '1900-01-01T00:00:00Z', '\ud800', '\0'],
]

const { item: anything } = fc.letrec<{ item: unknown; object: unknown }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e300, 5, ...TEXTS),
    fc.string(),
    fc.double(),
    fc.array(tie('item'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie('item'), { maxKeys: 12 }),
}))

/** Any JSON value. */
const garbage = anything.map((value) => JSON.parse(JSON.stringify(value)) as unknown)

test('no item is ever an error: it is stored, or quarantined with a known reason', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SUMMARY_RESOURCES),
      fc.constantFrom('apple_health_kit', 'health_connect', 'manual'),
      fc.array(garbage, { maxLength: 5 }),
      async (resource, provider, items) => {
        const context = { userId: '', provider, timeZone: 'Europe/Berlin', birthDate: null }
        const parsed = await parseSummaryUpload(resource, context, items)
        for (const { reason } of parsed.quarantined) assert.ok(reason in QUARANTINE_REASONS)
        assert.equal(parsed.problems.length, parsed.quarantined.length)
        const columns = Object.keys(SUMMARY_TABLES[resource].columns).sort()
        for (const summary of parsed.summaries) {
          assert.deepEqual(Object.keys(summary.values).sort(), columns)
          assert.ok(summary.startedAt <= summary.endedAt)
          assert.ok(summary.timeZone === '' || summary.timezoneOffset !== null)
          JSON.stringify(summary)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

/** An item in which one value, at any depth, is replaced. */
function replaceOne(item: unknown, path: readonly number[], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof item !== 'object' || item === null) return value
  const keys = Object.keys(item)
  const key = keys[step % keys.length]
  if (key === undefined) return value
  const inner = replaceOne((item as Record<string, unknown>)[key], rest, value)
  return Array.isArray(item) ? item.with(Number(key), inner) : { ...item, [key]: inner }
}

test('an item with one value replaced by anything is stored, or quarantined with a reason', async () => {
  let stored = 0
  let quarantined = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...SUMMARY_RESOURCES),
      fc.array(fc.nat(50), { minLength: 1, maxLength: 6 }),
      garbage,
      async (resource, path, value) => {
        const context = {
          userId: '',
          provider: 'apple_health_kit',
          timeZone: null,
          birthDate: null,
        }
        const item = replaceOne(IOS_ITEMS[resource], path, value)
        const parsed = await parseSummaryUpload(resource, context, [item])
        stored += parsed.summaries.length
        quarantined += parsed.quarantined.length
        for (const { reason } of parsed.quarantined) assert.ok(reason in QUARANTINE_REASONS)
        for (const { startedAt, endedAt, values } of parsed.summaries) {
          assert.ok(startedAt <= endedAt)
          const numbers = Object.values(values).filter((known) => typeof known === 'number')
          assert.ok(numbers.every((number) => Number.isFinite(number) && number >= 0))
        }
      },
    ),
    { numRuns: 3000 },
  )
  assert.ok(stored > 1000 && quarantined > 200, `${stored} stored, ${quarantined} quarantined`)
})

test('a sleep is stored whatever else its keys hold that are not read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), garbage), async (rest) => {
      const known = new Set(KEYS.map((key) => key.replaceAll('_', '').toLowerCase()))
      const extra = Object.entries(rest).filter(
        ([key]) => !known.has(key.replaceAll('_', '').toLowerCase()),
      )
      const item = {
        ...Object.fromEntries(extra),
        start_date: '2026-02-10T22:00:00Z',
        end_date: '2026-02-11T06:00:00Z',
      }
      const context = { userId: '', provider: 'manual', timeZone: null, birthDate: null }
      assert.equal((await parseSummaryUpload('sleep', context, [item])).summaries.length, 1)
    }),
    { numRuns: 200 },
  )
})

test('a key is read in any spelling, the plain one first', async () => {
  for (const key of [
    'heart_rate_zone_1',
    'heart_rate_zone1',
    'heartRateZone1',
    'HeartRateZone_1',
  ]) {
    assert.equal(readKey({ [key]: 7 }, 'heart_rate_zone_1'), 7)
  }
  assert.equal(readKey({ heartRateZone1: 1, heart_rate_zone_1: 2 }, 'heart_rate_zone_1'), 2)
  assert.equal(readKey({}, 'constructor'), undefined)
})
