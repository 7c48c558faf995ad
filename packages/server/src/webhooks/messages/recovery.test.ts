import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@salus/kernel/ids'
import { changeSettings } from '../../../test/stored-events.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import { deliveryOf, untilAttempts, untilStatus } from '../../../test/webhooks/deliver.ts'
import { openMessageSink } from '../../../test/webhooks/message-sink.ts'
import { until } from '../../../test/webhooks/until.ts'
import {
  createWebhookHarness,
  HEARTRATE,
  openEnvironment,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'

const salus = useFixture(createWebhookHarness)

/** Asks to recover a webhook, and waits until the job has done so. */
async function recover(
  environment: WebhookEnvironment,
  webhookId: string,
  body: object,
): Promise<void> {
  const answer = await environment.call('POST', `/webhook/${webhookId}/recover`, body)
  assert.deepEqual([answer.status, answer.body], [200, { success: true }])
  await until('the job was done', async () => (await countJobs()) === 0)
}

async function countJobs(): Promise<number> {
  const { rows } = await salus.database.pool.query('select count(*) from graphile_worker.jobs')
  return rows[0].count
}

const setDisabled = (environment: WebhookEnvironment, webhookId: string, disabled: boolean) =>
  environment.succeed('PATCH', `/webhook/${webhookId}`, { disabled })

const secondsFromNow = (seconds: number): string =>
  new Date(salus.clock.now().getTime() + seconds * 1_000).toISOString()

const EVER = { since: '2026-01-01' }

test('recovery is a job: nothing happens before one works on it', async () => {
  const environment = await openNewEnvironment(salus)
  const id = await environment.raise()
  await environment.dispatch()
  const { id: webhookId } = await environment.makeWebhook()
  await environment.succeed('POST', `/webhook/${webhookId}/recover`, EVER)
  assert.equal(await deliveryOf(environment, id), undefined)
  await salus.startJobs()
  await untilStatus(environment, id, 'pending')
  await until('the job was done', async () => (await countJobs()) === 0)
})

describe('a recovery chooses', () => {
  /** Which of some events, raised one minute apart before the webhook was made, became due. */
  async function chosen(
    environment: WebhookEnvironment,
    webhookId: string,
    ids: string[],
    body: object,
  ) {
    await recover(environment, webhookId, body)
    const deliveries = await Promise.all(ids.map((id) => deliveryOf(environment, id, webhookId)))
    return ids.map((_, index) => index).filter((index) => deliveries[index] !== undefined)
  }

  async function makeThree(environment: WebhookEnvironment): Promise<string[]> {
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      ids.push(await environment.raise())
      salus.clock.advance(60)
    }
    await environment.dispatch()
    return ids
  }

  test('events since a time, that one included', async () => {
    const environment = await openNewEnvironment(salus)
    const ids = await makeThree(environment)
    const { id } = await environment.makeWebhook()
    assert.deepEqual(await chosen(environment, id, ids, { since: secondsFromNow(-60) }), [2])
    assert.deepEqual(await chosen(environment, id, ids, { since: secondsFromNow(-119) }), [2])
    assert.deepEqual(await chosen(environment, id, ids, { since: secondsFromNow(-120) }), [1, 2])
    assert.deepEqual(await chosen(environment, id, ids, { since: '2026-01-01' }), [0, 1, 2])
  })

  test('events until a time, that one included', async () => {
    const environment = await openNewEnvironment(salus)
    const ids = await makeThree(environment)
    const { id } = await environment.makeWebhook()
    const first = { ...EVER, until: secondsFromNow(-180) }
    assert.deepEqual(await chosen(environment, id, ids, first), [0])
    const middle = { since: secondsFromNow(-150), until: secondsFromNow(-90) }
    assert.deepEqual(await chosen(environment, id, ids, middle), [0, 1])
    assert.deepEqual(await chosen(environment, id, ids, { ...EVER, until: null }), [0, 1, 2])
  })

  test('what the webhook wants, and nothing that was meant for others', async () => {
    const environment = await openEnvironment(salus)
    const other = await environment.makeWebhook({ disabled: true })
    const { id } = await environment.makeWebhook({ disabled: true, filter_types: ['daily.*'] })
    await changeSettings(salus, { event_type_prefixes: ['historical.'] })
    const leftOut = await environment.raise()
    await changeSettings(salus, { event_type_prefixes: null })
    const ids = [
      leftOut,
      await environment.raise({ type: HEARTRATE }),
      await environment.raise({ type: 'historical.data.steps.created' }),
      await environment.raise({ onlyEndpointId: other.id }),
      await environment.raise({ exceptEndpointId: id }),
      await environment.raise({ exceptEndpointId: other.id }),
    ]
    await environment.dispatch()
    await setDisabled(environment, id, false)
    assert.deepEqual(await chosen(environment, id, ids, EVER), [1, 5])
    const untouched = await Promise.all(ids.map((one) => deliveryOf(environment, one, other.id)))
    assert.deepEqual(new Set(untouched), new Set([undefined]))
  })

  test('nothing of other environments, and not what is about to be sent anyway', async () => {
    const [environment, elsewhere] = [
      await openNewEnvironment(salus),
      await openNewEnvironment(salus),
    ]
    const foreign = await elsewhere.raise()
    await environment.dispatch()
    const { id } = await environment.makeWebhook()
    const waiting = await environment.raise()
    assert.deepEqual(await chosen(environment, id, [waiting], EVER), [])
    assert.equal(await deliveryOf(elsewhere, foreign), undefined)
  })

  test('more events than are looked at in one go', async () => {
    const environment = await openNewEnvironment(salus)
    await environment.raise()
    await environment.dispatch()
    const { pool } = salus.database
    // 2,500 more in one second, as an import would raise them.
    await pool.query(
      `insert into events (environment_id, id, event_type, body, body_bytes, created_at)
      select environment_id, left(id, 20) || lpad(number::text, 10, '0'), event_type, body,
        body_bytes, created_at
      from events, generate_series(1, 2500) as number where environment_id = $1`,
      [environment.environmentId],
    )
    const { id } = await environment.makeWebhook()
    await recover(environment, id, EVER)
    const { rows } = await pool.query(
      'select count(*) from webhook_deliveries where endpoint_id = $1',
      [id],
    )
    assert.equal(rows[0].count, 2_501)
  })
})

describe('a recovery sends', () => {
  test('what never came through, and what did not again', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    const dispatcher = salus.startWebhooks()
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    const delivered = await environment.raise()
    await untilStatus(environment, delivered, 'delivered')
    sink.answer = () => 500
    const cancelled = await environment.raise()
    await untilAttempts(environment, cancelled, 1)
    await setDisabled(environment, webhookId, true)
    const missed = await environment.raise()
    await dispatcher.poll()
    await setDisabled(environment, webhookId, false)
    const from = sink.messages.length
    sink.answer = () => 200
    await recover(environment, webhookId, EVER)
    await untilStatus(environment, cancelled, 'delivered')
    await untilStatus(environment, missed, 'delivered')
    assert.deepEqual(sink.ids().slice(from).toSorted(), [cancelled, missed].toSorted())
    // Run again, it finds nothing.
    await recover(environment, webhookId, EVER)
    await dispatcher.poll()
    await sleep(100)
    assert.equal(sink.messages.length, from + 2)
    await dispatcher.stop()
  })

  test('what was never tried in the order in which it happened', async (context) => {
    const environment = await openNewEnvironment(salus)
    const sink = await openMessageSink(context)
    // The first message takes the longest, so that a later one could overtake it.
    sink.answer = () =>
      new Promise((resolve) => setTimeout(resolve, 60 / sink.messages.length, 200))
    const people = [newId(), newId(), null]
    const order = new Map<string | null, string[]>(people.map((person) => [person, []]))
    for (let count = 0; count < 24; count += 1) {
      const userId = people[count % 3] ?? null
      const type = count % 2 === 0 ? STEPS : HEARTRATE
      order.get(userId)?.push(await environment.raise({ userId, type }))
    }
    await environment.dispatch()
    const { id: webhookId } = await environment.makeWebhook({ url: sink.url })
    await recover(environment, webhookId, EVER)
    const dispatcher = salus.startWebhooks()
    await until('all came', () => sink.messages.length === 24)
    for (const [person, ids] of order) {
      const came = sink.ids().filter((id) => ids.includes(id))
      assert.deepEqual(came, ids, `about ${person}`)
    }
    await dispatcher.stop()
  })
})

test('a recovery is refused for a disabled webhook, and without a proper time', async () => {
  const environment = await openNewEnvironment(salus)
  const { id } = await environment.makeWebhook({ disabled: true })
  const path = `/webhook/${id}/recover`
  const disabled = await environment.call('POST', path, EVER)
  assert.deepEqual([disabled.status, disabled.body.detail.error_type], [400, 'webhook_disabled'])
  await setDisabled(environment, id, false)
  const turned = await environment.call('POST', path, { since: '2026-03-02', until: '2026-03-01' })
  assert.deepEqual([turned.status, turned.body.detail.error_type], [400, 'invalid_date_range'])
  const future = await environment.call('POST', path, { since: secondsFromNow(60) })
  assert.deepEqual([future.status, future.body.detail.error_type], [400, 'invalid_date_range'])
  const missing = await environment.call('POST', path, {})
  assert.deepEqual(missing.body.detail[0].loc, ['body', 'since'])
  for (const since of ['yesterday', '2026-02-30', 5, null]) {
    const { status, body } = await environment.call('POST', path, { since })
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'since']])
  }
  const { status, body } = await environment.call('POST', path, { ...EVER, until: 'tomorrow' })
  assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'until']])
  assert.equal(await countJobs(), 0)
})
