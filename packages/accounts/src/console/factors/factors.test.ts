import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { TestAuthenticator } from '../../../../server/test/console/authenticator.ts'
import {
  type ConsoleBrowser,
  openConsoleBrowser,
} from '../../../../server/test/console/console-browser.ts'
import {
  codeOf,
  inviteUser,
  makeActiveUser,
  PASSWORD,
  signInAs,
} from '../../../../server/test/console/organization-user.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { toBase32, totpCode } from './totp.ts'

const harness = useFixture(createHarness)
beforeEach(() => harness.clock.advance(60))

const SESSION = '/v1/console/session'
const USER = '/v1/console/user'
const errorOf = ({ status, body }: { status: number; body: { detail: { error_type: string } } }) =>
  `${status} ${body.detail.error_type}`
const codeNow = (secret: string, steps = 0) =>
  totpCode(secret, Math.floor(harness.clock.now().getTime() / 30_000) + steps)
const signIn = (body: object) => openConsoleBrowser(harness).send('POST', SESSION, body)
const organization = () => `/v1/org/${harness.organizationId}`

async function setUpTotp(browser: ConsoleBrowser) {
  const { body } = await browser.send('POST', `${USER}/totp`)
  const code = codeNow(body.secret)
  const confirmed = await browser.send('POST', `${USER}/totp/confirm`, { code })
  assert.equal(confirmed.status, 200, confirmed.text)
  return { secret: body.secret, recoveryCodes: confirmed.body.recovery_codes as string[] }
}

test('codes of authenticator apps are those of RFC 6238', () => {
  const secret = toBase32(Buffer.from('12345678901234567890'))
  assert.equal(secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of vectors) {
    assert.equal(totpCode(secret, Math.floor(seconds / 30), 8), code)
  }
})

describe('an authenticator app', () => {
  test('counts after its first code; then the password alone signs no one in', async () => {
    const { user, browser } = await makeActiveUser(harness)
    const { body } = await browser.send('POST', `${USER}/totp`)
    const label = encodeURIComponent(`Salus:${user.email}`)
    assert.equal(body.uri, `otpauth://totp/${label}?secret=${body.secret}&issuer=Salus`)
    const given = { email: user.email, password: PASSWORD }
    assert.equal((await signIn(given)).status, 200)
    const wrong = await browser.send('POST', `${USER}/totp/confirm`, { code: '000000' })
    assert.equal(errorOf(wrong), '400 invalid_totp_code')
    const code = codeNow(body.secret)
    const confirmed = await browser.send('POST', `${USER}/totp/confirm`, { code })
    assert.equal(confirmed.body.recovery_codes.length, 10)
    const asked = await signIn(given)
    assert.equal(errorOf(asked), '401 second_factor_required')
    assert.deepEqual(asked.body.detail.methods, ['totp'])
    assert.equal(asked.headers['set-cookie'], undefined)
    const profile = (await browser.send('GET', USER)).body
    assert.deepEqual([profile.user.has_totp, profile.recovery_codes_left], [true, 10])
    assert.equal(errorOf(await browser.send('POST', `${USER}/totp`)), '400 totp_exists')
    const { rows } = await harness.database.pool.query('select * from organization_users')
    assert.ok(!JSON.stringify(rows).includes(Buffer.from(body.secret).toString('hex')))
    const row = rows.find(({ id }) => id === user.id)
    assert.match(row.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('gives codes that count once, also for two at once, and for clocks that differ', async () => {
    const { user, browser } = await makeActiveUser(harness)
    const { secret } = await setUpTotp(browser)
    const give = (second_factor_code: string) =>
      signIn({ email: user.email, password: PASSWORD, second_factor_code })
    // The code that confirmed the app was used.
    assert.equal(errorOf(await give(codeNow(secret))), '401 invalid_second_factor')
    harness.clock.advance(60)
    const both = await Promise.all([give(codeNow(secret)), give(codeNow(secret))])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
    assert.equal((await give(codeNow(secret, 1))).status, 200)
    // One from before a used one does not count any more, and none of another half minute.
    assert.equal(errorOf(await give(codeNow(secret, -1))), '401 invalid_second_factor')
    assert.equal(errorOf(await give(codeNow(secret, 3))), '401 invalid_second_factor')
    harness.clock.advance(60)
    assert.equal((await give(` ${codeNow(secret)}`)).status, 200)
  })

  test('that is lost is replaced by recovery codes, each once', async () => {
    const { user, browser } = await makeActiveUser(harness)
    const { recoveryCodes } = await setUpTotp(browser)
    const [first = '', second = ''] = recoveryCodes
    const give = (second_factor_code: string) =>
      signIn({ email: user.email, password: PASSWORD, second_factor_code })
    const both = await Promise.all([give(first), give(first.toLowerCase())])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
    const { rows } = await harness.database.pool.query('select * from console_recovery_codes')
    assert.ok(!JSON.stringify(rows).includes(first))
    assert.equal((await browser.send('GET', USER)).body.recovery_codes_left, 9)
    const renewed = (await browser.send('POST', `${USER}/recovery_codes`)).body.recovery_codes
    harness.clock.advance(60)
    assert.equal(errorOf(await give(second)), '401 invalid_second_factor')
    assert.equal((await give(renewed[0])).status, 200)
    assert.equal((await browser.send('DELETE', `${USER}/totp`)).status, 200)
    assert.equal((await signIn({ email: user.email, password: PASSWORD })).status, 200)
    assert.equal(errorOf(await browser.send('POST', `${USER}/recovery_codes`)), '400 totp_required')
  })

  test('that is lost with its codes is removed by an administrator, who ends sessions', async () => {
    const { user, browser } = await makeActiveUser(harness)
    await setUpTotp(browser)
    const reset = await harness.manage('DELETE', `/user/${user.id}/second_factor`)
    assert.deepEqual([reset.body.has_totp, reset.body.has_password], [false, true])
    assert.equal((await browser.send('GET', SESSION)).status, 401)
    await signInAs(harness, user.email)
  })
})

describe('a second factor that the organization requires', () => {
  test('is set up first: the session opens nothing else, also one from before', async () => {
    const { user, browser } = await makeActiveUser(harness, { role: 'org_admin' })
    await harness.manage('PATCH', '', { second_factor_required: true })
    try {
      const tokens = `${organization()}/team/${harness.teamId}/create_api_access_token`
      const closed = async (one: ConsoleBrowser) => {
        assert.equal((await one.send('GET', SESSION)).body.second_factor_setup_required, true)
        for (const [method, url] of [
          ['GET', organization()],
          ['GET', `${organization()}/user`],
          ['POST', tokens],
        ] as const) {
          const body = method === 'POST' ? { env: 'sandbox' } : undefined
          assert.equal(
            errorOf(await one.send(method, url, body)),
            '403 second_factor_setup_required',
          )
        }
      }
      await closed(browser)
      const next = await signInAs(harness, user.email)
      await closed(next)
      const { secret } = await setUpTotp(next)
      assert.equal((await next.send('GET', organization())).status, 200)
      // The other session has not proven it.
      await closed(browser)
      harness.clock.advance(60)
      const third = await signInAs(harness, user.email, PASSWORD, {
        second_factor_code: codeNow(secret),
      })
      assert.equal((await third.send('GET', organization())).status, 200)
      assert.equal(errorOf(await third.send('DELETE', `${USER}/totp`)), '400 last_second_factor')
      // A key is no user.
      const byKey = openConsoleBrowser(harness)
      await byKey.send('POST', SESSION, { management_key: harness.managementKey })
      assert.equal((await byKey.send('GET', organization())).status, 200)
      assert.equal((await byKey.send('GET', USER)).status, 404)
    } finally {
      await harness.manage('PATCH', '', { second_factor_required: false })
    }
  })

  test('is required by an org_admin only', async () => {
    const made = await harness.manage('POST', '/management_key', { label: 'T', role: 'team_admin' })
    const body = { second_factor_required: true }
    const refused = await harness.manage('PATCH', '', body, made.body.key)
    assert.equal(errorOf(refused), '403 role_too_low')
    assert.equal((await harness.manage('PATCH', '', {})).status, 422)
  })
})

describe('the own sign-in', () => {
  test('is changed only in a session that began a short time ago', async () => {
    const { browser } = await makeActiveUser(harness)
    harness.clock.advance(15 * 60)
    for (const [method, path] of [
      ['POST', '/totp'],
      ['DELETE', '/totp'],
      ['POST', '/recovery_codes'],
      ['POST', '/passkey/challenge'],
    ] as const) {
      const answer = await browser.send(method, USER + path)
      assert.equal(errorOf(answer), '403 recent_sign_in_required', path)
    }
  })

  test('has a password that only the present one changes, which ends other sessions', async () => {
    const { user, browser } = await makeActiveUser(harness)
    const other = await signInAs(harness, user.email)
    const password = 'quite different words today'
    const set = (body: object) => browser.send('PUT', `${USER}/password`, body)
    assert.equal(errorOf(await set({ password })), '400 wrong_password')
    assert.equal(errorOf(await set({ password, current_password: 'wrong' })), '400 wrong_password')
    assert.equal((await set({ password: 'short', current_password: PASSWORD })).status, 422)
    assert.equal((await set({ password, current_password: PASSWORD })).status, 200)
    assert.equal((await browser.send('GET', SESSION)).status, 200)
    assert.equal((await other.send('GET', SESSION)).status, 401)
    await signInAs(harness, user.email, password)
    // A stranger at an open session has few guesses of its password.
    for (let guess = 0; guess < 12; guess += 1) await set({ password, current_password: 'wrong' })
    assert.equal((await set({ password, current_password: password })).status, 429)
  })
})

describe('a passkey', () => {
  async function addPasskey(browser: ConsoleBrowser, authenticator = new TestAuthenticator()) {
    const { body: options } = await browser.send('POST', `${USER}/passkey/challenge`)
    const response = authenticator.create(options.challenge)
    const answer = await browser.send('POST', `${USER}/passkey`, { name: 'Laptop', response })
    return { authenticator, options, response, answer }
  }
  const challengeNow = async () =>
    (await openConsoleBrowser(harness).send('POST', '/v1/console/passkey_challenge')).body.challenge

  test('signs in without password and e-mail address, and stands for the second factor', async () => {
    const { user, browser } = await makeActiveUser(harness)
    const { authenticator, answer, options } = await addPasskey(browser)
    assert.deepEqual([answer.status, answer.body.name], [200, 'Laptop'])
    assert.deepEqual([options.rp.id, options.user.name], ['localhost', user.email])
    const signedIn = await signIn({ passkey: authenticator.get(await challengeNow()) })
    assert.equal(signedIn.status, 200, signedIn.text)
    assert.deepEqual([signedIn.body.user.id, signedIn.body.signed_in_with], [user.id, 'passkey'])
    const asked = await signIn({ email: user.email, password: PASSWORD })
    assert.deepEqual(asked.body.detail.methods, ['passkey'])
    const path = `${USER}/passkey/${answer.body.id}`
    const { browser: stranger } = await makeActiveUser(harness)
    assert.equal((await stranger.send('DELETE', path)).status, 404)
    assert.equal((await browser.send('DELETE', path)).status, 200)
    const refused = await signIn({ passkey: authenticator.get(await challengeNow()) })
    assert.equal(errorOf(refused), '400 invalid_passkey')
  })

  test('answers a challenge once, in time, of this console, with the user present', async () => {
    const { user, browser } = await makeActiveUser(harness)
    const { authenticator } = await addPasskey(browser)
    const refuse = async (passkey: object, why: string) =>
      assert.equal(errorOf(await signIn({ passkey })), '400 invalid_passkey', why)
    const passkey = authenticator.get(await challengeNow())
    assert.equal((await signIn({ passkey })).status, 200)
    await refuse(passkey, 'replayed')
    await refuse(authenticator.get('c29tZSBjaGFsbGVuZ2U'), 'of no challenge')
    const old = await challengeNow()
    harness.clock.advance(5 * 60)
    await refuse(authenticator.get(old), 'too late')
    const forRegistration = await browser.send('POST', `${USER}/passkey/challenge`)
    await refuse(authenticator.get(forRegistration.body.challenge), 'of another purpose')
    authenticator.verifiesUser = false
    await refuse(authenticator.get(await challengeNow()), 'without the user')
    authenticator.verifiesUser = true
    authenticator.count = 0
    await refuse(authenticator.get(await challengeNow()), 'of a copy, whose count is behind')
    authenticator.count = 10
    const changed = authenticator.get(await challengeNow())
    const signature = `AAAA${changed.response.signature.slice(4)}`
    await refuse({ ...changed, response: { ...changed.response, signature } }, 'changed')
    harness.clock.advance(60)
    await harness.manage('PATCH', `/user/${user.id}`, { status: 'suspended' })
    await refuse(authenticator.get(await challengeNow()), 'of a suspended user')
  })

  test('is created for this console, and by its user alone', async () => {
    const { browser } = await makeActiveUser(harness)
    const { browser: other } = await makeActiveUser(harness)
    const elsewhere = await addPasskey(browser, new TestAuthenticator('https://evil.example'))
    assert.equal(errorOf(elsewhere.answer), '400 invalid_passkey')
    const { authenticator, response, answer } = await addPasskey(browser)
    const again = await browser.send('POST', `${USER}/passkey`, { name: 'Again', response })
    assert.equal(errorOf(again), '400 invalid_passkey')
    const ofOther = await other.send('POST', `${USER}/passkey/challenge`)
    const taken = authenticator.create(ofOther.body.challenge)
    const stolen = await browser.send('POST', `${USER}/passkey`, { name: 'x', response: taken })
    assert.equal(errorOf(stolen), '400 invalid_passkey')
    const next = await other.send('POST', `${USER}/passkey/challenge`)
    const twice = { name: 'x', response: authenticator.create(next.body.challenge) }
    assert.equal(errorOf(await other.send('POST', `${USER}/passkey`, twice)), '409 passkey_exists')
    assert.equal(answer.status, 200)
    const byAddress = openConsoleBrowser(harness, { host: '127.0.0.1:8787' })
    const refused = await byAddress.send('POST', '/v1/console/passkey_challenge')
    assert.equal(errorOf(refused), '400 passkeys_unavailable')
  })

  test('accepts an invitation instead of a password, and is then the only way in', async () => {
    const { user, url } = await inviteUser(harness)
    const code = codeOf(url)
    const browser = openConsoleBrowser(harness)
    const invitation = '/v1/console/invitation'
    const { body } = await browser.send('POST', `${invitation}/passkey_challenge`, { code })
    const authenticator = new TestAuthenticator()
    const response = authenticator.create(body.challenge)
    const accept = (name: string) =>
      browser.send('POST', `${invitation}/accept_with_passkey`, { code, name, response })
    const answers = await Promise.all([accept('One'), accept('Two')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    await browser.send('POST', SESSION, { passkey: authenticator.get(await challengeNow()) })
    const profile = (await browser.send('GET', USER)).body
    assert.deepEqual([profile.user.id, profile.user.has_password], [user.id, false])
    const path = `${USER}/passkey/${profile.passkeys[0].id}`
    assert.equal(errorOf(await browser.send('DELETE', path)), '400 last_passkey')
    const set = await browser.send('PUT', `${USER}/password`, { password: PASSWORD })
    assert.equal(set.status, 200)
    assert.equal((await browser.send('DELETE', path)).status, 200)
  })
})
