import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createQueryHarness, func, trunc } from '../../../server/test/queries/query-harness.ts'
import { sample } from '../../../server/test/queries/reference/hand-made.ts'
import type { StoredSample } from '../../../server/test/queries/reference/person-data.ts'
import {
  createSeededRandom,
  type SeededRandom,
} from '../../../server/test/queries/seeded-random.ts'
import { storePersonData } from '../../../server/test/queries/store-person-data.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { functionSql } from './compile/function-sql.ts'

const harness = useFixture(createQueryHarness)

const FUNCTIONS = ['sum', 'mean', 'stddev', 'median', 'min', 'max', 'oldest', 'newest']
const START = Date.parse('2026-03-01T00:00:00Z')
const MINUTE_MS = 60_000

/** Numbers as devices send them, and others. */
function randomValue({ next, chance, below }: SeededRandom): number {
  if (chance(0.5)) return Math.round(next() * 1800) / 10
  return (next() - 0.5) * 10 ** (below(16) - 6)
}

/** Some sources measure the same minutes; some samples of a minute differ in their type alone. */
function randomSamples(random: SeededRandom, count: number): StoredSample[] {
  const samples = Array.from({ length: count }, () => {
    const startedAt = START + random.below(20_000) * MINUTE_MS
    return sample(new Date(startedAt).toISOString(), randomValue(random), {
      series: random.pick(['glucose', 'heartrate', 'steps']),
      provider: random.pick(['oura', 'garmin']),
      sampleType: random.pick(['', 'automatic']),
      endedAt: startedAt + random.below(3) * MINUTE_MS,
    })
  })
  const keyOf = (row: StoredSample) =>
    [row.series, row.startedAt, row.provider, row.sampleType].join(' ')
  return [...new Map(samples.map((row) => [keyOf(row), row])).values()]
}

const shuffled = <Item>(random: SeededRandom, items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)

/** Stores the samples of a person in any order, in so many inserts. */
async function storePerson(
  random: SeededRandom,
  samples: readonly StoredSample[],
  inserts: number,
) {
  const { salus, person } = harness
  const userId = await person({})
  const { rows } = await salus.database.pool.query(
    'select environment_id from users where id = $1',
    [userId],
  )
  const owner = { environmentId: rows[0].environment_id as string, userId }
  const mixed = shuffled(random, samples)
  const size = Math.ceil(mixed.length / inserts)
  for (let from = 0; from < mixed.length; from += size) {
    const part = { samples: mixed.slice(from, from + size), summaries: [] }
    await storePersonData(salus.clickhouse, owner, part)
  }
  return userId
}

const FIELDS = [
  { timeseries: 'glucose', field: 'value' },
  { merged: 'heartrate', field: 'value' },
  { merged: 'steps', field: 'value' },
]
const QUERIES = FIELDS.flatMap((arg) => {
  const table = 'merged' in arg ? 'merged' : 'timeseries'
  const select = FUNCTIONS.map((name) => func(name, arg))
  return [
    { select, group_by: [trunc('day', table)] },
    { select, group_by: [trunc('year', table), { source: 'source_provider' }] },
  ]
})
const JOINED = {
  select: ['glucose', 'heartrate'].map((timeseries) => ({ timeseries, field: 'value' })),
}

async function answers(userId: string, years: number): Promise<{ json: string; parquet: string }> {
  const { salus } = harness
  const timeframe = { type: 'relative', anchor: '2026-03-31', past: { unit: 'year', value: years } }
  const request = (accept: string, queries: object[]) =>
    salus.app.inject({
      ...{ method: 'POST', url: `/aggregate/v1/user/${userId}/query` },
      headers: { 'x-service-api-key': salus.apiKey, accept },
      payload: { timeframe, queries },
    })
  const json = await request('application/json', [...QUERIES, JOINED])
  const parquet = await request('application/vnd.service.tar+gzip+parquet', QUERIES)
  assert.deepEqual([json.statusCode, parquet.statusCode], [200, 200], json.body.slice(0, 300))
  return { json: json.body, parquet: parquet.rawPayload.toString('base64') }
}

test('equal samples have the same answers to the last digit, however they were stored', async () => {
  for (let seed = 1; seed <= campaignRuns(1, 40); seed += 1) {
    const random = createSeededRandom(seed)
    const samples = randomSamples(random, 800)
    const one = await storePerson(random, samples, 1)
    const other = await storePerson(random, samples, 2 + random.below(10))
    // A year is answered by one thread, and two years by two.
    assert.deepEqual(await answers(one, 1), await answers(other, 2), `seed ${seed}`)
  }
})

test('the mean of two hundred thousand times is a time among them', async () => {
  const sql = functionSql('mean', 'datetime').ofRows("toDateTime64(1.8e9 + number, 3, 'UTC')", 'a')
  const [row] = await harness.salus.clickhouse.queryRows(
    `select toString(${sql}) as mean from numbers(200000)`,
  )
  assert.deepEqual(row, { mean: '2027-01-16 11:46:39.500' })
})
