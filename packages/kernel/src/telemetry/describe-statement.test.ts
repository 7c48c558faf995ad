import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeStatement, withoutLiterals } from './describe-statement.ts'

test('a statement is named by what it does and to which table', () => {
  const names = {
    'select "id" from "users" where "id" = $1': 'SELECT users',
    'select count(*) from (select 1 from samples final) as t': 'SELECT samples',
    'insert into "events" ("id") values ($1)': 'INSERT events',
    'update "orders" set "status" = $1': 'UPDATE orders',
    'delete from waiting_events where sequence in (select sequence from other)':
      'DELETE waiting_events',
    'with given as (select * from json_to_recordset($1::json) as r ("id" int)), updated as (update "labs" set "id" = 1 from given) select 1':
      'UPDATE labs',
    'with "written" as (insert into "events" values ($1) returning id) insert into "waiting_events" select 1':
      'INSERT events',
    'with first as (select * from webhook_deliveries) select * from first':
      'SELECT webhook_deliveries',
    'CREATE TABLE IF NOT EXISTS samples (id UUID)': 'CREATE samples',
    'ALTER TABLE samples UPDATE a = 1 WHERE true': 'ALTER samples',
    'select graphile_worker.add_job($1, $2::json)': 'SELECT',
    'select * from unnest($1::uuid[]) as given (id)': 'SELECT',
    commit: 'COMMIT',
    'SYSTEM FLUSH LOGS': 'OTHER',
  }
  for (const [sql, name] of Object.entries(names)) {
    assert.equal(describeStatement(sql).name, name, sql)
  }
})

test('of the text of a statement no literal stays', () => {
  const sql = `select a1, "b" from t
    where name = 'O''Neill' and path = 'a\\'b' and x > 12.5e3 and y = $1 and z = {id:UUID} limit 10`
  assert.equal(
    withoutLiterals(sql),
    'select a1, b from t where name = ? and path = ? and x > ? and y = $1 and z = {id:UUID} limit ?',
  )
})
