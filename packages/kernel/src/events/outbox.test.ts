import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { findEnvironment } from '@salus/accounts/teams'
import { defineEvent } from '@salus/contracts/event-type'
import Type from 'typebox'
import { createHarness, type Harness } from '../../../server/test/harness.ts'
import { createScope, type Scope, type TransactionScope } from '../scope.ts'
import { packBody, unpackBody } from './event-body.ts'
import { EVENT_ID, leastEventId, newEventId } from './event-id.ts'
import { JsonText, newEvent, writeEvents } from './events.ts'

const recorded = defineEvent({
  name: 'test.thing.recorded',
  data: Type.Object({ number: Type.Integer() }),
  meaning: 'A test recorded a thing.',
  isAboutUser: true,
  example: { number: 1 },
})

describe('the ids of events', () => {
  test('rise with time and within a millisecond, and have the form of the contract', () => {
    // A time at which no other file of this process makes events: ids count on from a second ahead.
    const at = new Date('2036-03-01T12:00:00Z')
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
      const { body, body_bytes: bytes } = packBody(Buffer.from(text))
      assert.equal(unpackBody(body).toString(), text)
      assert.equal(bytes, Buffer.byteLength(text))
      assert.ok(body.length <= bytes)
    }
  })
})

describe('writing events', () => {
  let salus: Harness
  let scope: Scope
  before(async () => {
    salus = await createHarness()
    const { rows } = await salus.database.pool.query(
      "select id from team_environments where environment = 'sandbox' limit 1",
    )
    const environment = await findEnvironment(salus.database.db, rows[0].id)
    assert.ok(environment)
    scope = createScope(salus.dependencies, environment)
  })
  after(() => salus.close())

  const numbersOf = async (userId: string): Promise<number[]> => {
    const { rows } = await salus.database.pool.query(
      'select body from events where user_id = $1 order by sequence',
      [userId],
    )
    return rows.map(({ body }) => JSON.parse(unpackBody(body).toString()).data.number)
  }
  const write = (tx: TransactionScope, userId: string, numbers: number[], coalesceKey?: string) =>
    writeEvents(
      tx,
      numbers.map((number) => {
        const user = { id: userId, client_user_id: 'someone' }
        return newEvent({ type: recorded, user, data: { number }, coalesceKey })
      }),
    )

  test('happens with the transaction of the change, or not at all', async () => {
    const userId = randomUUID()
    const failing = scope.transaction(async (tx) => {
      await write(tx, userId, [1, 2])
      throw new Error('the change failed')
    })
    await assert.rejects(failing)
    assert.deepEqual(await numbersOf(userId), [])
    await scope.transaction((tx) => write(tx, userId, [3, 4]))
    assert.deepEqual(await numbersOf(userId), [3, 4])
  })

  test('takes JSON that is written already as it is', async () => {
    const userId = randomUUID()
    const user = { id: userId, client_user_id: 'someone' }
    const event = newEvent({ type: recorded, user, data: new JsonText('{"number": 7.0}') })
    await scope.transaction((tx) => writeEvents(tx, [event]))
    const { rows } = await salus.database.pool.query('select body from events where user_id = $1', [
      userId,
    ])
    assert.match(unpackBody(rows[0].body).toString(), /"data":\{"number": 7\.0\},/)
  })

  test('of one key keeps the last of those that wait', async () => {
    const userId = randomUUID()
    await scope.transaction((tx) => write(tx, userId, [1, 2], `key ${userId}`))
    await scope.transaction((tx) => write(tx, userId, [3], `key ${userId}`))
    assert.deepEqual(await numbersOf(userId), [3])
  })

  test('of one key from many at once loses none: each is kept or replaced by a later one', async () => {
    const userId = randomUUID()
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    await Promise.all(
      numbers.map((number) =>
        scope.transaction((tx) => write(tx, userId, [number], `key ${userId}`)),
      ),
    )
    const { rows } = await salus.database.pool.query(
      `select count(*) from waiting_events join events on id = event_id where user_id = $1`,
      [userId],
    )
    assert.equal((await numbersOf(userId)).length, rows[0].count)
    assert.ok(rows[0].count >= 1)
  })
})
