import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findProvider, PROVIDERS } from '@salus/contracts/providers'
import { assertRefusal } from '../../../server/test/assert-refusal.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { CONNECTORS, refusalOf, statusOf } from '../connectors/index.ts'
import { WITHOUT_CONNECTOR } from '../connectors/provider-states.registry.ts'

/** Providers that cannot be connected say why, wherever they are named. */

const harness = useFixture(() => createHarness())

const OAUTH = '/v2/link/provider/oauth/google_fit'
const PASSWORD = '/v2/link/provider/password/kardia'
const EMAIL = '/v2/link/provider/email/freestyle_libre'
const FORM = { username: 'ada@example.com', password: 'correct' }
const INVITATION = { email: 'ada@example.com', region: 'us' }

interface OpenedTeam {
  key: string
  /** A link token for a new user. */
  token: string
}

async function openTeam(kind: 'production' | 'sandbox'): Promise<OpenedTeam> {
  const { sandboxKey, productionKey } = await harness.makeTeam()
  const key = kind === 'production' ? productionKey : sandboxKey
  const headers = { 'x-service-api-key': key }
  const body = { client_user_id: `person of ${kind}` }
  const user = await harness.call('POST', '/v2/user', body, headers)
  const user_id = user.body.user_id
  const { body: link } = await harness.call('POST', '/v2/link/token', { user_id }, headers)
  return { key, token: link.link_token }
}

const withToken = (token: string, method: string, path: string, body?: object) =>
  harness.call(method, path, body, {
    'x-service-api-key': '',
    'x-service-link-token': token,
  })

describe('a provider without a connector', () => {
  for (const kind of ['production', 'sandbox'] as const) {
    test(`is refused with its reason by every way of signing in, in ${kind}`, async () => {
      const { token } = await openTeam(kind)
      for (const [answer, reason] of [
        [await withToken(token, 'GET', OAUTH), /Google Fit\. Google has admitted no new apps/],
        [
          await withToken(token, 'POST', '/v2/link/start', {
            ...{ link_token: token, provider: 'runkeeper' },
          }),
          /Runkeeper\. /,
        ],
      ] as const) {
        assertRefusal(answer, 400, 'provider_not_available')
        assert.match(answer.text, reason)
        assert.doesNotMatch(answer.text, /try again/i)
      }
    })

    test(`is refused where a link token or an import of ${kind} is for it`, async () => {
      const { key } = await openTeam(kind)
      const headers = { 'x-service-api-key': key }
      const { body } = await harness.call('POST', '/v2/user', { client_user_id: 'other' }, headers)
      const { user_id } = body
      const fixed = { user_id, provider: 'omron' }
      const refused = await harness.call('POST', '/v2/link/token', fixed, headers)
      assertRefusal(refused, 400, 'provider_not_available')
      const uploaded = { user_id, provider: 'apple_health_kit' }
      assert.equal((await harness.call('POST', '/v2/link/token', uploaded, headers)).status, 200)
      const pause = { provider: 'cronometer', user_ids: [user_id] }
      const paused = await harness.call('POST', '/v2/link/bulk_pause', pause, headers)
      assertRefusal(paused, 400, 'provider_not_available')
    })
  }
})

describe('a provider that only sandboxes can connect', () => {
  const slugsOf = (answer: { body: { slug: string }[] }) => answer.body.map(({ slug }) => slug)

  test('is refused in production, and no list has it', async () => {
    const { token, key } = await openTeam('production')
    for (const [answer, reason] of [
      [await withToken(token, 'POST', EMAIL, INVITATION), /no public API of practices/],
      [await withToken(token, 'POST', PASSWORD, FORM), /an API for clinics only/],
      [
        await withToken(token, 'POST', '/v2/link/auth', { ...FORM, provider: 'beurer_api' }),
        /Beurer publishes no API/,
      ],
      [
        await withToken(token, 'POST', '/v2/link/provider/password/my_fitness_pal', FORM),
        /a check for bots/,
      ],
    ] as const) {
      assertRefusal(answer, 400, 'provider_not_available')
      assert.match(answer.text, reason)
    }
    assert.equal(
      slugsOf(await withToken(token, 'GET', '/v2/link/providers')).includes('freestyle_libre'),
      false,
    )
    const catalogue = await harness.call('GET', '/v2/providers', undefined, {
      'x-service-api-key': key,
    })
    assert.equal(slugsOf(catalogue).includes('freestyle_libre'), false)
  })

  test('is in the lists of a sandbox, which say so', async () => {
    const { token, key } = await openTeam('sandbox')
    const headers = { 'x-service-api-key': key }
    for (const list of [
      await withToken(token, 'GET', '/v2/link/providers'),
      await harness.call('GET', '/v2/providers', undefined, headers),
    ]) {
      const descriptions = new Map(
        list.body.map(({ slug, description }: { slug: string; description: string }) => [
          slug,
          description,
        ]),
      )
      assert.match(String(descriptions.get('freestyle_libre')), /Only in sandboxes: Abbott has no/)
      assert.doesNotMatch(String(descriptions.get('oura')), /sandboxes/)
    }
    const { body: user } = await harness.call(
      'POST',
      '/v2/user',
      { client_user_id: 'demo' },
      headers,
    )
    const demo = (provider: string) =>
      harness.call('POST', '/v2/link/connect/demo', { user_id: user.user_id, provider }, headers)
    const { success, detail } = (await demo('freestyle_libre')).body
    assert.equal(success, true)
    assert.match(detail, /Production cannot connect the provider: Abbott/)
    assert.doesNotMatch((await demo('oura')).body.detail, /Production/)
  })
})

test('a provider that needs an app says so', async () => {
  const { token } = await openTeam('production')
  const answer = await withToken(token, 'GET', '/v2/link/provider/oauth/oura')
  assertRefusal(answer, 400, 'provider_not_configured')
  // So does one by password, without the required settings of its app.
  const path = '/v2/link/provider/password/renpho'
  assertRefusal(await withToken(token, 'POST', path, FORM), 400, 'provider_not_configured')
})

test('a provider by password whose app has settings of the operator says so', async () => {
  const path = '/v2/link/provider/password/eight_sleep'
  const listed = async (token: string) =>
    (await withToken(token, 'GET', '/v2/link/providers')).body.map(
      ({ slug }: { slug: string }) => slug,
    )
  const production = await openTeam('production')
  const refused = await withToken(production.token, 'POST', path, FORM)
  assertRefusal(refused, 400, 'provider_not_configured')
  const inProduction = await listed(production.token)
  // Settings with a default need no operator.
  assert.ok(inProduction.includes('abbott_libreview'))
  assert.equal(inProduction.includes('eight_sleep'), false)
  const sandbox = await openTeam('sandbox')
  assert.ok((await listed(sandbox.token)).includes('eight_sleep'))
})

test('every provider has a state, and a reason where production cannot connect it', () => {
  const bySlug = new Map(CONNECTORS.map((connector) => [connector.slug, connector]))
  for (const { slug, authType } of PROVIDERS) {
    const connector = bySlug.get(slug)
    const { state, reason } = statusOf(slug, connector)
    assert.equal(state === 'uploads', authType === 'sdk', slug)
    const isWithout = ['closed', 'no_public_facts', 'not_supported'].includes(state)
    assert.equal(isWithout, connector === undefined && authType !== 'sdk', slug)
    if (isWithout) assert.match(reason ?? '', /^[A-Z].*\.$/, slug)
    assert.equal(refusalOf(slug, connector, { kind: 'production' }), reason ?? undefined)
  }
  const outdated = Object.keys(WITHOUT_CONNECTOR).filter((slug) => bySlug.has(slug))
  assert.deepEqual(outdated, [], 'rows of providers that have a connector by now')
  assert.equal(statusOf('google_fit', undefined).state, 'closed')
  assert.ok(findProvider('cronometer'))
  assert.equal(statusOf('cronometer', undefined).state, 'no_public_facts')
})
