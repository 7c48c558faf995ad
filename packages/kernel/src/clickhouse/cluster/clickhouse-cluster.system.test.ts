import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestCluster, type TestCluster } from '../../../../server/test/clickhouse-cluster.ts'
import { until } from '../../../../server/test/webhooks/until.ts'
import { newId, newTimedId } from '../../ids.ts'
import type { ClickHouse } from '../clickhouse.ts'
import { listPendingClickHouse, migrateClickHouse } from '../migrate-clickhouse.ts'
import { openRemoteClickHouse } from '../remote-clickhouse.ts'
import { openClickHouseCluster } from './open-clickhouse-cluster.ts'

const FIRST = `create table if not exists readings (
    user_id UUID, n UInt32, value Float64, version UInt64
  ) engine = ReplacingMergeTree(version) order by (user_id, n) settings fsync_after_insert = 1`
const SECOND = `rename table if exists readings to values;
alter table values add column if not exists unit String default 'mg'`
const migration = (number: number, sql: string) => ({ number, name: 'm', checksum: 'c', sql })

const opened: ClickHouse[] = []
const database = `db_${process.pid}`

async function open(
  { urls }: Pick<TestCluster, 'urls'>,
  cluster: string,
  name: string,
  options: { shares?: number[] } = {},
): Promise<ClickHouse> {
  const addresses = urls.map((url) => `${url}/${name}`)
  const placement = { placementDelayMs: 0, ...options }
  const clickhouse = await openClickHouseCluster({ urls: addresses, cluster, ...placement })
  opened.push(clickhouse)
  return clickhouse
}

const COLUMNS = ['user_id', 'n', 'value', 'version']
const insert = (
  clickhouse: ClickHouse,
  users: readonly string[],
  version = 1,
  table = 'readings',
) =>
  clickhouse.insert(
    table,
    COLUMNS,
    Buffer.from(users.map((user) => `${user}\t1\t${version * 1.5}\t${version}\n`).join('')),
  )

const OF_PERSON = 'where user_id = {userId:UUID}'

async function readValue(clickhouse: ClickHouse, userId: string): Promise<number | undefined> {
  const sql = `select value from readings final ${OF_PERSON}`
  return (await clickhouse.queryRows<{ value: number }>(sql, { userId }))[0]?.value
}

/** Whom each server holds. */
const heldBy = (clickhouse: ClickHouse): Promise<string[][]> =>
  Promise.all(
    (clickhouse.cluster?.servers ?? []).map(async (server) => {
      const sql = 'select distinct toString(user_id) as id from readings order by id'
      return (await server.queryRows<{ id: string }>(sql)).map(({ id }) => id)
    }),
  )

const people = (count: number, make: () => string) => Array.from({ length: count }, make)

describe('two shards', { skip: process.platform !== 'linux' }, () => {
  let cluster: TestCluster
  before(async () => {
    cluster = await startTestCluster(2, { hasRelays: true })
  })
  after(async () => {
    for (const clickhouse of opened.splice(0)) await clickhouse.close()
    await cluster?.stop()
  })

  test('a table that is renamed and altered is so on all servers, with what it held', async () => {
    const clickhouse = await open(cluster, 'shards_2', `${database}_altered`)
    assert.deepEqual(await migrateClickHouse(clickhouse, [migration(1, FIRST)]), [1])
    const users = people(8, newId)
    await insert(clickhouse, users)
    const both = [migration(1, FIRST), migration(2, SECOND)]
    assert.deepEqual(await migrateClickHouse(clickhouse, both), [2])
    await insert(clickhouse, users, 2, 'values')
    const rows = await clickhouse.queryRows(
      'select unit, sum(value) as sum from values final group by unit',
    )
    assert.deepEqual(rows, [{ unit: 'mg', sum: 24 }])
    await assert.rejects(clickhouse.queryRows('select 1 from readings'), { code: 60 })
    assert.deepEqual(await migrateClickHouse(clickhouse, both), [])
  })

  test('a server that worked alone becomes a shard, and its people stay', async () => {
    const name = `${database}_alone`
    const alone = await openRemoteClickHouse({ url: `${cluster.urls[1]}/${name}` })
    opened.push(alone)
    await migrateClickHouse(alone, [migration(1, FIRST)])
    const early = people(8, newId)
    await insert(alone, early)

    const clickhouse = await open(cluster, 'shards_2', name)
    await migrateClickHouse(clickhouse, [migration(1, FIRST)])
    for (const userId of early) assert.equal(await readValue(clickhouse, userId), 1.5)
    const late = people(20, newTimedId)
    await insert(clickhouse, [...early, ...late], 2)
    const [first = [], second = []] = await heldBy(clickhouse)
    assert.deepEqual([...first, ...second].toSorted(), [...early, ...late].toSorted())
    assert.ok(first.length > 0 && first.every((id) => late.includes(id)))
    for (const userId of [...early, ...late]) assert.equal(await readValue(clickhouse, userId), 3)
  })

  test('a shard that comes later takes people of then, and those of before are found, changed and erased', async () => {
    const name = `${database}_grown`
    const small = await open({ urls: cluster.urls.slice(0, 1) }, 'shards_1', name)
    await migrateClickHouse(small, [migration(1, FIRST)])
    const early = people(8, newTimedId)
    await insert(small, early)
    await new Promise((done) => setTimeout(done, 5))

    const grown = await open(cluster, 'shards_2', name)
    await migrateClickHouse(grown, [migration(1, FIRST)])
    const late = people(20, newTimedId)
    await insert(grown, [...early, ...late], 2)
    const [first = [], second = []] = await heldBy(grown)
    assert.ok(second.length > 0 && second.every((id) => late.includes(id)))
    assert.ok(first.some((id) => late.includes(id)))
    for (const userId of [...early, ...late]) assert.equal(await readValue(grown, userId), 3)

    // All of those who come now are for the new shard.
    const filled = await open(cluster, 'shards_2', name, { shares: [0, 1] })
    await migrateClickHouse(filled, [migration(1, FIRST)])
    const latest = people(8, newTimedId)
    await insert(filled, latest)
    const [, newest = []] = await heldBy(filled)
    assert.ok(latest.every((id) => newest.includes(id)))

    // A process that was there before the change erases where they are, too.
    const everybody = [...early, ...late, ...latest]
    for (const userId of everybody) {
      const sql = `alter table readings delete ${OF_PERSON} settings mutations_sync = 1`
      await grown.command(sql, { userId })
    }
    assert.deepEqual(await heldBy(filled), [[], []])
    // Stored again as it was: a table that replicates must not take it for a repetition.
    await insert(filled, everybody, 2)
    for (const userId of everybody) assert.equal(await readValue(filled, userId), 3)
  })

  test('a clone that a backup reads has the rows of all shards, and goes from all', async () => {
    const clickhouse = await open(cluster, 'shards_2', `${database}_cloned`)
    await migrateClickHouse(clickhouse, [migration(1, FIRST)])
    await insert(clickhouse, people(12, newId))
    await clickhouse.command('create table standing clone as readings')
    await insert(clickhouse, people(12, newId))
    assert.deepEqual(await clickhouse.queryRows('select count() as n from standing'), [{ n: 12 }])
    await clickhouse.command('truncate table readings')
    assert.deepEqual(await heldBy(clickhouse), [[], []])
    await clickhouse.command('drop table if exists standing sync')
    for (const server of clickhouse.cluster?.servers ?? []) {
      await assert.rejects(server.queryRows('select 1 from standing'), { code: 60 })
    }
    await assert.rejects(clickhouse.queryRows('select 1 from standing'), { code: 60 })
  })

  test('what waits for another process to migrate sees when it has', async () => {
    const clickhouse = await open(cluster, 'shards_2', `${database}_waiting`)
    const all = [migration(1, FIRST)]
    assert.equal((await listPendingClickHouse(clickhouse, all)).length, 1)
    await migrateClickHouse(await open(cluster, 'shards_2', `${database}_waiting`), all)
    assert.deepEqual(await listPendingClickHouse(clickhouse, all), [])
  })

  test('a list of servers in another order is refused', async () => {
    const name = `${database}_order`
    await migrateClickHouse(await open(cluster, 'shards_2', name), [migration(1, FIRST)])
    const reversed = await open(cluster, 'reversed', name)
    await assert.rejects(migrateClickHouse(reversed, [migration(1, FIRST)]), {
      name: 'StartupError',
      message: /was shard \d and is shard \d .* Restore the order/,
    })
  })

  test('a list without a shard that was there is refused', async () => {
    const name = `${database}_fewer`
    await migrateClickHouse(await open(cluster, 'shards_2', name), [migration(1, FIRST)])
    const fewer = await open({ urls: cluster.urls.slice(0, 1) }, 'shards_1', name)
    await assert.rejects(migrateClickHouse(fewer, [migration(1, FIRST)]), {
      name: 'StartupError',
      message: /had 2 shards, and remote_servers names 1 now/,
    })
  })

  test('an unknown cluster is one line', async () => {
    await assert.rejects(open(cluster, 'nowhere', database), {
      name: 'StartupError',
      message: /does not find itself in its cluster nowhere/,
    })
  })

  test('people of the other shard are read while a server is killed; a start without it works, and its tables are brought up to date when it is back', async () => {
    const name = `${database}_away`
    const running = await open(cluster, 'shards_2', name)
    await migrateClickHouse(running, [migration(1, FIRST)])
    await insert(running, people(20, newId))
    const [others = []] = await heldBy(running)
    let isOver = false
    const failed: unknown[] = []
    const read = async (userId: string): Promise<void> => {
      while (!isOver) await readValue(running, userId).catch((error) => failed.push(error))
    }
    const readers = others.map(read)
    assert.ok(readers.length > 3)
    await cluster.servers[1]?.kill()
    await sleep(300)
    isOver = true
    await Promise.all(readers)
    assert.deepEqual(failed, [])

    const clickhouse = await open(cluster, 'shards_2', name)
    const both = [migration(1, FIRST), migration(2, SECOND)]
    assert.deepEqual(await migrateClickHouse(clickhouse, both), [2])
    await clickhouse.ping()
    await cluster.servers[1]?.restart()
    await until('both servers are used', () => clickhouse.cluster?.servers.length === 2)
    const users = people(12, newId)
    await insert(clickhouse, users, 1, 'values')
    const [row] = await clickhouse.queryRows('select count() as n, any(unit) as unit from values')
    assert.deepEqual(row, { n: 32, unit: 'mg' })
  })
})

describe('a shard with two replicas', { skip: process.platform !== 'linux' }, () => {
  let cluster: TestCluster
  before(async () => {
    cluster = await startTestCluster(1, { replicas: 2, hasRelays: true })
  })
  after(async () => {
    for (const clickhouse of opened.splice(0)) await clickhouse.close()
    await cluster?.stop()
  })

  test('is read when one is away, and takes no writes that would be on the other alone', async () => {
    const clickhouse = await open(cluster, 'shards_1', database)
    const users = people(4, newId)
    await migrateClickHouse(clickhouse, [migration(1, FIRST)])
    await insert(clickhouse, users)
    assert.deepEqual(await heldBy(clickhouse), [users.toSorted(), users.toSorted()])
    await cluster.servers[0]?.kill()
    for (const userId of users) assert.equal(await readValue(clickhouse, userId), 1.5)
    await assert.rejects(insert(clickhouse, users, 2), { name: 'ClickHouseError' })
    const [userId = ''] = users
    const erase = () =>
      clickhouse.command(`alter table readings delete ${OF_PERSON} settings mutations_sync = 1`, {
        userId,
      })
    await assert.rejects(erase(), { name: 'ClickHouseError', code: 279 })

    await cluster.servers[0]?.restart()
    await until('both servers are used', () => clickhouse.cluster?.servers.length === 2)
    await insert(clickhouse, users, 2)
    for (const user of users) assert.equal(await readValue(clickhouse, user), 3)
    await erase()
    const others = users.slice(1).toSorted()
    assert.deepEqual(await heldBy(clickhouse), [others, others])
  })
})
