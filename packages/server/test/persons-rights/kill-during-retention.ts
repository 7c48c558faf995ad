import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFileStore } from '@salus/kernel/files/file-store'
import { findRunningPostgres } from '@salus/kernel/postgres/embedded-postgres'
import { RESULT_FILES } from '@salus/lab/results'
import pg from 'pg'
import { makeUser } from '../kill-during-uploads.ts'
import type { KilledServer } from '../killed-server.ts'
import { orderBody } from '../orders/order-bodies.ts'
import { request } from '../server-process.ts'

const ORDERS = 400
const PATIENCE_MS = 120_000

/** A connection to the database of the server that runs. */
async function connectTo({ directory }: KilledServer): Promise<pg.Client> {
  const connectionString = await findRunningPostgres(join(directory, 'postgres'))
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Copies of an order that ended ten years ago, each with a result that names a file. */
const COPIES = `
  with made as (
    select gen_random_uuid() as id, gen_random_uuid() as transaction_id, gen_random_uuid() as details_id,
      template from orders template, generate_series(1, ${ORDERS}) where template.id = $1
  ), transactions as (
    insert into order_transactions
    select (template).environment_id, transaction_id, 'completed', now(), now() from made
  ), copies as (
    insert into orders select (jsonb_populate_record(template, jsonb_build_object('id', id,
      'transaction_id', transaction_id, 'details_id', details_id, 'last_status', 'completed',
      'sample_id', null, 'updated_at', now() - interval '10 years'))).* from made
  ), events as (
    insert into order_events (environment_id, order_id, status, created_at)
    select (template).environment_id, id, 'completed', now() - interval '10 years' from made
  )
  insert into results (environment_id, order_id, version, status, interpretation,
    has_missing_results, report, pdf_file, created_at)
  select (template).environment_id, id, 1, 'final', 'normal', false, '{}', id || '.pdf', now()
  from made returning pdf_file`

/** What is left of the copies: whole orders, and parts without the rest. */
async function look(client: pg.Client): Promise<{ whole: number; parts: number }> {
  const { rows } = await client.query(`
    select count(*) filter (where o.id is not null and r.order_id is not null and e.order_id is not null
        and t.id is not null)::int as whole,
      count(*) filter (where o.id is null or r.order_id is null or e.order_id is null
        or t.id is null)::int as parts
    from (select * from orders where last_status = 'completed') o
    full join results r on r.order_id = o.id
    full join (select * from order_events where status = 'completed') e on e.order_id = coalesce(o.id, r.order_id)
    full join (select * from order_transactions where status = 'completed') t on t.id = o.transaction_id`)
  return rows[0]
}

/**
 * Kills the server while it removes old orders. Each is whole or gone then, and the next start ends
 * the work.
 */
export async function killDuringRetention(t: TestContext, killed: KilledServer): Promise<void> {
  const { directory } = killed
  const { baseUrl } = killed.current()
  const first = await connectTo(killed)
  const userId = await makeUser(baseUrl, 'patient-of-orders')
  const { body: tests } = await request(baseUrl, 'GET', '/v3/lab_tests')
  const [{ id: testId }] = tests as { id: string }[] as [{ id: string }]
  const placed = await request(baseUrl, 'POST', '/v3/order', orderBody(userId, testId, {}))
  assert.equal(placed.status, 200, JSON.stringify(placed.body))
  const { order } = placed.body as { order: { id: string } }
  const { rows } = await first.query(COPIES, [order.id])
  const files = openFileStore(join(directory, 'files'))
  for (const { pdf_file: name } of rows) {
    await files.write(RESULT_FILES, name, Buffer.from('%PDF-'), 100)
  }
  assert.deepEqual(await look(first), { whole: ORDERS, parts: 0 })
  await first.query(`insert into retention_rules (environment_id, resource, days, updated_at)
    select environment_id, 'lab_order', 730, now() from users limit 1`)
  await first.query("select graphile_worker.add_job('apply_retention')")
  let seen = await look(first)
  for (; seen.whole === ORDERS; seen = await look(first)) await sleep(2)
  const { baseUrl: nextUrl } = await killed.killAndStart()
  const second = await connectTo(killed)
  const { whole, parts } = await look(second)
  t.diagnostic(`${whole} of ${ORDERS} orders were left by the kill`)
  assert.equal(parts, 0)
  const fileNames = () => readdirSync(join(directory, 'files', RESULT_FILES))
  const { rows: named } = await second.query('select pdf_file from results')
  const there = new Set(fileNames())
  assert.ok(
    named.every(({ pdf_file: name }) => there.has(name)),
    'no row names a file that is gone',
  )
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100)) {
    if ((await look(second)).whole === 0 && fileNames().length === 0) break
  }
  assert.deepEqual(await look(second), { whole: 0, parts: 0 })
  assert.deepEqual(fileNames(), [])
  const kept = await request(nextUrl, 'GET', `/v3/order/${order.id}`)
  assert.equal(kept.status, 200)
  await second.end()
}
