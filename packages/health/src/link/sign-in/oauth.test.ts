import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { assertRefusal } from '../../../../server/test/assert-refusal.ts'
import { createLinkFixture } from '../../../../server/test/link/link-fixture.ts'
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createLinkFixture)

const START = '/v2/link/provider/oauth/oura'
const outcomeOf = (url: URL) => Object.fromEntries(url.searchParams)

async function assertFails(url: URL, errorType: string): Promise<void> {
  const { state, error_type, provider, error } = outcomeOf(url)
  assert.deepEqual([state, error_type, provider], ['error', errorType, 'oura'])
  assert.ok(error)
}

const scopeRequirements = (body: object) =>
  fixture.harness.manage('POST', `/team/${fixture.harness.teamId}/scope_requirements`, body)

describe('the browser that began on the link page', () => {
  const begin = async (token: string, headers: object = {}) => {
    const none = { 'x-service-api-key': '', 'x-service-link-token': token }
    const page = { ...none, 'sec-fetch-site': 'same-origin', host: 'localhost', ...headers }
    const answer = await fixture.harness.call('GET', START, undefined, page)
    assert.equal(answer.status, 200, answer.text)
    return String(answer.headers['set-cookie'] ?? '')
  }
  const comeBack = async (token: string, code: string, cookie?: string) => {
    const url = `/v2/link/connect/oura?${new URLSearchParams({ state: token, code })}`
    const headers = { 'x-service-api-key': '', ...(cookie !== undefined && { cookie }) }
    const answer = await fixture.harness.call('GET', url, undefined, headers)
    return new URL(String(answer.headers.location))
  }
  const cookieOf = (set: string) => set.split(';')[0] ?? ''

  test('is the only one that may come back', async () => {
    const { token, userId } = await fixture.issue()
    fixture.vendor.codes.set('victim', { account: 'ring-of-a-victim' })
    const set = await begin(token)
    assert.match(set, /^salus-link=[\w-]{20,}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
    await assertFails(await comeBack(token, 'victim'), 'token_not_validated')
    await assertFails(await comeBack(token, 'victim', 'salus-link=guess'), 'token_not_validated')
    assert.deepEqual(await fixture.connectionsOf(userId), [])
    const { searchParams } = await comeBack(token, 'victim', cookieOf(set))
    assert.equal(searchParams.get('state'), 'success')
  })

  test('has one nonce for all its tabs', async () => {
    const [one, other] = [await fixture.issue(), await fixture.issue()]
    const cookie = cookieOf(await begin(one.token))
    assert.equal(cookieOf(await begin(other.token, { cookie })), cookie)
    for (const { token } of [one, other]) {
      fixture.vendor.codes.set(token, { account: `ring-${token}` })
      const { searchParams } = await comeBack(token, token, cookie)
      assert.equal(searchParams.get('state'), 'success')
    }
  })

  test('cannot be known of an app or a server, which get no cookie', async () => {
    for (const headers of [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'cross-site' }]) {
      const { token } = await fixture.issue()
      assert.equal(await begin(token, headers), '')
      fixture.vendor.codes.set(token, { account: `ring-${token}` })
      assert.equal((await comeBack(token, token)).searchParams.get('state'), 'success')
    }
  })
})

describe('a sign-in by OAuth', () => {
  test('leads to the vendor, back, and on to where the session says, with the connection made', async () => {
    const { vendor, harness } = fixture
    const { token, userId } = await fixture.issue({
      redirect_url: 'myapp://linked?a=b%20c&state=x#end',
    })
    const { body, status } = await fixture.link('GET', START, token)
    assert.equal(status, 200)
    assert.equal(body.is_active, true)
    assert.equal(Number.isInteger(body.id), true)
    const asked = new URL(body.oauth_url)
    assert.equal(asked.origin + asked.pathname, 'https://web.vendor.example/authorize')
    const query = outcomeOf(asked)
    assert.equal(query.state, token)
    assert.equal(query.redirect_uri, 'http://localhost:80/v2/link/connect/oura')
    assert.equal(query.code_challenge_method, 'S256')

    vendor.codes.set('good', { account: 'ring-1' })
    const end = await fixture.comeBack(token, { code: 'good' })
    assert.equal(end.href, 'myapp://linked?a=b%20c&state=x&state=success&provider=oura#end')
    const exchange = vendor.tokenRequests.at(-1)
    assert.equal(exchange?.get('redirect_uri'), query.redirect_uri)
    const verifier = exchange?.get('code_verifier') ?? ''
    assert.equal(createHash('sha256').update(verifier).digest('base64url'), query.code_challenge)
    assert.equal(await fixture.countPlans(userId), 1)
    const [connection] = await fixture.connectionsOf(userId)
    assert.deepEqual(
      [connection?.slug, connection?.status, connection?.external_user_id],
      ['oura', 'connected', 'ring-1'],
    )
    const credential = (await fixture.credentialOf(userId, 'oura')) as { tokens: object }
    assert.deepEqual(credential.tokens, {
      accessToken: 'ring-1',
      refreshToken: 'refresh-ring-1',
      expiresAt: harness.clock.now().getTime() + 3_600_000,
    })
    const events = await harness.database.pool.query(
      "select count(*)::int as n from events where user_id = $1 and event_type = 'provider.connection.created'",
      [userId],
    )
    assert.equal(events.rows[0].n, 1)
    const state = (await fixture.link('GET', '/v2/link/state', token)).body
    assert.deepEqual([state.state, state.provider], ['consumed', 'oura'])
  })

  test('ends at a page of this deployment without a redirect', async () => {
    const { token } = await fixture.issue()
    const end = await fixture.connect('ring-2', token)
    assert.equal(end.origin + end.pathname, 'http://localhost/link/done')
    assert.deepEqual(outcomeOf(end), { state: 'success', provider: 'oura' })
  })

  test('uses its token up, and no failed attempt does', async () => {
    const { token } = await fixture.issue()
    await fixture.link('GET', START, token)
    await assertFails(
      await fixture.comeBack(token, { error: 'access_denied' }),
      'provider_credential_error',
    )
    await assertFails(await fixture.comeBack(token, { code: 'wrong' }), 'provider_credential_error')
    await assertFails(await fixture.comeBack(token), 'provider_credential_error')
    await assertFails(
      await fixture.comeBack(token, { error: 'server_error' }),
      'provider_api_error',
    )
    assert.equal(outcomeOf(await fixture.connect('ring-3', token)).state, 'success')
    await assertFails(await fixture.connect('ring-3', token), 'token_consumed')
    assertRefusal(await fixture.link('GET', START, token), 401, 'token_consumed')
  })

  test('fails in the words of the contract when the vendor is away', async () => {
    const { token } = await fixture.issue()
    fixture.vendor.isDown = true
    await assertFails(await fixture.connect('ring-4', token), 'provider_api_error')
    fixture.vendor.isDown = false
  })

  test('is not ended by a token that is bad, too old, or was begun with nothing or another provider', async () => {
    const bad = await fixture.comeBack('not.a.token', { code: 'x' })
    assert.equal(bad.origin + bad.pathname, 'http://localhost/link/done')
    await assertFails(bad, 'invalid_token')
    const { token } = await fixture.issue({ redirect_url: 'https://shop.example.com/back' })
    await assertFails(await fixture.comeBack(token, { code: 'x' }), 'token_not_validated')
    await fixture.link('GET', START, token)
    const other = await fixture.comeBack(token, { code: 'x' }, 'fitbit')
    assert.equal(outcomeOf(other).error_type, 'token_not_validated')
    fixture.harness.clock.advance(3600)
    const late = await fixture.comeBack(token, { code: 'x' })
    assert.equal(late.origin, 'https://shop.example.com')
    await assertFails(late, 'token_expired')
  })

  test('of two at once with one token makes one connection', async () => {
    const { vendor } = fixture
    const { token, userId } = await fixture.issue()
    await fixture.link('GET', START, token)
    for (const code of ['one', 'two']) vendor.codes.set(code, { account: `ring-${code}` })
    const ends = await Promise.all(['one', 'two'].map((code) => fixture.comeBack(token, { code })))
    const outcomes = ends.map(outcomeOf).map(({ state, error_type }) => error_type ?? state)
    assert.deepEqual(outcomes.sort(), ['success', 'token_consumed'])
    assert.equal((await fixture.connectionsOf(userId)).length, 1)
  })

  test('may be begun in two tabs and ended in either', async () => {
    const { vendor } = fixture
    const { token } = await fixture.issue()
    const first = (await fixture.link('GET', START, token)).body.oauth_url
    const second = (await fixture.link('GET', START, token)).body.oauth_url
    assert.equal(first, second)
    vendor.codes.set('tab', { account: 'ring-tab' })
    assert.equal(outcomeOf(await fixture.comeBack(token, { code: 'tab' })).state, 'success')
  })

  test('is refused for a provider without a connector', async () => {
    const { token } = await fixture.issue()
    const answer = await fixture.link('GET', '/v2/link/provider/oauth/garmin', token)
    assertRefusal(answer, 400, 'provider_not_available')
    assert.equal((await fixture.link('GET', '/v2/link/provider/oauth/kardia', token)).status, 422)
    const head = await fixture.harness.call('HEAD', `/v2/link/connect/oura?state=${token}`)
    assert.equal(head.status, 405)
  })
})

describe('an app that the vendor does not accept', () => {
  const failWith = async (token: string, query: Record<string, string>) => {
    await fixture.link('GET', START, token)
    return outcomeOf(await fixture.comeBack(token, query))
  }

  test('ends with a message that names the setting to correct, and leaves the token good', async () => {
    const { token } = await fixture.issue()
    for (const [tokenError, message] of [
      [{ error: 'invalid_client' }, /client_id or the client_secret of SALUS_PROVIDER_APPS/],
      [{ message: 'Unauthorized' }, /client_id or the client_secret of SALUS_PROVIDER_APPS/],
      [
        { error: 'invalid_grant', error_description: 'The redirect URI is wrong: secret' },
        /Register exactly http:\/\/localhost(:80)?\/v2\/link\/connect\/oura there, or correct SALUS_BASE_URL/,
      ],
      [{ error: 'redirect_uri_mismatch' }, /Register exactly/],
    ] as const) {
      fixture.vendor.tokenError = tokenError
      const outcome = await failWith(token, { code: 'any' })
      fixture.vendor.tokenError = undefined
      assert.equal(outcome.error_type, 'provider_credential_error')
      assert.match(String(outcome.error), message)
      assert.doesNotMatch(String(outcome.error), /secret$/)
    }
    for (const [error, message] of [
      ['unauthorized_client', /client_id/],
      ['invalid_scope', /does not grant the scopes/],
      ['redirect_uri_mismatch', /redirect address/],
    ] as const) {
      const outcome = await failWith(token, { error })
      assert.match(String(outcome.error), message)
    }
    const denied = await failWith(token, { error: 'access_denied' })
    assert.equal(denied.error, 'The provider denied access or rejected the credential.')
    fixture.vendor.codes.set('good', { account: 'ring-of-a-good-app' })
    assert.equal((await failWith(token, { code: 'good' })).state, 'success')
  })
})

describe('what a team demands', () => {
  test('are scopes without which there is no connection', async () => {
    await scopeRequirements({ oura: { user_must_grant: ['heartrate'], user_may_grant: ['email'] } })
    const { token, userId } = await fixture.issue()
    const { body } = await fixture.link('GET', START, token)
    assert.equal(new URL(body.oauth_url).searchParams.get('scope'), 'daily heartrate email')
    await assertFails(
      await fixture.connect('ring-5', token, 'daily'),
      'required_scopes_not_granted',
    )
    assert.deepEqual(await fixture.connectionsOf(userId), [])
    await scopeRequirements({ oura: null })
    const end = await fixture.connect('ring-5', token, 'daily')
    assert.equal(outcomeOf(end).state, 'success')
    const [connection] = await fixture.connectionsOf(userId)
    const available = connection?.resource_availability as Record<string, { status: string }>
    assert.deepEqual(
      [available.sleep?.status, available.heartrate?.status],
      ['available', 'unavailable'],
    )
  })

  test('is at least one resource', async () => {
    const { token } = await fixture.issue()
    await assertFails(
      await fixture.connect('ring-6', token, 'email'),
      'required_scopes_not_granted',
    )
  })

  test('may be that no account is connected twice', async () => {
    await changeSettings(fixture.harness, { reject_duplicate_connection: true })
    const first = await fixture.issue()
    const second = await fixture.issue()
    assert.equal(outcomeOf(await fixture.connect('ring-7', first.token)).state, 'success')
    await assertFails(await fixture.connect('ring-7', second.token), 'duplicate_connection')
    const again = await fixture.issue({ user_id: first.userId })
    assert.equal(outcomeOf(await fixture.connect('ring-7', again.token)).state, 'success')
    await changeSettings(fixture.harness, { reject_duplicate_connection: false })
    assert.equal(outcomeOf(await fixture.connect('ring-7', second.token)).state, 'success')
  })

  test('may be another address to come back to, which is the same at both steps', async () => {
    const { harness, vendor } = fixture
    const redirect_url_override = 'https://link.clinic.example/back'
    const made = await harness.manage('POST', '/team_custom_credentials/sandbox/us', {
      ...{ team_id: harness.teamId, provider: 'oura', client_id: 'ours', client_secret: 'secret' },
      redirect_url_override,
    })
    assert.equal(made.status, 200, made.text)
    const { token } = await fixture.issue()
    const asked = new URL((await fixture.link('GET', START, token)).body.oauth_url)
    assert.equal(asked.searchParams.get('redirect_uri'), redirect_url_override)
    assert.equal(asked.searchParams.get('client_id'), 'ours')
    const url = `/team_custom_credentials/sandbox/us?credential_id=${made.body.id}`
    vendor.codes.set('theirs', { account: 'ring-8' })
    assert.equal(outcomeOf(await fixture.comeBack(token, { code: 'theirs' })).state, 'success')
    assert.equal(vendor.tokenRequests.at(-1)?.get('redirect_uri'), redirect_url_override)
    assert.deepEqual((await harness.manage('DELETE', url)).body.success, [made.body.id])
  })
})
