import assert from 'node:assert/strict'
import { storedEvents } from '../../stored-events.ts'
import type { WiredLaboratory } from '../wired-laboratory.ts'
import { type Entry, readJournal } from './journal.ts'
import type { Placed } from './traffic.ts'

type Message = Extract<Entry, { kind: 'message' }>

/**
 * Asserts what must be true of all orders when nothing is under way any more.
 * @param fresh ids of the orders that were not looked at before
 */
export async function assertExchanged(
  wired: WiredLaboratory,
  placed: ReadonlyMap<string, Placed>,
  { journal, fresh }: { journal: string; fresh: readonly string[] },
): Promise<void> {
  const entries = readJournal(journal)
  const wrong = entries.filter(({ kind }) => kind === 'wrong')
  assert.deepEqual(wrong, [])
  const taken = entries.filter((entry): entry is Message => entry.kind === 'message')
  const sent = await query(
    wired,
    `select order_id, purpose, control_id, placer, state, last_status, cancel_problem,
      dispatch_problem
    from orders left join lab_outgoing_messages on order_id = orders.id`,
  )
  assertMessages(sent, taken)
  for (const [id, order] of placed) assertOrder(id, order, { sent, taken })
  const accepted = entries.flatMap((entry) => (entry.kind === 'accepted' ? [entry.controlId] : []))
  await assertReceived(wired, placed, new Set(accepted))
  for (const id of fresh) await assertApplied(wired, id, placed.get(id) as Placed)
}

async function query(wired: WiredLaboratory, text: string) {
  return (await wired.harness.database.pool.query(text)).rows
}

/** A message of Salus with its order; an order without messages has no ids. */
interface Sent {
  order_id: string | null
  purpose: string
  control_id: string
  placer: string
  state: string
  last_status: string
  cancel_problem: string | null
  dispatch_problem: string | null
}

/** Whatever came to the laboratory was sent, each message under one id, and all are answered. */
function assertMessages(orders: readonly Sent[], taken: readonly Message[]): void {
  const sent = orders.filter(({ order_id: id }) => id !== null)
  const placerOf = new Map(sent.map((each) => [each.control_id, each.placer]))
  assert.equal(placerOf.size, sent.length)
  for (const { controlId, placer } of taken) assert.equal(placerOf.get(controlId), placer)
  assert.equal(new Set(taken.map(({ controlId }) => controlId)).size, taken.length)
  assert.deepEqual(
    sent.filter(({ state }) => state === 'waiting'),
    [],
  )
}

/** The laboratory has an order once, and its cancellation once, and Salus knows that. */
function assertOrder(
  id: string,
  { isCancelled }: Placed,
  { sent, taken }: { sent: readonly Sent[]; taken: readonly Message[] },
): void {
  const ofOrder = sent.filter(({ order_id: of }) => of === id)
  const placers = new Set(ofOrder.map(({ placer }) => placer))
  assert.ok(placers.size <= 1, `${id} has the numbers ${[...placers]}`)
  const atLaboratory = taken.filter(({ placer }) => placers.has(placer))
  // A cancellation that came before its order was refused, and the next one came after it.
  const controls = atLaboratory.filter(({ code }) => code === 'AA').map(({ control }) => control)
  const isThere = controls.length > 0
  if (!isCancelled) assert.deepEqual(controls, ['NW'], id)
  else if (isThere) assert.deepEqual(controls, ['NW', 'CA'], id)
  for (const order of ofOrder) {
    assert.equal(order.last_status, isCancelled ? 'cancelled' : 'completed')
    assert.equal(order.dispatch_problem, null)
    // The laboratory does not know an order that was cancelled before it was sent.
    if (isThere) assert.equal(order.cancel_problem, null, id)
  }
}

/** Each result that Salus accepted is stored once, and each of the others was repeated. */
async function assertReceived(
  wired: WiredLaboratory,
  placed: ReadonlyMap<string, Placed>,
  accepted: ReadonlySet<string>,
): Promise<void> {
  const analysed = [...placed.values()].filter(({ isCancelled }) => !isCancelled)
  assert.equal(accepted.size, analysed.length)
  const received = await query(wired, 'select control_id from lab_messages')
  const ids = received.map(({ control_id: id }) => id).toSorted()
  assert.deepEqual(ids, [...accepted].map((id) => `R${id}`).toSorted())
}

/** The result of an order is applied once, and clients have each event once. */
async function assertApplied(
  wired: WiredLaboratory,
  id: string,
  { userId, isCancelled }: Placed,
): Promise<void> {
  const versions = await query(
    wired,
    `select substring(placer from 3)::int as counter, version
    from results join lab_outgoing_messages using (order_id)
    where order_id = '${id}' and purpose = 'order'`,
  )
  if (isCancelled) assert.deepEqual(versions, [])
  else {
    assert.deepEqual(versions, [{ counter: versions[0]?.counter, version: 1 }])
    const { body } = await wired.call('GET', `/v3/order/${id}/result`)
    const values = body.results.map(({ result }: { result: string }) => result)
    assert.deepEqual(new Set(values), new Set([String(versions[0]?.counter)]))
  }
  const events = await storedEvents(wired.harness, userId, /^labtest\.order\./)
  const statuses = events.map(({ payload }) => payload.data.last_event.status.split('.').at(-1))
  const last = isCancelled ? 'cancelled' : 'completed'
  const isCreated = !isCancelled || statuses.includes('requisition_created')
  assert.deepEqual(statuses, ['ordered', ...(isCreated ? ['requisition_created'] : []), last])
}
