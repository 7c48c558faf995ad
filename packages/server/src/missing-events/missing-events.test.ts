import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Body, createOrdersFixture } from '../../test/orders/orders-fixture.ts'
import { changeSettings } from '../../test/stored-events.ts'
import { useFixture } from '../../test/use-fixture.ts'
import {
  openEnvironment,
  type WebhookEnvironment,
} from '../../test/webhooks/webhook-environment.ts'

const fixture = useFixture(createOrdersFixture)
let environment: WebhookEnvironment

before(async () => {
  environment = await openEnvironment(fixture.harness)
})

const explain = (userId: string, eventType: string): Promise<Body> =>
  environment.succeed('GET', `/event_explanation?user_id=${userId}&event_type=${eventType}`)

async function codesOf(userId: string, eventType: string): Promise<string[]> {
  const { reasons } = await explain(userId, eventType)
  return reasons.map(({ code }: Body) => code)
}

const STEPS = 'daily.data.steps.created'
const sendSteps = (userId: string, start: string) =>
  fixture.harness.call('POST', `/v2/timeseries/${userId}/steps`, {
    stage: 'daily',
    provider: 'health_connect',
    data: [{ value: 12, unit: 'count', start_date: start, end_date: start }],
  })

describe('of health data', () => {
  test('a user without a connection gets this reason, and that no webhook would get the event', async () => {
    const userId = await fixture.harness.makeUser()
    const { last_event, reasons, events_since } = await explain(userId, STEPS)
    assert.equal(last_event, null)
    assert.match(events_since, /^\d{4}-/)
    assert.deepEqual(
      reasons.map(({ code }: Body) => code),
      ['no_connection', 'nothing_came', 'no_webhook'],
    )
    assert.equal(reasons[0].explanation, 'The user has no connection.')
  })

  test('after data came there is the last event, and why there is no further one', async () => {
    const userId = await fixture.harness.makeUser('health_connect')
    assert.deepEqual(await codesOf(userId, STEPS), ['nothing_came', 'no_webhook'])
    assert.equal((await sendSteps(userId, '2026-02-20T08:00:00Z')).status, 200)
    const { last_event, reasons } = await explain(userId, STEPS)
    assert.equal(last_event.event_type, STEPS)
    assert.deepEqual(
      reasons.map(({ code, provider }: Body) => [code, provider]),
      [
        ['unchanged', 'health_connect'],
        ['no_webhook', null],
      ],
    )
    const updated = 'daily.data.steps.updated'
    assert.deepEqual(await codesOf(userId, updated), ['never_changed', 'no_webhook'])
  })

  test('bounds, quarantine, and a provider that has no such resource are reported', async () => {
    const userId = await fixture.harness.makeUser('health_connect')
    await sendSteps(userId, 'not a time')
    await fixture.harness.call('PATCH', `/v2/user/${userId}`, { ingestion_start: '2026-01-01' })
    assert.deepEqual(await codesOf(userId, STEPS), [
      'outside_bounds',
      'nothing_came',
      'quarantined',
      'no_webhook',
    ])
    const never = 'daily.data.electrocardiogram_voltage.created'
    assert.equal((await codesOf(userId, never))[0], 'resource_not_offered')
    const history = 'historical.data.steps.created'
    assert.ok((await codesOf(userId, history)).includes('no_history'))
  })

  test('connections and devices have their own reasons', async () => {
    const emptyUser = await fixture.harness.makeUser()
    const connected = await fixture.harness.makeUser('health_connect')
    const created = 'provider.connection.created'
    assert.equal((await codesOf(emptyUser, created))[0], 'no_connection')
    assert.equal((await codesOf(connected, created))[0], 'already_connected')
    assert.equal((await codesOf(connected, 'provider.connection.error'))[0], 'no_connection_error')
    assert.equal((await codesOf(connected, 'provider.device.created'))[0], 'no_device')
  })
})

describe('of laboratories', () => {
  test('an order in a sandbox waits, first results are silent, and what never was is named', async () => {
    const emptyUser = await fixture.harness.makeUser()
    for (const [type, code] of [
      ['labtest.order.updated', 'no_order'],
      ['labtest.appointment.updated', 'no_appointment'],
      ['labtest.result.critical', 'no_order'],
      ['lab_report.parsing_job.updated', 'no_report'],
      ['labtest.match_review.created', 'not_about_person'],
    ] as const) {
      assert.equal((await codesOf(emptyUser, type))[0], code, type)
    }
    const order = await fixture.place('walk_in_test', { user_id: emptyUser })
    const { reasons } = await explain(order.user_id, 'labtest.order.updated')
    assert.deepEqual(
      reasons.slice(0, 2).map(({ code, order_id }: Body) => [code, order_id]),
      [
        ['order_waits_in_sandbox', order.id],
        ['order_unchanged', null],
      ],
    )
    const critical = await codesOf(order.user_id, 'labtest.result.critical')
    assert.equal(critical[0], 'no_critical_result')
  })
})

describe('of delivery', () => {
  test('every webhook that would not get it is named, until one does', async () => {
    const userId = await fixture.harness.makeUser('health_connect')
    const other = await environment.makeWebhook({ filter_types: ['labtest.*'] })
    const disabled = await environment.makeWebhook({ disabled: true })
    const { reasons } = await explain(userId, STEPS)
    // Both were made at the same time, so either may come first.
    const named = reasons.slice(1).map(({ code, webhook_id }: Body) => [code, webhook_id])
    assert.deepEqual(named.sort(), [
      ['webhook_disabled', disabled.id],
      ['webhook_not_subscribed', other.id],
    ])
    await changeSettings(fixture.harness, { event_type_prefixes: ['labtest.'] })
    assert.deepEqual(await codesOf(userId, STEPS), ['nothing_came', 'event_type_prefixes'])
    await changeSettings(fixture.harness, { event_type_prefixes: null })
  })

  test('types and people that there are not are refused', async () => {
    const userId = await fixture.harness.makeUser()
    const ask = (query: string) => environment.call('GET', `/event_explanation?${query}`)
    const unknown = await ask(`user_id=${userId}&event_type=daily.data.step.created`)
    assert.deepEqual([unknown.status, unknown.body.detail[0].type], [422, 'unknown_event_type'])
    const unknownUser = await ask(`user_id=${fixture.harness.teamId}&event_type=${STEPS}`)
    assert.equal(unknownUser.status, 404)
  })
})
