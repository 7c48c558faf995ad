import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERIES, type Series } from '@salus/contracts/series'
import fc from 'fast-check'
import {
  quarantined,
  sendLines,
  sendParquet,
  storedRows,
} from '../../../server/test/bulk-uploads/bulk-client.ts'
import type { Row } from '../../../server/test/bulk-uploads/write-parquet.ts'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const INSTANTS = [
  '2024-03-01T08:00:00Z',
  '2024-03-01T08:00:00.250Z',
  '2024-03-01T23:59:59Z',
  '2024-03-31T01:30:00Z',
  '1969-07-20T20:17:40Z',
  '1899-12-31T00:00:00Z',
]

const values = fc.oneof(
  fc.integer({ min: -1, max: 400 }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
)

/** Items of a series, of which some are wrong. */
function itemsOf(series: Series): fc.Arbitrary<Row> {
  const types = series.types?.allowed ?? ['any', 'other']
  const extra = series.extraFields.map(({ name, allowed }) => [name, fc.constantFrom(...allowed)])
  const optional = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined, freq: 2 })
  return fc
    .record({
      value: values,
      unit: fc.constantFrom(...Object.keys(series.units), 'furlong'),
      start_date: fc.constantFrom(...INSTANTS),
      end_date: optional(fc.constantFrom(...INSTANTS)),
      id: optional(fc.constantFrom('a', 'b')),
      source_bundle: optional(fc.constantFrom('com.example', "o'neil \t\\ 😀", 'com.apple.health')),
      product_type: optional(fc.constantFrom('Watch6,1', 'Phone')),
      type: optional(fc.constantFrom('watch', 'phone', 'sundial')),
      metadata: optional(
        fc.record({
          type: fc.constantFrom(...types, 'unheard_of'),
          HKWasUserEntered: fc.constantFrom('0', '1'),
          ...Object.fromEntries(extra),
        }),
      ),
    })
    .map((item) => JSON.parse(JSON.stringify(item)) as Row)
}

const NUMERIC = SERIES.filter(
  ({ valueKind, shape }) => valueKind === 'number' && shape !== 'blood_pressure',
)

const bodies = fc.array(
  fc
    .constantFrom(...NUMERIC)
    .chain((series) => fc.record({ resource: fc.constant(series.name), item: itemsOf(series) })),
  { minLength: 1, maxLength: 60 },
)

type Body = { resource: string; item: Row }[]

/** Sends the items of each series as an upload of its own. */
async function upload(userId: string, body: Body): Promise<void> {
  for (const name of new Set(body.map(({ resource }) => resource))) {
    const data = body.filter(({ resource }) => resource === name).map(({ item }) => item)
    const url = `/v2/timeseries/${userId}/${name}`
    const envelope = { stage: 'historical', provider: 'manual' }
    const { status, text } = await salus.call('POST', url, { ...envelope, data })
    assert.equal(status, 200, text)
  }
}

test('lines and Parquet store the same rows as uploads, and quarantine the same items', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const users = await Promise.all([1, 2, 3].map(() => salus.makeUser('manual')))
      const [uploaded = '', lines = '', table = ''] = users
      const rowsOf = (userId: string) =>
        body.map(({ resource, item }) => ({ user_id: userId, resource, ...item }))
      await upload(uploaded, body)
      const { body: result } = await sendLines(salus, rowsOf(lines))
      const { body: ofTable } = await sendParquet(salus, rowsOf(table))
      const stored = await storedRows(salus, uploaded)
      assert.deepEqual(await storedRows(salus, lines), stored)
      assert.deepEqual(await storedRows(salus, table), stored)
      const reasons = await quarantined(salus, uploaded)
      assert.deepEqual(await quarantined(salus, lines), reasons)
      assert.equal(result.rejected + ofTable.rejected, 0)
      assert.deepEqual({ ...ofTable, problems: [] }, { ...result, problems: [] })
    }),
    { numRuns: campaignRuns(15, 500) },
  )
})
