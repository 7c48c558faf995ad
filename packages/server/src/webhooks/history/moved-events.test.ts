import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import { DAY_SECONDS, HOUR_SECONDS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { newId } from '@salus/kernel/ids'
import { rowScope } from '@salus/kernel/scope'
import { useFixture } from '../../../test/use-fixture.ts'
import { untilAttempts, untilStatus } from '../../../test/webhooks/deliver.ts'
import { openMessageSink } from '../../../test/webhooks/message-sink.ts'
import { allowMoves, moveEvents } from '../../../test/webhooks/moved-events.ts'
import { until } from '../../../test/webhooks/until.ts'
import {
  createWebhookHarness,
  openNewEnvironment,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import { createEventRemoval } from '../messages/event-removal.repository.ts'
import { expireEvents } from '../messages/recovery.ts'
import { moveOldEvents } from './move-events.ts'

const salus = useFixture(createWebhookHarness)
before(async () => {
  await salus.startJobs()
})

const IN_AN_HOUR = 2 * HOUR_SECONDS

/** Moves what is over two hours from now. */
function moveAll(clickhouse: ClickHouse = salus.clickhouse): Promise<number> {
  const at = new Date(salus.clock.now().getTime() + IN_AN_HOUR * 1000)
  return moveEvents({ database: salus.database, clickhouse }, at)
}

async function countHeld(eventId: string): Promise<number[]> {
  const { rows } = await salus.database.pool.query(
    `select (select count(*) from events where id = $1) as events,
      (select count(*) from webhook_deliveries where event_id = $1) as deliveries,
      (select count(*) from webhook_attempts where event_id = $1) as attempts`,
    [eventId],
  )
  return Object.values(rows[0])
}

async function countMoved(eventId: string): Promise<number[]> {
  const [row] = await salus.clickhouse.queryRows<{ events: number; attempts: number }>(
    `select (select toUInt32(count()) from event_history where id = {eventId:String}) as events,
      (select toUInt32(count()) from webhook_attempt_history where event_id = {eventId:String}) as attempts`,
    { eventId },
  )
  return [row?.events ?? 0, row?.attempts ?? 0]
}

/** An event that a receiver has. */
async function deliver(context: TestContext, environment: WebhookEnvironment, fields = {}) {
  const sink = await openMessageSink(context)
  const webhook = await environment.makeWebhook({ url: sink.url })
  const dispatcher = salus.startWebhooks()
  context.after(() => dispatcher.stop())
  const id = await environment.raise({ userId: newId(), ...fields })
  await untilStatus(environment, id, 'delivered')
  return { sink, webhook, dispatcher, id }
}

test('nothing is moved in the first hour, when processes of the version before may read', async () => {
  const environment = await openNewEnvironment(salus)
  const id = await environment.raise({ userId: newId() })
  await environment.dispatch()
  assert.equal(await moveAll(), 0)
  assert.deepEqual(await countHeld(id), [1, 0, 0])
  await salus.database.pool.query('delete from event_history_state')
  await allowMoves(salus)
})

describe('a moved event', () => {
  test('is in PostgreSQL no more, with deliveries and attempts', async (context) => {
    const environment = await openNewEnvironment(salus)
    const { id } = await deliver(context, environment)
    const shown = await environment.succeed('GET', `/event/${id}`)
    await moveAll()
    assert.deepEqual(await countHeld(id), [0, 0, 0])
    assert.deepEqual(await countMoved(id), [1, 1])
    assert.deepEqual(await environment.succeed('GET', `/event/${id}`), shown)
    const other = await openNewEnvironment(salus)
    assert.equal((await other.call('GET', `/event/${id}`)).status, 404)
    assert.equal((await other.call('GET', `/event/${id}/attempt`)).status, 404)
  })

  test('can be sent again, and is moved again with all attempts', async (context) => {
    const environment = await openNewEnvironment(salus)
    const { id, sink, webhook } = await deliver(context, environment)
    await moveAll()
    await environment.succeed('POST', `/webhook/${webhook.id}/event/${id}/resend`)
    await untilAttempts(environment, id, 2)
    const [first, again] = sink.messages
    assert.deepEqual([again?.text, again?.id], [first?.text, id])
    for (const moves of [0, 1]) {
      if (moves === 1) await moveAll()
      const attempts = await environment.succeed('GET', `/event/${id}/attempt`)
      assert.deepEqual(
        attempts.data.map(({ number }: { number: number }) => number),
        [1, 2],
      )
      const { data } = await environment.succeed('GET', '/event')
      assert.equal(data.length, 1)
      assert.equal(data[0].deliveries[0].attempts, 2)
    }
    assert.deepEqual(await countHeld(id), [0, 0, 0])
  })

  test('is recovered when its webhook did not get it', async (context) => {
    const environment = await openNewEnvironment(salus)
    const missed = await environment.raise({ userId: newId() })
    await environment.dispatch()
    const { id, sink, webhook } = await deliver(context, environment)
    const notForIt = await environment.raise({ exceptEndpointId: webhook.id })
    await environment.dispatch()
    await moveAll()
    for (const each of [missed, notForIt]) assert.deepEqual(await countHeld(each), [0, 0, 0])
    await environment.succeed('POST', `/webhook/${webhook.id}/recover`, { since: '2026-01-01' })
    await until('it came', () => sink.ids().includes(missed))
    assert.deepEqual(sink.ids(), [id, missed])
    for (const each of [id, notForIt]) assert.deepEqual(await countHeld(each), [0, 0, 0])
  })

  test('is dropped with its day when it is too old', async (context) => {
    const environment = await openNewEnvironment(salus)
    const { id } = await deliver(context, environment)
    await moveAll()
    const clock = { now: () => new Date(salus.clock.now().getTime() + 10 * DAY_SECONDS * 1000) }
    const stores = { db: salus.database.db, clickhouse: salus.clickhouse, clock }
    const { signal } = new AbortController()
    await expireEvents(stores, 11, signal)
    assert.deepEqual(await countMoved(id), [1, 1])
    await expireEvents(stores, 8, signal)
    assert.deepEqual(await countMoved(id), [0, 0])
    assert.equal((await environment.call('GET', `/event/${id}`)).status, 404)
  })
})

describe('an event stays', () => {
  test('when only its body says what it is about, when it is pending, or not an hour old', async () => {
    const environment = await openNewEnvironment(salus)
    const userId = newId()
    const ids = [await environment.raise({ type: 'labtest.order.created', userId })]
    await environment.makeWebhook()
    await environment.dispatch()
    ids.push(await environment.raise({ userId }))
    await environment.dispatch()
    ids.push(await environment.raise({ userId }))
    await moveAll()
    for (const id of ids) assert.equal((await countHeld(id))[0], 1)
    salus.clock.advance(IN_AN_HOUR)
    const young = await environment.raise({ userId })
    await salus.database.pool.query('delete from waiting_events')
    const signal = AbortSignal.timeout(60_000)
    await moveOldEvents(
      { ...salus.database, clickhouse: salus.clickhouse, clock: salus.clock },
      signal,
    )
    assert.equal((await countHeld(young))[0], 1)
    assert.equal((await countHeld(ids[2] ?? ''))[0], 0)
  })
})

describe('an event about a record of a laboratory', () => {
  const ORDER = 'labtest.order.created'
  const removal = () => createEventRemoval(salus.clickhouse)
  const remove = ({ environmentId }: WebhookEnvironment, ids: string[], isErasure = false) =>
    salus.database.db
      .transaction()
      .execute((tx) =>
        removal().deleteAbout(rowScope(tx, environmentId), { userIds: [], ids, isErasure }),
      )

  for (const isErasure of [false, true]) {
    const name = isErasure ? 'the erasure of a person' : 'the record'
    test(`moves like others, without a person too, and goes with ${name}`, async (context) => {
      const environment = await openNewEnvironment(salus)
      const other = await openNewEnvironment(salus)
      const [order, appointment] = [newId(), newId()]
      const fields = { type: ORDER, userId: null, subjectIds: [order] }
      const { id, webhook } = await deliver(context, environment, fields)
      const ids = [
        await environment.raise({ ...fields, subjectIds: [appointment, order] }),
        await environment.raise({ ...fields, userId: newId(), subjectIds: [appointment] }),
        await other.raise(fields),
      ]
      await Promise.all([environment.dispatch(), other.dispatch()])
      const shown = await environment.succeed('GET', `/event/${id}`)
      await moveAll()
      for (const each of [id, ...ids]) assert.equal((await countHeld(each))[0], 0)
      assert.deepEqual(await environment.succeed('GET', `/event/${id}`), shown)
      assert.equal(shown.user_id, null)
      await environment.succeed('POST', `/webhook/${webhook.id}/event/${id}/resend`)
      await remove(environment, [order, newId()], isErasure)
      const { data } = await environment.succeed('GET', '/event')
      assert.deepEqual(
        data.map((event: { id: string }) => event.id),
        [ids[1]],
      )
      assert.equal((await environment.call('GET', `/event/${id}/attempt`)).status, 404)
      for (const gone of [id, ids[0] ?? '']) {
        assert.deepEqual(await countHeld(gone), [0, 0, 0])
        assert.deepEqual(await countMoved(gone), [0, 0])
      }
      assert.equal((await other.succeed('GET', '/event')).data.length, 1)
    })
  }

  test('moves an hour after the first start of a version that moves it', async () => {
    const environment = await openNewEnvironment(salus)
    const ofPerson = await environment.raise({ userId: newId() })
    const ids = [
      await environment.raise({ type: ORDER, userId: newId(), subjectIds: [newId()] }),
      await environment.raise(),
    ]
    await environment.dispatch()
    const { pool } = salus.database
    await pool.query('update event_history_state set all_events_since = now()')
    await moveAll()
    assert.equal((await countHeld(ofPerson))[0], 0)
    for (const id of ids) assert.equal((await countHeld(id))[0], 1)
    await pool.query(`update event_history_state set all_events_since = created_at`)
    await moveAll()
    for (const id of ids) assert.equal((await countHeld(id))[0], 0)
  })
})

describe('a move that is interrupted', () => {
  /** Stores rows and fails, like a process that is killed before it removes them. */
  function failAfter(table: string): ClickHouse {
    return new Proxy(salus.clickhouse, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name !== 'insert') return typeof value === 'function' ? value.bind(target) : value
        return async (...given: Parameters<ClickHouse['insert']>) => {
          await target.insert(...given)
          if (given[0] === table) throw new Error('killed')
        }
      },
    })
  }

  test('loses nothing, shows nothing twice, and leaves no row about a person', async (context) => {
    const environment = await openNewEnvironment(salus)
    const { id, webhook } = await deliver(context, environment)
    const paths = ['/event', `/event/${id}/attempt`, `/webhook/${webhook.id}/attempt`]
    const answers = async () =>
      Promise.all([...paths, '/webhook_status'].map((path) => environment.succeed('GET', path)))
    const expected = await answers()
    for (const table of ['webhook_attempt_history', 'event_history']) {
      await assert.rejects(moveAll(failAfter(table)), /killed/)
      assert.deepEqual(await answers(), expected)
    }
    assert.deepEqual(await countMoved(id), [1, 1])
    // The event is erased before the next move.
    await salus.database.pool.query('delete from webhook_deliveries where event_id = $1', [id])
    await salus.database.pool.query('delete from events where id = $1', [id])
    await environment.raise({ userId: newId() })
    await environment.dispatch()
    await moveAll()
    assert.deepEqual(await countMoved(id), [0, 0])
  })
})
