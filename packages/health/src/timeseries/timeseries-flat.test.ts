import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { buildApp } from '../../../server/src/app.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { DOCUMENTED_SERIES } from '../../../server/test/timeseries/documented-series.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { makeOwner } from '../../../server/test/timeseries/sample-source.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const DAY = 'start_date=2026-02-10&end_date=2026-02-10'
const NOON = Date.parse('2026-02-10T12:00:00Z')

const read = (userId: string, path: string, query = DAY) =>
  salus.call('GET', `/v2/timeseries/${userId}/${path}?${query}`)

test('the flat paths are those of the documented series, with the four lipids', async () => {
  const userId = await salus.makeUser()
  const lipids = ['ldl', 'hdl', 'total', 'triglycerides'].map((name) => `cholesterol/${name}`)
  const paths = DOCUMENTED_SERIES.map(({ name, legacy }) => [name, legacy === true] as const)
  for (const [path, isFlat] of [...paths, ...lipids.map((name) => [name, true] as const)]) {
    const { status, body } = await read(userId, path)
    // Uploads have the same path, so without a flat read the method is wrong.
    assert.equal(status, isFlat ? 200 : 405, path)
    if (isFlat) assert.deepEqual(body, [])
  }
})

test('a flat answer is the samples of all sources in order of time', async () => {
  const { userId, write } = await makeOwner(salus)
  const minute = (at: number, value: number, sourceType: string) =>
    plainSample({ startedAt: NOON + at * MINUTE_MS, value, sourceType })
  await write([minute(2, 3, 'watch'), minute(0, 1, 'phone')])
  await write([minute(1, 2, 'watch')], 'health_connect')
  const { body } = await read(userId, 'steps')
  assert.deepEqual(
    body.map((sample: { value: number }) => sample.value),
    [1, 2, 3],
  )
  const grouped = await salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?${DAY}`)
  assert.deepEqual(body[1], grouped.body.groups.health_connect[0].data[0])
  const narrowed = await read(userId, 'steps', `${DAY}&provider=health_connect`)
  assert.equal(narrowed.body.length, 1)
  assert.deepEqual((await read(userId, 'steps', 'start_date=2026-02-11')).body, [])
})

test('each path of a lipid shows that lipid only', async () => {
  const { userId, write } = await makeOwner(salus)
  const types = ['cholesterol/ldl', 'cholesterol/hdl', 'cholesterol/total']
  await write(
    types.map((sampleType, value) =>
      plainSample({ series: 'cholesterol', startedAt: NOON, sampleType, value }),
    ),
  )
  for (const [value, type] of types.entries()) {
    const { body } = await read(userId, type)
    assert.deepEqual(
      body.map((sample: { type: string; value: number }) => [sample.type, sample.value]),
      [[type, value]],
    )
  }
  assert.deepEqual((await read(userId, 'cholesterol/triglycerides')).body, [])
  assert.equal((await read(userId, 'cholesterol')).body.length, 3)
})

test('wrong dates and unknown people are refused as in the grouped read', async () => {
  const userId = await salus.makeUser()
  const backwards = await read(userId, 'steps', 'start_date=2026-02-11&end_date=2026-02-10')
  assert.deepEqual(
    [backwards.status, backwards.body.detail.error_type],
    [400, 'invalid_date_range'],
  )
  assert.equal((await read(userId, 'steps', '')).status, 422)
  assert.equal((await read('00000000-0000-4000-8000-00000000dead', 'steps')).status, 404)
})

test('a hundred thousand samples are answered, one more is refused', async () => {
  const { userId, write } = await makeOwner(salus)
  const samples = Array.from({ length: 100_000 }, (_, index) =>
    plainSample({ startedAt: NOON + index * 100, value: 1 }),
  )
  await write(samples)
  const most = await read(userId, 'steps')
  assert.deepEqual([most.status, most.body.length], [200, 100_000])
  await write([plainSample({ startedAt: NOON - 1000 })])
  const { status, body } = await read(userId, 'steps')
  assert.deepEqual([status, body.detail.error_type], [400, 'range_too_large'])
})

test('with the setting off the flat paths are gone and the grouped ones stay', async () => {
  const { dependencies } = salus
  const config = { ...dependencies.config, legacyTimeseriesEnabled: false }
  const app = await buildApp({ ...dependencies, config })
  const userId = await salus.makeUser()
  const headers = { 'x-service-api-key': salus.apiKey }
  const statusOf = async (path: string) =>
    (await app.inject({ url: `/v2/timeseries/${userId}/${path}?${DAY}`, headers })).statusCode
  assert.equal(await statusOf('steps/grouped'), 200)
  assert.equal(await statusOf('steps'), 405)
  assert.equal(await statusOf('cholesterol/ldl'), 404)
  await app.close()
})
