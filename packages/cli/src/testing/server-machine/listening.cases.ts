import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '@salus/sdk/webhooks'
import type { FeedEvent } from '../../webhooks/webhook-feed.ts'
import { makeSecret } from '../../webhooks/webhook-forwarding.ts'
import { createEventSource, until } from '../event-source.ts'
import { type ReceivedMessage, startReceiver } from '../local-server.ts'
import type { TestServer } from '../salus-process.ts'
import type { MachineFixture } from './machine-fixture.ts'

/**
 * A first start loads diagnosis codes in one transaction, behind which the feed of events waits.
 */
async function untilCodesAreLoaded(server: TestServer): Promise<void> {
  const url = `${server.url}/v3/insurance/search/diagnosis?diagnosis_query=E11`
  const headers = { 'x-service-api-key': server.keys.api_key }
  while ((await fetch(url, { headers })).status === 503) await sleep(200)
}

const idsOf = (messages: ReceivedMessage[]) => messages.map(({ headers }) => headers['webhook-id'])

export function testListening(fixture: MachineFixture): void {
  test('salus webhooks listen loses and repeats nothing when the server is killed and comes back', async (t) => {
    const { server } = fixture
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    await untilCodesAreLoaded(server)
    const source = await createEventSource(server)
    const secret = makeSecret()
    const target = ['--forward', receiver.url, '--secret', secret]
    const listening = await source.listen(t, '--after', '0-0', '--json', ...target)
    for (let count = 0; count < 3; count++) await source.uploadSample()
    await until(() => listening.lines().length >= 3)
    for (let count = 0; count < 3; count++) await source.uploadSample()
    await server.kill()
    await until(() => listening.output.stderr.includes('Retrying.'))
    await server.startAgain()
    for (let count = 0; count < 3; count++) await source.uploadSample()
    const isAll = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).length === source.uploads() + 1
    const list = await source.salus('webhooks', 'events', '--json', '--limit', '300')
    assert.ok(isAll(list), 'every upload and the connection raised an event')
    await until(() => receiver.messages.length >= source.uploads() + 1)
    const { stderr } = await listening.end()
    const events = listening.lines().map((line) => JSON.parse(line) as FeedEvent)
    const ids = JSON.parse(list.stdout).map(({ id }: { id: string }) => id)
    assert.deepEqual(events.map(({ id }) => id).sort(), ids.toSorted())
    assert.deepEqual(idsOf(receiver.messages).sort(), ids.toSorted())
    for (const { body, headers } of receiver.messages) verifyWebhook(body, headers, secret)
    assert.match(stderr, /^Reconnected, after position \S+\.$/m)
  })
}
