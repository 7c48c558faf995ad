import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestCluster, type TestCluster } from './clickhouse-cluster.ts'
import { type Answer, createHarness, type Harness } from './harness.ts'
import { storeSummary } from './summaries/store-summary.ts'
import { until } from './webhooks/until.ts'

let cluster: TestCluster
let salus: Harness
/** People by the shard that has their data. */
const people: string[][] = []

before(async () => {
  cluster = await startTestCluster(2, { hasRelays: true })
  process.env.SALUS_TEST_CLICKHOUSE_URLS = cluster.urls.join(',')
  salus = await createHarness()
})
after(async () => {
  await salus?.close()
  await cluster?.stop()
})

const upload = (userId: string, day: number): Promise<Answer> =>
  salus.call('POST', `/v2/timeseries/${userId}/steps`, {
    stage: 'daily',
    provider: 'manual',
    data: [{ value: day, unit: 'count', start_date: `2026-01-0${day}T00:00:00Z` }],
  })

const read = (userId: string): Promise<Answer> =>
  salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01`)

/** Uploads to people and reads them until its end, which returns the statuses, each once. */
function startLoad(users: readonly string[]): { end(): Promise<number[]> } {
  const statuses = new Set<number>()
  let isEnding = false
  const work = users.map(async (userId) => {
    for (let second = 0; !isEnding; second += 1) {
      const start_date = new Date(Date.UTC(2026, 1, 1, 0, 0, second)).toISOString()
      const data = [{ value: 60, unit: 'bpm', start_date }]
      const path = `/v2/timeseries/${userId}/heartrate`
      const stored = await salus.call('POST', path, { stage: 'daily', provider: 'manual', data })
      const found = await salus.call('GET', `${path}/grouped?start_date=2026-02-01`)
      for (const { status } of [stored, found]) statuses.add(status)
    }
  })
  return {
    async end() {
      isEnding = true
      await Promise.all(work)
      return [...statuses]
    },
  }
}

function valuesOf({ status, text, body }: Answer): number[] {
  assert.equal(status, 200, text)
  return body.groups.manual?.[0].data.map(({ value }: { value: number }) => value) ?? []
}

test('people are spread over the shards, and each is on one', async () => {
  const users: string[] = []
  for (let i = 0; i < 10; i += 1) users.push(await salus.makeUser('manual'))
  for (const answer of await Promise.all(users.map((userId) => upload(userId, 1)))) {
    assert.equal(answer.status, 200, answer.text)
  }
  for (const server of salus.clickhouse.cluster?.servers ?? []) {
    const rows = await server.queryRows<{ user_id: string }>('select distinct user_id from samples')
    people.push(rows.map((row) => row.user_id))
  }
  assert.deepEqual(people.flat().toSorted(), users.toSorted())
  assert.ok(people.every((those) => those.length > 0))
})

test('a shard that is down is 503 for its people, and the others are read and stored as ever', async () => {
  const [here = [], away = []] = people
  const workoutId = await storeSummary(salus, here[0] ?? '', 'workouts')
  const load = startLoad(here)
  await cluster.servers[1]?.kill()

  // Together they are one insert, which fails; what can be stored is.
  const stored = await Promise.all([...here, ...away].map((userId) => upload(userId, 2)))
  assert.deepEqual(
    stored.map(({ status }) => status),
    [...here.map(() => 200), ...away.map(() => 503)],
  )
  for (const userId of here) {
    for (let turn = 0; turn < 3; turn += 1) assert.deepEqual(valuesOf(await read(userId)), [1, 2])
  }
  for (const userId of away) {
    const answer = await read(userId)
    assert.deepEqual([answer.status, answer.body.detail.error_type], [503, 'store_unavailable'])
  }
  // Found by its id alone; one that is nowhere may be on the other shard.
  const stream = await salus.call('GET', `/v2/timeseries/workouts/${workoutId}/stream`)
  assert.equal(stream.status, 200, stream.text)
  const unknown = '0198c0de-0000-7000-8000-00000000abcd'
  const nowhere = await salus.call('GET', `/v2/timeseries/workouts/${unknown}/stream`)
  assert.equal(nowhere.status, 503)
  assert.deepEqual(await load.end(), [200])
})

test('a shard that is down is visible to operators', async () => {
  const { status, body } = await salus.call('GET', '/health/ready', undefined, {})
  const stores = { postgres: 'ok', clickhouse: 'degraded', files: 'ok' }
  assert.deepEqual([status, body], [200, { status: 'degraded', stores }])

  const keys = { 'x-management-key': salus.managementKey }
  const { body: state } = await salus.call('GET', '/v1/operation/status', undefined, keys)
  const servers = cluster.urls.map((url, index) => ({
    host: new URL(url).host,
    shard: index + 1,
    replica: 1,
    is_up: index === 0,
  }))
  assert.deepEqual(state.clickhouse_servers, servers)

  const { text } = await salus.call('GET', '/metrics', undefined, {})
  assert.match(text, /^salus_clickhouse_servers\{state="up"\} 1$/m)
  assert.match(text, /^salus_clickhouse_servers\{state="down"\} 1$/m)
  assert.match(text, /^salus_clickhouse_missing_shards 1$/m)
  assert.match(text, /^salus_store_up\{store="clickhouse"\} 1$/m)
})

test('a shard that is back is used again, and lost nothing that was acknowledged', async () => {
  const [here = [], away = []] = people
  await cluster.servers[1]?.restart()
  await until('the shard is back', async () => {
    const answers = await Promise.all(away.map(read))
    return answers.every(({ status }) => status === 200)
  })
  for (const userId of away) {
    assert.ok(valuesOf(await read(userId)).includes(1))
    assert.equal((await upload(userId, 2)).status, 200)
    assert.deepEqual(valuesOf(await read(userId)), [1, 2])
  }
  for (const userId of here) assert.deepEqual(valuesOf(await read(userId)), [1, 2])
})
