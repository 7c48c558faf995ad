import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { buildApp } from '../../../server/src/app.ts'
import {
  type ConsoleBrowser,
  openConsoleBrowser,
} from '../../../server/test/console/console-browser.ts'
import { createHarness, type Harness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const SESSION = '/v1/console/session'
const harness = useFixture(createHarness)
let organization: string
let browser: ConsoleBrowser

before(() => {
  organization = `/v1/org/${harness.organizationId}`
})
beforeEach(async () => {
  harness.clock.advance(60)
  browser = openConsoleBrowser(harness)
  await browser.send('POST', SESSION, { management_key: harness.managementKey })
})

/** What a browser sends for pages of others, with the cookie, should SameSite not have kept it. */
const FORGED: Record<string, object> = {
  'a form of another site': {
    'x-salus-console': undefined,
    'sec-fetch-site': 'cross-site',
    origin: 'https://evil.example',
  },
  'a script of another site that was let through': {
    'sec-fetch-site': 'cross-site',
    origin: 'https://evil.example',
  },
  'a neighbour below the same domain': { 'sec-fetch-site': 'same-site' },
  'an old browser of another origin': {
    'sec-fetch-site': undefined,
    origin: 'https://evil.example',
  },
  'an origin that hides itself': { 'sec-fetch-site': undefined, origin: 'null' },
  'the same host on another port': {
    'sec-fetch-site': undefined,
    origin: 'http://localhost:8080',
  },
  'a page without the header': { 'x-salus-console': undefined, 'sec-fetch-site': undefined },
  'an address that was typed or followed': {
    'x-salus-console': undefined,
    'sec-fetch-site': 'none',
  },
}

describe('a request that another site had sent', () => {
  for (const [name, headers] of Object.entries(FORGED)) {
    test(`is refused: ${name}`, async () => {
      for (const [method, url, body] of [
        ['GET', organization],
        ['PATCH', organization, { name: 'Stolen' }],
        ['DELETE', SESSION],
        ['POST', SESSION, { management_key: harness.managementKey }],
      ] as const) {
        const answer = await browser.send(method, url, body, headers)
        assert.equal(answer.status, 403, `${method} ${url}`)
        assert.equal(answer.body.detail.error_type, 'cross_site_request')
        assert.equal(answer.headers['access-control-allow-origin'], undefined)
      }
      assert.equal((await browser.send('GET', organization)).status, 200)
    })
  }

  test('is refused as JSON in a form, which no header shows', async () => {
    const forged = {
      ...FORGED['a form of another site'],
      'content-type': 'text/plain',
    }
    const answer = await browser.send('POST', SESSION, { management_key: 'x' }, forged)
    assert.ok([403, 415].includes(answer.status))
  })

  test('no page of another origin may ask whether it may send the header', async () => {
    const asked = await browser.send('OPTIONS', organization, undefined, {
      origin: 'https://evil.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-salus-console',
    })
    assert.equal(asked.headers['access-control-allow-origin'], undefined)
    assert.equal(asked.headers['access-control-allow-headers'], undefined)
  })
})

test('a picture or a download of the console itself needs no header, and only reads', async () => {
  const plain = { 'x-salus-console': undefined, 'sec-fetch-site': 'same-origin' }
  assert.equal((await browser.send('GET', organization, undefined, plain)).status, 200)
  const change = await browser.send('PATCH', organization, { name: 'No' }, plain)
  assert.equal(change.status, 403)
})

describe('guessing', () => {
  const guess = (ip: string, management_key = 'mg_guessguessguessguess') =>
    harness.app
      .inject({
        method: 'POST',
        url: SESSION,
        remoteAddress: ip,
        headers: { 'x-salus-console': '1' },
        payload: { management_key },
      })
      .then(({ statusCode }) => statusCode)

  test('stops after ten wrong ones of an address in a minute, also many at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 30 }, () => guess('192.0.2.1')))
    assert.equal(statuses.filter((status) => status === 401).length, 10)
    assert.equal(statuses.filter((status) => status === 429).length, 20)
    // The right one comes too late as well, so that a guesser learns nothing.
    assert.equal(await guess('192.0.2.1', harness.managementKey), 429)
    assert.equal(await guess('192.0.2.2', harness.managementKey), 200)
    harness.clock.advance(60)
    assert.equal(await guess('192.0.2.1', harness.managementKey), 200)
  })

  test('counts all of a network of IPv6 as one, and right ones not at all', async () => {
    for (let host = 1; host <= 10; host += 1) await guess(`2001:db8::${host}`)
    assert.equal(await guess('2001:db8::ffff'), 429)
    for (let tries = 0; tries < 30; tries += 1) {
      assert.equal(await guess('192.0.2.7', harness.managementKey), 200)
    }
  })

  test('from many addresses slows down those, and locks no one else out', async () => {
    for (let host = 1; host <= 100; host += 1) await guess(`198.51.100.${host}`)
    assert.equal(await guess('198.51.100.1'), 429)
    assert.equal(await guess('203.0.113.5', harness.managementKey), 200)
  })
})

describe('the cookie', () => {
  const cookieOf = async (settings: object, headers: object = {}) => {
    const config = { ...harness.config, ...settings }
    const app = await buildApp({ ...harness.dependencies, config })
    const answer = await app.inject({
      method: 'POST',
      url: SESSION,
      headers: { host: 'localhost', 'x-salus-console': '1', ...headers },
      payload: { management_key: harness.managementKey },
    })
    await app.close()
    return { status: answer.statusCode, set: String(answer.headers['set-cookie']) }
  }

  test('is for HTTPS and this host only, where the deployment is reached so', async () => {
    const { set } = await cookieOf({ baseUrl: 'https://salus.example' })
    assert.match(set, /^__Host-salus-console=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const proxied = await cookieOf(
      { trustedProxies: ['127.0.0.1'] },
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'salus.example' },
    )
    assert.match(proxied.set, /^__Host-salus-console=.*; Secure/)
    // Whoever is no trusted proxy cannot say so.
    const untrusted = await cookieOf({}, { 'x-forwarded-proto': 'https' })
    assert.match(untrusted.set, /^salus-console=/)
    assert.doesNotMatch(untrusted.set, /Secure/)
  })

  test('goes to no other application beside a deployment below a path', async () => {
    const { set } = await cookieOf({ baseUrl: 'https://example.com/salus/' })
    assert.match(set, /^__Secure-salus-console=.*; Path=\/salus; HttpOnly; Secure/)
  })

  test('of the name without a prefix opens nothing over HTTPS', async () => {
    const config = { ...harness.config, baseUrl: 'https://salus.example' }
    const app = await buildApp({ ...harness.dependencies, config })
    const secure = openConsoleBrowser({ app } as Pick<Harness, 'app'>, {
      cookieName: '__Host-salus-console',
      host: 'salus.example',
      headers: { origin: 'https://salus.example' },
    })
    await secure.send('POST', SESSION, { management_key: harness.managementKey })
    assert.equal((await secure.send('GET', SESSION)).status, 200)
    const tossed = openConsoleBrowser({ app } as Pick<Harness, 'app'>, { host: 'salus.example' })
    tossed.token = secure.token
    assert.equal((await tossed.send('GET', SESSION)).status, 401)
    await app.close()
  })
})
