import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { PROVIDERS } from '@salus/contracts/providers'
import { parseOperatorApps } from '@salus/health/connectors'
import { createHarness } from '../../test/harness.ts'
import { useFixture } from '../../test/use-fixture.ts'
import { checkPublicAddress, checkPushAddress, checkReachable } from './provider-checks.ts'

const APP = { client_id: 'operator', client_secret: 'hush' }
const salus = useFixture(() =>
  createHarness({ operatorApps: parseOperatorApps(JSON.stringify({ oura: APP })) }),
)

const ask = (path: string, key = salus.managementKey) =>
  salus.call('GET', `/v1/operation/provider/setup${path}`, undefined, { 'x-management-key': key })

interface Row {
  provider: string
  state: string
  reason: string | null
  app: string
  team_apps: number
}

test('every provider has a row with its state and its app', async () => {
  const { id } = await salus.makeTeam()
  const own = { team_id: id, provider: 'oura', client_id: 'own', client_secret: 'hush' }
  await salus.manage('POST', '/team_custom_credentials/production/us', own)
  await salus.manage('POST', '/team_custom_credentials/sandbox/us', own)
  const { status, body, text } = await ask('')
  assert.equal(status, 200, text)
  assert.deepEqual(
    body.data.map(({ provider }: Row) => provider),
    PROVIDERS.map(({ slug }) => slug),
  )
  const rowOf = (slug: string): Row => body.data.find(({ provider }: Row) => provider === slug)
  assert.deepEqual(
    [rowOf('oura').state, rowOf('oura').app, rowOf('oura').team_apps, rowOf('oura').reason],
    ['documented_schema', 'configured', 1, null],
  )
  assert.deepEqual(
    [rowOf('abbott_libreview').app, rowOf('eight_sleep').app, rowOf('freestyle_libre').app],
    ['not_needed', 'missing', 'missing'],
  )
  assert.equal(rowOf('google_fit').state, 'closed')
  assert.match(rowOf('freestyle_libre').reason ?? '', /no public API/)
  assert.equal(text.includes('hush'), false)
})

test('a provider has what to register, and what is wrong with it', async () => {
  const { body, text } = await ask('/oura')
  assert.match(body.redirect_url, /^http:\/\/localhost(:80)?\/v2\/link\/connect\/oura$/)
  assert.match(body.push_url, /\/v2\/provider\/oura\/push$/)
  assert.equal(body.push_is_subscribed, true)
  assert.ok(body.scopes.includes('daily') && body.registration.length > 0)
  assert.deepEqual(body.budgets, [{ per: 'app', requests: 5000, seconds: 300 }])
  assert.deepEqual(
    body.checks.map(({ state, message }: { state: string; message: string }) => [state, message]),
    [
      ['ok', 'Users can be connected to Oura.'],
      ['ok', 'An app is configured. Teams with an app of their own: 1.'],
      ['problem', 'The deployment has no public address.'],
      ['skipped', 'The address of messages needs the public address.'],
    ],
  )
  assert.match(body.checks[2].advice, /SALUS_BASE_URL/)
  assert.equal(text.includes('hush'), false)
  const closed = (await ask('/google_fit')).body
  assert.equal(closed.checks[0].state, 'problem')
  assert.match(closed.checks[0].message, /^Production cannot connect Google Fit\. Google/)
  const libre = (await ask('/freestyle_libre')).body
  assert.match(libre.checks[1].advice, /under "freestyle_libre" in SALUS_PROVIDER_APPS/)
  const bed = (await ask('/eight_sleep')).body
  assert.equal(bed.checks[1].message, 'The app lacks settings: client_id, client_secret.')
  assert.deepEqual(
    bed.app_settings.map(({ name, is_required, is_set }: Record<string, unknown>) => [
      ...[name, is_required, is_set],
    ]),
    [
      ['client_id', true, false],
      ['client_secret', true, false],
      ['user_agent', false, false],
    ],
  )
  const shared = (await ask('/abbott_libreview')).body
  assert.equal(shared.checks[1].message, 'It needs no app.')
  assert.equal(shared.app_settings[1].default, '4.16.0')
  assert.equal(shared.budgets[1].per, 'address')
  assert.equal((await ask('/nothing')).status, 422)
})

test('only operators read it', async () => {
  const team = await salus.makeTeam()
  const { body } = await salus.manage('POST', '/management_key', {
    ...{ label: 'of a team', role: 'team_admin', team_role_bindings: [{ team_id: team.id }] },
  })
  for (const path of ['', '/oura']) assert.equal((await ask(path, body.key)).status, 403)
})

describe('a public address', () => {
  const statesOf = async (baseUrl: string) =>
    (await checkPublicAddress(baseUrl)).map(({ state }) => state)

  test('is https, and no address of this machine or network', async () => {
    assert.deepEqual(await statesOf('http://localhost:8787'), ['problem', 'problem'])
    assert.deepEqual(await statesOf('https://192.168.1.5'), ['ok', 'problem'])
    assert.deepEqual(await statesOf('https://[::1]:8443'), ['ok', 'problem'])
    assert.deepEqual(await statesOf('https://salus.internal'), ['ok', 'problem'])
  })

  test('leads to this service, and so does the address of messages', async (context) => {
    const url = await salus.app.listen({ port: 0, host: '127.0.0.1' })
    const push = `${url}/v2/provider/oura/push`
    assert.equal((await checkReachable(url)).state, 'ok')
    assert.equal((await checkPushAddress(push, true)).state, 'ok')
    const other = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
    context.after(() => other.close())
    await once(other, 'listening')
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    assert.match((await checkReachable(elsewhere)).message, /does not lead to this deployment/)
    assert.equal((await checkPushAddress(`${elsewhere}/push`, true)).state, 'problem')
    const nowhere = await checkReachable('http://127.0.0.1:9')
    assert.match(nowhere.message, /\(connection\)\.$/)
    assert.equal((await checkPushAddress(null, true)).state, 'skipped')
  })
})
