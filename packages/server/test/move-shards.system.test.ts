import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openClickHouseCluster } from '@salus/kernel/clickhouse/cluster/open-clickhouse-cluster'
import { startTestCluster, type TestCluster } from './clickhouse-cluster.ts'
import { makeUser, readAll } from './kill-during-uploads.ts'
import { createFleet, type Fleet } from './processes/fleet.ts'
import { request, type ServerProcess } from './server-process.ts'
import { createShardLoad, type ShardLoad, startShards } from './shard-load.ts'

const PEOPLE = 24

let cluster: TestCluster
let fleet: Fleet
let api: [ServerProcess, ServerProcess]
let reader: ClickHouse
let load: ShardLoad

const settingsOf = (shards: number): Record<string, string> => ({
  CLICKHOUSE_URL: cluster.urls
    .slice(0, shards)
    .map((url) => `${url}/salus`)
    .join(','),
  CLICKHOUSE_CLUSTER: `shards_${shards}`,
})

before(async () => {
  cluster = await startTestCluster(3, { hasRelays: true })
  fleet = await createFleet()
  const first = await fleet.start('api', settingsOf(2))
  const users: string[] = []
  for (let index = 0; index < PEOPLE; index += 1) {
    users.push(await makeUser(first.baseUrl, `person-${index}`))
  }
  load = createShardLoad(users)
  for (const userId of users) await load.upload(first, userId)
  await first.end('SIGTERM')
  // The third shard is added, and all processes know it.
  api = [await fleet.start('api,worker', settingsOf(3)), await fleet.start('api', settingsOf(3))]
  reader = await openClickHouseCluster({
    urls: settingsOf(3).CLICKHOUSE_URL?.split(',') ?? [],
    cluster: 'shards_3',
  })
})
after(async () => {
  await reader?.close()
  await fleet?.close()
  await cluster?.stop()
})

/** Runs "salus shards" on three shards. */
const shards = (...values: string[]) =>
  startShards({ ...fleet.settings, ...settingsOf(3) }, ...values)

/** People in a table on each server. */
const heldBy = (table = 'samples') =>
  Promise.all(
    (reader.cluster?.servers ?? []).map(async (server) => {
      const rows = await server.queryRows<{ user_id: string }>(
        `select distinct user_id from ${table} order by user_id`,
      )
      return rows.map((row) => row.user_id)
    }),
  )

/** Waits until a move has rows on the new shard; the command takes ten seconds to begin. */
async function untilCopied(): Promise<void> {
  const { pool } = fleet.database
  const isCopied = async () =>
    (await pool.query('select from shard_moves where rows > 0')).rowCount !== 0
  for (let attempt = 0; !(await isCopied()); attempt += 1) {
    assert.ok(attempt < 1_200, 'no rows are copied')
    await sleep(50)
  }
}

/** The rows that count of all people, as a statement over all shards sees them. */
async function assertCounted(): Promise<void> {
  const least = load.acknowledgedRows()
  const rows = await reader.queryRows<{ user_id: string; n: number }>(
    'select user_id, count() as n from samples final group by user_id',
  )
  const counted = new Map(rows.map(({ user_id: userId, n }) => [userId, n]))
  for (const [userId, rowsOfUser] of least) {
    const n = counted.get(userId) ?? 0
    assert.ok(n >= rowsOfUser && n <= load.sentRows(userId), `${n} rows, ${rowsOfUser} stored`)
  }
}

test('people are moved to an added shard while they upload and are read, and the command is killed', async () => {
  const working = load.start(() => api)
  let isEnding = false
  const counting = (async () => {
    for (; !isEnding; await sleep(50)) await assertCounted()
  })()
  const killed = shards('balance', '')
  await untilCopied()
  killed.child.kill('SIGKILL')
  await killed.ended

  const { code, output } = await shards('balance', '').ended
  isEnding = true
  await counting
  const { statuses, slowestMs } = await working.end()
  assert.equal(code, 0, output)
  assert.match(output, /^Moved \d+ people with /m)
  assert.deepEqual(statuses, [200])
  assert.ok(slowestMs < 20_000)
  for (const userId of load.users) load.assertRead(userId, await readAll(api[0].baseUrl, userId))
  const held = await heldBy()
  assert.deepEqual(held.flat().toSorted(), load.users.toSorted(), 'each on one shard')
  assert.ok(
    held.every(({ length }) => length >= 4),
    `${held.map(({ length }) => length)}`,
  )
})

test('a shard is emptied while a person is erased, a process is killed and a server of ClickHouse is away', async () => {
  const [erased = '', ...others] = (await heldBy())[0] ?? []
  const working = load.start(() => api, { without: erased })
  const draining = shards('drain', '', '1')
  await untilCopied()
  const erasure = await request(api[0].baseUrl, 'POST', `/v2/user/${erased}/erasure`, {})
  assert.equal(erasure.status, 200)
  // It would wait for two minutes, in which it can be cancelled.
  await fleet.database.pool.query(
    `update graphile_worker._private_jobs set run_at = now() where task_id =
      (select id from graphile_worker._private_tasks where identifier = 'erase_person')`,
  )
  await api[1].end('SIGKILL')
  // What a killed process has begun is given up after ten minutes.
  await fleet.database.pool.query(
    `update day_writes set begun_at = begun_at - interval '1 hour' where begun_at < now() - interval '5 seconds'`,
  )
  api[1] = await fleet.start('api', settingsOf(3))
  await cluster.servers[2]?.kill()
  await sleep(1_000)
  await cluster.servers[2]?.restart()
  const { code, output } = await draining.ended
  const { statuses } = await working.end()
  assert.equal(code, 0, output)
  assert.ok(statuses.includes(200))
  assert.ok(
    statuses.every((status) => [0, 200, 503].includes(status)),
    `${statuses}`,
  )
  const held = await heldBy()
  assert.deepEqual(held[0], [])
  const left = load.users.filter((userId) => userId !== erased)
  assert.deepEqual(held.flat().toSorted(), left.toSorted(), 'each on one shard')
  assert.ok(others.length > 0)
  for (const userId of left) load.assertRead(userId, await readAll(api[0].baseUrl, userId))
})
