import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { createLogger } from '@salus/kernel/log'
import { openConsoleBrowser } from '../../../../server/test/console/console-browser.ts'
import {
  acceptWith,
  codeOf,
  inviteUser,
  makeActiveUser,
  PASSWORD,
} from '../../../../server/test/console/organization-user.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { hashPassword, isPassword } from './passwords.ts'

const lines: string[] = []
const log = createLogger('debug', { write: (line) => void lines.push(line) })
const harness = useFixture(() => createHarness({}, { log }))
beforeEach(() => harness.clock.advance(3600))

const SESSION = '/v1/console/session'
const DEVICE = 'salus-console-device'

/** A sign-in from a client address, with the cookie of a browser that is known. */
async function attempt(email: string, password: string, ip: string, device?: string) {
  const answer = await harness.app.inject({
    method: 'POST',
    url: SESSION,
    remoteAddress: ip,
    headers: {
      'x-salus-console': '1',
      ...(device !== undefined && { cookie: `${DEVICE}=${device}` }),
    },
    payload: { email, password },
  })
  const { statusCode: status, body, cookies } = answer
  return { status, body, device: cookies.find(({ name }) => name === DEVICE)?.value }
}

describe('whether a user exists', () => {
  test('is shown by no answer: unknown, invited, suspended and wrong are the same', async () => {
    const { user } = await makeActiveUser(harness)
    const { user: invited } = await inviteUser(harness)
    const { user: suspended } = await makeActiveUser(harness)
    await harness.manage('PATCH', `/user/${suspended.id}`, { status: 'suspended' })
    const answers = [
      await attempt(user.email, 'wrong wrong wrong', '192.0.2.1'),
      await attempt('unknown@example.com', PASSWORD, '192.0.2.2'),
      await attempt(invited.email, PASSWORD, '192.0.2.3'),
      await attempt(suspended.email, PASSWORD, '192.0.2.4'),
    ]
    for (const { status, body } of answers) {
      assert.deepEqual([status, body], [401, answers[0]?.body])
    }
  })

  test('is shown by no time: a password is derived for every attempt', async () => {
    const stored = await hashPassword(PASSWORD)
    const measure = async (hash: string | null) => {
      const times: number[] = []
      for (let round = 0; round < 7; round += 1) {
        const start = performance.now()
        assert.equal(await isPassword('a wrong password', hash), false)
        times.push(performance.now() - start)
      }
      return times.sort((one, other) => one - other)[0] ?? 0
    }
    const [known, unknown] = [await measure(stored), await measure(null)]
    assert.ok(unknown > known / 2 && known > unknown / 2, `${known} ms, ${unknown} ms`)
    assert.equal(await isPassword('', null), false)
    assert.equal(await isPassword(PASSWORD, stored), true)
  })

  test('is shown by no limit: guesses are counted by the address, known or not', async () => {
    const { user } = await makeActiveUser(harness)
    for (const [email, ip] of [
      [user.email, '192.0.2.11'],
      ['stranger@example.com', '192.0.2.12'],
    ] as const) {
      const statuses: number[] = []
      // The limit of an address is by minute, so these come slowly.
      for (let guess = 0; guess < 12; guess += 1) {
        if (guess === 6) harness.clock.advance(60)
        statuses.push((await attempt(email, 'wrong wrong wrong', ip)).status)
      }
      assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429], email)
    }
  })
})

describe('guesses at one account', () => {
  test('stop for the network that guesses, and the user comes in from another one', async () => {
    const { user } = await makeActiveUser(harness)
    for (let guess = 0; guess < 10; guess += 1) await attempt(user.email, 'wrong', '192.0.2.21')
    harness.clock.advance(60)
    assert.equal((await attempt(user.email, PASSWORD, '192.0.2.21')).status, 429)
    assert.equal((await attempt(user.email, PASSWORD, '192.0.2.22')).status, 200)
  })

  test('of many networks lock no user out of a browser that they know', async () => {
    const { user } = await makeActiveUser(harness)
    const { device } = await attempt(user.email, PASSWORD, '192.0.2.30')
    assert.ok(device)
    for (let host = 0; host < 50; host += 1) {
      await attempt(user.email, 'wrong wrong wrong', `198.51.100.${host}`)
    }
    assert.equal((await attempt(user.email, PASSWORD, '203.0.113.1')).status, 429)
    assert.equal((await attempt(user.email, PASSWORD, '203.0.113.2', device)).status, 200)
    // The cookie of another user, or one that was made up, is no known browser.
    const { user: other } = await makeActiveUser(harness)
    const { device: ofOther } = await attempt(other.email, PASSWORD, '192.0.2.31')
    const forged = `${user.id}.${device?.split('.')[1]}.${device?.split('.')[2]?.slice(1)}A`
    for (const cookie of [ofOther, forged, `${user.id}..`, 'x']) {
      assert.equal((await attempt(user.email, PASSWORD, '203.0.113.3', cookie)).status, 429, cookie)
    }
    // Nor does the cookie of a known browser guess without a limit.
    for (let guess = 0; guess < 10; guess += 1) {
      await attempt(user.email, 'wrong', `203.0.113.${10 + guess}`, device)
    }
    assert.equal((await attempt(user.email, PASSWORD, '203.0.113.40', device)).status, 429)
  })

  test('at the second factor stop too, though the password is right', async () => {
    const { user, browser } = await makeActiveUser(harness)
    const { body } = await browser.send('POST', '/v1/console/user/totp')
    const { totpCode } = await import('./totp.ts')
    const step = () => Math.floor(harness.clock.now().getTime() / 30_000)
    const code = totpCode(body.secret, step())
    await browser.send('POST', '/v1/console/user/totp/confirm', { code })
    const give = async (second_factor_code: string) =>
      (
        await openConsoleBrowser(harness).send('POST', SESSION, {
          email: user.email,
          password: PASSWORD,
          second_factor_code,
        })
      ).status
    for (let guess = 0; guess < 10; guess += 1) {
      if (guess % 5 === 0) harness.clock.advance(60)
      assert.equal(await give('000000'), 401)
    }
    harness.clock.advance(60)
    assert.equal(await give(totpCode(body.secret, step())), 429)
  })
})

test('a sign-in makes a new session, and ends the one that the browser had', async () => {
  const { user, browser } = await makeActiveUser(harness)
  const former = browser.token
  await browser.send('POST', SESSION, { email: user.email, password: PASSWORD })
  assert.notEqual(browser.token, former)
  browser.token = former
  assert.equal((await browser.send('GET', SESSION)).status, 401)
})

test('no other site sends any request of the sign-in or of the own user', async () => {
  const { browser } = await makeActiveUser(harness)
  const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const { url } = await inviteUser(harness)
  const code = codeOf(url)
  const requests: [string, string, object?][] = [
    ['POST', SESSION, { email: 'x@example.com', password: PASSWORD }],
    ['POST', '/v1/console/passkey_challenge'],
    ['POST', '/v1/console/invitation', { code }],
    ['POST', '/v1/console/invitation/accept', { code, password: PASSWORD }],
    ['POST', '/v1/console/invitation/passkey_challenge', { code }],
    ['GET', '/v1/console/user'],
    ['PUT', '/v1/console/user/password', { password: PASSWORD, current_password: PASSWORD }],
    ['POST', '/v1/console/user/totp'],
    ['POST', '/v1/console/user/totp/confirm', { code: '123456' }],
    ['DELETE', '/v1/console/user/totp'],
    ['POST', '/v1/console/user/recovery_codes'],
    ['POST', '/v1/console/user/passkey/challenge'],
  ]
  for (const [method, path, body] of requests) {
    const { status, body: answer } = await browser.send(method, path, body, forged)
    assert.deepEqual([status, answer.detail.error_type], [403, 'cross_site_request'], path)
  }
  assert.equal((await acceptWith(harness, code)).status, 200)
})

test('no log has a password, a code of an invitation or an e-mail address', async () => {
  const { user, url } = await inviteUser(harness)
  const code = codeOf(url)
  await acceptWith(harness, code)
  await attempt(user.email, 'a secret that is wrong', '192.0.2.50')
  await attempt(user.email, PASSWORD, '192.0.2.50')
  const text = lines.join('')
  for (const secret of [code, PASSWORD, 'a secret that is wrong', user.email]) {
    assert.ok(!text.includes(secret), secret)
  }
})
