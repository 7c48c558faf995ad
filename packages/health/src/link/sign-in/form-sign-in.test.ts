import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertRefusal } from '../../../../server/test/assert-refusal.ts'
import type { Answer } from '../../../../server/test/harness.ts'
import { createLinkFixture } from '../../../../server/test/link/link-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { MOST_MFA_TRIES } from '../link.machine.ts'

const fixture = useFixture(createLinkFixture)

const URL_OF_PASSWORD = '/v2/link/provider/password/abbott_libreview'

const signIn = (token: string | undefined, password: string, more: object = {}) =>
  fixture.link('POST', URL_OF_PASSWORD, token, { username: 'ada', password, ...more })
const sendCode = (token: string, mfa_code: string) =>
  fixture.link('POST', `${URL_OF_PASSWORD}/complete_mfa`, token, { mfa_code })
const stateOf = async (token: string) =>
  (await fixture.link('GET', '/v2/link/state', token)).body.state

function assertFails({ status, body }: Answer, errorType: string): void {
  assert.deepEqual([status, body.state, body.error_type], [200, 'error', errorType])
  assert.deepEqual([body.connected, body.provider_id, body.provider_mfa], [false, null, null])
}

describe('a sign-in by password', () => {
  test('connects, and keeps what a new session needs sealed', async () => {
    const { token, userId } = await fixture.issue({ redirect_url: 'myapp://linked' })
    const { status, body } = await signIn(token, 'correct', { region: 'eu' })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      state: 'success',
      redirect_url: 'myapp://linked',
      error_type: null,
      error: null,
      provider_mfa: null,
      provider: 'abbott_libreview',
      connected: true,
      provider_id: 'ada',
    })
    // The vendor's id of the account is another name.
    await fixture.harness.database.pool.query(
      `update connections set external_user_id = 'p-1' where user_id = $1`,
      [userId],
    )
    const { providers } = (await fixture.harness.call('GET', `/v2/user/providers/${userId}`)).body
    assert.equal(providers[0].external_user_id, 'ada')
    const credential = await fixture.credentialOf(userId, 'abbott_libreview')
    assert.deepEqual(credential?.given, { username: 'ada', password: 'correct', region: 'eu' })
    assert.equal(await stateOf(token), 'consumed')
    assertFails(await signIn(token, 'correct'), 'token_consumed')
  })

  test('that fails says why, and leaves the token good', async () => {
    const { token, userId } = await fixture.issue()
    assertFails(await signIn(token, 'guess'), 'provider_credential_error')
    assertFails(await signIn(token, 'expired'), 'provider_password_expired')
    assertFails(await signIn(token, 'elsewhere'), 'unsupported_region')
    assertFails(await signIn(token, 'consent'), 'provider_consent_needed')
    assertFails(await signIn(token, 'nothing'), 'provider_nothing_shared')
    assertFails(await signIn(token, 'blocked'), 'provider_blocked')
    assertFails(await signIn(token, 'correct', { region: 'gb' }), 'unsupported_region')
    assertFails(await signIn(token, 'down'), 'provider_api_error')
    const unknown = await fixture.link('POST', '/v2/link/provider/password/kardia', token, {
      username: 'ada',
      password: 'correct',
    })
    assertRefusal(unknown, 400, 'provider_not_available')
    assert.deepEqual(await fixture.connectionsOf(userId), [])
    assert.equal((await signIn(token, 'correct')).body.state, 'success')
  })

  test('keeps no password that only the person sends again', async () => {
    const { token, userId } = await fixture.issue()
    const path = '/v2/link/provider/password/zwift'
    const given = { username: 'ada', password: 'correct' }
    assert.equal((await fixture.link('POST', path, token, given)).body.state, 'success')
    const credential = await fixture.credentialOf(userId, 'zwift')
    assert.deepEqual(credential?.given, { username: 'ada', password: '', region: null })
  })

  test('with a bad token is an outcome too, and with a bad body or provider is none', async () => {
    assertFails(await signIn(undefined, 'correct'), 'invalid_token')
    assertFails(await signIn('not.a.token', 'correct'), 'invalid_token')
    const { token } = await fixture.issue()
    assert.equal((await signIn(token, 'correct', { region: 'mars' })).status, 422)
    assert.equal((await fixture.link('POST', URL_OF_PASSWORD, token, {})).status, 422)
    const unknown = '/v2/link/provider/password/unknown'
    assert.equal((await fixture.link('POST', unknown, token, {})).status, 422)
    fixture.harness.clock.advance(3600)
    assertFails(await signIn(token, 'correct'), 'token_expired')
  })

  test('of two at once with one token makes one connection', async () => {
    const { token, userId } = await fixture.issue()
    const answers = await Promise.all([signIn(token, 'correct'), signIn(token, 'correct')])
    const outcomes = answers.map(({ body }) => body.error_type ?? body.state)
    assert.deepEqual(outcomes.sort(), ['success', 'token_consumed'])
    assert.equal((await fixture.connectionsOf(userId)).length, 1)
  })

  test('has a deprecated twin that says less', async () => {
    const { token } = await fixture.issue()
    const body = { username: 'ada', provider: 'abbott_libreview', auth_type: 'password' }
    const send = async (password: string) =>
      (await fixture.link('POST', '/v2/link/auth', token, { ...body, password })).body
    const failed = await send('guess')
    assert.equal(failed.success, false)
    assert.equal(failed.redirect_url, '')
    assert.equal((await send('correct')).success, true)
  })
})

describe('a sign-in with a code', () => {
  test('says where the code went, and goes on with the same token', async () => {
    const { token, userId } = await fixture.issue()
    const { body } = await signIn(token, 'code')
    assert.equal(body.state, 'pending_provider_mfa')
    assert.deepEqual(body.provider_mfa, { method: 'sms', hint: '•••12' })
    assert.equal(await stateOf(token), 'pending_provider_mfa')
    assertFails(await sendCode(token, '000000'), 'incorrect_mfa_code')
    const { rows } = await fixture.harness.database.pool.query('select sealed from link_sessions')
    assert.ok(rows.every(({ sealed }) => !sealed?.includes(Buffer.from('ada'))))
    assert.equal((await sendCode(token, '123456')).body.state, 'success')
    const credential = await fixture.credentialOf(userId, 'abbott_libreview')
    assert.deepEqual(credential?.given, { username: 'ada', password: 'code', region: null })
    assertFails(await sendCode(token, '123456'), 'token_consumed')
  })

  test('goes on with the challenge by which the vendor replaced the former one', async () => {
    const { token } = await fixture.issue()
    await signIn(token, 'code')
    assertFails(await sendCode(token, '000001'), 'incorrect_mfa_code')
    const { body } = await sendCode(token, '123456')
    assert.deepEqual([body.state, body.provider_id], ['success', 'ada again'])
  })

  test('has five tries, also when they come at once, and an answer that never came is none', async () => {
    const { vendor } = fixture
    const { token } = await fixture.issue()
    await signIn(token, 'code')
    vendor.isDown = true
    assertFails(await sendCode(token, '123456'), 'provider_api_error')
    vendor.isDown = false
    const before = vendor.attempts
    const answers = await Promise.all(Array.from({ length: 9 }, () => sendCode(token, '000000')))
    assert.equal(vendor.attempts - before, MOST_MFA_TRIES)
    const counts = Map.groupBy(answers, ({ body }) => body.error_type)
    assert.equal(counts.get('incorrect_mfa_code')?.length, MOST_MFA_TRIES - 1)
    assert.equal(counts.get('provider_credential_error')?.length, 1)
    assert.equal(await stateOf(token), 'validated')
    assertFails(await sendCode(token, '123456'), 'token_not_validated')
    await signIn(token, 'code')
    assert.equal((await sendCode(token, '123456')).body.state, 'success')
  })

  test('needs a sign-in that asked for one', async () => {
    const { token } = await fixture.issue()
    assertFails(await sendCode(token, '123456'), 'token_not_validated')
    await signIn(token, 'code')
    const other = '/v2/link/provider/password/kardia/complete_mfa'
    assertFails(await fixture.link('POST', other, token, { mfa_code: '1' }), 'token_not_validated')
  })
})

describe('guesses', () => {
  const guess = (token: string, username: string, password = 'guess') =>
    fixture.link('POST', URL_OF_PASSWORD, token, { username, password })
  const outcomes = (answers: Answer[]) => answers.map(({ status, body }) => body.state ?? status)
  const many = (send: () => Promise<Answer>) => Promise.all(Array.from({ length: 13 }, send))

  test('end after ten of one link session in an hour, whosever the accounts are', async () => {
    fixture.harness.clock.advance(3600)
    const { token } = await fixture.issue()
    const before = fixture.vendor.attempts
    let n = 0
    const answers = await many(() => guess(token, `person-${n++}`))
    assert.equal(outcomes(answers).filter((outcome) => outcome === 'error').length, 10)
    assert.equal(outcomes(answers).filter((outcome) => outcome === 429).length, 3)
    assert.equal(fixture.vendor.attempts - before, 10)
    const other = await fixture.issue()
    assert.equal((await guess(other.token, 'person-1', 'correct')).body.state, 'success')
  })

  test('end after ten at one account in an hour, however many sessions they come from', async () => {
    fixture.harness.clock.advance(3600)
    const answers = await many(async () => guess((await fixture.issue()).token, 'grace'))
    assert.equal(outcomes(answers).filter((outcome) => outcome === 'error').length, 10)
    const { token } = await fixture.issue()
    const late = await guess(token, ' Grace', 'correct')
    assert.deepEqual([late.status, late.body.detail.error_type], [429, 'rate_limited'])
    const seconds = Number(late.headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 3600, `${seconds}`)
    assert.equal((await guess(token, 'alan', 'correct')).body.state, 'success')
    fixture.harness.clock.advance(seconds)
    const later = await fixture.issue()
    assert.equal((await guess(later.token, 'grace', 'correct')).body.state, 'success')
  })
})

describe('a sign-in by e-mail', () => {
  const EMAIL = '/v2/link/provider/email/freestyle_libre'

  test('uses the region of the deployment by default', async () => {
    const { token, userId } = await fixture.issue()
    const send = (region: string | null) =>
      fixture.link('POST', EMAIL, token, { email: 'ada@example.com', region })
    assertFails(await send('gb'), 'unsupported_region')
    const { body } = await send(null)
    assert.deepEqual([body.state, body.provider_id], ['success', 'practice us'])
    const credential = await fixture.credentialOf(userId, 'freestyle_libre')
    assert.deepEqual(credential?.given, { email: 'ada@example.com', region: 'us' })
    const no = await fixture.link('POST', EMAIL, token, { email: 'no address' })
    assert.equal(no.status, 422)
  })

  test('has a deprecated twin', async () => {
    const { token } = await fixture.issue()
    const body = { email: 'ada@example.com', provider: 'freestyle_libre', auth_type: 'email' }
    const answer = await fixture.link('POST', '/v2/link/auth/email', token, body)
    assert.equal(answer.body.success, true)
  })
})
