import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { App } from '@salus/kernel/http/app-types'
import fc from 'fast-check'
import { buildApp } from '../../../server/src/app.ts'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createHarness, type Harness } from '../../../server/test/harness.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { makeOwner } from '../../../server/test/timeseries/sample-source.ts'
import type { Sample } from '../ingest/index.ts'

let salus: Harness
const apps: App[] = []
before(async () => {
  salus = await createHarness({ timeseriesPageSize: 3 })
})
after(async () => {
  for (const app of apps) await app.close()
  await salus.close()
})

const PERIOD = 'start_date=2026-02-01&end_date=2026-02-28'

const read = (userId: string, query: string, resource = 'steps') =>
  salus.call('GET', `/v2/timeseries/${userId}/${resource}/grouped?${query}`)

async function makeSteps(count: number): Promise<string> {
  const { userId, write } = await makeOwner(salus)
  const noon = Date.parse('2026-02-10T12:00:00Z')
  const samples = Array.from({ length: count }, (_, minute) =>
    plainSample({ startedAt: noon + minute * MINUTE_MS, value: minute }),
  )
  await write(samples)
  return userId
}

const valuesOf = (body: { groups: { manual: { data: { value: number }[] }[] } }) =>
  body.groups.manual.flatMap((group) => group.data.map(({ value }) => value))

test('the setting decides the size of a page, and both names of the cursor carry on', async () => {
  const userId = await makeSteps(7)
  const first = (await read(userId, PERIOD)).body
  assert.deepEqual(valuesOf(first), [0, 1, 2])
  assert.equal(first.next, first.next_cursor)
  assert.match(first.next_cursor, /^[\w-]+$/)
  const second = (await read(userId, `${PERIOD}&next_cursor=${first.next_cursor}`)).body
  assert.deepEqual(valuesOf(second), [3, 4, 5])
  const sameByAlias = (await read(userId, `${PERIOD}&cursor=${first.next_cursor}`)).body
  assert.deepEqual(sameByAlias, second)
  const last = (await read(userId, `${PERIOD}&next_cursor=${second.next_cursor}`)).body
  assert.deepEqual(valuesOf(last), [6])
  assert.deepEqual([last.next, last.next_cursor], [null, null])
})

test('a page that is just full has no next one', async () => {
  const { body } = await read(await makeSteps(3), PERIOD)
  assert.equal(valuesOf(body).length, 3)
  assert.equal(body.next_cursor, null)
})

test('a cursor that is malformed or of another read is refused', async () => {
  const userId = await makeSteps(7)
  const other = await makeSteps(7)
  const cursor = (await read(userId, PERIOD)).body.next_cursor
  const forged = Buffer.from('["x",1]').toString('base64url')
  const refused = [
    await read(userId, `${PERIOD}&next_cursor=nonsense`),
    await read(userId, `${PERIOD}&next_cursor=${forged}`),
    await read(userId, `start_date=2026-02-02&end_date=2026-02-28&next_cursor=${cursor}`),
    await read(userId, `start_date=2026-02-01&end_date=2026-02-27&next_cursor=${cursor}`),
    await read(userId, `start_date=2026-02-01&next_cursor=${cursor}`),
    await read(userId, `${PERIOD}&provider=manual&next_cursor=${cursor}`),
    await read(userId, `${PERIOD}&next_cursor=${cursor}`, 'distance'),
    await read(other, `${PERIOD}&next_cursor=${cursor}`),
  ]
  for (const [index, { status, body }] of refused.entries()) {
    assert.deepEqual([status, body.detail.error_type], [400, 'invalid_cursor'], `case ${index}`)
  }
  // The dates are required with a cursor as without one.
  assert.equal((await read(userId, `next_cursor=${cursor}`)).status, 422)
})

test('a cursor works for the same person under an upper-case id', async () => {
  const userId = await makeSteps(7)
  const cursor = (await read(userId, PERIOD)).body.next_cursor
  const { status } = await read(userId.toUpperCase(), `${PERIOD}&next_cursor=${cursor}`)
  assert.equal(status, 200)
})

test('values that come in while a client pages do not move the page', async () => {
  const { userId, write } = await makeOwner(salus)
  const noon = Date.parse('2026-02-10T12:00:00Z')
  const at = (minute: number) =>
    plainSample({ startedAt: noon + minute * MINUTE_MS, value: minute, modifiedAt: 1 })
  await write([1, 2, 3, 4, 5].map(at))
  const first = (await read(userId, PERIOD)).body
  await write([at(0), at(6)])
  const second = (await read(userId, `${PERIOD}&next_cursor=${first.next_cursor}`)).body
  assert.deepEqual([...valuesOf(first), ...valuesOf(second)], [1, 2, 3, 4, 5, 6])
})

/** The application with another page size on the same data. */
async function appWithPages(pageSize: number): Promise<App> {
  const { dependencies } = salus
  const config = { ...dependencies.config, timeseriesPageSize: pageSize }
  const app = await buildApp({ ...dependencies, config })
  apps.push(app)
  return app
}

interface Group {
  source: object
  data: object[]
}

/** Every sample with its source, page after page, and how many samples each page had. */
async function readAll(app: App, userId: string): Promise<{ rows: string[]; sizes: number[] }> {
  const rows: string[] = []
  const sizes: number[] = []
  for (let cursor = ''; ; ) {
    const response = await app.inject({
      url: `/v2/timeseries/${userId}/ige/grouped?${PERIOD}${cursor && `&next_cursor=${cursor}`}`,
      headers: { 'x-service-api-key': salus.apiKey },
    })
    const body: { groups: Record<string, Group[]>; next_cursor: string | null } = response.json()
    const groups = Object.values(body.groups).flat()
    const page = groups.flatMap(({ source, data }) =>
      data.map((sample) => JSON.stringify([source, sample])),
    )
    sizes.push(page.length)
    rows.push(...page)
    if (body.next_cursor === null) return { rows, sizes }
    cursor = body.next_cursor
  }
}

const NOON = Date.parse('2026-02-10T12:00:00Z')
const ODD = 'o\'neil \\\t"\u{1f600}'

/** Many samples at few instants, from several sources. */
const anySample: fc.Arbitrary<[provider: string, sample: Sample]> = fc.tuple(
  fc.constantFrom('manual', 'health_connect', 'apple_health_kit'),
  fc
    .record({
      startedAt: fc.constantFrom(NOON, NOON + 1, NOON + 1000),
      sourceType: fc.constantFrom('watch', 'phone'),
      appId: fc.constantFrom('', 'com.example', ODD),
      sampleType: fc.constantFrom('dairy', 'wheat', ODD),
      workoutId: fc.constantFrom('', 'ffffffff-0000-4000-8000-000000000001'),
      value: fc.integer({ min: 0, max: 100 }),
    })
    .map((parts) => plainSample({ ...parts, series: 'ige', modifiedAt: 1 })),
)

test('pages of any size hold the same rows, without a gap or a repetition', async () => {
  const everything = await appWithPages(10_000)
  const bySize = new Map<number, App>()
  for (const size of [1, 2, 3, 7, 20]) bySize.set(size, await appWithPages(size))
  const samples = fc.array(anySample, { maxLength: 40 })
  const property = fc.asyncProperty(
    samples,
    fc.constantFrom(...bySize.keys()),
    async (list, size) => {
      const { userId, write } = await makeOwner(salus)
      const byProvider = Map.groupBy(list, ([provider]) => provider)
      for (const [provider, entries] of byProvider) {
        await write(
          entries.map(([, sample]) => sample),
          provider,
        )
      }
      const keys = new Set(
        list.map(([provider, { value: _value, ...key }]) => JSON.stringify([provider, key])),
      )
      const whole = await readAll(everything, userId)
      const paged = await readAll(bySize.get(size) as App, userId)
      assert.equal(whole.rows.length, keys.size)
      assert.equal(new Set(whole.rows).size, keys.size)
      assert.deepEqual(paged.rows.toSorted(), whole.rows.toSorted())
      for (const count of paged.sizes.slice(0, -1)) assert.equal(count, size)
    },
  )
  await fc.assert(property, { seed: 7, numRuns: campaignRuns(8, 40) })
})
