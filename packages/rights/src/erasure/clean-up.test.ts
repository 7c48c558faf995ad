import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import {
  findUndroppedParts,
  overwriteDeadRows,
  switchLogFile,
} from './clean-up.global.repository.ts'

/**
 * What `salus erasure clean-up` does with the stores; it has nothing of its own but to wait and to
 * print.
 */

const harness = useFixture(createHarness)

const WORD = 'Quorzella Vexlithorpe of 77 Zwyndermoor Alley'

/** The bytes of a table's file, as PostgreSQL has them on the disk. */
async function readTableFile(name: string): Promise<string> {
  const { pool } = harness.database
  await pool.query('checkpoint')
  const { rows } = await pool.query(
    `select current_setting('data_directory') as folder, pg_relation_filepath($1::regclass) as path`,
    [name],
  )
  return readFileSync(join(rows[0].folder, rows[0].path), 'latin1')
}

test('a full clean-up leaves nothing of deleted rows in the files of PostgreSQL', async () => {
  const { pool } = harness.database
  await pool.query(
    'create table left_over (id int primary key, text text) with (autovacuum_enabled = off)',
  )
  await pool.query('insert into left_over select id, $1 from generate_series(1, 50) as id', [WORD])
  await pool.query('insert into left_over values (0, $1)', ['a person who stays'])
  await pool.query('delete from left_over where id > 0')
  assert.ok((await readTableFile('left_over')).includes(WORD), 'a deleted row stays in the file')

  const tables = await overwriteDeadRows(pool, false)
  assert.ok(tables > 60, `${tables} tables`)
  assert.equal(await overwriteDeadRows(pool, true), tables)
  const file = await readTableFile('left_over')
  assert.equal(file.includes(WORD), false)
  assert.ok(file.includes('a person who stays'))
  await pool.query('drop table left_over')
})

test('the write-ahead log begins another file, and what could not be done is said', async () => {
  const { pool } = harness.database
  const segmentOf = async (): Promise<string> =>
    (await pool.query('select pg_walfile_name(pg_current_wal_lsn()) as name')).rows[0].name
  // A file that nothing was written to is not ended.
  await pool.query('create table of_log (id int)')
  const before = await segmentOf()
  const said = await switchLogFile(pool)
  assert.notEqual(await segmentOf(), before)
  assert.match(said.join('\n'), /all changes are in the tables/)
  assert.match(said.join('\n'), /another file of the write-ahead log was begun/)
  await pool.query('drop table of_log')
})

test('files of ClickHouse that a merge left and parts that were detached are named', async () => {
  const { clickhouse } = harness
  await clickhouse.command(
    'create table left_over (id Int32, text String) engine = MergeTree order by id partition by id % 2 settings old_parts_lifetime = 600',
  )
  for (const id of [2, 4, 1])
    await clickhouse.command(`insert into left_over values (${id}, 'said')`)
  await clickhouse.command('alter table left_over detach partition 1')
  await clickhouse.command('optimize table left_over partition 0 final')
  const { names, detached } = await findUndroppedParts(clickhouse)
  const merged = names.filter((name) => name.startsWith('left_over/0_'))
  assert.deepEqual(merged.sort(), ['left_over/0_1_1_0', 'left_over/0_2_2_0'])
  const ours = detached.filter((name) => name.startsWith('left_over/'))
  assert.equal(ours.length, 1, detached.join())
  await clickhouse.command('drop table left_over')
})
