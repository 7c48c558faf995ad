import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openClickHouseCluster } from '@salus/kernel/clickhouse/cluster/open-clickhouse-cluster'
import { migrateClickHouse } from '@salus/kernel/clickhouse/migrate-clickhouse'
import { openRemoteClickHouse } from '@salus/kernel/clickhouse/remote-clickhouse'
import { openFileStore } from '@salus/kernel/files/file-store'
import { newId, newTimedId } from '@salus/kernel/ids'
import { migrateJobs } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import { readMigrations } from '@salus/kernel/migrations'
import { readConfig } from '../../../server/src/config.ts'
import { connectToClickHouse, MIGRATIONS_FOLDER } from '../../../server/src/stores.ts'
import { silent } from '../../../server/test/backup/backup-fixture.ts'
import { startTestCluster, type TestCluster } from '../../../server/test/clickhouse-cluster.ts'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { emptyDatabase } from '../../../server/test/processes/fleet.ts'
import { listClickHouseTables } from '../store-copy/clickhouse-copy.ts'
import { BackupArchive, type RestoreTarget, restoreBackup, takeBackup } from './index.ts'

const MIGRATIONS = {
  postgres: readMigrations(join(MIGRATIONS_FOLDER, 'postgres')),
  clickhouse: readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')),
}
const SAMPLES_OF_A_PERSON = 6

describe('backups and clusters', { skip: process.platform !== 'linux' }, () => {
  let directory: string
  let servers: TestCluster
  let database: TestDatabase
  const undo: (() => Promise<unknown>)[] = []
  const keys = [randomBytes(32)]

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'salus-cluster-backups-'))
    ;[servers, database] = await Promise.all([
      startTestCluster(3, { hasRelays: true }),
      createTestDatabase(),
    ])
  })
  after(async () => {
    for (const close of undo.reverse()) await close()
    await database?.close()
    await servers?.stop()
    rmSync(directory, { recursive: true })
  })

  /** The first of the servers as a cluster. */
  async function openShards(
    count: number,
    name: string,
    shares?: readonly number[],
  ): Promise<ClickHouse> {
    const urls = servers.urls.slice(0, count).map((url) => `${url}/${name}`)
    const options = { urls, cluster: `shards_${count}`, shares, placementDelayMs: 0 }
    const clickhouse = await openClickHouseCluster(options)
    undo.push(() => clickhouse.close())
    return clickhouse
  }

  async function openAlone(index: number, name: string): Promise<ClickHouse> {
    const clickhouse = await openRemoteClickHouse({ url: `${servers.urls[index]}/${name}` })
    undo.push(() => clickhouse.close())
    return clickhouse
  }

  async function backUp(clickhouse: ClickHouse, name: string): Promise<BackupArchive> {
    const target = openFileStore(join(directory, name))
    const source = { pool: database.pool, clickhouse, files: openFileStore(join(directory, 'no')) }
    const { manifest } = await takeBackup(source, target, keys, silent)
    return new BackupArchive(target, manifest.id, keys)
  }

  /** Next to an unused PostgreSQL. */
  async function targetOf(clickhouse: ClickHouse): Promise<RestoreTarget> {
    const { pool, url, close } = await createTestDatabase()
    undo.push(close)
    await emptyDatabase(url)
    return {
      pool,
      clickhouse,
      files: openFileStore(join(directory, 'none')),
      migrateJobs: () => migrateJobs(pool, createLogger('silent')),
      migrations: MIGRATIONS,
    }
  }

  /** Two shards of which the second came later, and people of both kinds of ids. */
  async function makeGrown(name: string): Promise<{ clickhouse: ClickHouse; people: string[] }> {
    const small = await openShards(1, name)
    await migrateClickHouse(small, MIGRATIONS.clickhouse)
    const early = [...people(5, newId), ...people(10, newTimedId)]
    await fill(small, early)
    await new Promise((done) => setTimeout(done, 5))
    const clickhouse = await openShards(2, name)
    await migrateClickHouse(clickhouse, MIGRATIONS.clickhouse)
    const late = people(15, newTimedId)
    await fill(clickhouse, late)
    return { clickhouse, people: [...early, ...late] }
  }

  /**
   * Restores, and finds everything as it was, each person on one of the servers and each server
   * used.
   */
  async function assertRestored(
    archive: BackupArchive,
    clickhouse: ClickHouse,
    source: ClickHouse,
    everybody: readonly string[],
  ): Promise<void> {
    await restoreBackup(await targetOf(clickhouse), archive, silent)
    assert.deepEqual(await readRows(clickhouse), await readRows(source))
    const held = await Promise.all((clickhouse.cluster?.servers ?? [clickhouse]).map(readPeople))
    assert.ok(held.every((those) => those.length > 0))
    assert.deepEqual(held.flat().toSorted(), everybody.toSorted())
    for (const userId of everybody) {
      const [found] = await clickhouse.queryRows(
        'select count() as samples from samples final where user_id = {userId:UUID}',
        { userId },
      )
      assert.deepEqual(found, { samples: SAMPLES_OF_A_PERSON })
    }
  }

  let grown: { clickhouse: ClickHouse; people: string[]; archive: BackupArchive }

  test('two shards, of which one came later, are backed up', async () => {
    const made = await makeGrown('grown')
    grown = { ...made, archive: await backUp(made.clickhouse, 'of-two') }
    const held = await Promise.all((made.clickhouse.cluster?.servers ?? []).map(readPeople))
    assert.equal(held.length, 2)
    assert.ok(held.every((those) => those.length > 0))
  })

  const targets: [string, () => Promise<ClickHouse>][] = [
    ['one server', () => openAlone(2, 'into_one')],
    ['two shards with other shares', () => openShards(2, 'into_two', [3, 1])],
    ['three shards', () => openShards(3, 'into_three')],
  ]
  for (const [name, open] of targets) {
    test(`they are restored into ${name}`, async () => {
      await assertRestored(grown.archive, await open(), grown.clickhouse, grown.people)
    })
  }

  test('one server is restored into two shards, people of before spread over both', async () => {
    const alone = await openAlone(2, 'alone')
    await migrateClickHouse(alone, MIGRATIONS.clickhouse)
    const everybody = [...people(10, newId), ...people(10, newTimedId)]
    await fill(alone, everybody)
    const archive = await backUp(alone, 'of-one')
    const spread = await openShards(2, 'spread')
    await assertRestored(archive, spread, alone, everybody)
    // What the first start does: it moves no user.
    const started = await openShards(2, 'spread')
    assert.deepEqual(await migrateClickHouse(started, MIGRATIONS.clickhouse), [])
    assert.deepEqual(await readRows(started), await readRows(alone))
  })

  test('a shard by itself is refused, for whatever opens it', async () => {
    const config = readConfig({ SALUS_DATA_DIR: directory })
    const url = `${servers.urls[1]}/spread`
    await assert.rejects(connectToClickHouse(config, url, createLogger('silent')), {
      name: 'StartupError',
      message: /one shard of several.* Set CLICKHOUSE_CLUSTER/,
    })
  })

  test('a cluster in which a server holds rows of its own, or is away, is refused before anything is written', async () => {
    const { archive } = grown
    const alone = await openAlone(1, 'taken')
    await migrateClickHouse(alone, MIGRATIONS.clickhouse)
    await fill(alone, [newId()])
    const taken = await targetOf(await openShards(2, 'taken'))
    await assert.rejects(restoreBackup(taken, archive, silent), /there are data in ClickHouse/)

    await servers.servers[2]?.kill()
    const torn = await targetOf(await openShards(3, 'torn'))
    await assert.rejects(
      restoreBackup(torn, archive, silent),
      /cluster cannot be reached\. .* need all servers/,
    )
    for (const { pool, clickhouse } of [taken, torn]) {
      const { rows } = await pool.query("select from pg_tables where schemaname = 'public'")
      assert.equal(rows.length, 0)
      assert.deepEqual(await listClickHouseTables(clickhouse), [])
    }
  })
})

const people = (count: number, make: () => string): string[] => Array.from({ length: count }, make)

/** Samples with an earlier version of each, workouts of which some were removed, and streams. */
async function fill(clickhouse: ClickHouse, users: readonly string[]): Promise<void> {
  const each = 'arrayJoin({users:Array(UUID)}) as user'
  for (const version of [1, 2]) {
    await clickhouse.command(
      `insert into samples (environment_id, user_id, series, started_at, value, provider, version)
      select user, user, 'steps', fromUnixTimestamp64Milli(number * 60000), number * ${version},
        'oura', ${version} from numbers(${SAMPLES_OF_A_PERSON}) as n, (select ${each}) as u`,
      { users },
    )
  }
  await clickhouse.command(
    `insert into sleep_summaries (environment_id, user_id, id, provider, raw, version, is_removed)
    select user, user, generateUUIDv4(number), 'oura', 'a\\tb', 1, number % 2
    from numbers(4) as n, (select ${each}) as u`,
    { users },
  )
  await clickhouse.command(
    `insert into workout_streams (environment_id, user_id, workout_id, time, cadence, version)
    select user, user, user, [1, 2], [1.5, null], 1 from (select ${each})`,
    { users },
  )
}

/** Of each person in each table: the rows that count, and a checksum over all their columns. */
async function readRows(clickhouse: ClickHouse): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const { name, columns } of await listClickHouseTables(clickhouse)) {
    found[name] = await clickhouse.queryRows(
      `select user_id, count() as rows, toString(sum(sipHash64(toString(tuple(${columns.join()}))))) as checksum
      from ${name} final group by user_id order by user_id`,
    )
  }
  assert.ok(found.samples?.length)
  return found
}

/** Whom a server holds, in whatever table. */
async function readPeople(server: ClickHouse): Promise<string[]> {
  const tables = await listClickHouseTables(server)
  const each = tables.map(({ name }) => `select user_id from ${name}`).join(' union all ')
  const rows = await server.queryRows<{ user_id: string }>(`select distinct user_id from (${each})`)
  return rows.map(({ user_id }) => user_id)
}
