import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../../../test/harness.ts'
import { changeSettings } from '../../../test/stored-events.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import {
  HEARTRATE,
  openEnvironment,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import type { EventDetail } from './messages.schema.ts'

const salus = useFixture(createHarness)

const UNKNOWN = `msg_${'0'.repeat(26)}`

/** Webhooks that did not get an event, with the reason. */
async function notSentTo(
  environment: WebhookEnvironment,
  eventId: string,
): Promise<Record<string, string>> {
  const { not_sent_to: found }: EventDetail = await environment.succeed('GET', `/event/${eventId}`)
  return Object.fromEntries(found.map(({ webhook_id: id, reason }) => [id, reason]))
}

describe('an event', () => {
  test('is shown with the payload as it is sent', async () => {
    const environment = await openNewEnvironment(salus)
    const userId = newId()
    const data = { note: 'a "quoted" ä € 🏃', values: [1, 2.5, null] }
    const ids = [await environment.raise({ userId, data }), await environment.raise({ data: {} })]
    const [about, plain] = [
      await environment.succeed('GET', `/event/${ids[0]}`),
      await environment.succeed('GET', `/event/${ids[1]}`),
    ]
    const [, , , , , teamId] = environment.base.split('/')
    assert.deepEqual(about.payload, {
      event_type: STEPS,
      data,
      user_id: userId,
      client_user_id: 'theirs',
      team_id: teamId,
    })
    assert.deepEqual(plain.payload, { event_type: STEPS, data: {}, team_id: teamId })
    assert.deepEqual([about.user_id, plain.user_id], [userId, null])
  })

  test('is shown with its payload also where that is stored compressed', async () => {
    const environment = await openNewEnvironment(salus)
    const data = { values: Array.from({ length: 5_000 }, (_, index) => index) }
    const id = await environment.raise({ data })
    assert.deepEqual((await environment.succeed('GET', `/event/${id}`)).payload.data, data)
  })

  test('has a delivery for each webhook that wants it, in the order of these', async () => {
    const environment = await openNewEnvironment(salus)
    const webhooks: string[] = []
    for (let count = 0; count < 3; count += 1) {
      webhooks.push((await environment.makeWebhook()).id)
      salus.clock.advance(1)
    }
    const id = await environment.raise()
    const before = await environment.succeed('GET', `/event/${id}`)
    assert.deepEqual(
      [before.is_dispatched, before.deliveries, before.not_sent_to],
      [false, [], []],
      'nothing is decided yet',
    )
    await environment.dispatch()
    const { is_dispatched: isDispatched, deliveries } = await environment.succeed(
      'GET',
      `/event/${id}`,
    )
    assert.equal(isDispatched, true)
    const expected = { status: 'pending', attempts: 0, next_attempt_at: null }
    assert.deepEqual(
      deliveries,
      webhooks.map((webhook_id) => ({ webhook_id, ...expected })),
    )
  })

  test('that is unknown is 404, with its attempts', async () => {
    const environment = await openNewEnvironment(salus)
    for (const path of [`/event/${UNKNOWN}`, `/event/${UNKNOWN}/attempt`]) {
      const { status, body } = await environment.call('GET', path)
      assert.deepEqual([status, body], [404, { detail: 'Event not found.' }])
    }
  })

  test('whose id is none is refused', async () => {
    const environment = await openNewEnvironment(salus)
    for (const id of ['msg_', UNKNOWN.toUpperCase(), `${UNKNOWN}0`, `msg_${'U'.repeat(26)}`]) {
      assert.equal((await environment.call('GET', `/event/${id}`)).status, 422, id)
    }
  })
})

describe('a webhook did not get an event', () => {
  test('because it is not subscribed, by its filter of today', async () => {
    const environment = await openNewEnvironment(salus)
    await environment.makeWebhook()
    const { id } = await environment.makeWebhook({ filter_types: [HEARTRATE] })
    const eventId = await environment.raise()
    await environment.dispatch()
    assert.deepEqual(await notSentTo(environment, eventId), { [id]: 'not_subscribed' })
    await environment.succeed('PATCH', `/webhook/${id}`, { filter_types: null })
    assert.deepEqual(await notSentTo(environment, eventId), { [id]: 'not_subscribed' })
  })

  test('because it is disabled', async () => {
    const environment = await openNewEnvironment(salus)
    await environment.makeWebhook()
    const { id } = await environment.makeWebhook({ disabled: true })
    const eventId = await environment.raise()
    await environment.dispatch()
    assert.deepEqual(await notSentTo(environment, eventId), { [id]: 'disabled' })
  })

  test('because it was made later', async () => {
    const environment = await openNewEnvironment(salus)
    const eventId = await environment.raise()
    await environment.dispatch()
    salus.clock.advance(1)
    const { id } = await environment.makeWebhook()
    assert.deepEqual(await notSentTo(environment, eventId), { [id]: 'created_later' })
  })

  test('because the event is for another one, or for all others', async () => {
    const environment = await openNewEnvironment(salus)
    const [first, second] = [await environment.makeWebhook(), await environment.makeWebhook()]
    const only = await environment.raise({ onlyEndpointId: first.id })
    const except = await environment.raise({ exceptEndpointId: first.id })
    await environment.dispatch()
    assert.deepEqual(await notSentTo(environment, only), { [second.id]: 'left_out' })
    assert.deepEqual(await notSentTo(environment, except), { [first.id]: 'left_out' })
  })

  test('because the prefixes of the team left it out', async () => {
    const environment = await openEnvironment(salus)
    const { id } = await environment.makeWebhook()
    await changeSettings(salus, { event_type_prefixes: ['historical.'] })
    const eventId = await environment.raise()
    await changeSettings(salus, { event_type_prefixes: null })
    await environment.dispatch()
    assert.deepEqual(await notSentTo(environment, eventId), { [id]: 'left_out' })
    const found = await environment.succeed('GET', `/event/${eventId}`)
    assert.deepEqual([found.unsent_reason, found.deliveries], ['event_type_prefixes', []])
    assert.match(found.unsent_explanation, /event_type_prefixes/)
  })

  test('and is not mentioned any more once it was removed', async () => {
    const environment = await openNewEnvironment(salus)
    const { id } = await environment.makeWebhook({ disabled: true })
    const eventId = await environment.raise()
    await environment.dispatch()
    await environment.succeed('DELETE', `/webhook/${id}`)
    assert.deepEqual(await notSentTo(environment, eventId), {})
  })
})

test('the event types are listed with their shape, meaning and example', async () => {
  const environment = await openNewEnvironment(salus)
  const { data } = await environment.succeed('GET', '/event_type')
  const steps = data.find(({ name }: { name: string }) => name === STEPS)
  assert.deepEqual(Object.keys(steps), ['name', 'meaning', 'is_about_user', 'schema', 'example'])
  assert.equal(steps.is_about_user, true)
  assert.equal(steps.schema.type, 'object')
  for (const { name, meaning } of data) assert.match(meaning, /^[A-Z].*\.$/, name)
  const about = data.filter((type: { is_about_user: boolean }) => !type.is_about_user)
  assert.deepEqual(
    about.map(({ name }: { name: string }) => name),
    [
      'task.created',
      'task.updated',
      'task.acknowledged',
      'task.escalated',
      'task.completed',
      'task.cancelled',
      'labtest.match_review.created',
      'labtest.match_review.updated',
      'labtest.connection.alert',
      'message.attempt.exhausted',
    ],
  )
})
