import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { newId } from '../../platform/ids.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { untilAttempts, untilStatus } from '../testing/deliver.ts'
import { openMessageSink } from '../testing/message-sink.ts'
import { untilReadable } from '../testing/stream-reader.ts'
import { until } from '../testing/until.ts'
import { openNewPlace, openPlace, type WebhookPlace } from '../testing/webhook-place.ts'
import { expireEvents } from './recovery.ts'

const DAY = 86_400

let salus: Harness
before(async () => {
  salus = await createHarness({ webhooksAllowHttp: true, webhooksAllowPrivate: true })
  await salus.startJobs()
})
after(() => salus?.close())

async function work(task: string): Promise<void> {
  await addJob(salus.database.db, { task, payload: {} })
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

async function openDelivered(context: TestContext, place: WebhookPlace) {
  const sink = await openMessageSink(context)
  const webhook = await place.makeWebhook({ url: sink.url })
  context.after(() => place.succeed('DELETE', `/webhook/${webhook.id}`))
  return { sink, webhook }
}

describe('the events of an erased person', () => {
  const eraseAfterGrace = async (userId: string): Promise<void> => {
    const { status } = await salus.call('DELETE', `/v2/user/${userId}`)
    assert.equal(status, 200)
    salus.clock.advance(8 * DAY)
    await work('erase_deleted_users')
  }

  async function upload(userId: string): Promise<void> {
    const data = [{ value: 5, unit: 'count', start_date: '2026-02-10T08:00:00Z' }]
    const body = { stage: 'daily', provider: 'manual', data }
    const answer = await salus.call('POST', `/v2/timeseries/${userId}/steps`, body)
    assert.equal(answer.status, 200, answer.text)
  }

  const idsAbout = async (place: WebhookPlace, userId: string): Promise<string[]> => {
    const { data } = await place.succeed('GET', `/event?user_id=${userId}`)
    return data.map(({ id }: { id: string }) => id)
  }

  test('are gone with deliveries and attempts, and those of others stay', async (context) => {
    const place = await openPlace(salus)
    await openDelivered(context, place)
    const dispatcher = salus.startWebhooks()
    const [erased, kept] = [await salus.makeUser('manual'), await salus.makeUser('manual')]
    for (const userId of [erased, kept]) await upload(userId)
    const [gone, others] = [await idsAbout(place, erased), await idsAbout(place, kept)]
    assert.deepEqual([gone.length, others.length], [2, 2])
    for (const id of [...gone, ...others]) await untilStatus(place, id, 'delivered')
    await eraseAfterGrace(erased)
    assert.deepEqual(await idsAbout(place, erased), [])
    for (const id of gone) {
      assert.deepEqual(await rowsOf(id), [0, 0, 0])
      assert.equal((await place.call('GET', `/event/${id}`)).status, 404)
    }
    for (const id of others) assert.deepEqual(await rowsOf(id), [1, 1, 1])
    await untilReadable(salus, place)
    const { text } = await place.call('GET', '/event_stream?follow=false&after=0-0')
    assert.ok(text.includes(kept) && !text.includes(erased))
    await dispatcher.stop()
  })

  test('are hidden until the grace is over, and whoever is brought back has them again', async () => {
    const place = await openPlace(salus)
    const userId = await salus.makeUser('manual')
    await upload(userId)
    const ids = await idsAbout(place, userId)
    await salus.call('DELETE', `/v2/user/${userId}`)
    await work('erase_deleted_users')
    assert.deepEqual(await idsAbout(place, userId), [])
    await salus.call('POST', `/v2/user/undo_delete?user_id=${userId}`)
    salus.clock.advance(8 * DAY)
    await work('erase_deleted_users')
    assert.deepEqual(await idsAbout(place, userId), ids)
  })

  test('are gone from what waits, and are not sent any more', async (context) => {
    const place = await openPlace(salus)
    const { sink } = await openDelivered(context, place)
    const userId = await salus.makeUser()
    const pending = await place.raise({ userId })
    await place.dispatch()
    const waiting = await place.raise({ userId })
    await eraseAfterGrace(userId)
    const dispatcher = salus.startWebhooks()
    const next = await place.raise()
    await untilStatus(place, next, 'delivered')
    assert.ok(!sink.ids().includes(pending) && !sink.ids().includes(waiting))
    const { rows } = await salus.database.pool.query('select event_id from waiting_events')
    assert.deepEqual(rows, [])
    await dispatcher.stop()
  })

  test('leave nothing behind when one is on its way meanwhile', async (context) => {
    const place = await openPlace(salus)
    const { sink } = await openDelivered(context, place)
    const dispatcher = salus.startWebhooks()
    const { promise, resolve } = Promise.withResolvers<number>()
    sink.answer = () => promise
    const userId = await salus.makeUser()
    const id = await place.raise({ userId })
    await until('it is on its way', () => sink.messages.length > 0)
    await eraseAfterGrace(userId)
    resolve(200)
    const next = await place.raise()
    await untilStatus(place, next, 'delivered')
    assert.deepEqual(await rowsOf(id), [0, 0, 0])
    await dispatcher.stop()
  })
})

describe('old events', () => {
  const expire = (days: number, signal = new AbortController().signal) =>
    expireEvents({ db: salus.database.db, clock: salus.clock }, days, signal)

  test('are removed in every environment, with all that hangs on them', async (context) => {
    const { id: teamId } = await salus.makeTeam()
    const places = [
      await openPlace(salus, { teamId }),
      await openPlace(salus, { teamId, env: 'production' }),
      await openNewPlace(salus),
    ]
    const dispatcher = salus.startWebhooks()
    const old: string[] = []
    for (const place of places) {
      await openDelivered(context, place)
      old.push(await place.raise({ userId: newId() }))
      await untilAttempts(place, old.at(-1) ?? '', 1)
    }
    salus.clock.advance(1)
    const young: string[] = []
    for (const place of places) {
      young.push(await place.raise())
      await untilAttempts(place, young.at(-1) ?? '', 1)
    }
    salus.clock.advance(90 * DAY)
    await work('expire_events')
    for (const id of old) assert.deepEqual(await rowsOf(id), [0, 0, 0])
    for (const id of young) assert.deepEqual(await rowsOf(id), [1, 1, 1])
    for (const [index, place] of places.entries()) {
      const { data } = await place.succeed('GET', '/event')
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [young[index]],
      )
    }
    await dispatcher.stop()
  })

  test('are kept for ever where no number of days is set', async () => {
    const place = await openNewPlace(salus)
    const id = await place.raise()
    salus.clock.advance(10_000 * DAY)
    await expire(0)
    assert.deepEqual(await rowsOf(id), [1, 0, 0])
    await expire(1)
    assert.deepEqual(await rowsOf(id), [0, 0, 0])
  })

  test('are removed however many there are, unless the process must stop', async () => {
    const place = await openNewPlace(salus)
    await place.raise()
    const { pool } = salus.database
    await pool.query(
      `insert into events (environment_id, id, event_type, body, body_bytes, created_at)
      select environment_id, left(id, 20) || lpad(number::text, 10, '0'), event_type, body,
        body_bytes, created_at
      from events, generate_series(1, 2500) as number where environment_id = $1`,
      [place.environmentId],
    )
    const count = async (): Promise<number> => {
      const text = 'select count(*) from events where environment_id = $1'
      return (await pool.query(text, [place.environmentId])).rows[0].count
    }
    salus.clock.advance(2 * DAY)
    await expire(1, AbortSignal.abort())
    assert.equal(await count(), 2_501)
    await expire(1)
    assert.equal(await count(), 0)
  })
})
