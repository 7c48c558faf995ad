import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import { useFixture } from '../../../test/use-fixture.ts'
import { untilAttempts, untilStatus } from '../../../test/webhooks/deliver.ts'
import { openMessageSink } from '../../../test/webhooks/message-sink.ts'
import { allowMoves, moveEvents } from '../../../test/webhooks/moved-events.ts'
import { untilReadable } from '../../../test/webhooks/stream-reader.ts'
import { until } from '../../../test/webhooks/until.ts'
import {
  createWebhookHarness,
  openEnvironment,
  openNewEnvironment,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import { expireEvents } from './recovery.ts'

const salus = useFixture(createWebhookHarness)
before(() => salus.startJobs())

async function work(task: string): Promise<void> {
  await salus.database.pool.query('select graphile_worker.add_job($1)', [task])
  await until(`${task} was done`, async () => {
    const { rows } = await salus.database.pool.query('select count(*) from graphile_worker.jobs')
    return rows[0].count === 0
  })
}

/** Rows that hang on an event, or are it: events, deliveries, attempts. */
async function rowsOf(eventId: string): Promise<number[]> {
  const { rows } = await salus.database.pool.query(
    `select (select count(*) from events where id = $1) as events,
      (select count(*) from webhook_deliveries where event_id = $1) as deliveries,
      (select count(*) from webhook_attempts where event_id = $1) as attempts`,
    [eventId],
  )
  return Object.values(rows[0])
}

async function openDelivered(context: TestContext, environment: WebhookEnvironment) {
  const sink = await openMessageSink(context)
  const webhook = await environment.makeWebhook({ url: sink.url })
  context.after(() => environment.succeed('DELETE', `/webhook/${webhook.id}`))
  return { sink, webhook }
}

describe('the events of an erased person', () => {
  const eraseAfterGrace = async (userId: string): Promise<void> => {
    await salus.call('DELETE', `/v2/user/${userId}`)
    salus.clock.advance(8 * DAY_SECONDS)
    await work('erase_deleted_users')
  }

  async function upload(userId: string): Promise<void> {
    const data = [{ value: 5, unit: 'count', start_date: '2026-02-10T08:00:00Z' }]
    const body = { stage: 'daily', provider: 'manual', data }
    const answer = await salus.call('POST', `/v2/timeseries/${userId}/steps`, body)
    assert.equal(answer.status, 200, answer.text)
  }

  const idsAbout = async (environment: WebhookEnvironment, userId: string): Promise<string[]> => {
    const { data } = await environment.succeed('GET', `/event?user_id=${userId}`)
    return data.map(({ id }: { id: string }) => id)
  }

  test('are gone with deliveries and attempts, and those of others stay', async (context) => {
    const environment = await openEnvironment(salus)
    await openDelivered(context, environment)
    const dispatcher = salus.startWebhooks()
    const [erased, kept] = [await salus.makeUser('manual'), await salus.makeUser('manual')]
    for (const userId of [erased, kept]) await upload(userId)
    const [gone, others] = [await idsAbout(environment, erased), await idsAbout(environment, kept)]
    assert.deepEqual([gone.length, others.length], [2, 2])
    for (const id of [...gone, ...others]) await untilStatus(environment, id, 'delivered')
    await eraseAfterGrace(erased)
    assert.deepEqual(await idsAbout(environment, erased), [])
    for (const id of gone) {
      assert.deepEqual(await rowsOf(id), [0, 0, 0])
      assert.equal((await environment.call('GET', `/event/${id}`)).status, 404)
    }
    for (const id of others) assert.deepEqual(await rowsOf(id), [1, 1, 1])
    await untilReadable(salus, environment)
    const { text } = await environment.call('GET', '/event_stream?follow=false&after=0-0')
    assert.ok(text.includes(kept) && !text.includes(erased))
    await dispatcher.stop()
  })

  test('are gone from ClickHouse too, and those of others stay', async (context) => {
    await allowMoves(salus)
    const environment = await openEnvironment(salus)
    await openDelivered(context, environment)
    const dispatcher = salus.startWebhooks()
    const [erased, kept] = [await salus.makeUser('manual'), await salus.makeUser('manual')]
    for (const userId of [erased, kept]) await upload(userId)
    const [gone, others] = [await idsAbout(environment, erased), await idsAbout(environment, kept)]
    for (const id of [...gone, ...others]) await untilStatus(environment, id, 'delivered')
    const shown = await environment.succeed('GET', `/event/${others[0]}`)
    await moveEvents(salus, new Date(salus.clock.now().getTime() + DAY_SECONDS * 1000))
    for (const id of gone) assert.deepEqual(await rowsOf(id), [0, 0, 0])
    assert.deepEqual(await idsAbout(environment, erased), gone)
    await salus.call('DELETE', `/v2/user/${erased}`)
    assert.deepEqual(await idsAbout(environment, erased), [])
    assert.equal((await environment.call('GET', `/event/${gone[0]}`)).status, 404)
    await eraseAfterGrace(erased)
    for (const table of ['event_history', 'webhook_attempt_history']) {
      const rows = await salus.clickhouse.queryRows(
        `select toString(user_id) as id from ${table} where user_id in {ids:Array(UUID)} group by user_id`,
        { ids: [erased, kept] },
      )
      assert.deepEqual(rows, [{ id: kept }], table)
    }
    assert.deepEqual(await idsAbout(environment, kept), others)
    assert.deepEqual(await environment.succeed('GET', `/event/${others[0]}`), shown)
    await dispatcher.stop()
  })

  test('are hidden until the grace is over, and whoever is brought back has them again', async () => {
    const environment = await openEnvironment(salus)
    const userId = await salus.makeUser('manual')
    await upload(userId)
    const ids = await idsAbout(environment, userId)
    await salus.call('DELETE', `/v2/user/${userId}`)
    await work('erase_deleted_users')
    assert.deepEqual(await idsAbout(environment, userId), [])
    await salus.call('POST', `/v2/user/undo_delete?user_id=${userId}`)
    salus.clock.advance(8 * DAY_SECONDS)
    await work('erase_deleted_users')
    assert.deepEqual(await idsAbout(environment, userId), ids)
  })

  test('are gone from what waits, and are not sent any more', async (context) => {
    const environment = await openEnvironment(salus)
    const { sink } = await openDelivered(context, environment)
    const userId = await salus.makeUser()
    const pending = await environment.raise({ userId })
    await environment.dispatch()
    const waiting = await environment.raise({ userId })
    await eraseAfterGrace(userId)
    const dispatcher = salus.startWebhooks()
    const next = await environment.raise()
    await untilStatus(environment, next, 'delivered')
    assert.ok(!sink.ids().includes(pending) && !sink.ids().includes(waiting))
    const { rows } = await salus.database.pool.query('select event_id from waiting_events')
    assert.deepEqual(rows, [])
    await dispatcher.stop()
  })

  test('leave nothing behind when one is on its way meanwhile', async (context) => {
    const environment = await openEnvironment(salus)
    const { sink } = await openDelivered(context, environment)
    const dispatcher = salus.startWebhooks()
    const { promise, resolve } = Promise.withResolvers<number>()
    sink.answer = () => promise
    const userId = await salus.makeUser()
    const id = await environment.raise({ userId })
    await until('it is on its way', () => sink.messages.length > 0)
    await eraseAfterGrace(userId)
    resolve(200)
    const next = await environment.raise()
    await untilStatus(environment, next, 'delivered')
    assert.deepEqual(await rowsOf(id), [0, 0, 0])
    await dispatcher.stop()
  })
})

describe('old events', () => {
  const expire = (days: number, signal = new AbortController().signal) =>
    expireEvents(
      { db: salus.database.db, clickhouse: salus.clickhouse, clock: salus.clock },
      days,
      signal,
    )

  test('are removed in every environment, with all that hangs on them', async (context) => {
    const { id: teamId } = await salus.makeTeam()
    const environments = [
      await openEnvironment(salus, { teamId }),
      await openEnvironment(salus, { teamId, env: 'production' }),
      await openNewEnvironment(salus),
    ]
    const dispatcher = salus.startWebhooks()
    const old: string[] = []
    for (const environment of environments) {
      await openDelivered(context, environment)
      old.push(await environment.raise({ userId: newId() }))
      await untilAttempts(environment, old.at(-1) ?? '', 1)
    }
    salus.clock.advance(1)
    const young: string[] = []
    for (const environment of environments) {
      young.push(await environment.raise())
      await untilAttempts(environment, young.at(-1) ?? '', 1)
    }
    salus.clock.advance(90 * DAY_SECONDS)
    await work('expire_events')
    for (const id of old) assert.deepEqual(await rowsOf(id), [0, 0, 0])
    for (const id of young) assert.deepEqual(await rowsOf(id), [1, 1, 1])
    for (const [index, environment] of environments.entries()) {
      const { data } = await environment.succeed('GET', '/event')
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [young[index]],
      )
    }
    await dispatcher.stop()
  })

  test('are kept for ever where no number of days is set', async () => {
    const environment = await openNewEnvironment(salus)
    const id = await environment.raise()
    salus.clock.advance(10_000 * DAY_SECONDS)
    await expire(0)
    assert.deepEqual(await rowsOf(id), [1, 0, 0])
    await expire(1)
    assert.deepEqual(await rowsOf(id), [0, 0, 0])
  })

  test('are removed however many there are, unless the process must stop', async () => {
    const environment = await openNewEnvironment(salus)
    await environment.raise()
    const { pool } = salus.database
    await pool.query(
      `insert into events (environment_id, id, event_type, body, body_bytes, created_at)
      select environment_id, left(id, 20) || lpad(number::text, 10, '0'), event_type, body,
        body_bytes, created_at
      from events, generate_series(1, 2500) as number where environment_id = $1`,
      [environment.environmentId],
    )
    const count = async (): Promise<number> => {
      const text = 'select count(*) from events where environment_id = $1'
      return (await pool.query(text, [environment.environmentId])).rows[0].count
    }
    salus.clock.advance(2 * DAY_SECONDS)
    await expire(1, AbortSignal.abort())
    assert.equal(await count(), 2_501)
    await expire(1)
    assert.equal(await count(), 0)
  })
})
