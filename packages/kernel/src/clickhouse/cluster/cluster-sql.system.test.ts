import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { MIGRATIONS_FOLDER } from '../../../../server/src/stores.ts'
import { readMigrations } from '../../migrations.ts'
import { type ListedServer, quorumOf } from './cluster-server.ts'
import { replicatedSql } from './cluster-tables.ts'
import { checkList } from './open-clickhouse-cluster.ts'
import { placementSql, slotsOf } from './placement.ts'

test('every table of the migrations replicates itself under a path of its own', () => {
  const sql = readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')).map(
    (migration) => migration.sql,
  )
  const statements = sql.join('\n').split(/;[ \t]*$/m)
  const tables = statements
    .map((statement) => statement.replace(/^\s*--.*$/gm, '').trim())
    .filter((statement) => /^create table if not exists (?!salus_)/i.test(statement))
  assert.ok(tables.length > 8)
  const paths = tables.map((statement) => {
    const replicated = replicatedSql(statement, 'salus')
    const engine = /engine = ReplicatedReplacingMergeTree\('([^']+)', '\{replica\}'(, \w+)*\)/
    const path = engine.exec(replicated)?.[1] ?? ''
    assert.match(path, /^\/clickhouse\/tables\/\{shard\}\/salus\/\w+$/, replicated)
    return path
  })
  assert.equal(new Set(paths).size, tables.length)
})

/** A cluster whose tables replicate themselves, by the number of replicas of each shard. */
const listOf = (...replicas: number[]): ListedServer[] =>
  replicas.flatMap((count, shard) =>
    Array.from({ length: count }, (_, replica) => ({
      ...{ shard_num: shard + 1, replica_num: replica + 1, shard_weight: 1 },
      ...{ internal_replication: 1 as const, host_name: 'host', port: 9000, is_local: 0 as const },
    })),
  )

test('a write waits for most replicas, a single one for no other, and shards of both kinds are refused', () => {
  assert.equal(quorumOf(listOf(1, 1)), '0')
  assert.equal(quorumOf(listOf(2, 3)), 'auto')
  for (const whole of [listOf(1, 1), listOf(2, 3)]) checkList(whole, true)
  for (const mixed of [listOf(1, 2), listOf(3, 1)]) {
    assert.throws(() => checkList(mixed, true), /Some shards .* have one replica and others more/)
  }
})

test('other statements stay as they are', () => {
  for (const sql of ['alter table a add column b String', 'rename table a to b', 'select 1']) {
    assert.equal(replicatedSql(sql, 'salus'), sql)
  }
})

test('a placement follows from the time in the id', () => {
  assert.equal(placementSql([{ since: 0, slots: [0] }]), '[0][sipHash64(user_id) % 1 + 1]')
  assert.equal(
    placementSql([
      { since: 5000, slots: slotsOf([0, 2, 1]) },
      { since: 0, slots: slotsOf([1]) },
    ]),
    'multiIf(toUnixTimestamp64Milli(UUIDv7ToDateTime(user_id)) < 5000, [0][sipHash64(user_id) % 1 + 1], ' +
      '[1, 1, 2][sipHash64(user_id) % 3 + 1])',
  )
})

test('moved buckets are found by the last byte of the id, and those at home are not listed', () => {
  const first = [{ since: 0, slots: slotsOf([1, 1]) }]
  const home = { bucket: 256 + 7, shard: 1, copy: 1, version: 2 }
  assert.equal(placementSql(first, [home]), placementSql(first))
  const moved = { bucket: 7, shard: 2, copy: 0, version: 1 }
  const base = '[0, 1][sipHash64(user_id) % 2 + 1]'
  assert.equal(
    placementSql(first, [moved, home]),
    `transform(toUInt16(${base}) * 256 + toUInt16(bitAnd(toUInt128(user_id), 255)), [7], [2], ${base})`,
  )
})
