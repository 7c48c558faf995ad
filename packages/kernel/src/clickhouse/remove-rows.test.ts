import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { newId } from '../ids.ts'
import { eraseHiddenRows, eraseRows, eraseRowsOfPeople, hideRows } from './remove-rows.ts'

const harness = useFixture(createHarness)

const ENVIRONMENT = newId()

/** Creates a table of its own with rows 0 to 9 of each user, in one part. */
async function makeTable(t: TestContext, name: string, users: readonly string[]): Promise<void> {
  const { clickhouse } = harness
  const drop = () => clickhouse.command(`drop table if exists ${name} sync`)
  await drop()
  t.after(drop)
  await clickhouse.command(
    `create table ${name} (environment_id UUID, user_id UUID, number UInt64)
    engine = ReplacingMergeTree order by (environment_id, user_id, number)`,
  )
  await clickhouse.command(
    `insert into ${name} select {environmentId:UUID}, arrayJoin({users:Array(UUID)}), number
    from numbers(10)`,
    { environmentId: ENVIRONMENT, users },
  )
}

/** Rows that a reader sees, and rows in the files of the table. */
async function countRows(table: string): Promise<{ seen: number; stored: number }> {
  const [counts] = await harness.clickhouse.queryRows<{ seen: number; stored: number }>(
    `select (select count() from ${table}) as seen, sum(rows) as stored from system.parts
    where database = currentDatabase() and table = {table:String} and active`,
    { table },
  )
  assert.ok(counts)
  return counts
}

test('hidden rows are in no answer, and leave the files with the next erasure of any row', async (t) => {
  const [one, other, third] = [newId(), newId(), newId()]
  await makeTable(t, 'hidden_rows', [one, other, third])
  const { clickhouse } = harness
  const condition = 'user_id = {userId:UUID} and number < 4'
  await hideRows(clickhouse, { table: 'hidden_rows', condition, parameters: { userId: one } })
  assert.deepEqual(await countRows('hidden_rows'), { seen: 26, stored: 30 })
  const person = { environmentId: ENVIRONMENT, userId: newId() }
  await eraseRowsOfPeople(clickhouse, ['hidden_rows'], [person])
  assert.deepEqual(await countRows('hidden_rows'), { seen: 26, stored: 26 })

  await hideRows(clickhouse, { table: 'hidden_rows', condition, parameters: { userId: other } })
  await eraseHiddenRows(clickhouse, 'hidden_rows')
  assert.deepEqual(await countRows('hidden_rows'), { seen: 22, stored: 22 })
})

test('many people are erased by one change of the table, and others keep their rows', async (t) => {
  const users = [newId(), newId(), newId()]
  await makeTable(t, 'rows_of_people', users)
  const { clickhouse } = harness
  const people = users.slice(0, 2).map((userId) => ({ environmentId: ENVIRONMENT, userId }))
  const elsewhere = users.slice(2).map((userId) => ({ environmentId: newId(), userId }))
  await eraseRowsOfPeople(clickhouse, ['rows_of_people'], [...people, ...elsewhere])
  assert.deepEqual(await countRows('rows_of_people'), { seen: 10, stored: 10 })
  const [changes] = await clickhouse.queryRows<{ count: number }>(
    `select uniqExact(mutation_id) as count from system.mutations
    where database = currentDatabase() and table = 'rows_of_people'`,
  )
  assert.equal(changes?.count, 1)
})

test('inserts go on while a table is rewritten', async (t) => {
  const user = newId()
  await makeTable(t, 'slow_rows', [user])
  const { clickhouse } = harness
  const ended: string[] = []
  const erasing = eraseRows(clickhouse, {
    table: 'slow_rows',
    condition: 'number < 5 and sleepEachRow(0.1) = 0',
    parameters: {},
  }).then(() => ended.push('erased'))
  const row = Buffer.from(`${ENVIRONMENT}\t${user}\t20\n`)
  await clickhouse.insert('slow_rows', ['environment_id', 'user_id', 'number'], row)
  ended.push('inserted')
  await erasing
  assert.deepEqual(ended, ['inserted', 'erased'])
  assert.deepEqual(await countRows('slow_rows'), { seen: 6, stored: 6 })
})

test('a change that the engine cannot make is an error without values', async (t) => {
  await makeTable(t, 'failing_rows', [newId()])
  const { clickhouse } = harness
  const condition = "throwIf(number = 3, 'a word of a person') = 1"
  const refused = eraseRows(clickhouse, { table: 'failing_rows', condition, parameters: {} })
  await assert.rejects(refused, (error: Error) => !error.message.includes('word of a person'))
})
