import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { newId, newTimedId } from '@salus/kernel/ids'
import { rowScope } from '@salus/kernel/scope'
import { eraseDeletedUsers } from '@salus/rights/erasure'
import { createHarness } from '../../../server/test/harness.ts'
import { makeConnectionSubject } from '../../../server/test/lab-connections/route-cases.ts'
import { orderBody } from '../../../server/test/orders/order-bodies.ts'
import { exportPerson } from '../../../server/test/persons-rights/export-archive.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { recordResend } from '../connections/outgoing-messages.repository.ts'
import { eraseRemovedContents, moveContents } from './move-contents.ts'

const harness = useFixture(createHarness)
const { signal } = new AbortController()

interface Message {
  id: string
  direction: 'received' | 'sent'
  state: string
  userId: string | null
  content: Buffer
  answer: Buffer | null
}

let environmentId: string
/** A connection of the team, and the order of each of two people. */
let connection: { id: string; name: string }
const orders = new Map<string, string>()

before(async () => {
  const { pool } = harness.database
  const { body: tests } = await harness.call('GET', '/v3/lab_tests')
  for (let person = 0; person < 2; person += 1) {
    const userId = await harness.makeUser()
    const placed = await harness.call('POST', '/v3/order', orderBody(userId, tests[0].id, {}))
    assert.equal(placed.status, 200, placed.text)
    orders.set(userId, placed.body.order.id)
  }
  const [orderId = ''] = orders.values()
  const { connectionName } = await makeConnectionSubject(harness, harness.teamId, orderId)
  const { rows } = await pool.query(
    'select id, environment_id from lab_connections where name = $1',
    [connectionName],
  )
  environmentId = rows[0].environment_id
  connection = { id: rows[0].id, name: connectionName }
  for (const table of ['lab_messages', 'lab_outgoing_messages', 'removed_lab_messages']) {
    await pool.query(`delete from ${table}`)
  }
})

const SEED = 20_261_128

function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Random = (below: number) => number

/** Any bytes, and often those that separate fields and rows. */
function bytesOf(random: Random): Buffer {
  const length = 1 + random(10 ** (1 + random(4)))
  const odd = [9, 10, 13, 92, 0, 39, 0xff]
  return Buffer.from(
    Array.from({ length }, () => (random(3) === 0 ? (odd[random(odd.length)] ?? 0) : random(256))),
  )
}

const RECEIVED = ['processed', 'processed', 'ignored', 'held', 'failed', 'waiting']
const SENT = ['accepted', 'refused', 'committed', 'waiting']

async function store(random: Random, id = newTimedId()): Promise<Message> {
  const direction = random(2) === 0 ? 'received' : 'sent'
  const people = [...orders.keys()]
  const states = direction === 'received' ? RECEIVED : SENT
  const state = states[random(states.length)] ?? ''
  const isAboutNoOne = direction === 'received' && random(3) === 0
  const userId = isAboutNoOne ? null : (people[random(people.length)] ?? null)
  const orderId = userId && orders.get(userId)
  const [content, at] = [bytesOf(random), harness.clock.now()]
  const { pool } = harness.database
  if (direction === 'received') {
    await pool.query(
      `insert into lab_messages (id, gateway, environment_id, content_type, content, state,
        order_id, received_at, processed_at, problem_class, problem)
      values ($1, $2, $3, 'application/pdf', $4, $5, $6, $7, $7, $8, $8)`,
      [id, `hl7:${connection.name}`, environmentId, content, state, orderId, at, null],
    )
    return { id, direction, state, userId, content, answer: null }
  }
  const answer = state === 'waiting' || random(3) === 0 ? null : bytesOf(random)
  await pool.query(
    `insert into lab_outgoing_messages (environment_id, id, connection_id, order_id, purpose,
      control_id, placer, content, state, answer_content, created_at)
    values ($1, $2, $3, $4, 'order', ($2::uuid)::text, 'SA1', $5, $6, $7, $8)`,
    [environmentId, id, connection.id, orderId, content, state, answer, at],
  )
  return { id, direction, state, userId, content, answer }
}

/** Moves what is over two hours from now, some in each move. */
function move(atOnce: number, clickhouse: ClickHouse = harness.clickhouse): Promise<number> {
  const clock = { now: () => new Date(harness.clock.now().getTime() + 2 * HOUR_MS) }
  return moveContents({ db: harness.database.db, clickhouse, clock }, signal, { atOnce })
}

/** Stores rows and fails, like a process that is killed before it releases them. */
function failing(): ClickHouse {
  const { clickhouse } = harness
  return new Proxy(clickhouse, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'insert') return typeof value === 'function' ? value.bind(target) : value
      return async (...given: Parameters<ClickHouse['insert']>) => {
        await target.insert(...given)
        throw new Error('killed')
      }
    },
  })
}

const pathOf = ({ id, direction }: Message): string =>
  `/team/${harness.teamId}/sandbox/lab_connection/${connection.name}/` +
  `${direction === 'received' ? 'received' : 'message'}/${id}`

async function expectRead(message: Message): Promise<void> {
  const { status, body, text } = await harness.manage('GET', pathOf(message))
  assert.equal(status, 200, text)
  const { content, answer = null } = body
  const expected = [message.content, message.answer].map((bytes) => bytes?.toString('base64'))
  assert.deepEqual([content, answer ?? undefined], expected, message.state)
  if (message.direction === 'sent') return
  const path = `/team/${harness.teamId}/sandbox/lab_message/${message.id}`
  const shown = await harness.manage('GET', path)
  assert.equal(shown.body.size_bytes, message.content.length)
}

async function idsInClickHouse(): Promise<string[]> {
  const rows = await harness.clickhouse.queryRows<{ id: string }>(
    'select distinct toString(id) as id from lab_message_contents',
  )
  return rows.map(({ id }) => id)
}

async function bytesInPostgres(ids: readonly string[]): Promise<number> {
  const { rows } = await harness.database.pool.query(
    `select sum(octet_length(content))::int as bytes from (
      select id, content from lab_messages union all select id, content from lab_outgoing_messages
    ) messages where id = any($1)`,
    [ids],
  )
  return rows[0].bytes ?? 0
}

/** An operator has a message sent again, which a laboratory answers, perhaps without bytes. */
async function resend(random: Random, message: Message): Promise<void> {
  const content = random(3) === 0 ? null : bytesOf(random)
  const answer = { state: 'refused' as const, code: 'AE', location: null, content }
  const scope = rowScope(harness.database.db, environmentId)
  await recordResend(scope, message.id, { at: harness.clock.now(), answer })
  if (message.state === 'accepted') return
  message.state = 'refused'
  message.answer = content
}

describe('contents of messages that are moved to ClickHouse', () => {
  test('are not moved in the first hour, when processes of the version before may read', async () => {
    await store(randomOf(1))
    assert.equal(await move(10), 0)
    await harness.database.pool.query(
      "update lab_message_moves set created_at = now() - interval '2 hours'",
    )
    await harness.database.pool.query('delete from lab_messages')
    await harness.database.pool.query('delete from lab_outgoing_messages')
  })

  test('are in every answer as before, at whichever moment they move, and go with their messages', async () => {
    const random = randomOf(SEED)
    // The version before made ids without a time.
    const messages = [await store(random, newId()), await store(random, newId())]
    let kills = 0
    const one = () => messages[random(messages.length)] as Message
    for (let step = 0; step < 90; step += 1) {
      const deed = random(7)
      if (deed <= 1) messages.push(await store(random), await store(random))
      if (deed === 2) await move(1 + random(4))
      if (deed === 3) {
        await move(1 + random(4), failing()).catch((error: Error) => {
          assert.equal(error.message, 'killed')
          kills += 1
        })
      }
      if (deed === 4 && messages.length > 6) {
        const [message] = messages.splice(random(messages.length), 1) as [Message]
        const table = message.direction === 'received' ? 'lab_messages' : 'lab_outgoing_messages'
        await harness.database.pool.query(`delete from ${table} where id = $1`, [message.id])
        assert.equal((await harness.manage('GET', pathOf(message))).status, 404)
      }
      if (deed === 5) await eraseRemovedContents(harness.dependencies, signal)
      if (deed === 6) {
        const sent = messages.filter(({ direction }) => direction === 'sent')
        const message = sent[random(sent.length)]
        if (message !== undefined && message.state !== 'waiting') await resend(random, message)
      }
      await expectRead(one())
    }
    harness.clock.advance(HOUR_MS / 1000)
    await move(3)
    for (const message of messages) await expectRead(message)
    const open = messages.filter(({ state }) => state === 'waiting' || state === 'failed')
    const over = messages.filter((message) => !open.includes(message)).map(({ id }) => id)
    assert.ok(
      open.length > 3 && over.length > 15 && kills > 2,
      `${open.length} ${over.length} ${kills}`,
    )
    assert.equal(await bytesInPostgres(over), 0)
    await eraseRemovedContents(harness.dependencies, signal)
    assert.deepEqual((await idsInClickHouse()).sort(), over.sort())
    await expectRights(messages)
  })
})

/** An export has the contents of one person, and an erasure leaves those of all others. */
async function expectRights(messages: readonly Message[]): Promise<void> {
  const [erased = '', other = ''] = orders.keys()
  const worker = await harness.startJobs()
  const { files } = await exportPerson(harness, erased, 'json')
  await worker.stop()
  for (const [name, direction] of [
    ['lab_messages', 'received'],
    ['lab_outgoing_messages', 'sent'],
  ] as const) {
    const path = [...files.keys()].find((each) => each.endsWith(`${name}.json`)) ?? ''
    const rows: { id: string; content: string }[] = JSON.parse(String(files.get(path)))
    const shown = new Map(rows.map(({ id, content }) => [id, content]))
    const theirs = messages.filter((each) => each.userId === erased && each.direction === direction)
    assert.ok(theirs.length > 2)
    for (const { id, content } of theirs) assert.equal(shown.get(id), content.toString('utf8'))
  }
  await harness.database.pool.query("update users set deleted_at = '2020-01-01' where id = $1", [
    erased,
  ])
  await eraseDeletedUsers({ ...harness.dependencies, pool: harness.database.pool }, signal)
  const left = messages.filter(({ userId }) => userId !== erased)
  for (const message of left) await expectRead(message)
  const ids = new Set(left.map(({ id }) => id))
  assert.ok((await idsInClickHouse()).every((id) => ids.has(id)))
  assert.ok(left.some(({ userId }) => userId === other))
  const { rows } = await harness.database.pool.query('select from removed_lab_messages')
  assert.equal(rows.length, 0)
}
