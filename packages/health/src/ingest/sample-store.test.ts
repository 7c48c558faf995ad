import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { buildApp } from '../../../server/src/app.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { createTestIngest } from '../../../server/test/ingest-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import type { IngestOptions } from './index.ts'

const salus = useFixture(createHarness)

/** The real store, whose inserts into samples go through the given gate first. */
function gated(gate: () => Promise<void>): ClickHouse {
  const { clickhouse } = salus
  return {
    command: (...args) => clickhouse.command(...args),
    queryBytes: (...args) => clickhouse.queryBytes(...args),
    queryRows: (...args) => clickhouse.queryRows(...args),
    queryStream: (...args) => clickhouse.queryStream(...args),
    async insert(table, columns, payload) {
      if (table === 'samples') await gate()
      await clickhouse.insert(table, columns, payload)
    },
    ping: () => clickhouse.ping(),
    close: async () => {},
  }
}

/** Another application on the same data, with a port and a store of its own. */
async function appWith(clickhouse: ClickHouse, options: Partial<IngestOptions> = {}) {
  const stores = { ...salus.dependencies, clickhouse }
  const ingest = createTestIngest({ ...stores, ...options })
  const app = await buildApp({ ...stores, ingest })
  const upload = async (userId: string, minutes: number[]) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/v2/timeseries/${userId}/steps`,
      headers: { 'x-service-api-key': salus.apiKey },
      payload: { stage: 'daily', provider: 'manual', data: minutes.map(step) },
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  return { app, ingest, upload }
}

const step = (minute: number) => ({
  value: 10,
  unit: 'count',
  start_date: `2026-02-10T08:${String(minute).padStart(2, '0')}:00Z`,
})

async function storedStarts(userId: string): Promise<string[]> {
  const url = `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01`
  const { body } = await salus.call('GET', url)
  const data: { start: string }[] = body.groups.manual?.[0]?.data ?? []
  return data.map(({ start }) => start)
}

test('an insert for which there is no room fails the request with a 507, and nothing is acknowledged or stored', async () => {
  let isBroken = true
  const { app, upload } = await appWith(
    gated(async () => {
      if (isBroken) throw new ClickHouseError(243, 'ClickHouse error 243 (NOT_ENOUGH_SPACE)')
    }),
  )
  const userId = await salus.makeUser('manual')
  const failed = await upload(userId, [1, 2])
  assert.deepEqual([failed.status, failed.body.success], [507, undefined])
  assert.equal(failed.body.detail.error_type, 'store_full')
  assert.deepEqual(await storedStarts(userId), [])
  isBroken = false
  // Failed data are new when they are sent again: they are not remembered as stored.
  const again = await upload(userId, [1, 2])
  assert.deepEqual([again.status, again.body.inserted], [200, 2])
  assert.equal((await storedStarts(userId)).length, 2)
  await app.close()
})

test('callers whose rows depend on a failed insert fail, also those who only repeat it', async () => {
  const gate = Promise.withResolvers<void>()
  const inserting = Promise.withResolvers<void>()
  const { app, upload } = await appWith(
    gated(() => {
      inserting.resolve()
      return gate.promise
    }),
    // Each batch is full, so that the second one is compared while the first is inserted.
    { maxBatchRows: 1 },
  )
  const userId = await salus.makeUser('manual')
  const first = upload(userId, [1])
  await inserting.promise
  const repeated = upload(userId, [1])
  await new Promise((resolve) => setTimeout(resolve, 100))
  gate.reject(new ClickHouseError(243, 'ClickHouse error 243 (NOT_ENOUGH_SPACE)'))
  assert.deepEqual([(await first).status, (await repeated).status], [507, 507])
  assert.deepEqual(await storedStarts(userId), [])
  await app.close()
})

test('a port with too much waiting answers 503 with a time to come back, and recovers', async () => {
  const gate = Promise.withResolvers<void>()
  const options = { maxWaitingRows: 3, maxBatchRows: 1 }
  const { app, upload } = await appWith(
    gated(() => gate.promise),
    options,
  )
  const userId = await salus.makeUser('manual')
  const accepted = [1, 2, 3, 4, 5, 6, 7, 8].map((minute) => upload(userId, [minute]))
  const answers = await Promise.race([
    Promise.all(accepted),
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 500)),
  ])
  assert.equal(answers, undefined, 'some wait for the store')
  gate.resolve()
  const settled = await Promise.all(accepted)
  const refused = settled.filter(({ status }) => status === 503)
  const stored = settled.filter(({ status }) => status === 200)
  assert.ok(refused.length > 0 && stored.length >= 3)
  assert.equal(refused.length + stored.length, 8)
  assert.equal(refused[0]?.headers['retry-after'], '1')
  assert.equal(refused[0]?.body.detail.error_type, 'overloaded')
  assert.equal((await storedStarts(userId)).length, stored.length)
  assert.equal((await upload(userId, [30])).status, 200)
  await app.close()
})

test('one upload larger than the limit is taken when nothing waits', async () => {
  const { app, upload } = await appWith(salus.clickhouse, { maxWaitingRows: 2 })
  const userId = await salus.makeUser('manual')
  assert.equal((await upload(userId, [1, 2, 3])).body.inserted, 3)
  await app.close()
})

test('concurrent callers with the same key agree on who inserted it', async () => {
  const userId = await salus.makeUser('manual')
  const { app, upload, ingest } = await appWith(salus.clickhouse, { maxBatchRows: 2 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(userId, [1, 2])))
  const inserted = answers.map(({ body }) => body.inserted + body.updated)
  assert.equal(
    inserted.reduce((sum, count) => sum + count, 0),
    2,
  )
  await ingest.idle()
  assert.equal((await storedStarts(userId)).length, 2)
  await app.close()
})
