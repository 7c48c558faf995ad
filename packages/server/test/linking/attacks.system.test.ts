import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { createLogger } from '@salus/kernel/log'
import { useFixture } from '../use-fixture.ts'
import { open, signInAtVendor } from './browser.ts'
import { createLinking, type HttpAnswer } from './linking-fixture.ts'

/** Attempts to see, or to get, data of others. */

const lines: string[] = []
const destination = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})

const linking = useFixture(() => createLinking({}, { log: createLogger('debug', destination) }))
let other: { sandboxKey: string }
before(async () => {
  await linking.wantDays(3)
  other = await linking.harness.makeTeam()
})

const CALLBACK = '/v2/link/connect/oura'

/** Comes back from the vendor; where the browser is sent on to. */
async function comeBack(query: Record<string, string>, path = CALLBACK): Promise<URL> {
  const page = await open(`${linking.baseUrl}${path}?${new URLSearchParams(query)}`)
  assert.equal(page.status, 307, page.html)
  linking.answers.push(page.html, page.location ?? '')
  return new URL(page.location ?? '')
}

const errorOf = (end: URL) => end.searchParams.get('error_type')

/** A code of the vendor, and the state that it came with. */
async function fetchCode(token: string, account: string): Promise<{ code: string; state: string }> {
  const back = new URL(await signInAtVendor(await linking.startOAuth(token), { account }))
  return {
    code: back.searchParams.get('code') ?? '',
    state: back.searchParams.get('state') ?? '',
  }
}

const edited = (token: string, claims: object): string => {
  const [header = '', body = '', signature = ''] = token.split('.')
  const said = JSON.parse(Buffer.from(body, 'base64url').toString())
  const text = JSON.stringify({ ...said, ...claims })
  return [header, Buffer.from(text).toString('base64url'), signature].join('.')
}

function assertRefused(
  { status, body, text }: HttpAnswer,
  wanted: number,
  errorType: string,
): void {
  assert.equal(status, wanted, text)
  assert.equal(body.detail.error_type, errorType)
}

describe('a link token', () => {
  test('of another team is refused beside a team key', async () => {
    const { token } = await linking.issue()
    for (const path of ['/v2/link/providers', '/v2/link/provider/oauth/oura', '/v2/link/state']) {
      const headers = { 'x-service-link-token': token, 'x-service-api-key': other.sandboxKey }
      assertRefused(await linking.call('GET', path, undefined, headers), 401, 'invalid_token')
    }
  })

  test('cannot be made for a person of another team', async () => {
    const userId = await linking.makeUser()
    const headers = { 'x-service-api-key': other.sandboxKey }
    const made = await linking.call('POST', '/v2/link/token', { user_id: userId }, headers)
    assert.equal(made.status, 404)
  })

  test('that was edited, unsigned, or signed otherwise opens nothing', async () => {
    const { token } = await linking.issue()
    const victim = await linking.issue()
    const sub = JSON.parse(
      Buffer.from(victim.token.split('.')[1] ?? '', 'base64url').toString(),
    ).sub
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const [, body = ''] = victim.token.split('.')
    for (const forged of [
      edited(token, { sub }),
      `${none}.${body}.`,
      `${token}x`,
      token.split('').reverse().join(''),
      '..',
    ]) {
      const answer = await linking.link('GET', '/v2/link/providers', forged)
      assertRefused(answer, 401, 'invalid_token')
    }
  })

  test('opens nothing but the sign-in', async () => {
    const { token, userId } = await linking.issue()
    for (const path of [`/v2/user/${userId}`, '/v2/user', `/v2/user/providers/${userId}`]) {
      assert.equal((await linking.link('GET', path, token)).status, 401)
    }
  })

  test('leaves pages by no Referer', async () => {
    const { token } = await linking.issue()
    const pages = [
      await open(`${linking.baseUrl}/link?token=${token}`),
      await open(await linking.startOAuth(token)),
      await open(`${linking.baseUrl}${CALLBACK}?state=${token}&error=access_denied`),
      await open(`${linking.baseUrl}/link/done?state=success`),
    ]
    for (const { url, status, headers } of pages) {
      if (status === 404) continue
      assert.equal(headers.get('referrer-policy'), 'no-referrer', new URL(url).pathname)
    }
  })
})

describe('a callback', () => {
  test('with a state that is made up, edited or over connects no user', async () => {
    const { token, userId } = await linking.issue()
    const { code } = await fetchCode(token, 'callback@example.com')
    for (const state of ['', 'x', edited(token, { user_id: userId, exp: 9_999_999_999 })]) {
      assert.equal(errorOf(await comeBack({ state, code })), 'invalid_token')
    }
    linking.harness.clock.advance(3601)
    assert.equal(errorOf(await comeBack({ state: token, code })), 'token_expired')
    assert.equal(await linking.connectionOf(userId), undefined)
  })

  test('that comes again, or with another code, changes nothing', async () => {
    const { token, userId } = await linking.issue()
    const { code, state } = await fetchCode(token, 'replayed@example.com')
    assert.equal(state, token)
    assert.equal((await comeBack({ state, code })).searchParams.get('state'), 'success')
    const before = await linking.connectionOf(userId)
    assert.equal(errorOf(await comeBack({ state, code })), 'token_consumed')
    const thief = await linking.issue()
    const stolen = await fetchCode(thief.token, 'thief@example.com')
    assert.equal(errorOf(await comeBack({ state, code: stolen.code })), 'token_consumed')
    assert.deepEqual(await linking.connectionOf(userId), before)
  })

  test('ten times at once makes one connection', async () => {
    const { token, userId } = await linking.issue()
    const { code } = await fetchCode(token, 'ten@example.com')
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => comeBack({ state: token, code })),
    )
    const good = ends.filter((end) => end.searchParams.get('state') === 'success')
    assert.ok(good.length <= 1)
    // A vendor ends the tokens of a code that is used twice: then there is no event of a
    // connection.
    await linking.settle()
    const connection = await linking.connectionOf(userId)
    assert.equal(connection !== undefined, good.length === 1)
  })

  test('with a provider that was not begun with is refused', async () => {
    const { token } = await linking.issue()
    await linking.startOAuth(token)
    const end = await comeBack({ state: token, code: 'x' }, '/v2/link/connect/fitbit')
    assert.equal(errorOf(end), 'token_not_validated')
    const { token: fresh } = await linking.issue()
    assert.equal(errorOf(await comeBack({ state: fresh, code: 'x' })), 'token_not_validated')
  })
})

describe('a redirect_url', () => {
  const userIds: string[] = []
  before(async () => void userIds.push(await linking.makeUser()))

  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example',
    '/relative',
    'https:evil.example',
    'https://user:password@evil.example/',
    'https://a.example/\r\nset-cookie: a=b',
    'https://a.example\\@evil.example',
    '',
  ]) {
    test(`${JSON.stringify(url)} is refused`, async () => {
      const body = { user_id: userIds[0], redirect_url: url }
      const { status, text } = await linking.call('POST', '/v2/link/token', body)
      assert.equal(status, 422, text)
    })
  }

  test('cannot be given, or changed, by who only has the token', async () => {
    const { token } = await linking.issue({ redirect_url: 'https://team.example/back#part' })
    for (const name of ['redirect_url', 'redirect_uri']) {
      const end = await comeBack({ state: token, error: 'x', [name]: 'https://evil.example' })
      assert.equal(end.host, 'team.example')
      assert.equal(end.hash, '#part')
    }
    // The text of the vendor, or of an impostor, is never shown.
    const end = await comeBack({ state: token, error: '<script>', error_description: 'evil' })
    assert.doesNotMatch(end.href, /script|evil/)
  })

  test('is not fetched by the server', async () => {
    let count = 0
    const { createServer } = await import('node:http')
    const server = createServer((_request, response) => {
      count += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await linking.connect(
      { account: 'ssrf@example.com' },
      { redirect_url: `http://127.0.0.1:${port}/` },
    )
    await linking.settle()
    assert.equal(count, 0)
    await new Promise((resolve) => server.close(resolve))
  })
})

test('webhooks lead to no address of the network of the server', async () => {
  const path = `/team/${linking.harness.teamId}/sandbox/webhook`
  for (const url of ['http://127.0.0.1:1/', 'https://169.254.169.254/', 'https://[::1]/x']) {
    const { status } = await linking.harness.manage('POST', path, { url })
    assert.ok(status >= 400 && status < 500, `${url}: ${status}`)
  }
})

test('addresses of vendors for messages and challenges give nothing away', async () => {
  for (const query of ['', '?challenge=x', '?verification_token=x&challenge=y']) {
    const { status } = await linking.call('GET', `/v2/provider/oura/push${query}`, undefined, {})
    assert.equal(status, 404)
  }
  const sent = await linking.call('POST', '/v2/provider/fitbit/push', '{}', {})
  assert.ok([401, 404].includes(sent.status))
})

test('a message of one team cannot reach the people of another, whose app it is not', async () => {
  const account = 'shared@example.com'
  // Both teams know the same account; each by its own sign-in.
  const { userId } = await linking.connect({ account })
  await linking.settle()
  const mine = await linking.connectionOf(userId)
  assert.equal(mine?.status, 'connected')
  const headers = { 'x-service-api-key': other.sandboxKey }
  const foreign = await linking.call('GET', `/v2/user/providers/${userId}`, undefined, headers)
  assert.equal(foreign.status, 404)
  const refreshed = await linking.call('POST', `/v2/user/refresh/${userId}`, undefined, headers)
  assert.equal(refreshed.status, 404)
  for (const path of ['bulk_pause', 'bulk_trigger_historical_pull']) {
    const body = { user_ids: [userId], provider: 'oura' }
    await linking.call('POST', `/v2/link/${path}`, body, headers)
    assert.equal((await linking.connectionOf(userId))?.status, 'connected')
  }
  const exported = await linking.call('POST', '/v2/link/bulk_export', { provider: 'oura' }, headers)
  assert.deepEqual(exported.body.data, [])
})

test('no log and no answer holds a token, a code or a password', async () => {
  const secrets = new Map<string, string>()
  const { token, userId } = await linking.issue()
  secrets.set('link token', token)
  const { code, state } = await fetchCode(token, 'secretive@example.com')
  secrets.set('code', code)
  await comeBack({ state, code: `${code}x` })
  await comeBack({ state, code })
  await linking.settle()
  const password = 'correct horse battery staple'
  const form = await linking.issue()
  const answersBefore = linking.answers.length
  const path = '/v2/link/provider/password/abbott_libreview'
  await linking.link('POST', path, form.token, { username: 'secretive@example.com', password })
  await linking.link('POST', path, form.token, { username: 'secretive@example.com', password: 7 })
  secrets.set('password', password)
  const exported = await linking.call('POST', '/v2/link/bulk_export', {
    provider: 'oura',
    user_ids: [userId],
  })
  const [recipe] = exported.body.data
  secrets.set('access token', recipe.access_token)
  secrets.set('refresh token', recipe.refresh_token)
  linking.answers.splice(linking.answers.indexOf(exported.text), 1)
  await linking.emulator.revoke('oura', 'secretive@example.com')
  await linking.advance(20)
  await linking.call('GET', `/v2/user/providers/${userId}`)
  const log = lines.join('')
  assert.ok(log.includes('/v2/link/connect/:provider'), 'requests are logged')
  for (const [name, secret] of secrets) {
    assert.ok(secret.length > 7)
    assert.ok(!log.includes(secret), `${name} in the log`)
  }
  for (const name of ['password', 'access token', 'refresh token']) {
    const secret = secrets.get(name) ?? ''
    assert.ok(!linking.answers.some((text) => text.includes(secret)), `${name} in an answer`)
  }
  assert.ok(linking.answers.length > answersBefore)
  assert.ok(!log.includes('secretive'), 'the name of an account in the log')
})
