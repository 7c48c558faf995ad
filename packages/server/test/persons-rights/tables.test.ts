import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERSON_TABLES } from '../../../rights/src/person-data/index.ts'
import { createHarness } from '../harness.ts'
import { useFixture } from '../use-fixture.ts'
import { TABLES_WITHOUT_PEOPLE } from './tables-without-people.registry.ts'

const harness = useFixture(createHarness)

const namesOf = (store: string) =>
  PERSON_TABLES.filter((table) => table.store === store).map(({ name }) => name)

/**
 * Who adds a table writes down whose it is: in the registry of people's tables, or among those
 * without people.
 */
test('every table of PostgreSQL is known to hold something of people, or nothing', async () => {
  const { rows } = await harness.database.pool.query(`select table_name as name
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const there = rows.map(({ name }) => name).sort()
  const known = [...namesOf('postgresql'), ...Object.keys(TABLES_WITHOUT_PEOPLE)].sort()
  assert.deepEqual(known, there)
})

test('every table of ClickHouse is, too', async () => {
  const rows = await harness.clickhouse.queryRows<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and engine not like '%View'`,
  )
  // On a cluster each table has a second one beside it, and there is one that records where people
  // are.
  const there = rows
    .map(({ name }) => name)
    .filter((name) => !name.endsWith('_local') && !name.startsWith('salus_'))
  assert.deepEqual(namesOf('clickhouse').sort(), there.sort())
})

test('no table that names a person by a column is said to hold nothing of people', async () => {
  const { rows } = await harness.database.pool.query(`select distinct table_name as name
    from information_schema.columns where table_schema = 'public'
      and column_name in ('user_id', 'order_id', 'appointment_id', 'job_id', 'event_id')`)
  const wrong = rows.map(({ name }) => name).filter((name) => name in TABLES_WITHOUT_PEOPLE)
  assert.deepEqual(wrong, [])
})
