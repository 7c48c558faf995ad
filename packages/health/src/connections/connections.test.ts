import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findEnvironment } from '@salus/accounts/teams'
import { findProvider, PROVIDERS } from '@salus/contracts/providers'
import { CONNECTORS } from '@salus/health/connectors'
import { newId } from '@salus/kernel/ids'
import { createScope, type Environment } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { ensureConnected } from './index.ts'

const SDK_PROVIDERS = [
  'accuchek_ble',
  'apple_health_kit',
  'beurer_ble',
  'contour_ble',
  'freestyle_libre_ble',
  'health_connect',
  'manual',
  'omron_ble',
  'onetouch_ble',
  'samsung_health',
]

const harness = useFixture(createHarness)

const call = (method: string, url: string, body?: unknown, headers?: object): Promise<Answer> =>
  harness.call(method, url, body, headers)
const connect = (userId: string, provider: string, more: object = {}) =>
  call('POST', `/v2/link/provider/manual/${provider}`, { user_id: userId, ...more })
const disconnect = (userId: string, provider: string) =>
  call('DELETE', `/v2/user/${userId}/${provider}`)
const now = () => formatInstant(harness.clock.now())

async function listOf(userId: string) {
  const { status, body } = await call('GET', `/v2/user/providers/${userId}`)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['providers'])
  return body.providers
}

/** Sets the state that connectors cause: a connection fails or is paused. */
async function setStatus(userId: string, status: string, error: object | null = null) {
  await harness.database.pool.query(
    'update connections set status = $2, error_details = $3 where user_id = $1',
    [userId, status, error && JSON.stringify(error)],
  )
}

const FAILURE = {
  error_type: 'deregistered_per_provider',
  error_message: 'The person disconnected at the provider.',
  errored_at: '2026-02-03T04:05:06.789Z',
}

describe('manual connection', () => {
  test('is made for every SDK provider, and shows in the list and with the user', async () => {
    const userId = await harness.makeUser()
    for (const provider of SDK_PROVIDERS) {
      const { status, body } = await connect(userId, provider)
      assert.deepEqual([status, body], [200, { success: true }], provider)
      harness.clock.advance(1)
    }
    const list = await listOf(userId)
    assert.deepEqual(
      list.map(({ slug }: { slug: string }) => slug),
      SDK_PROVIDERS,
    )
    const { connected_sources } = (await call('GET', `/v2/user/${userId}`)).body
    assert.deepEqual(
      connected_sources.map(({ provider }: { provider: { slug: string } }) => provider.slug),
      SDK_PROVIDERS,
    )
  })

  test('is described with every documented key', async () => {
    const userId = await harness.makeUser('omron_ble')
    const created_on = now()
    const logo = 'http://localhost:80/assets/providers/omron_ble.svg'
    const reference = { name: 'Omron (Bluetooth)', slug: 'omron_ble', logo }
    const available = { status: 'available', scope_requirements: null }
    assert.deepEqual(await listOf(userId), [
      {
        ...reference,
        status: 'connected',
        created_on,
        resource_availability: { blood_pressure: available, weight: available, fat: available },
        error_details: null,
        external_user_id: null,
      },
    ])
    const { connected_sources } = (await call('GET', `/v2/user/${userId}`)).body
    assert.deepEqual(connected_sources, [{ provider: reference, source: reference, created_on }])
    const path = new URL(logo).pathname
    assert.match((await call('GET', path)).text, /^<svg.*<title>Omron \(Bluetooth\)<\/title>/)
  })

  test('the second time is 409, also when both come at once', async () => {
    const userId = await harness.makeUser()
    const answers = await Promise.all(Array.from({ length: 20 }, () => connect(userId, 'manual')))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array(19).fill(409)])
    const refused = answers.find(({ status }) => status === 409)
    assert.equal(refused?.body.detail.error_type, 'already_connected')
    assert.equal((await listOf(userId)).length, 1)
  })

  test('brings a failed or paused connection back, with its created_on', async () => {
    for (const status of ['error', 'paused']) {
      const userId = await harness.makeUser('manual')
      const created = now()
      await setStatus(userId, status, FAILURE)
      const [broken] = await listOf(userId)
      assert.equal(broken.status, status)
      assert.deepEqual(broken.error_details, {
        ...FAILURE,
        errored_at: '2026-02-03T04:05:06+00:00',
      })
      harness.clock.advance(3600)
      assert.equal((await connect(userId, 'manual')).status, 200)
      const [mended] = await listOf(userId)
      assert.deepEqual([mended.status, mended.error_details], ['connected', null])
      assert.equal(mended.created_on, created)
    }
  })

  test('keeps provider_id and permissions, which null and absence leave empty', async () => {
    const userId = await harness.makeUser()
    const permissions = ['read.steps', 'read.heart_rate']
    const given = { provider_id: 'abc', granted_permissions: permissions }
    assert.equal((await connect(userId, 'health_connect', given)).status, 200)
    const none = { provider_id: null, granted_permissions: null }
    assert.equal((await connect(userId, 'manual', none)).status, 200)
    const { rows } = await harness.database.pool.query(
      'select external_user_id, granted_permissions from connections where user_id = $1 order by provider',
      [userId],
    )
    assert.deepEqual(rows, [
      { external_user_id: 'abc', granted_permissions: permissions },
      { external_user_id: null, granted_permissions: null },
    ])
  })

  test('is refused for cloud providers, unknown ones and unknown users', async () => {
    const userId = await harness.makeUser()
    for (const provider of ['oura', 'nonesuch', 'Manual']) {
      const { status, body } = await connect(userId, provider)
      assert.equal(status, 422, provider)
      assert.deepEqual(body.detail[0].loc, ['path', 'provider'])
    }
    assert.equal((await connect(newId(), 'manual')).status, 404)
    assert.equal((await connect('42', 'manual')).status, 422)
    assert.equal((await call('POST', '/v2/link/provider/manual/manual', {})).status, 422)
  })
})

describe('end of a connection', () => {
  test('takes it off the list and keeps its data', async () => {
    const userId = await harness.makeUser('manual', 'omron_ble')
    const sample = { value: 70, unit: 'bpm', start_date: '2026-02-20T08:00:00Z' }
    const upload = { stage: 'daily', provider: 'manual', data: [sample] }
    const url = `/v2/timeseries/${userId}/heartrate`
    await call('POST', url, upload)
    const ended = await disconnect(userId, 'manual')
    assert.deepEqual([ended.status, ended.body], [200, { success: true }])
    assert.deepEqual(
      (await listOf(userId)).map(({ slug }: { slug: string }) => slug),
      ['omron_ble'],
    )
    const { groups } = (await call('GET', `${url}/grouped?start_date=2026-02-01`)).body
    assert.equal(groups.manual[0].data.length, 1)
    const refused = await call('POST', url, upload)
    assert.deepEqual([refused.status, refused.body.detail.error_type], [400, 'not_connected'])
  })

  test('is 404 where there is none', async () => {
    const userId = await harness.makeUser('manual')
    assert.equal((await disconnect(userId, 'manual')).status, 200)
    for (const provider of ['manual', 'oura']) {
      assert.equal((await disconnect(userId, provider)).status, 404, provider)
    }
    assert.equal((await disconnect(newId(), 'manual')).status, 404)
  })

  test('concerns failed and paused connections too', async () => {
    for (const status of ['error', 'paused']) {
      const userId = await harness.makeUser('manual')
      await setStatus(userId, status)
      assert.equal((await disconnect(userId, 'manual')).status, 200)
      assert.deepEqual(await listOf(userId), [])
    }
  })

  test('a connection made after it starts anew', async () => {
    const userId = await harness.makeUser('manual')
    await disconnect(userId, 'manual')
    harness.clock.advance(3600)
    assert.equal((await connect(userId, 'manual')).status, 200)
    const [connection] = await listOf(userId)
    assert.equal(connection.created_on, now())
  })
})

describe('a connection on behalf of an import', () => {
  test('is made where there is none, and leaves a failed or paused one alone', async () => {
    const { db, pool } = harness.database
    for (const [status, expected] of [
      [undefined, 'connected'],
      ['deregistered', 'connected'],
      ['connected', 'connected'],
      ['paused', 'paused'],
      ['error', 'error'],
    ] as const) {
      const userId = await harness.makeUser(...(status ? ['apple_health_kit'] : []))
      if (status) await setStatus(userId, status)
      const { rows } = await pool.query('select * from users where id = $1', [userId])
      const environment = (await findEnvironment(db, rows[0].environment_id)) as Environment
      const scope = createScope(harness.dependencies, environment)
      await ensureConnected(scope, rows[0], 'apple_health_kit', 'https://salus.example.com')
      const [connection] = await listOf(userId)
      assert.equal(connection.status, expected, String(status))
    }
  })
})

describe('providers', () => {
  const slugsOf = async (query = '') => {
    const { status, body } = await call('GET', `/v2/providers${query}`)
    assert.equal(status, 200)
    return body.map(({ slug }: { slug: string }) => slug).sort()
  }

  /** In a sandbox every provider with a connector is emulated. */
  const CLOUD_PROVIDERS = CONNECTORS.map(({ slug }) => slug).sort()

  test('are those that this deployment can connect', async () => {
    const all = [...SDK_PROVIDERS, ...CLOUD_PROVIDERS]
    assert.deepEqual(await slugsOf(), all.sort())
    assert.ok(PROVIDERS.length > all.length)
  })

  test('can be filtered by the type of source', async () => {
    const meters = SDK_PROVIDERS.filter((slug) => slug.endsWith('_ble'))
    assert.deepEqual(await slugsOf('?source_type=ble'), meters)
    assert.deepEqual(
      await slugsOf('?source_type=app'),
      SDK_PROVIDERS.filter((slug) => !meters.includes(slug)),
    )
    assert.deepEqual(await slugsOf('?source_type=provider'), CLOUD_PROVIDERS)
    for (const type of ['device', 'lab']) {
      assert.deepEqual(await slugsOf(`?source_type=${type}`), [], type)
    }
    assert.equal((await call('GET', '/v2/providers?source_type=toy')).status, 422)
  })

  test('are described with what they support', async () => {
    const { body } = await call('GET', '/v2/providers')
    const health = body.find(({ slug }: { slug: string }) => slug === 'apple_health_kit')
    assert.deepEqual(health, {
      name: 'Apple HealthKit',
      slug: 'apple_health_kit',
      description: 'Apple HealthKit, sent by a mobile app or by the team.',
      logo: 'http://localhost:80/assets/providers/apple_health_kit.svg',
      auth_type: 'sdk',
      supported_resources: findProvider('apple_health_kit')?.resources,
    })
  })
})
