import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeCursor } from '@salus/kernel/http/cursor'
import { useFixture } from '../../test/use-fixture.ts'
import {
  createWebhookHarness,
  openNewEnvironment,
} from '../../test/webhooks/webhook-environment.ts'
import { buildApp } from '../app.ts'

const salus = useFixture(createWebhookHarness)

test('a change writes only what the contract names, whatever else the body holds', async () => {
  const [environment, foreign] = [await openNewEnvironment(salus), await openNewEnvironment(salus)]
  const made = await environment.makeWebhook()
  const extra = {
    environment_id: foreign.environmentId,
    deleted_at: '2026-01-01',
    foo: 1,
    secret: 'x',
  }
  for (const [name, value] of Object.entries(extra)) {
    const answer = await environment.call('PATCH', `/webhook/${made.id}`, { [name]: value })
    assert.deepEqual([answer.status, answer.body], [200, made], name)
  }
  assert.deepEqual((await foreign.succeed('GET', '/webhook')).data, [])
})

test('forged positions of lists are refused', async () => {
  const environment = await openNewEnvironment(salus)
  const { id } = await environment.makeWebhook()
  const noDay = ['2026-99-99 99:99:99+00', id]
  const ofAttempt = ['2026-01-01 00:00:00+00', `msg_${'0'.repeat(26)}`, 2 ** 40]
  const forged = [
    `/webhook?next_cursor=${encodeCursor(['webhooks', environment.environmentId], noDay)}`,
    `/webhook/${id}/attempt?next_cursor=${encodeCursor(['attempts', id, undefined, undefined], ofAttempt)}`,
  ]
  for (const path of forged) assert.equal((await environment.call('GET', path)).status, 400, path)
})

test('an event that was resent is unsent no more', async () => {
  const environment = await openNewEnvironment(salus)
  const id = await environment.raise()
  await environment.dispatch()
  const webhook = await environment.makeWebhook()
  assert.equal((await environment.succeed('GET', '/event?status=unsent')).data.length, 1)
  await environment.succeed('POST', `/webhook/${webhook.id}/event/${id}/resend`)
  assert.deepEqual((await environment.succeed('GET', '/event?status=unsent')).data, [])
  assert.equal((await environment.succeed('GET', `/event/${id}`)).unsent_reason, null)
})

test('a server closes at once under streams whose readers keep their connections', async () => {
  const environment = await openNewEnvironment(salus)
  const app = await buildApp(salus.dependencies)
  const server = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'x-management-key': salus.managementKey }
  const open = () => fetch(`${server}${environment.base}/event_stream`, { headers })
  const streams = await Promise.all(Array.from({ length: 10 }, open))
  const startedAt = performance.now()
  await Promise.race([app.close(), sleep(6_000, undefined, { ref: false })])
  const milliseconds = performance.now() - startedAt
  for (const { body } of streams) await body?.cancel()
  assert.ok(milliseconds < 2_000, `${milliseconds} ms`)
})
