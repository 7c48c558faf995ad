import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { connectionJobs } from '@salus/health/connections'
import { newId } from '@salus/kernel/ids'
import { formatInstant } from '@salus/kernel/time/instants'
import { assertDuplicate, assertRefused } from '../../../server/test/assert-refusal.ts'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import { rowScope } from '../../../server/test/scope.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { learnTimeZone } from './index.ts'

const harness = useFixture(createHarness)

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
    await learnTimeZone(
      rowScope(harness.database.db, { id: rows[0].environment_id }),
      userId,
      learned,
    )
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

describe('ended ingestion bounds', () => {
  const dayOf = (days: number) =>
    formatInstant(harness.clock.now().getTime() + days * DAY_MS).slice(0, 10)
  const patch = (userId: string, ingestion_end: string | null) =>
    call('PATCH', `/v2/user/${userId}`, { ingestion_end })
  const connect = (userId: string) =>
    call('POST', '/v2/link/provider/manual/manual', { user_id: userId })
  const statuses = async (userId: string): Promise<string[]> =>
    (await call('GET', `/v2/user/providers/${userId}`)).body.providers.map(
      ({ status }: { status: string }) => status,
    )
  const runJob = async (): Promise<void> => {
    const { handlers } = connectionJobs(harness.dependencies)
    const { signal } = new AbortController()
    await handlers.pause_ended_connections?.({} as never, signal, { isLast: false })
  }

  test('pause every connection seven days later, and not sooner', async () => {
    const userId = await harness.makeUser('manual', 'health_connect')
    const other = await harness.makeUser('manual')
    const end = dayOf(0)
    await patch(userId, end)
    const pausedAt = Date.parse(end) + 7 * DAY_MS
    harness.clock.advance((pausedAt - harness.clock.now().getTime()) / 1000 - 1)
    await runJob()
    assert.deepEqual(await statuses(userId), ['connected', 'connected'])
    harness.clock.advance(1)
    await runJob()
    assert.deepEqual(await statuses(userId), ['paused', 'paused'])
    assert.deepEqual(await statuses(other), ['connected'])
    const upload = { stage: 'daily', provider: 'manual', data: [] }
    const answer = await call('POST', `/v2/timeseries/${userId}/steps`, upload)
    assert.equal(answer.body.detail.error_type, 'not_connected')
  })

  test('that lie a week back pause at once, and hold until they are extended', async () => {
    const userId = await harness.makeUser('manual')
    await patch(userId, dayOf(-6))
    assert.deepEqual(await statuses(userId), ['connected'])
    await patch(userId, dayOf(-7))
    assert.deepEqual(await statuses(userId), ['paused'])
    const refused = await connect(userId)
    assert.deepEqual([refused.status, refused.body.detail.error_type], [409, 'ingestion_ended'])
    await patch(userId, null)
    assert.deepEqual(await statuses(userId), ['paused'])
    assert.equal((await connect(userId)).status, 200)
    assert.deepEqual(await statuses(userId), ['connected'])
  })
})

describe('units', () => {
  const find = async (userId: string) => {
    const { body } = await call('POST', '/v2/user/search', { query: userId })
    return body.users[0]
  }
  const METRIC = {
    glucose: 'mmol/L',
    distance: 'km',
    weight: 'kg',
    height: 'cm',
    temperature: '°C',
  }

  test('of the person come before those of the team, and these before metric ones', async () => {
    const { body: user } = await create('in pounds')
    assert.equal(user.units, null)
    assert.deepEqual((await find(user.user_id)).shown_units, METRIC)
    const ofTeam = { units: { weight: 'lb', distance: 'mi' } }
    const { teamId, manage } = harness
    assert.equal((await manage('PATCH', `/team/${teamId}`, { sandbox: ofTeam })).status, 200)
    const units = { distance: 'km', temperature: '°F', height: null }
    assert.equal((await call('PATCH', `/v2/user/${user.user_id}`, { units })).status, 204)
    const found = await find(user.user_id)
    assert.deepEqual(found.units, units)
    const shown = { ...METRIC, weight: 'lb', temperature: '°F' }
    assert.deepEqual(found.shown_units, shown)
    await call('PATCH', `/v2/user/${user.user_id}`, { units: null })
    const cleared = { ...METRIC, weight: 'lb', distance: 'mi' }
    assert.deepEqual((await find(user.user_id)).shown_units, cleared)
    await manage('PATCH', `/team/${teamId}`, { sandbox: { units: null } })
  })

  test('that do not exist are refused', async () => {
    const { body: user } = await create('in stones')
    for (const units of [{ weight: 'st' }, { mass: 'kg' }, 'imperial']) {
      assert.equal((await call('PATCH', `/v2/user/${user.user_id}`, { units })).status, 422)
    }
  })
})

describe('notes', () => {
  const path = (userId: string, rest = '') => `/v2/user/${userId}/note${rest}`
  const write = async (userId: string, text: string) => {
    const answer = await call('POST', path(userId), { text, name: ' Dr. Park ' })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const textsOf = async (userId: string, query = '') =>
    (await call('GET', path(userId, query))).body.data.map(({ text }: { text: string }) => text)

  test('name who wrote them when, and keep every version', async () => {
    const userId = await harness.makeUser()
    const note = await write(userId, '  Is afraid of needles.\n')
    const { status, version, author } = note
    assert.deepEqual([note.text, status, version], ['Is afraid of needles.', 'active', 1])
    assert.deepEqual([author.name, author.actor_kind], ['Dr. Park', 'api_key'])
    assert.deepEqual([note.created_at, note.written_at], [now(), now()])
    harness.clock.advance(60)
    const one = path(userId, `/${note.id}`)
    const change = { text: 'Was afraid of needles.', name: 'Lee', version: 1 }
    const { body: changed } = await call('PATCH', one, change)
    assert.deepEqual([changed.version, changed.created_at], [2, note.created_at])
    const { status: refused, body } = await call('PATCH', one, change)
    assert.deepEqual(
      [refused, body.detail.error_type, body.detail.version],
      [409, 'note_changed', 2],
    )
    assert.deepEqual(await textsOf(userId), ['Was afraid of needles.'])
    const { body: versions } = await call('GET', `${one}/version`)
    assert.deepEqual(
      versions.data.map((each: typeof note) => [each.text, each.author.name, each.written_at]),
      [
        ['Was afraid of needles.', 'Lee', now()],
        ['Is afraid of needles.', 'Dr. Park', note.created_at],
      ],
    )
  })

  test('that were entered in error are listed no more, but their versions are', async () => {
    const userId = await harness.makeUser()
    const note = await write(userId, 'Of another person')
    const one = path(userId, `/${note.id}`)
    const withdraw = () => call('POST', `${one}/entered_in_error`, { name: 'Lee', version: 1 })
    const { body } = await withdraw()
    assert.deepEqual([body.status, body.version, body.author.name], ['entered_in_error', 2, 'Lee'])
    assert.deepEqual(await textsOf(userId), [])
    assert.equal((await withdraw()).status, 404)
    assert.equal((await call('PATCH', one, { text: 'x', name: 'y', version: 2 })).status, 404)
    assert.equal((await call('GET', `${one}/version`)).body.data.length, 2)
    const other = await harness.makeUser()
    assert.equal((await call('GET', path(other, `/${note.id}/version`))).status, 404)
  })

  test('are changed by one of several people who read the same version', async () => {
    const userId = await harness.makeUser()
    const note = await write(userId, 'first')
    const changes = Array.from({ length: 5 }, (_, index) =>
      call('PATCH', path(userId, `/${note.id}`), { text: `${index}`, name: 'Lee', version: 1 }),
    )
    const statuses = (await Promise.all(changes)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, 409, 409, 409, 409])
    assert.equal((await call('GET', path(userId, `/${note.id}/version`))).body.data.length, 2)
  })

  test('are listed newest first in pages, and refused without text or name', async () => {
    const userId = await harness.makeUser()
    for (const text of ['a', 'b', 'c']) {
      await write(userId, text)
      harness.clock.advance(1)
    }
    const { body: page } = await call('GET', path(userId, '?limit=2'))
    assert.deepEqual(await textsOf(userId, `?limit=2&next_cursor=${page.next_cursor}`), ['a'])
    assert.deepEqual(await textsOf(userId), ['c', 'b', 'a'])
    for (const body of [{ text: ' ', name: 'x' }, { text: 'x', name: '' }, { text: 'x' }]) {
      assert.equal((await call('POST', path(userId), body)).status, 422)
    }
    const long = { text: 'x'.repeat(10_001), name: 'x' }
    assert.equal((await call('POST', path(userId), long)).status, 422)
    assert.equal((await call('POST', path(newId()), { text: 'x', name: 'x' })).status, 404)
  })
})
