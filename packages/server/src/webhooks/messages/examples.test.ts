import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { Harness } from '../../../test/harness.ts'
import { changeSettings } from '../../../test/stored-events.ts'
import { type MessageSink, openMessageSink } from '../../../test/webhooks/message-sink.ts'
import { untilReadable } from '../../../test/webhooks/stream-reader.ts'
import { until } from '../../../test/webhooks/until.ts'
import {
  createWebhookHarness,
  openEnvironment,
  STEPS,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'
import { EVENT_CATALOG } from '../event-catalog/index.ts'
import type { Webhook } from '../webhooks.schema.ts'

let salus: Harness
let environment: WebhookEnvironment
let sink: MessageSink
let webhook: Webhook
// A hook that is set within another one would end with that.
const ends: (() => Promise<void>)[] = []
before(async () => {
  salus = await createWebhookHarness()
  environment = await openEnvironment(salus)
  sink = await openMessageSink({ after: (end) => ends.push(end) })
  await environment.makeWebhook({ url: `${sink.url}/everything` })
  const filter_types = ['labtest.order.created']
  webhook = await environment.makeWebhook({ url: `${sink.url}/reserved`, filter_types })
  salus.startWebhooks()
})
after(async () => {
  await salus?.close()
  for (const end of ends) await end()
})

const sendExample = (type: unknown, webhookId = webhook.id) =>
  environment.call('POST', `/webhook/${webhookId}/send_example`, { event_type: type })

interface ListedType {
  name: string
  is_about_user: boolean
  schema: object
  example: unknown
}

describe('an example', () => {
  test('of every type comes as the type says, at that webhook alone', async () => {
    const listed: ListedType[] = (await environment.succeed('GET', '/event_type')).data
    assert.deepEqual(
      listed.map(({ name }) => name),
      EVENT_CATALOG.map(({ name }) => name),
    )
    const typeOf = new Map<string, ListedType>()
    for (const type of listed) {
      const { status, body } = await sendExample(type.name)
      assert.equal(status, 200, type.name)
      typeOf.set(body.event_id, type)
    }
    await until('all came', () => sink.messages.length >= listed.length)
    assert.deepEqual(new Set(sink.ids()), new Set(typeOf.keys()))
    assert.equal(sink.messages.length, listed.length)
    const ajv = new Ajv({ strict: false })
    addFormats.default(ajv)
    for (const { id, path, payload } of sink.messages) {
      const type = typeOf.get(id) as ListedType
      const { name, schema, example } = type
      assert.equal(path, '/reserved', name)
      assert.equal(payload.event_type, name)
      assert.deepEqual(payload.data, example)
      assert.ok(ajv.validate(schema, payload.data), `${name}: ${ajv.errorsText()}`)
      assert.equal('user_id' in payload, type.is_about_user, name)
      assert.equal('client_user_id' in payload, type.is_about_user, name)
      assert.equal(payload.team_id, salus.teamId)
    }
  })

  test('comes although the prefixes of the team leave its type out', async () => {
    await changeSettings(salus, { event_type_prefixes: ['historical.'] })
    const { body } = await sendExample(STEPS)
    await changeSettings(salus, { event_type_prefixes: null })
    await until('it came', () => sink.ids().includes(body.event_id))
  })

  test('is an event like any other, but not one of the stream', async () => {
    const { body } = await sendExample(STEPS)
    const found = await environment.succeed('GET', `/event/${body.event_id}`)
    assert.equal(found.event_type, STEPS)
    await untilReadable(salus, environment)
    const { text } = await environment.call('GET', '/event_stream?follow=false&after=0-0')
    assert.match(text, /event: ready/)
    assert.doesNotMatch(text, /event: message/)
  })

  test('of a type that is not raised is refused', async () => {
    const types = ['daily.data.step.created', 'daily.*', '']
    for (const type of types) {
      const { status, body } = await sendExample(type)
      assert.equal(status, 422, type)
      const [{ loc, type: code }] = body.detail
      assert.deepEqual([loc, code], [['body', 'event_type'], 'unknown_event_type'])
    }
    const missing = await environment.call('POST', `/webhook/${webhook.id}/send_example`, {})
    assert.deepEqual(missing.body.detail[0].loc, ['body', 'event_type'])
    assert.equal((await sendExample(5)).status, 422)
  })

  test('is not sent to a webhook that is disabled', async () => {
    const { id } = await environment.makeWebhook({ disabled: true })
    const { status, body } = await sendExample(STEPS, id)
    assert.deepEqual([status, body.detail.error_type], [400, 'webhook_disabled'])
  })
})
