import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { storedEvents } from '../stored-events.ts'
import { acknowledge, type Order } from './laboratory.ts'
import { writeResult } from './result-messages.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

const PROCESS = fileURLToPath(new URL('wire-process.ts', import.meta.url))
const KILLS = 12
/** Longest wait for the step at which a process is killed. */
const STEP_MS = 8000

/** Steps of the exchange; a process is killed right after one of them, or at any moment. */
const STEPS = ['order received', 'order answered', 'result sent', 'result answered', 'any'] as const
type Step = (typeof STEPS)[number]

let wired: WiredLaboratory
let child: ChildProcess | undefined
/** Placed orders with their person, by id. */
const placed = new Map<string, string>()
/** Orders as the laboratory has them, by its first reception of each message. */
const known = new Map<string, Order>()
/** Ids of messages whose result is accepted. */
const settled = new Set<string>()
let reach: (step: Step) => void = () => {}
let losses = 0
let isClosing = false
/** What the processes logged as errors. */
let logged = ''

/** Numbers from 0 to 1 that are the same in each run (a linear congruential generator). */
let state = 28
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

before(async () => {
  wired = await createWiredLaboratory(undefined, { isElsewhere: true })
  wired.laboratory.trouble = answerOrLose
  await wired.connect()
})
after(async () => {
  isClosing = true
  child?.kill('SIGKILL')
  await wired?.close()
})

/** The laboratory, whose connection is lost with every fourth order: before or in its answer. */
function answerOrLose(socket: Socket, order: Order): void {
  if (!known.has(order.controlId)) known.set(order.controlId, order)
  reach('order received')
  const answer = `\x0b${acknowledge(order, 'AA')}\x1c\r`
  const chance = random()
  if (chance < 0.25) {
    losses += 1
    if (chance < 0.12) socket.destroy()
    else socket.write(answer.slice(0, 20), () => socket.destroy())
    return
  }
  socket.write(answer, 'latin1')
  reach('order answered')
}

/** Value of the order's result: the counter of its placer number. */
const counterOf = ({ placer }: Order) => String(Number(placer.slice(2)))

/** Analysis takes hours: no result comes before Salus knows that the order was accepted. */
async function listAccepted(): Promise<string[]> {
  const { rows } = await wired.harness.database.pool.query(
    `select control_id from lab_outgoing_messages join orders on orders.id = order_id
    where last_status = 'requisition_created'`,
  )
  return rows.map(({ control_id: id }) => id)
}

/** Sends the result of every accepted order again and again until the result is accepted too. */
async function sendResults(): Promise<void> {
  while (!isClosing) {
    for (const controlId of await listAccepted()) {
      const order = known.get(controlId)
      if (order === undefined || settled.has(controlId) || isClosing) continue
      const tests = order.tests.map((code) => ({
        code,
        name: 'Test',
        filler: `Q${order.placer}`,
        values: [{ code: `X${code}`, name: 'First', value: counterOf(order), unit: 'mg/dL' }],
      }))
      const message = writeResult(order, { controlId: `R${controlId}` }, tests)
      const answer = wired.laboratory.send(wired.resultsPort, message)
      setTimeout(() => reach('result sent'), random() * 10)
      if ((await answer).MSA?.[0]?.[1] !== 'AA') break
      settled.add(controlId)
      reach('result answered')
    }
    await pause(20)
  }
}

async function startProcess(): Promise<ChildProcess> {
  const { database, config } = wired.harness
  const started = spawn(process.execPath, [PROCESS, database.url, config.dataDirectory], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(config.dataDirectory, 'compiled') },
  })
  child = started
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    logged += text
  })
  await once(started.stdout, 'data')
  return started
}

/** Lets hours pass: delays of repetitions end, and jobs of a process that is gone are free. */
async function passTime(): Promise<void> {
  await wired.harness.database.pool.query(
    `update graphile_worker._private_jobs
    set run_at = now(), locked_at = locked_at - interval '3 hours'`,
  )
}

async function placeOrders(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { id, user_id: userId } = await wired.place()
    placed.set(id, userId)
  }
}

/** Starts a process, and kills it after a step. */
async function killAfter(step: Step): Promise<void> {
  const started = await startProcess()
  if (step === 'any') await pause(random() * 500)
  else {
    const { promise, resolve } = Promise.withResolvers<void>()
    reach = (reached) => reached === step && resolve()
    await Promise.race([promise, pause(STEP_MS)])
    reach = () => {}
  }
  const ended = once(started, 'exit')
  started.kill('SIGKILL')
  assert.deepEqual(await ended, [null, 'SIGKILL'])
  await passTime()
}

/** Waits until every order is completed, while time passes for what waits. */
async function waitForAll(): Promise<void> {
  const until = performance.now() + 120_000
  for (;;) {
    const { rows } = await wired.harness.database.pool.query(
      `select count(*)::int as count from orders where last_status <> 'completed'`,
    )
    if (rows[0].count === 0) return
    assert.ok(performance.now() < until, `${rows[0].count} orders are not completed`)
    await wired.harness.database.pool.query(
      'update graphile_worker._private_jobs set run_at = now() where locked_at is null',
    )
    await pause(200)
  }
}

test('no order is sent under another id or lost, and no result is lost or applied twice, however often the process is killed and the laboratory is gone', async (t) => {
  const results = sendResults()
  for (let kill = 0; kill < KILLS; kill += 1) {
    await placeOrders(2)
    await killAfter(STEPS[kill % STEPS.length] as Step)
  }
  await startProcess()
  await waitForAll()
  isClosing = true
  await results
  t.diagnostic(`${KILLS} kills, ${losses} lost connections, ${placed.size} orders`)
  // An order that is sent again, and nothing else.
  const errors = logged.split('\n').filter((line) => !line.includes('Failed task'))
  assert.deepEqual(errors.join(''), '')
  await assertOrders()
  await assertResults()
})

/** Each order has one message, and every reception of it had the same bytes. */
async function assertOrders(): Promise<void> {
  const { received } = wired.laboratory
  for (const { controlId, raw } of received) assert.equal(known.get(controlId)?.raw, raw)
  assert.equal(known.size, placed.size)
  assert.equal(new Set([...known.values()].map(({ placer }) => placer)).size, placed.size)
  const { rows } = await wired.harness.database.pool.query(
    'select order_id, control_id, state from lab_outgoing_messages',
  )
  assert.deepEqual(
    new Map(rows.map(({ order_id: id, ...message }) => [id, message.state])),
    new Map([...placed.keys()].map((id) => [id, 'accepted'])),
  )
  assert.deepEqual(rows.map(({ control_id: id }) => id).toSorted(), [...known.keys()].toSorted())
}

/** Each result is stored and applied once, and clients have each event once. */
async function assertResults(): Promise<void> {
  const { pool } = wired.harness.database
  const stored = await pool.query(
    'select state, count(*)::int as count from lab_messages group by state',
  )
  assert.deepEqual(stored.rows, [{ state: 'processed', count: placed.size }])
  const { rows } = await pool.query('select order_id, control_id from lab_outgoing_messages')
  for (const { order_id: id, control_id: controlId } of rows) {
    const { body } = await wired.call('GET', `/v3/order/${id}/result`)
    const order = known.get(controlId) as Order
    assert.deepEqual(
      new Set(body.results.map(({ result }: { result: string }) => result)),
      new Set([counterOf(order)]),
    )
    const versions = await wired.call('GET', `/v3/order/${id}/result/version`)
    assert.equal(versions.body.data.length, 1)
    const events = await storedEvents(wired.harness, placed.get(id) as string, /^labtest\.order\./)
    assert.deepEqual(
      events.map(({ payload }) => payload.data.last_event.status.split('.').at(-1)),
      ['ordered', 'requisition_created', 'completed'],
    )
  }
}
