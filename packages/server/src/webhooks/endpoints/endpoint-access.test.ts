import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../test/harness.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import { untilReadable } from '../../../test/webhooks/stream-reader.ts'
import {
  openEnvironment,
  openNewEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'

const salus = useFixture(createHarness)

type Request = [method: string, path: string, body?: object]

/** A request for every path that names a webhook, an event or both. */
const requestsFor = (webhookId: string, eventId: string): Request[] => [
  ['GET', `/webhook/${webhookId}`],
  ['PATCH', `/webhook/${webhookId}`, { description: 'Theirs' }],
  ['GET', `/webhook/${webhookId}/headers`],
  ['PUT', `/webhook/${webhookId}/headers`, { headers: {} }],
  ['GET', `/webhook/${webhookId}/secret`],
  ['POST', `/webhook/${webhookId}/secret/rotate`, {}],
  ['GET', `/webhook/${webhookId}/attempt`],
  ['POST', `/webhook/${webhookId}/event/${eventId}/resend`],
  ['POST', `/webhook/${webhookId}/recover`, { since: '2026-01-01' }],
  ['POST', `/webhook/${webhookId}/send_example`, { event_type: STEPS }],
  ['DELETE', `/webhook/${webhookId}`],
]

const LISTS = ['/webhook', '/event', '/event_type', '/event_stream?follow=false']

async function makeTeamAdmin(teamIds: string[]): Promise<string> {
  const team_role_bindings = teamIds.map((team_id) => ({ team_id }))
  const body = { label: 'Bound', role: 'team_admin', team_role_bindings }
  const url = `/v1/org/${salus.organizationId}/management_key`
  const answer = await salus.call('POST', url, body, { 'x-management-key': salus.managementKey })
  return answer.body.key
}

describe('a team_admin key', () => {
  test('does everything in the teams that it is bound to', async () => {
    const { id: teamId } = await salus.makeTeam()
    const environment = await openEnvironment(salus, { teamId })
    const key = await makeTeamAdmin([teamId])
    for (const path of LISTS)
      assert.equal((await environment.call('GET', path, undefined, key)).status, 200)
    const { id } = await environment.makeWebhook()
    const eventId = await environment.raise()
    await environment.dispatch()
    for (const [method, path, body] of requestsFor(id, eventId)) {
      const { status } = await environment.call(method, path, body, key)
      assert.ok(status === 200 || status === 204, `${method} ${path}: ${status}`)
    }
  })

  test('finds nothing in others', async () => {
    const { id: own } = await salus.makeTeam()
    const environment = await openNewEnvironment(salus)
    const key = await makeTeamAdmin([own])
    const made = await environment.makeWebhook()
    const eventId = await environment.raise()
    await environment.dispatch()
    const events: Request[] = [
      ['GET', `/event/${eventId}`],
      ['GET', `/event/${eventId}/attempt`],
      ['POST', '/webhook', { url: made.url }],
    ]
    const lists = LISTS.map((path): Request => ['GET', path])
    for (const [method, path, body] of [...lists, ...events, ...requestsFor(made.id, eventId)]) {
      const answer = await environment.call(method, path, body, key)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Team not found.' }], path)
    }
    assert.deepEqual((await environment.succeed('GET', '/webhook')).data, [made])
  })
})

test('without a management key, or with a team key alone, there is no access', async () => {
  const environment = await openNewEnvironment(salus)
  for (const path of LISTS) {
    assert.equal((await salus.call('GET', `${environment.base}${path}`)).status, 401)
    const unknown = await environment.call('GET', path, undefined, 'not a key')
    assert.equal(unknown.status, 401)
  }
})

describe('sandbox and production', () => {
  let sandbox: WebhookEnvironment
  let production: WebhookEnvironment
  before(async () => {
    const { id: teamId } = await salus.makeTeam()
    sandbox = await openEnvironment(salus, { teamId })
    production = await openEnvironment(salus, { teamId, env: 'production' })
  })

  test('share no webhooks and no events', async () => {
    const made = await sandbox.makeWebhook()
    const other = await production.makeWebhook()
    const [eventId, otherEventId] = [await sandbox.raise(), await production.raise()]
    await sandbox.dispatch()
    assert.deepEqual((await sandbox.succeed('GET', '/webhook')).data, [made])
    assert.deepEqual((await production.succeed('GET', '/webhook')).data, [other])
    for (const [environment, id, webhookId] of [
      [sandbox, eventId, made.id],
      [production, otherEventId, other.id],
    ] as const) {
      const { data } = await environment.succeed('GET', '/event')
      assert.deepEqual(
        data.map((event: { id: string; deliveries: { webhook_id: string }[] }) => [
          event.id,
          event.deliveries.map((delivery) => delivery.webhook_id),
        ]),
        [[id, [webhookId]]],
      )
      await untilReadable(salus, environment)
      const { text } = await environment.call('GET', '/event_stream?follow=false&after=0-0')
      assert.equal(text.match(/event: message/g)?.length, 1)
      assert.ok(text.includes(id))
    }
  })

  test('do not find what is of the other one', async () => {
    const { data } = await sandbox.succeed('GET', '/event')
    const [webhook] = (await sandbox.succeed('GET', '/webhook')).data
    const eventId = data[0].id
    for (const [method, path, body] of requestsFor(webhook.id, eventId)) {
      const answer = await production.call(method, path, body)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Webhook not found.' }], path)
    }
    const [own] = (await production.succeed('GET', '/webhook')).data
    const crossed = [
      await production.call('GET', `/event/${eventId}`),
      await production.call('GET', `/event/${eventId}/attempt`),
      await production.call('POST', `/webhook/${own.id}/event/${eventId}/resend`),
    ]
    for (const { status, body } of crossed) {
      assert.deepEqual([status, body], [404, { detail: 'Event not found.' }])
    }
    assert.deepEqual((await sandbox.succeed('GET', '/webhook')).data, [webhook])
  })
})

describe('a removed webhook', () => {
  test('is gone from every path, at once and for good', async () => {
    const environment = await openNewEnvironment(salus)
    const kept = await environment.makeWebhook()
    const { id } = await environment.makeWebhook()
    const eventId = await environment.raise()
    await environment.dispatch()
    const answer = await environment.call('DELETE', `/webhook/${id}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual((await environment.succeed('GET', '/webhook')).data, [kept])
    for (const [method, path, body] of requestsFor(id, eventId)) {
      const { status, body: found } = await environment.call(method, path, body)
      assert.deepEqual([status, found], [404, { detail: 'Webhook not found.' }], path)
    }
  })

  test('gets nothing more, and what waited for it is cancelled', async () => {
    const environment = await openNewEnvironment(salus)
    const { id } = await environment.makeWebhook()
    const before = await environment.raise()
    await environment.dispatch()
    await environment.succeed('DELETE', `/webhook/${id}`)
    const afterwards = await environment.raise()
    await environment.dispatch()
    const { deliveries, not_sent_to: others } = await environment.succeed('GET', `/event/${before}`)
    assert.deepEqual([deliveries[0].status, others], ['cancelled', []])
    const later = await environment.succeed('GET', `/event/${afterwards}`)
    assert.deepEqual(
      [later.deliveries, later.not_sent_to, later.unsent_reason],
      [[], [], 'no_endpoint'],
    )
  })
})
