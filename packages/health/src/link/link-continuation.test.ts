import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertRefusal } from '../../../server/test/assert-refusal.ts'
import { createLinkFixture } from '../../../server/test/link/link-fixture.ts'
import { changeSettings } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const fixture = useFixture(createLinkFixture)

const configOf = async (token: string, query = '') =>
  (await fixture.link('GET', `/v2/team/link/config${query}`, token)).body

const goOn = (continuation: unknown) =>
  fixture.harness.call(
    'POST',
    '/v2/link/token/continue',
    { continuation },
    { 'x-service-api-key': '' },
  )

describe('after a connection', () => {
  test('a further session begins: same person and choices, same end, and one for each connection', async () => {
    const { harness, issue, connect } = fixture
    const filter_on_providers = ['oura', 'abbott_libreview']
    const { token, userId } = await issue({ filter_on_providers, on_close: 'redirect' })
    const { continuation, connections } = await configOf(token)
    assert.deepEqual(connections, [])
    assertRefusal(await goOn(continuation), 401, 'token_not_validated')
    await connect('first-account', token)
    harness.clock.advance(600)
    const [once, again] = [await goOn(continuation), await goOn(continuation)]
    assert.equal(once.status, 200)
    const next = once.body.link_token
    assert.notEqual(next, token)
    assert.equal(once.body.link_web_url, `http://localhost:80/link?token=${next}`)
    const config = await configOf(next)
    assert.equal(config.on_close, 'redirect')
    assert.deepEqual(
      config.connections.map(({ slug, status }: Record<string, string>) => [slug, status]),
      [['oura', 'connected']],
    )
    const url = '/v2/link/provider/password/abbott_libreview'
    const signIn = { username: 'ada', password: 'correct' }
    const signedIn = await fixture.link('POST', url, again.body.link_token, signIn)
    assert.notEqual(signedIn.body.error_type, 'token_consumed')
    // Both are tokens of one session.
    await connect('second-account', next)
    assertRefusal(
      await fixture.link('GET', '/v2/link/providers', again.body.link_token),
      401,
      'token_consumed',
    )
    assert.equal((await fixture.connectionsOf(userId)).length >= 1, true)
    harness.clock.advance(3000)
    assertRefusal(await goOn(continuation), 401, 'token_expired')
  })

  test('neither the link token nor another text continues, and a continuation opens nothing', async () => {
    const { token } = await fixture.issue()
    const { continuation } = await configOf(token)
    await fixture.connect('third-account', token)
    for (const bad of [token, '', 'made.up.text', `${continuation}x`]) {
      const answer = await goOn(bad)
      assert.ok([400, 401].includes(answer.status), bad)
    }
    const config = await fixture.link('GET', '/v2/team/link/config', continuation)
    assertRefusal(config, 401, 'invalid_token')
    const back = await fixture.comeBack(continuation, { code: 'x' })
    assert.equal(back.searchParams.get('error_type'), 'invalid_token')
  })

  test('nothing continues for a person who was deleted, nor where the team fixed the provider', async () => {
    const gone = await fixture.issue()
    const { continuation } = await configOf(gone.token)
    await fixture.connect('fourth-account', gone.token)
    await fixture.harness.call('DELETE', `/v2/user/${gone.userId}`)
    assertRefusal(await goOn(continuation), 401, 'invalid_token')
    const fixed = await fixture.issue({ provider: 'oura' })
    assert.equal((await configOf(fixed.token)).continuation, null)
  })
})

test('the page learns what an app on a phone connects, as the team filters it', async () => {
  const slugsOf = async (body: object) => {
    const { token } = await fixture.issue({ ...body })
    const { app_providers: shown } = await configOf(token)
    return shown.map(({ slug }: { slug: string }) => slug)
  }
  assert.deepEqual(await slugsOf({}), ['apple_health_kit', 'health_connect'])
  assert.deepEqual(await slugsOf({ filter_on_providers: ['oura'] }), [])
  assert.deepEqual(await slugsOf({ filter_on_providers: ['oura', 'health_connect'] }), [
    'health_connect',
  ])
  assert.deepEqual(await slugsOf({ provider: 'apple_health_kit' }), ['apple_health_kit'])
})

test('the page learns the origin of its opener only where the team allows it', async () => {
  await changeSettings(fixture.harness, { link_origins: ['https://app.example.com'] })
  const { token } = await fixture.issue()
  const openerOf = async (origin: string) =>
    (await configOf(token, `?opener=${encodeURIComponent(origin)}`)).opener
  assert.equal(await openerOf('https://app.example.com'), 'https://app.example.com')
  for (const other of ['https://evil.example', 'null', '*', 'https://app.example.com/', '']) {
    assert.equal(await openerOf(other), null, other)
  }
  assert.equal((await configOf(token)).opener, null)
  await changeSettings(fixture.harness, { link_origins: null })
})
