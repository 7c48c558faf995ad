import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { moveContents } from '@salus/lab/inbox'
import { RESULT_FILES } from '@salus/lab/results'
import { allResults, importOrder, missing, reportOf } from '../results/lipid-reports.ts'
import { createResultsFixture } from '../results/results-fixture.ts'
import { createReviewFixture, type ReviewFixture } from '../results/review-fixture.ts'
import { useFixture } from '../use-fixture.ts'
import { moveEvents } from '../webhooks/moved-events.ts'
import { createLabRetention, type LabRetention, TWO_YEARS } from './lab-retention-fixture.ts'

const fixture = useFixture(createResultsFixture)
let reviews: ReviewFixture
let retention: LabRetention
let userId: string

before(async () => {
  await fixture.set({ match_review_enabled: true, redraws_enabled: true })
  reviews = createReviewFixture(fixture)
  retention = createLabRetention(fixture)
})
beforeEach(async () => {
  for (const table of ['orders', 'order_transactions', 'unmatched_results', 'lab_messages']) {
    await fixture.database.pool.query(`delete from ${table}`)
  }
  for (const name of fixture.fileNames()) await fixture.files.remove(RESULT_FILES, name)
  userId = await fixture.makeUser()
})

const PDF = Buffer.from('%PDF-1.7 of the laboratory').toString('base64')
const pass = (days: number) => fixture.clock.advance(days * DAY_SECONDS)
const take = (message: ReturnType<typeof reportOf>) => fixture.take({ message, labSlug: 'quest' })
const read = async (id: string) => (await fixture.call('GET', `/v3/order/${id}`)).status

/** An order with its final report. */
async function completed(ofUser = userId) {
  const order = await importOrder(fixture, { userId: ofUser })
  fixture.clock.advance(60)
  await take(reportOf(order, { pdf: PDF, specimen_number: `SPEC-${order.sample_id}` }))
  return order
}

test('an ended order goes as a whole once it is old, and leaves no trace but in the audit log', async () => {
  const order = await completed()
  const open = await importOrder(fixture, { userId })
  const history = `/v3/user/${userId}/results`
  assert.equal(fixture.fileNames().length, 1)
  pass(TWO_YEARS - 1)
  assert.equal((await retention.dryRun('lab_order')).rows, 0)
  pass(2)
  const { rows, people, older_than: cutoff } = await retention.dryRun('lab_order')
  assert.deepEqual([rows, people], [1, 1])
  assert.match(cutoff, /T00:00:00/)
  assert.equal(await read(order.id), 200, 'a dry run removes nothing')
  assert.ok((await retention.tablesNaming(order.id)).includes('events'))
  const before = await fixture.call('GET', history)
  const { last_removed: removed } = await retention.apply('lab_order')
  assert.equal(removed, 1)
  assert.deepEqual([await read(order.id), await read(open.id)], [404, 200])
  await retention.removeFiles()
  assert.deepEqual(await retention.tablesNaming(order.id), [])
  assert.deepEqual(await retention.tablesNaming(order.order_transaction.id), [])
  assert.deepEqual(fixture.fileNames(), [])
  assert.deepEqual(await retention.audited(), [{ object_id: order.id, user_id: userId }])
  assert.equal((await fixture.call('GET', history)).status, before.status)
  assert.equal((await retention.apply('lab_order')).last_removed, 0)
})

test('events go by the order that they are about, whatever their bodies say', async () => {
  const { pool } = fixture.database
  const [order, other] = [await completed(), await completed(await fixture.makeUser())]
  const about = async (id: string) => {
    const { rows } = await pool.query('select id from events where $1 = any(subject_ids)', [id])
    return rows.length
  }
  const sent = await about(other.id)
  assert.ok(sent > 0 && (await about(order.id)) > 0)
  await pool.query("update events set body = '{}' where user_id = $1", [userId])
  await pool.query('delete from orders where id = $1', [other.id])
  pass(TWO_YEARS + 1)
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  assert.deepEqual([await about(order.id), await about(other.id)], [0, sent])
})

test('what moved to ClickHouse goes with the order: its events, and the contents of its messages', async () => {
  const { database, dependencies } = fixture
  const { clickhouse } = dependencies
  const order = await completed()
  const other = await completed(await fixture.makeUser())
  await database.pool.query(
    `insert into lab_messages (id, gateway, environment_id, content_type, content, state, order_id,
      received_at, processed_at)
    select gen_random_uuid(), 'hl7:former', environment_id, 'text/plain', 'x', 'processed', id, $2, $2
    from orders where id = any($1)`,
    [[order.id, other.id], fixture.clock.now()],
  )
  await database.pool.query('delete from waiting_events')
  await database.pool.query(`insert into event_history_state (created_at, all_events_since)
    values (now() - interval '2 hours', now() - interval '2 hours') on conflict do nothing`)
  await database.pool.query("update lab_message_moves set created_at = now() - interval '2 hours'")
  pass(1)
  await moveEvents({ database, clickhouse }, fixture.clock.now())
  await moveContents({ ...dependencies, clock: fixture.clock }, new AbortController().signal)
  const about = async (id: string) => {
    const [row] = await clickhouse.queryRows<{ events: number }>(
      'select toUInt32(count()) as events from event_history where has(subject_ids, {id:UUID})',
      { id },
    )
    const { rows } = await database.pool.query('select from events where $1 = any(subject_ids)', [
      id,
    ])
    return [row?.events ?? 0, rows.length]
  }
  const contents = async () => {
    const [row] = await clickhouse.queryRows<{ rows: number }>(
      'select toUInt32(count()) as rows from lab_message_contents',
    )
    return row?.rows
  }
  const [sent = 0] = await about(other.id)
  assert.ok(sent > 0)
  assert.deepEqual([await about(order.id), await contents()], [[sent, 0], 2])
  await database.pool.query('delete from orders where id = $1', [other.id])
  pass(TWO_YEARS + 1)
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  const { move_lab_messages: run } = dependencies.jobs.handlers
  await run?.({}, new AbortController().signal, { isLast: false })
  assert.deepEqual(
    [await about(order.id), await about(other.id)],
    [
      [0, 0],
      [sent, 0],
    ],
  )
  assert.equal(await contents(), 0)
})

test('events that were written before they had subjects are found by their bodies', async () => {
  const { pool } = fixture.database
  const order = await completed()
  await pool.query('update events set subject_ids = null where user_id = $1', [userId])
  pass(TWO_YEARS + 1)
  assert.ok((await retention.tablesNaming(order.id)).includes('events'))
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  assert.deepEqual(await retention.tablesNaming(order.id), [])
})

test('what changed since, or is not ended, keeps all orders of its transaction', async () => {
  const order = await importOrder(fixture, { userId })
  fixture.clock.advance(60)
  await take(
    reportOf(order, {
      results: allResults({ glucose: null }),
      missing_results: [missing('glucose', 'QNS')],
    }),
  )
  const corrected = await completed()
  pass(TWO_YEARS)
  const correction = reportOf(corrected, {
    status: 'corrected',
    results: allResults({ hdl: '61' }),
  })
  assert.deepEqual(await take(correction), { state: 'processed', orderId: corrected.id })
  pass(1)
  // A redraw of the one is still to be taken, and the other was corrected yesterday.
  assert.equal((await retention.apply('lab_order')).last_removed, 0)
  assert.deepEqual([await read(order.id), await read(corrected.id)], [200, 200])
  pass(TWO_YEARS)
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  assert.deepEqual([await read(order.id), await read(corrected.id)], [200, 404])
})

test('nothing of a user under a hold is removed, nor of a transaction with an order of theirs', async () => {
  const other = await fixture.makeUser()
  const [theirs, shared] = [await completed(), await completed(other)]
  await fixture.database.pool.query(
    `update orders set transaction_id = (select transaction_id from orders where id = $1)
    where id = $2`,
    [theirs.id, shared.id],
  )
  pass(TWO_YEARS + 1)
  assert.equal((await retention.dryRun('lab_order')).rows, 2)
  const holdId = await retention.hold(other)
  assert.equal((await retention.dryRun('lab_order')).rows, 0)
  assert.equal((await retention.apply('lab_order')).last_removed, 0)
  await retention.release(holdId)
  assert.equal((await retention.apply('lab_order')).last_removed, 2)
})

test('an order waits for the review of a result, and goes with one that is decided', async () => {
  const someone = reviews.someone()
  const order = await reviews.newOrder(someone, { userId })
  fixture.clock.advance(60)
  await take(reviews.report(someone, order))
  const late = reviews.report(reviews.someone(), order, { pdf: PDF, specimen_number: 'LATE' })
  const review = await reviews.hold(late)
  pass(TWO_YEARS + 1)
  assert.equal((await retention.apply('lab_order')).last_removed, 0)
  assert.equal((await reviews.resolve(review.id, 'reject')).status, 200)
  assert.equal((await retention.apply('lab_message', 90)).last_removed, 0)
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  await retention.removeFiles()
  assert.deepEqual(await retention.tablesNaming(review.id), [])
  assert.deepEqual(fixture.fileNames(), [])
})

test('a message that waits, or failed, keeps the order that it is about', async () => {
  const { pool } = fixture.database
  const order = await completed()
  const id = crypto.randomUUID()
  await pool.query(
    `insert into lab_messages (id, gateway, environment_id, content_type, content, state, order_id, received_at)
    values ($1, 'sandbox', $2, 'application/json', '{}', 'failed', $3, $4)`,
    [id, fixture.environmentId, order.id, fixture.clock.now()],
  )
  pass(TWO_YEARS + 1)
  assert.equal((await retention.apply('lab_order')).last_removed, 0)
  await pool.query("update lab_messages set state = 'discarded' where id = $1", [id])
  assert.equal((await retention.apply('lab_message', 90)).last_removed, 0)
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  assert.deepEqual(await retention.tablesNaming(id), [])
})

test('messages and reviews that led to no order go by a rule of their own', async () => {
  const { pool } = fixture.database
  const message = async (state: string) => {
    const { rows } = await pool.query(
      `insert into lab_messages (id, gateway, environment_id, content_type, content, state, received_at)
      values (gen_random_uuid(), 'sandbox', $1, 'text/plain', 'x', $2, $3) returning id`,
      [fixture.environmentId, state, fixture.clock.now()],
    )
    return rows[0].id as string
  }
  const stranger = reviews.report(reviews.someone(), null, { pdf: PDF })
  const [open, review] = [
    await reviews.hold(reviews.report(reviews.someone(), null)),
    await reviews.hold(stranger),
  ]
  await reviews.resolve(review.id, 'reject')
  const ids = [await message('ignored'), await message('failed'), await message('waiting')]
  pass(91)
  assert.deepEqual((await retention.dryRun('lab_message', 90)).rows, 2)
  assert.equal((await retention.apply('lab_message', 90)).last_removed, 2)
  await retention.removeFiles()
  assert.deepEqual(fixture.fileNames(), [])
  assert.deepEqual(await retention.tablesNaming(review.id), [])
  assert.equal((await reviews.show(open.id)).id, open.id)
  const { rows } = await pool.query('select id from lab_messages where id = any($1)', [ids])
  assert.deepEqual(rows.map(({ id }) => id).sort(), ids.slice(1).sort())
})

test('a removal that fails in the middle leaves the order whole, and the next one takes it', async () => {
  const { pool } = fixture.database
  const order = await completed()
  pass(TWO_YEARS + 1)
  await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no'; end $$`)
  await pool.query(`create trigger refused before delete on order_transactions
    for each row execute function refuse()`)
  const whole = await retention.tablesNaming(order.id)
  await assert.rejects(retention.apply('lab_order'), /no/)
  await retention.removeFiles()
  assert.deepEqual(await retention.tablesNaming(order.id), whole)
  assert.equal((await fixture.call('GET', `/v3/order/${order.id}/result/pdf`)).status, 200)
  await pool.query('drop trigger refused on order_transactions')
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  await retention.removeFiles()
  assert.deepEqual(fixture.fileNames(), [])
})

test('a rule of fewer days than the resource allows is refused, and says which', async () => {
  const cases = [
    ['lab_order', TWO_YEARS],
    ['lab_message', 90],
    ['insurance_policy', TWO_YEARS],
  ] as const
  for (const [resource, minimum] of cases) {
    for (const [method, path] of [
      ['PUT', ''],
      ['POST', '/dry_run'],
    ] as const) {
      const url = `/team/${fixture.teamId}/sandbox/retention${path}`
      const send = (days: number) => fixture.manage(method, url, { rules: [{ resource, days }] })
      const { status, text } = await send(minimum - 1)
      assert.equal(status, 422)
      assert.match(text, new RegExp(`"rules",0,"days".*${minimum}`))
      assert.equal((await send(minimum)).status, 200)
    }
  }
})

test('counts by the clock of the sandbox, so that a rule can be tried', async () => {
  const order = await completed()
  assert.equal((await retention.dryRun('lab_order')).rows, 0)
  const { pool } = fixture.database
  await pool.query('update team_environments set clock_offset_seconds = $1 where id = $2', [
    (TWO_YEARS + 1) * DAY_SECONDS,
    fixture.environmentId,
  ])
  assert.equal((await retention.apply('lab_order')).last_removed, 1)
  assert.equal(await read(order.id), 404)
})

test('while ClickHouse is away a removal leaves the order whole, with its events', async () => {
  const order = await completed()
  pass(TWO_YEARS + 1)
  const whole = await retention.tablesNaming(order.id)
  assert.ok(whole.includes('events'))
  // The last test of the file: it does not come back.
  await fixture.dependencies.clickhouse.close()
  await assert.rejects(retention.apply('lab_order'), { name: 'ClickHouseError' })
  assert.deepEqual(await retention.tablesNaming(order.id), whole)
  assert.equal(await read(order.id), 200)
})
