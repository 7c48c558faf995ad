import assert from 'node:assert/strict'
import { storedEvents } from '../../stored-events.ts'
import type { WiredLaboratory } from '../wired-laboratory.ts'
import { type Entry, readJournal } from './journal.ts'
import type { Placed } from './traffic.ts'

type Message = Extract<Entry, { kind: 'message' }>

/** Asserts what must be true of all orders when nothing is under way any more. */
export async function assertExchanged(
  wired: WiredLaboratory,
  placed: ReadonlyMap<string, Placed>,
  journal: string,
): Promise<void> {
  const entries = readJournal(journal)
  assert.deepEqual(
    entries.filter(({ kind }) => kind === 'wrong'),
    [],
  )
  const taken = entries.filter((entry): entry is Message => entry.kind === 'message')
  await assertOrders(wired, placed, taken)
  await assertResults(wired, placed, entries)
}

async function query(wired: WiredLaboratory, text: string) {
  return (await wired.harness.database.pool.query(text)).rows
}

/** Each order came to the laboratory once, and so did the cancellation of each that was cancelled. */
async function assertOrders(
  wired: WiredLaboratory,
  placed: ReadonlyMap<string, Placed>,
  taken: readonly Message[],
): Promise<void> {
  const sent = await query(
    wired,
    'select order_id, purpose, control_id, placer, state from lab_outgoing_messages',
  )
  const ids = sent.map(({ control_id: id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const withId = new Map(sent.map((row) => [row.control_id, row]))
  for (const { controlId, placer } of taken) assert.equal(withId.get(controlId)?.placer, placer)
  assert.equal(new Set(taken.map(({ controlId }) => controlId)).size, taken.length)
  for (const [id, { isCancelled }] of placed) {
    const { placer } = sent.find(({ order_id: of }) => of === id) ?? {}
    // A cancellation that came before its order was refused, and the next one came after it.
    const controls = taken
      .filter((each) => each.placer === placer && each.code === 'AA')
      .map(({ control }) => control)
    const wanted = isCancelled && controls.length > 0 ? ['NW', 'CA'] : ['NW']
    if (!isCancelled || controls.length > 0) assert.deepEqual(controls, wanted, id)
  }
  const states = await query(
    wired,
    `select last_status, cancel_problem, dispatch_problem, count(*)::int from orders group by 1, 2, 3 order by 1`,
  )
  const cancelled = [...placed.values()].filter((order) => order.isCancelled).length
  const none = { cancel_problem: null, dispatch_problem: null }
  assert.deepEqual(states, [
    { last_status: 'cancelled', ...none, count: cancelled },
    { last_status: 'completed', ...none, count: placed.size - cancelled },
  ])
}

/** Each result is stored and applied once, and clients have each event once. */
async function assertResults(
  wired: WiredLaboratory,
  placed: ReadonlyMap<string, Placed>,
  entries: readonly Entry[],
): Promise<void> {
  const analysed = [...placed].filter(([, { isCancelled }]) => !isCancelled)
  const accepted = entries.flatMap((entry) => (entry.kind === 'accepted' ? [entry.controlId] : []))
  assert.equal(new Set(accepted).size, analysed.length)
  const received = await query(
    wired,
    'select control_id, state from lab_messages order by control_id',
  )
  const wanted = [...new Set(accepted)].map((id) => `R${id}`).toSorted()
  assert.deepEqual(received.map(({ control_id: id }) => id).toSorted(), wanted)
  const rows = await query(
    wired,
    `select orders.id, substring(placer from 3)::int as counter, results.version
    from orders join lab_outgoing_messages on order_id = orders.id and purpose = 'order'
    left join results on results.order_id = orders.id where last_status = 'completed'`,
  )
  assert.equal(rows.length, analysed.length)
  for (const { id, counter, version } of rows) {
    assert.equal(version, 1)
    const { body } = await wired.call('GET', `/v3/order/${id}/result`)
    const values = body.results.map(({ result }: { result: string }) => result)
    assert.deepEqual(new Set(values), new Set([String(counter)]))
  }
  for (const [, { userId, isCancelled }] of placed) {
    const events = await storedEvents(wired.harness, userId, /^labtest\.order\./)
    const statuses = events.map(({ payload }) => payload.data.last_event.status.split('.').at(-1))
    const last = isCancelled ? 'cancelled' : 'completed'
    assert.deepEqual(
      statuses.filter((status) => status !== 'requisition_created'),
      ['ordered', last],
    )
    const created = statuses.filter((status) => status === 'requisition_created').length
    assert.ok(isCancelled ? created <= 1 : created === 1, `${statuses}`)
  }
}
