import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useFixture } from '../use-fixture.ts'
import { open, signInAtVendor } from './browser.ts'
import { createLinking } from './linking-fixture.ts'

/** Vendors with a service in each region: the region that a person chooses is that of the data. */

const linking = useFixture(createLinking)
before(() => linking.wantDays(2, 'dexcom_v3'))

const start = (token: string, query: string, provider = 'dexcom_v3') =>
  linking.link('GET', `/v2/link/provider/oauth/${provider}${query}`, token)

const regionsOf = async (userId: string): Promise<(string | null)[]> => {
  const { rows } = await linking.harness.database.pool.query(
    'select region from connections where user_id = $1',
    [userId],
  )
  return rows.map(({ region }) => region)
}

/** Signs in at the vendor's page; returns where the browser ends. */
async function signIn(token: string, query: string, account: string): Promise<URL> {
  const { body, status, text } = await start(token, query)
  assert.equal(status, 200, text)
  const { location = '' } = await open(await signInAtVendor(body.oauth_url, { account }))
  return new URL(location)
}

test('the form of a provider lists its regions, and those of others by OAuth have none', async () => {
  const { token } = await linking.issue()
  const { body } = await linking.link('GET', '/v2/link/providers', token)
  const formOf = (wanted: string) =>
    body.find(({ slug }: { slug: string }) => slug === wanted).form_components
  assert.deepEqual(formOf('dexcom_v3'), {
    region: { label: 'Region', options: ['us', 'eu', 'jp'], default: 'us', others: 'eu' },
  })
  assert.deepEqual(formOf('ihealth'), {
    region: { label: 'Region', options: ['us', 'eu'], default: 'us' },
  })
  assert.deepEqual(formOf('oura'), {})
})

describe('a sign-in by OAuth', () => {
  test('in Japan ends in a connection there, whose data arrive', async () => {
    const { token, userId } = await linking.issue()
    const end = await signIn(token, '?region=jp', 'jun@example.com')
    assert.equal(end.searchParams.get('state'), 'success', end.href)
    assert.deepEqual(await regionsOf(userId), ['jp'])
    const history = await linking.waitForHistory(userId, 'dexcom_v3')
    assert.equal(history.glucose?.status, 'success')
  })

  test('without a region is in that of the deployment', async () => {
    const { token, userId } = await linking.issue()
    const end = await signIn(token, '', 'una@example.com')
    assert.equal(end.searchParams.get('state'), 'success', end.href)
    assert.deepEqual(await regionsOf(userId), ['us'])
  })

  test('in a region that the vendor does not have is refused, and the token is still good', async () => {
    const { token, userId } = await linking.issue()
    for (const region of ['mars', 'JP', '', 'constructor']) {
      const { status, body } = await start(token, `?region=${region}`)
      assert.deepEqual([status, body.detail.error_type], [400, 'unsupported_region'], region)
    }
    assert.deepEqual(await regionsOf(userId), [])
    const end = await signIn(token, '?region=eu', 'mia@example.com')
    assert.equal(end.searchParams.get('state'), 'success', end.href)
    assert.deepEqual(await regionsOf(userId), ['eu'])
  })

  test('of a vendor with one region takes no notice of it', async () => {
    const { token } = await linking.issue()
    assert.equal((await start(token, '?region=mars', 'oura')).status, 200)
  })
})
