import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import Type from 'typebox'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { packBody, unpackBody } from './event-body.ts'
import { EVENT_ID, leastEventId, newEventId } from './event-id.ts'
import { defineEvent } from './event-type.ts'
import { type EventEnvironment, JsonText, newEvent, writeEvents } from './events.ts'

const noted = defineEvent({
  name: 'test.thing.noted',
  data: Type.Object({ number: Type.Integer() }),
  meaning: 'A test noted a thing.',
  isAboutUser: true,
  example: { number: 1 },
})

describe('the ids of events', () => {
  test('rise with time and within a millisecond, and have the form of the contract', () => {
    const at = new Date('2026-03-01T12:00:00Z')
    const ids = [
      ...Array.from({ length: 1000 }, () => newEventId(at)),
      newEventId(new Date(+at + 1)),
    ]
    assert.deepEqual(ids.toSorted(), ids)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.every((id) => EVENT_ID.test(id)))
    assert.ok(leastEventId(+at) <= (ids[0] ?? ''))
    assert.ok(leastEventId(+at + 1) > (ids[999] ?? ''))
  })
})

describe('bodies', () => {
  test('come back as they were, short or long', () => {
    for (const text of ['{}', `{"text":"${'ä'.repeat(100_000)}"}`]) {
      const { body, body_bytes: bytes } = packBody(text)
      assert.equal(unpackBody(body).toString(), text)
      assert.equal(bytes, Buffer.byteLength(text))
      assert.ok(body.length <= bytes)
    }
  })
})

describe('writing events', () => {
  let salus: Harness
  let scope: EventEnvironment
  before(async () => {
    salus = await createHarness()
    const { rows } = await salus.database.pool.query(
      "select id from team_environments where environment = 'sandbox' limit 1",
    )
    const settings = { event_type_prefixes: null }
    scope = { id: rows[0].id, teamId: salus.teamId, settings }
  })
  after(() => salus.close())

  const numbersOf = async (userId: string): Promise<number[]> => {
    const { rows } = await salus.database.pool.query(
      'select body from events where user_id = $1 order by sequence',
      [userId],
    )
    return rows.map(({ body }) => JSON.parse(unpackBody(body).toString()).data.number)
  }
  const write = (userId: string, numbers: number[], coalesceKey?: string, db = salus.database.db) =>
    writeEvents(
      db,
      scope,
      numbers.map((number) => {
        const user = { id: userId, client_user_id: 'someone' }
        return newEvent({ type: noted, user, data: { number }, coalesceKey })
      }),
      salus.clock.now(),
    )

  test('happens with the transaction of the change, or not at all', async () => {
    const userId = randomUUID()
    const failing = salus.database.db.transaction().execute(async (transaction) => {
      await write(userId, [1, 2], undefined, transaction)
      throw new Error('the change failed')
    })
    await assert.rejects(failing)
    assert.deepEqual(await numbersOf(userId), [])
    await salus.database.db
      .transaction()
      .execute((transaction) => write(userId, [3, 4], undefined, transaction))
    assert.deepEqual(await numbersOf(userId), [3, 4])
  })

  test('takes JSON that is written already as it is', async () => {
    const userId = randomUUID()
    const user = { id: userId, client_user_id: 'someone' }
    const event = newEvent({ type: noted, user, data: new JsonText('{"number": 7.0}') })
    await writeEvents(salus.database.db, scope, [event], salus.clock.now())
    const { rows } = await salus.database.pool.query('select body from events where user_id = $1', [
      userId,
    ])
    assert.match(unpackBody(rows[0].body).toString(), /"data":\{"number": 7\.0\},/)
  })

  test('of one key keeps the last of those that wait', async () => {
    const userId = randomUUID()
    await write(userId, [1, 2], `key ${userId}`)
    await write(userId, [3], `key ${userId}`)
    assert.deepEqual(await numbersOf(userId), [3])
  })

  test('of one key from many at once loses none: each is kept or replaced by a later one', async () => {
    const userId = randomUUID()
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    await Promise.all(numbers.map((number) => write(userId, [number], `key ${userId}`)))
    const { rows } = await salus.database.pool.query(
      `select count(*) from waiting_events join events on id = event_id where user_id = $1`,
      [userId],
    )
    assert.equal((await numbersOf(userId)).length, rows[0].count)
    assert.ok(rows[0].count >= 1)
  })
})
