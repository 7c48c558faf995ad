import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

/** The emulated Polar over HTTP. */

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const SCOPES = ['accesslink.read_all']
const BASIC = { authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}` }

async function grant(account: string): Promise<string> {
  return (await vendors.emulator.grant('polar', account, SCOPES)).access_token
}
const read = (path: string, token: string) => vendors.call('GET', `polar/api/v3/${path}`, { token })

test('serves what the truth says', async () => {
  const token = await grant('anna')
  const to = vendors.now.getTime()
  const truth = vendors.emulator.truthOf('polar', 'anna', { from: to - 20 * DAY_MS, to })
  const range = 'from=2026-02-09&to=2026-03-01'
  const all = await read('exercises?samples=true&zones=true&route=true', token)
  const starts = truth.exercises?.map((one) => (one as { start_time: string }).start_time) ?? []
  assert.deepEqual(
    all.body.filter((one: { start_time: string }) => starts.includes(one.start_time)),
    truth.exercises,
  )
  assert.ok(starts.length > 2)
  const dates = new Set(truth.sleep?.map((night) => (night as { date: string }).date))
  const { nights } = (await read('users/sleep', token)).body
  assert.deepEqual(
    nights.filter(({ date }: { date: string }) => dates.has(date)),
    truth.sleep,
  )
  const activities = await read(`users/activities?${range}&activity_zones=true`, token)
  assert.deepEqual(activities.body, truth.activities)
  const rates = await read(`users/continuous-heart-rate?${range}`, token)
  assert.deepEqual(rates.body, truth.continuous_heart_rate)
  const plain = (await read('exercises', token)).body[0]
  assert.ok(!('samples' in plain) && !('route' in plain) && !('heart_rate_zones' in plain))
  assert.equal((await read(`exercises/${plain.id}`, token)).body.id, plain.id)
  assert.equal((await read('exercises/none', token)).status, 404)
})

test('refuses ranges, people who are not registered, and tokens that ended', async () => {
  const token = await grant('anna')
  for (const range of ['from=2026-02-30', 'from=2026-01-01&to=2026-01-29', 'from=2024-01-01']) {
    assert.equal((await read(`users/activities?${range}`, token)).status, 400, range)
  }
  const whole = await read('users/activities?from=2026-01-01&to=2026-01-28', token)
  assert.equal(whole.status, 200)
  const id = vendors.emulator.accountIdOf('polar', 'anna')
  const removed = await vendors.call('DELETE', `polar/api/v3/users/${id}`, { token })
  assert.deepEqual([removed.status, removed.text], [204, ''])
  assert.equal((await read('users/sleep', token)).status, 401)
  const other = await grant('bob')
  const register = () =>
    vendors.call('POST', 'polar/api/v3/users', { token: other, json: { 'member-id': 'm' } })
  assert.equal((await register()).status, 409)
  const bob = vendors.emulator.accountIdOf('polar', 'bob')
  assert.equal(
    (await vendors.call('DELETE', `polar/api/v3/users/${id}`, { token: other })).status,
    403,
  )
  await vendors.call('DELETE', `polar/api/v3/users/${bob}`, { token: other })
  assert.equal((await register()).status, 401)
})

test('limits an app in two windows, and says so in both', async () => {
  const token = await grant('anna')
  for (let count = 0; count < 520; count++) await read('users/physical-info', token)
  const { status, headers } = await read('users/physical-info', token)
  assert.equal(status, 429)
  assert.deepEqual(
    ['usage', 'limit', 'reset'].map((name) => headers[`ratelimit-${name}`]),
    ['520, 521', '520, 5100', '900, 86400'],
  )
  vendors.pass(900_000)
  assert.equal((await read('users/physical-info', token)).status, 200)
})

test('an app has one webhook, whose key is shown once', async () => {
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, json?: object) =>
    vendors.call(method, `polar/api/v3/webhooks${path}`, { headers: BASIC, ...(json && { json }) })
  assert.equal((await call('GET', '')).status, 204)
  const wanted = { events: ['EXERCISE', 'SLEEP'], url: 'https://app.example/push' }
  assert.equal((await call('POST', '', { ...wanted, events: ['NONE'] })).status, 400)
  const { body, status } = await call('POST', '', wanted)
  assert.equal(status, 201)
  const { signature_secret_key: key, id, ...shown } = body.data
  assert.ok(key.length > 20)
  assert.deepEqual(shown, wanted)
  const [ping] = vendors.pushed
  assert.equal(ping?.headers['polar-webhook-event'], 'PING')
  assert.equal(ping?.headers['polar-webhook-signature'], undefined)
  assert.equal((await call('POST', '', wanted)).status, 409)
  assert.deepEqual((await call('GET', '')).body, { data: [{ id, ...wanted, active: true }] })
  assert.equal((await call('POST', '/deactivate')).status, 200)
  assert.equal((await call('GET', '')).body.data[0].active, false)
  assert.equal((await call('POST', '/activate')).status, 200)
  assert.equal((await call('DELETE', '/other')).status, 404)
  assert.equal((await call('DELETE', `/${id}`)).status, 204)
  assert.equal((await call('POST', '/activate')).status, 204)
  const wrong = await vendors.call('GET', 'polar/api/v3/webhooks', { headers: {} })
  assert.equal(wrong.status, 401)
})

test('messages are about what was uploaded, of the events that an app wants', async () => {
  await grant('anna+live')
  const url = 'https://app.example/push'
  const json = { events: ['SLEEP', 'ACTIVITY_SUMMARY'], url }
  await vendors.call('POST', 'polar/api/v3/webhooks', { headers: BASIC, json })
  vendors.pushed = []
  const to = vendors.now.getTime()
  const sent = await vendors.emulator.push('polar', 'anna+live', { from: to - 9 * DAY_MS, to })
  const messages = vendors.pushed.map(({ body }) => JSON.parse(body))
  assert.equal(messages.length, sent)
  const nights = messages.filter(({ event }) => event === 'SLEEP').map(({ date }) => date)
  assert.equal(nights.length, 2 * new Set(nights).size)
  assert.ok(nights.length > 8)
  assert.ok(messages.every(({ event }) => json.events.includes(event)))
  assert.deepEqual(messages[0], {
    event: 'SLEEP',
    date: nights[0],
    url: `https://www.polaraccesslink.com/v3/users/sleep/${nights[0]}`,
    user_id: Number(vendors.emulator.accountIdOf('polar', 'anna+live')),
    timestamp: '2026-03-01T18:00:00.000Z',
  })
  await vendors.emulator.setFaults('polar', null, [{ kind: 'push_silent' }])
  assert.equal(await vendors.emulator.push('polar', 'anna+live', { from: to - HOUR_MS, to }), 0)
})
