import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { createAppClient } from '../mobile/app-client.ts'
import { useFixture } from '../use-fixture.ts'
import { open, signInAtVendor } from './browser.ts'
import { createLinking } from './linking-fixture.ts'
import { assertComplete } from './oura-records.ts'

/** Each way of signing in, to the data that come of it. */

const DAYS = 14

const linking = useFixture(createLinking)
before(async () => {
  for (const provider of ['oura', 'abbott_libreview', 'freestyle_libre']) {
    await linking.wantDays(DAYS, provider)
  }
})

const historyStart = (): number => Math.floor(linking.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS

/** Instants and values of a person's glucose as the API reads it. */
async function readGlucose(userId: string, provider: string): Promise<string[]> {
  const end = new Date(linking.now() + DAY_MS).toISOString().slice(0, 10)
  const start = new Date(historyStart() - DAY_MS).toISOString().slice(0, 10)
  const lines: string[] = []
  for (let cursor = ''; ; ) {
    const path = `/v2/timeseries/${userId}/glucose/grouped?start_date=${start}&end_date=${end}`
    const { status, body, text } = await linking.call('GET', path + cursor)
    assert.equal(status, 200, text)
    for (const { data } of body.groups[provider] ?? []) {
      for (const { start: at, value, unit } of data) {
        assert.equal(unit, 'mmol/L')
        lines.push(glucoseLine(at, value * MILLIGRAMS))
      }
    }
    if (body.next_cursor === null) return lines.toSorted()
    cursor = `&next_cursor=${body.next_cursor}`
  }
}

/** A millimole of glucose, in milligrams a deciliter, which the vendors use. */
const MILLIGRAMS = 18.0156

/**
 * Of a practice the time is the local one, as if it were UTC
 * (docs/contract/04-providers.md#table-of-providers).
 */
const glucoseLine = (time: string, milligrams: number): string =>
  `${new Date(time).toISOString()} ${milligrams.toFixed(0)} mg/dL`

// biome-ignore lint/suspicious/noExplicitAny: records of a vendor have every shape
const truthOf = (provider: string, account: string, collection: string): any[] => {
  const span = { from: historyStart(), to: linking.now() }
  return linking.emulator.truthOf(provider, account, span)[collection] ?? []
}

test('by OAuth, where the vendor asks for a code itself', async () => {
  const account = 'otto@example.com'
  const from = historyStart()
  const { userId, end } = await linking.connect({ account, password: 'code', code: '123456' })
  assert.equal(end.searchParams.get('state'), 'success')
  await linking.waitForHistory(userId)
  await assertComplete(linking, userId, account, from)
})

test('by OAuth without some scopes: what they are for is not asked', async () => {
  const { userId } = await linking.connect({ account: 'odd@example.com', denied: ['heartrate'] })
  const history = await linking.waitForHistory(userId)
  assert.equal(history.heartrate, undefined)
  assert.equal(history.sleep?.status, 'success')
})

describe('by password', () => {
  const PATH = '/v2/link/provider/password/abbott_libreview'

  test('with a code that the vendor sends, after a wrong one', async () => {
    const account = 'paula@example.com'
    const { token, userId } = await linking.issue()
    const asked = await linking.link('POST', PATH, token, { username: account, password: 'code' })
    assert.equal(asked.status, 200, asked.text)
    assert.equal(asked.body.state, 'pending_provider_mfa')
    assert.equal(asked.body.provider_mfa.method, 'sms')
    const wrong = await linking.link('POST', `${PATH}/complete_mfa`, token, { mfa_code: '000000' })
    assert.equal(wrong.body.error_type, 'incorrect_mfa_code')
    const right = await linking.link('POST', `${PATH}/complete_mfa`, token, { mfa_code: '123456' })
    assert.deepEqual([right.body.state, right.body.connected], ['success', true], right.text)
    const history = await linking.waitForHistory(userId, 'abbott_libreview')
    assert.equal(history.glucose?.status, 'success')
    // Values of the last hours, the newest of them, and scans and alarms of two weeks.
    const expected = ['graph', 'newest', 'logbook']
      .flatMap((collection) => truthOf('abbott_libreview', account, collection))
      .map(({ FactoryTimestamp: at, ValueInMgPerDl: value }) => glucoseLine(`${at} UTC`, value))
    assert.ok(expected.length > 50)
    assert.deepEqual(
      await readGlucose(userId, 'abbott_libreview'),
      [...new Set(expected)].toSorted(),
    )
  })

  for (const [password, errorType] of [
    ['nonsense', 'provider_credential_error'],
    ['expired', 'provider_password_expired'],
    ['elsewhere', 'unsupported_region'],
    ['consent', 'provider_consent_needed'],
    ['unshared', 'provider_nothing_shared'],
    ['locked', 'provider_blocked'],
    ['robot', 'provider_blocked'],
    ['down', 'provider_api_error'],
  ] as const) {
    test(`that is ${password}: ${errorType}, and the token is still good`, async () => {
      const { token } = await linking.issue()
      const username = `${password}@example.com`
      const failed = await linking.link('POST', PATH, token, { username, password })
      assert.deepEqual(
        [failed.status, failed.body.state, failed.body.error_type],
        [200, 'error', errorType],
      )
      const again = await linking.link('POST', PATH, token, { username, password: 'correct' })
      assert.equal(again.body.state, 'success', again.text)
    })
  }
})

test('by e-mail', async () => {
  const account = 'emma@example.com'
  const { token, userId } = await linking.issue()
  const path = '/v2/link/provider/email/freestyle_libre'
  const { body, text } = await linking.link('POST', path, token, { email: account, region: 'us' })
  assert.equal(body.state, 'success', text)
  const history = await linking.waitForHistory(userId, 'freestyle_libre')
  assert.equal(history.glucose?.status, 'success')
  const expected = truthOf('freestyle_libre', account, 'glucose').map(({ recorded_at, value }) =>
    glucoseLine(`${recorded_at.slice(0, 19)}Z`, value),
  )
  assert.ok(expected.length > 500)
  assert.deepEqual(await readGlucose(userId, 'freestyle_libre'), expected.toSorted())
})

test('by an app on a phone, which signs in, links its own person and refreshes', async () => {
  const userId = await linking.makeUser()
  const other = await linking.makeUser()
  const app = createAppClient({ app: linking.harness.app, call: linking.harness.call })
  const { access_token, refresh_token } = await app.signIn(userId)
  const linked = await app.callAs(access_token, 'POST', '/v2/link/token', { user_id: userId })
  assert.equal(linked.status, 200, linked.text)
  const url = await linking.startOAuth(linked.body.link_token)
  const { location = '' } = await open(await signInAtVendor(url, { account: 'phone@example.com' }))
  assert.match(location, /state=success/)
  await linking.waitForHistory(userId)
  const renewed = (await app.refresh(refresh_token)).body
  const refresh = app.callAs(renewed.access_token, 'POST', `/v2/user/refresh/${userId}?timeout=10`)
  await linking.puller.poll()
  const { status, body } = await refresh
  assert.deepEqual([status, body.refreshed_sources], [200, ['oura']])
  const foreign = [
    await app.callAs(access_token, 'POST', '/v2/link/token', { user_id: other }),
    await app.callAs(access_token, 'POST', `/v2/user/refresh/${other}`),
  ]
  for (const refused of foreign) assert.ok([401, 403, 404].includes(refused.status), refused.text)
})
