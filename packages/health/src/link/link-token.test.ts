import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { newId } from '@salus/kernel/ids'
import { decodeJwt, SignJWT } from 'jose'
import { assertRefusal } from '../../../server/test/assert-refusal.ts'
import { createLinkFixture } from '../../../server/test/link/link-fixture.ts'
import { changeSettings } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { readLinkToken, signLinkToken } from './link-token.ts'

const fixture = useFixture(createLinkFixture)

const CONFIG = '/v2/team/link/config'

describe('a link token', () => {
  test('says whose session it is, for an hour', async () => {
    const { harness } = fixture
    const userId = await harness.makeUser()
    const { body } = await harness.call('POST', '/v2/link/token', { user_id: userId })
    const claims = decodeJwt(body.link_token)
    assert.equal(claims.aud, 'http://localhost:80/v2/link')
    assert.deepEqual([claims.team_id, claims.user_id], [harness.teamId, userId])
    assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), 3600)
    assert.equal(body.link_web_url, `http://localhost:80/link?token=${body.link_token}`)
  })

  test('is refused for a user of another team, and for an address that no person can be sent to', async () => {
    const { harness } = fixture
    const issue = (body: object) => harness.call('POST', '/v2/link/token', body)
    assert.equal((await issue({ user_id: newId() })).status, 404)
    const userId = await harness.makeUser()
    const bad = ['javascript:alert(1)', 'data:text/html,x', '/link', 'example.com', 'https://']
    for (const redirect_url of [...bad, 'https://user:pass@example.com', 'https://a b.example']) {
      const answer = await issue({ user_id: userId, redirect_url })
      assert.equal(answer.status, 422, redirect_url)
    }
    for (const redirect_url of ['myapp://linked', 'com.example.app:/done', 'http://localhost/x']) {
      assert.equal((await issue({ user_id: userId, redirect_url })).status, 200, redirect_url)
    }
    assert.equal((await issue({ user_id: userId, provider: 'unknown' })).status, 422)
    assert.equal((await issue({ user_id: userId, filter_on_providers: [] })).status, 422)
  })

  test('leads only where the team allows, once it has a list', async () => {
    const { harness } = fixture
    const userId = await harness.makeUser()
    const statusOf = async (redirect_url: string | null) =>
      (await harness.call('POST', '/v2/link/token', { user_id: userId, redirect_url })).status
    const link_redirect_urls = ['https://app.example.com/linked', 'myapp://linked']
    await changeSettings(harness, { link_redirect_urls })
    const allowed = [
      'https://app.example.com/linked',
      'https://app.example.com/linked?user=1#end',
      'https://app.example.com/linked/done',
      'https://APP.example.com:443/linked',
      'myapp://linked?a=b',
      null,
    ]
    const refused = [
      'https://app.example.com/',
      'https://app.example.com/linkedin',
      'https://app.example.com/linked/../account',
      'https://app.example.com/linked/%2e%2e/account',
      'https://app.example.com.evil.example/linked',
      'https://evil.example/?https://app.example.com/linked',
      'http://app.example.com/linked',
      'https://app.example.com:8443/linked',
      'otherapp://linked',
      'myapp://other',
    ]
    for (const url of allowed) assert.equal(await statusOf(url), 200, `${url}`)
    for (const url of refused) assert.equal(await statusOf(url), 422, url)
    await changeSettings(harness, { link_redirect_urls: [] })
    assert.deepEqual(
      [await statusOf(null), await statusOf(link_redirect_urls[0] ?? '')],
      [200, 422],
    )
    await changeSettings(harness, { link_redirect_urls: null })
    assert.equal(await statusOf('https://evil.example/'), 200)
  })

  test('of a team shows a logo of the web, and no program or file in its place', async () => {
    const { harness } = fixture
    const set = (logo_url: string) =>
      harness.manage('PATCH', `/team/${harness.teamId}`, { sandbox: { logo_url } })
    for (const bad of ['javascript:alert(1)', 'data:image/svg+xml,x', 'file:///etc/passwd', 'x']) {
      assert.equal((await set(bad)).status, 422, bad)
    }
    assert.equal((await set('https://example.com/logo.png')).status, 200)
  })

  test('opens what it is for by itself, under either name of its header', async () => {
    const { token } = await fixture.issue()
    assert.equal((await fixture.link('GET', CONFIG, token)).status, 200)
    const alias = { 'x-vital-link-token': token, 'x-service-api-key': '' }
    assert.equal((await fixture.harness.call('GET', CONFIG, undefined, alias)).status, 200)
  })

  test('takes a team key beside it, but only a right one of the same environment', async () => {
    const { token } = await fixture.issue()
    const { harness } = fixture
    const withKey = (key: string) =>
      harness.call('GET', CONFIG, undefined, {
        'x-service-link-token': token,
        'x-service-api-key': key,
      })
    assert.equal((await withKey(harness.apiKey)).status, 200)
    assertRefusal(await withKey('sk_us_wrongwrongwrong'), 401, 'invalid_api_key')
    const other = await harness.makeTeam()
    assertRefusal(await withKey(other.sandboxKey), 401, 'invalid_token')
  })

  test('that is missing, invented, signed by another party or expired is refused with its error', async () => {
    const { harness } = fixture
    const refusal = async (token: string | undefined) => fixture.link('GET', CONFIG, token)
    assertRefusal(await refusal(undefined), 400, 'missing_link_token')
    assertRefusal(await refusal('not.a.token'), 401, 'invalid_token')
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(newId())
      .setExpirationTime('1h')
      .sign(randomBytes(32))
    assertRefusal(await refusal(forged), 401, 'invalid_token')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged.split('.')[1]}.`
    assertRefusal(await refusal(unsigned), 401, 'invalid_token')
    const gone = await fixture.issue()
    await harness.call('DELETE', `/v2/user/${gone.userId}`)
    assertRefusal(await refusal(gone.token), 401, 'invalid_token')
    const { token } = await fixture.issue()
    const check = () =>
      harness.call('POST', '/v2/link/token/isValid', { token }, { 'x-service-api-key': '' })
    assert.deepEqual((await check()).body, { is_valid: true })
    harness.clock.advance(3600)
    assertRefusal(await refusal(token), 401, 'token_expired')
    assertRefusal(await check(), 401, 'token_expired')
    assert.equal((await fixture.link('GET', '/v2/link/state', token)).body.state, 'expired')
  })

  test('is known after a change of the secret key as long as the former one is given', async () => {
    const [former, next] = [randomBytes(32), randomBytes(32)]
    const session = { id: newId(), teamId: newId(), userId: newId() }
    const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) }
    const signed = await signLinkToken(createSecretBox([former]), 'https://salus.example.com', {
      ...session,
      ...times,
    })
    const read = (...keys: Buffer[]) => readLinkToken(createSecretBox(keys), signed)
    assert.equal((await read(next, former))?.sessionId, session.id)
    assert.equal(await read(next), undefined)
  })
})

describe('a link session', () => {
  test('returns its state, and can be started with a provider repeatedly', async () => {
    const { token } = await fixture.issue({ redirect_url: 'myapp://linked' })
    const state = async () => (await fixture.link('GET', '/v2/link/state', token)).body
    const redirect_url = 'myapp://linked'
    assert.deepEqual(await state(), { state: 'issued', provider: null, redirect_url })
    const start = (provider: string) =>
      fixture.link('POST', '/v2/link/start', undefined, { link_token: token, provider })
    assert.deepEqual((await start('oura')).body, { token })
    assert.deepEqual(await state(), { state: 'validated', provider: 'oura', redirect_url })
    assert.equal((await start('abbott_libreview')).status, 200)
    assert.equal((await state()).provider, 'abbott_libreview')
  })

  test('of one provider is for no other', async () => {
    const { token } = await fixture.issue({ provider: 'oura' })
    const body = { link_token: token, provider: 'abbott_libreview' }
    const answer = await fixture.link('POST', '/v2/link/start', undefined, body)
    assertRefusal(answer, 401, 'token_not_validated')
  })

  test('shows the page what to show', async () => {
    const { token } = await fixture.issue({
      filter_on_providers: ['freestyle_libre', 'oura'],
      on_error: 'redirect',
    })
    const { body } = await fixture.link('GET', CONFIG, token)
    assert.deepEqual(
      body.providers.map(({ slug }: { slug: string }) => slug),
      ['freestyle_libre', 'oura'],
    )
    assert.deepEqual(
      [body.on_error, body.on_close, body.environment],
      ['redirect', null, 'sandbox'],
    )
    assert.equal(typeof body.team.name, 'string')
    const all = (await fixture.link('GET', '/v2/link/providers', token)).body
    assert.deepEqual(
      all.map(({ name }: { name: string }) => name),
      ['Abbott LibreView', 'Freestyle Libre', 'Oura', 'Zwift'],
    )
    assert.deepEqual(Object.keys(all[0].form_components), ['username', 'password', 'region'])
  })
})

test('a deployment may demand a team key beside link tokens', async () => {
  const { token } = await fixture.issue()
  const strict = { ...fixture.harness.dependencies.config, linkNeedsTeamKey: true }
  const { buildApp } = await import('../../../server/src/app.ts')
  const app = await buildApp({ ...fixture.harness.dependencies, config: strict })
  const get = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'GET', url: CONFIG, headers })).statusCode
  const link = { 'x-service-link-token': token }
  assert.equal(await get(link), 401)
  assert.equal(await get({ ...link, 'x-service-api-key': fixture.harness.apiKey }), 200)
  await app.close()
})
