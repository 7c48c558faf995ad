import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProviderEmulator } from './emulator.ts'
import { listPushAddresses } from './push-addresses.ts'
import { State } from './state/state.ts'
import { createMemoryStore } from './state/state-store.ts'

test('the console of a vendor keeps one address of messages for each app', async (t) => {
  const clock = { now: () => new Date('2026-03-01T00:00:00Z') }
  const store = createMemoryStore()
  const emulator = new ProviderEmulator({ clock, store })
  t.after(() => emulator.close())
  const enter = async (body: object) => {
    const url = '/sandbox/providers/oura/console/push_address'
    const answer = await emulator.app.inject({ method: 'PUT', url, payload: body })
    return answer.statusCode
  }
  const entry = (client_id: string, callback_url: string) => ({
    client_id,
    client_secret: 'secret',
    callback_url,
  })
  assert.equal(await enter(entry('one', 'https://old.example')), 204)
  assert.equal(await enter(entry('one', 'https://new.example')), 204)
  assert.equal(await enter(entry('other', 'https://other.example')), 204)
  assert.equal(await enter({ client_id: 'one' }), 400)
  const state = new State(store, clock)
  const addresses = await listPushAddresses({ slug: 'oura', state })
  assert.deepEqual(
    addresses.map(({ clientId, callbackUrl }) => [clientId, callbackUrl]),
    [
      ['one', 'https://new.example'],
      ['other', 'https://other.example'],
    ],
  )
  assert.deepEqual(await listPushAddresses({ slug: 'polar', state }), [])
})
