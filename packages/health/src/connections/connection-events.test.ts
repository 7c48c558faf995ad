import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dispatchEvents } from '../../../server/src/webhooks/delivery/delivery.global.repository.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { storedEvents } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const PROVIDER = /^provider\./
const typesOf = async (userId: string): Promise<string[]> =>
  (await storedEvents(salus, userId, PROVIDER)).map(({ event_type: type }) => type)

describe('provider.connection.created', () => {
  const connect = (userId: string, body: object = {}) =>
    salus.call('POST', '/v2/link/provider/manual/health_connect', { user_id: userId, ...body })

  test('is raised by a connection, with what was connected', async () => {
    const userId = await salus.makeUser()
    await connect(userId, { provider_id: 'theirs-1' })
    const [event, ...others] = await storedEvents(salus, userId)
    assert.equal(others.length, 0)
    const { body } = await salus.call('GET', `/v2/user/providers/${userId}`)
    const [{ name, slug, logo, resource_availability: availability }] = body.providers
    assert.deepEqual(event?.payload.data, {
      user_id: userId,
      provider: { name, slug, logo },
      source: { name, slug, logo },
      external_user_id: 'theirs-1',
      resource_availability: availability,
    })
  })

  test('again by each successful re-link, and not by one that is refused', async () => {
    const userId = await salus.makeUser()
    assert.equal((await connect(userId)).status, 200)
    assert.equal((await connect(userId)).status, 409)
    await salus.call('DELETE', `/v2/user/${userId}/health_connect`)
    assert.equal((await connect(userId)).status, 200)
    const created = 'provider.connection.created'
    assert.deepEqual(await typesOf(userId), [created, created])
  })

  test('once when many ask at the same time', async () => {
    const userId = await salus.makeUser()
    await Promise.all(Array.from({ length: 10 }, () => connect(userId)))
    assert.deepEqual(await typesOf(userId), ['provider.connection.created'])
  })
})

describe('events of devices', () => {
  const upload = (userId: string, version: string | null, minute = 0) => {
    const metadata = { _DMA: 'Maker', _DMO: 'Watch', ...(version && { _DSV: version }) }
    const start = `2026-02-10T08:${String(minute).padStart(2, '0')}:00Z`
    const sample = { value: 5, unit: 'count', start_date: start, metadata }
    const body = { stage: 'daily', provider: 'manual', data: [sample] }
    return salus.call('POST', `/v2/timeseries/${userId}/steps`, body)
  }
  const DEVICE = /^provider\.device\./
  const dispatch = () => dispatchEvents(salus.database.db, salus.clock.now(), 1000)

  test('report a new device and new versions, and nothing else', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, '1.0')
    await upload(userId, '1.0', 1)
    await upload(userId, null, 2)
    await upload(userId, '2.0', 3)
    const events = await storedEvents(salus, userId, DEVICE)
    assert.deepEqual(
      events.map(({ event_type: type }) => type),
      ['provider.device.created', 'provider.device.updated'],
    )
    const { body: devices } = await salus.call('GET', `/v2/user/${userId}/device`)
    assert.deepEqual(events[1]?.payload.data, devices[0])
    assert.equal(events[0]?.payload.data.device_version, '1.0')
  })

  test('become one when several changes come within five seconds, with the latest state', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, '1.0')
    await upload(userId, '2.0', 1)
    await dispatch()
    await upload(userId, '3.0', 2)
    salus.clock.advance(6)
    await dispatch()
    await upload(userId, '4.0', 3)
    const updates = await storedEvents(salus, userId, /device\.updated/)
    const versions = updates.map(({ payload }) => payload.data.device_version)
    assert.deepEqual(versions, ['3.0', '4.0'])
  })

  test('come before those of the samples, which name the device', async () => {
    const userId = await salus.makeUser('manual')
    await upload(userId, '1.0')
    const events = await storedEvents(salus, userId, /device|data/)
    const deviceId = events[0]?.payload.data.id
    assert.equal(events[1]?.payload.data.source.device_id, deviceId)
  })
})
