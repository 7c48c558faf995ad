import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const APP = { client_id: 'sandbox', client_secret: 'sandbox', grant_type: 'password' }
const ACCOUNT = 'mia@example.com'

const signIn = (password: string, app: object = APP) =>
  vendors.call('POST', 'eight_sleep/auth/v1/tokens', {
    json: { ...app, username: ACCOUNT, password },
  })
const get = (path: string, token: string) =>
  vendors.call('GET', `eight_sleep/api/v1/users/${path}`, { token })

test('the password decides what happens, and only the app of the vendor is served', async () => {
  const { body } = await signIn('correct')
  assert.equal(body.userId, vendors.emulator.accountIdOf('eight_sleep', ACCOUNT))
  assert.equal(body.expires_in, 86_400)
  for (const [password, status, error] of [
    ['wrong', 400, 'invalid_grant'],
    ['locked', 429, 'Too Many Requests'],
    ['down', 502, 'Bad Gateway'],
  ] as const) {
    const refused = await signIn(password)
    assert.deepEqual([refused.status, refused.body.error], [status, error])
  }
  const other = await signIn('correct', { ...APP, client_secret: 'other' })
  assert.deepEqual([other.status, other.body.error], [401, 'invalid_client'])
  const alone = (await signIn('unshared')).body.access_token
  assert.deepEqual((await get('me', alone)).body.user.devices, [])
})

test('in an outage a right password is wrong', async () => {
  await vendors.emulator.setFaults('eight_sleep', ACCOUNT, [
    { kind: 'unauthorized', on: 'token', times: 1 },
  ])
  assert.equal((await signIn('correct')).body.error, 'invalid_grant')
  assert.equal((await signIn('correct')).status, 200)
})

test('days are those of the zone of the bed, both ends included, as the truth says', async () => {
  const { access_token: token, userId } = (await signIn('correct')).body
  const zone = (await get('me', token)).body.user.currentDevice.timeZone
  const path = (tz: string, to = '2026-02-28') =>
    `${userId}/trends?tz=${encodeURIComponent(tz)}&from=2026-02-01&to=${to}`
  const { body } = await get(path(zone), token)
  const span = { from: Date.UTC(2026, 0, 31), to: Date.UTC(2026, 2, 2) }
  const truth = vendors.emulator.truthOf('eight_sleep', ACCOUNT, span).trends as { day: string }[]
  const expected = truth.filter(({ day }) => day.startsWith('2026-02'))
  assert.ok(expected.length > 20)
  assert.deepEqual(body.days, expected)
  assert.equal((await get(path('Mars/Olympus'), token)).status, 400)
  assert.equal((await get(path(zone, '2027-01-01'), token)).status, 400)
  assert.equal((await get(path(zone).replace(userId, 'other'), token)).status, 403)
})

test('a day is processed for some hours, and a session lasts a day', async () => {
  const { access_token: token, userId } = (await signIn('correct')).body
  const zone = (await get('me', token)).body.user.currentDevice.timeZone
  const seen = new Set<boolean>()
  const day = '2026-03-02'
  for (let hour = 0; hour < 23; hour++) {
    vendors.pass(HOUR_MS)
    const path = `${userId}/trends?tz=${encodeURIComponent(zone)}&from=${day}&to=${day}`
    const [found] = (await get(path, token)).body.days
    if (found !== undefined) seen.add(found.processing)
  }
  assert.deepEqual([...seen], [true, false])
  vendors.pass(2 * HOUR_MS)
  assert.equal((await get('me', token)).status, 401)
})
