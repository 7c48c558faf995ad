import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, createHarness, type Harness } from '../../test/harness.ts'
import { newId } from '../platform/ids.ts'
import { formatInstant } from '../platform/time/instants.ts'
import { learnTimeZone } from './index.ts'
import { assertDuplicate, assertRefused } from './testing/assert-refusal.ts'

let harness: Harness

before(async () => {
  harness = await createHarness()
})
after(() => harness?.close())

const call = (method: string, url: string, body?: unknown): Promise<Answer> =>
  harness.call(method, url, body)
const create = (clientUserId: string, more: object = {}) =>
  call('POST', '/v2/user', { client_user_id: clientUserId, ...more })
const now = () => formatInstant(harness.clock.now())

describe('patch', () => {
  const patch = (userId: string, body: object) => call('PATCH', `/v2/user/${userId}`, body)
  const read = async (userId: string) => (await call('GET', `/v2/user/${userId}`)).body

  test('changes what is named, clears what is null, leaves the rest', async () => {
    const { body: user } = await create('patched', {
      fallback_time_zone: 'Europe/Vienna',
      fallback_birth_date: '1990-04-12',
      ingestion_start: '2025-01-01',
    })
    harness.clock.advance(60)
    const change = { fallback_time_zone: 'Asia/Tokyo', ingestion_start: null, client_user_id: null }
    const answer = await patch(user.user_id, change)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual(await read(user.user_id), {
      ...user,
      fallback_time_zone: { id: 'Asia/Tokyo', source_slug: 'manual', updated_at: now() },
      ingestion_start: null,
    })
    const cleared = { fallback_time_zone: null, fallback_birth_date: null, ingestion_end: null }
    await patch(user.user_id, cleared)
    const { fallback_time_zone, fallback_birth_date } = await read(user.user_id)
    assert.deepEqual([fallback_time_zone, fallback_birth_date], [null, null])
  })

  test('an empty change is none', async () => {
    const { body: user } = await create('unpatched', { ingestion_end: '2030-01-01' })
    assert.equal((await patch(user.user_id, {})).status, 204)
    assert.deepEqual(await read(user.user_id), user)
  })

  test('a taken client_user_id is refused with its owner named', async () => {
    const owner = await create('taken')
    const { body: user } = await create('free')
    assertDuplicate(await patch(user.user_id, { client_user_id: ' taken ' }), owner)
    assert.equal((await read(user.user_id)).client_user_id, 'free')
    assert.equal((await patch(user.user_id, { client_user_id: 'free' })).status, 204)
    assert.equal((await patch(user.user_id, { client_user_id: 'freed' })).status, 204)
    assert.equal((await read(user.user_id)).client_user_id, 'freed')
    assertRefused(
      await patch(user.user_id, { client_user_id: ' ' }),
      'client_user_id',
      'string_length',
    )
  })

  test('bounds are checked against the one that stays', async () => {
    const { body: user } = await create('bounded', { ingestion_start: '2025-06-01' })
    const tooEarly = await patch(user.user_id, { ingestion_end: '2025-05-31' })
    assertRefused(tooEarly, 'ingestion_end', 'date_range')
    assert.equal((await patch(user.user_id, { ingestion_end: '2025-06-01' })).status, 204)
    const tooLate = await patch(user.user_id, { ingestion_start: '2025-06-02' })
    assertRefused(tooLate, 'ingestion_end', 'date_range')
    const both = { ingestion_start: '2026-01-01', ingestion_end: '2026-01-02' }
    assert.equal((await patch(user.user_id, both)).status, 204)
  })

  test('an unknown user is 404', async () => {
    assert.equal((await patch(newId(), { ingestion_end: null })).status, 404)
    assert.equal((await patch(newId(), {})).status, 404)
  })
})

describe('fallback time zone', () => {
  const learn = (userId: string, timeZone: string) =>
    call('POST', `/v2/timeseries/${userId}/steps`, {
      stage: 'daily',
      provider: 'health_connect',
      time_zone: timeZone,
      data: [],
    })
  const zoneOf = async (userId: string) =>
    (await call('GET', `/v2/user/${userId}`)).body.fallback_time_zone

  test('is learned from a device, and names its provider', async () => {
    const userId = await harness.makeUser('health_connect')
    await learn(userId, 'Europe/Paris')
    const source = { source_slug: 'health_connect', updated_at: now() }
    assert.deepEqual(await zoneOf(userId), { id: 'Europe/Paris', ...source })
    await learn(userId, 'Nowhere/At_All')
    assert.equal((await zoneOf(userId)).id, 'Europe/Paris')
    await learn(userId, 'America/Lima')
    assert.equal((await zoneOf(userId)).id, 'America/Lima')
  })

  test('set by hand is never replaced by a learned one', async () => {
    const userId = await harness.makeUser('health_connect')
    await learn(userId, 'Europe/Paris')
    await call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Asia/Tokyo' })
    await learn(userId, 'Europe/Paris')
    const { id, source_slug } = await zoneOf(userId)
    assert.deepEqual([id, source_slug], ['Asia/Tokyo', 'manual'])
    // Also where the user was read before the hand set it.
    const { rows } = await harness.database.pool.query(
      'select environment_id from users where id = $1',
      [userId],
    )
    const learned = { timeZone: 'Europe/Paris', source: 'oura', at: harness.clock.now() }
    await learnTimeZone(harness.database.db, rows[0].environment_id, userId, learned)
    assert.equal((await zoneOf(userId)).id, 'Asia/Tokyo')
  })

  test('may be learned again once a hand has cleared it', async () => {
    const userId = await harness.makeUser('health_connect')
    await call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Asia/Tokyo' })
    await call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: null })
    assert.equal(await zoneOf(userId), null)
    await learn(userId, 'Europe/Paris')
    assert.equal((await zoneOf(userId)).source_slug, 'health_connect')
  })
})
