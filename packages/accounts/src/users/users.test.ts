import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatInstant } from '@salus/kernel/time/instants'
import { assertDuplicate, assertRefused } from '../../../server/test/assert-refusal.ts'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)

const call = (method: string, url: string, body?: unknown, headers?: object): Promise<Answer> =>
  harness.call(method, url, body, headers)
const create = (clientUserId: string, more: object = {}) =>
  call('POST', '/v2/user', { client_user_id: clientUserId, ...more })
const now = () => formatInstant(harness.clock.now())

/** A team with no users yet, and a client for it. */
async function makeEmptyTeam() {
  const { id, sandboxKey } = await harness.makeTeam()
  const callAs = (method: string, url: string, body?: unknown) =>
    call(method, url, body, { 'x-service-api-key': sandboxKey })
  return { id, callAs }
}

describe('create', () => {
  test('answers with every documented key, null where nothing is known', async () => {
    const { status, body } = await create('ada')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      user_id: body.user_id,
      team_id: harness.teamId,
      client_user_id: 'ada',
      created_on: '2026-03-01T12:00:00+00:00',
      connected_sources: [],
      fallback_time_zone: null,
      fallback_birth_date: null,
      ingestion_start: null,
      ingestion_end: null,
      units: null,
    })
    const read = await call('GET', `/v2/user/${body.user_id}`)
    assert.deepEqual(read.body, body)
  })

  test('settings given are stored, and marked as set by hand', async () => {
    const { body } = await create('settings', {
      fallback_time_zone: 'Europe/Vienna',
      fallback_birth_date: '1990-04-12',
      ingestion_start: '2025-01-01',
      ingestion_end: '2025-01-01',
    })
    const source = { source_slug: 'manual', updated_at: now() }
    assert.deepEqual(body.fallback_time_zone, { id: 'Europe/Vienna', ...source })
    assert.deepEqual(body.fallback_birth_date, { value: '1990-04-12', ...source })
    assert.deepEqual([body.ingestion_start, body.ingestion_end], ['2025-01-01', '2025-01-01'])
    assert.deepEqual((await call('GET', `/v2/user/${body.user_id}`)).body, body)
  })

  test('blanks at the ends of client_user_id do not count', async () => {
    const first = await create('  trimmed\t')
    assert.equal(first.body.client_user_id, 'trimmed')
    assertDuplicate(await create('trimmed '), first)
  })

  test('client_user_id has 1 to 255 characters', async () => {
    for (const text of ['', '   ', 'x'.repeat(256)]) {
      assertRefused(await create(text), 'client_user_id', 'string_length')
    }
    assert.equal((await create('x'.repeat(255))).status, 200)
    assert.equal((await create(` ${'y'.repeat(255)} `)).status, 200)
    assert.equal((await create('z')).status, 200)
  })

  test('client_user_id distinguishes upper from lower case', async () => {
    assert.equal((await create('Case')).status, 200)
    assert.equal((await create('case')).status, 200)
  })

  test('of 100 at the same time one succeeds, and 99 name it', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => create('contested')))
    const [winner, ...others] = answers.filter(({ status }) => status === 200)
    assert.ok(winner)
    assert.deepEqual(others, [])
    const losers = answers.filter((answer) => answer !== winner)
    assert.equal(losers.length, 99)
    for (const loser of losers) assertDuplicate(loser, winner)
  })

  test('the same client_user_id is free in another team', async () => {
    const { callAs } = await makeEmptyTeam()
    const made = await callAs('POST', '/v2/user', { client_user_id: 'ada' })
    assert.equal(made.status, 200)
  })

  test('a time zone must be an IANA identifier', async () => {
    for (const zone of ['Mars/Olympus', '+02:00', '', 'Europe/']) {
      assertRefused(
        await create('zone', { fallback_time_zone: zone }),
        'fallback_time_zone',
        'time_zone',
      )
    }
  })

  test('a birth date is a calendar date that is not in the future', async () => {
    const field = 'fallback_birth_date'
    for (const date of ['2026-02-29', '1990-4-1', '1990/04/12', '0000-01-01', 'x']) {
      assertRefused(await create('born', { [field]: date }), field, 'date_parsing')
    }
    assertRefused(await create('born', { [field]: '2026-03-02' }), field, 'date_past')
    assert.equal((await create('born today', { [field]: '2026-03-01' })).status, 200)
  })

  test('ingestion_end is not before ingestion_start', async () => {
    const bounds = { ingestion_start: '2026-01-02', ingestion_end: '2026-01-01' }
    assertRefused(await create('bounds', bounds), 'ingestion_end', 'date_range')
  })
})

describe('sandbox user limit', () => {
  test('holds under concurrency, and does not concern production', async () => {
    const { teamId, organizationId, managementKey, config } = harness
    const { callAs } = await makeEmptyTeam()
    const url = `/v1/org/${organizationId}/team_api_keys/production/us`
    const headers = { 'x-management-key': managementKey }
    const key = await call('POST', url, { label: 'Production', team_id: teamId }, headers)
    const production = { 'x-service-api-key': key.body.value }
    const before = config.sandboxUserLimit
    config.sandboxUserLimit = 3
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          callAs('POST', '/v2/user', { client_user_id: `limited ${index}` }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 3)
      const refused = answers.filter(({ status }) => status === 400)
      assert.equal(refused.length, 17)
      for (const { body } of refused) assert.equal(body.detail.error_type, 'user_limit_reached')
      assert.equal((await callAs('GET', '/v2/user')).body.total, 3)
      for (const name of ['1', '2', '3', '4']) {
        const made = await call('POST', '/v2/user', { client_user_id: name }, production)
        assert.equal(made.status, 200)
      }
      const [{ user_id: first }] = (await callAs('GET', '/v2/user')).body.users
      await callAs('DELETE', `/v2/user/${first}`)
      const again = await callAs('POST', '/v2/user', { client_user_id: 'in its place' })
      assert.equal(again.status, 200, 'a deleted user makes room')
    } finally {
      config.sandboxUserLimit = before
    }
  })
})

describe('list', () => {
  test('goes by time of creation, then by id, a page at a time', async () => {
    const { callAs } = await makeEmptyTeam()
    const ids: string[] = []
    for (let round = 0; round < 3; round += 1) {
      const made = await Promise.all(
        ['a', 'b'].map((name) => callAs('POST', '/v2/user', { client_user_id: `${name}${round}` })),
      )
      ids.push(...made.map(({ body }) => body.user_id).sort())
      harness.clock.advance(1)
    }
    const all = await callAs('GET', '/v2/user')
    assert.deepEqual(
      all.body.users.map((user: { user_id: string }) => user.user_id),
      ids,
    )
    const { total, offset, limit } = all.body
    assert.deepEqual([total, offset, limit], [6, 0, 100])
    const page = (await callAs('GET', '/v2/user?offset=4&limit=3')).body
    assert.deepEqual(
      page.users.map((user: { user_id: string }) => user.user_id),
      ids.slice(4),
    )
    assert.deepEqual([page.total, page.offset, page.limit], [6, 4, 3])
    const beyond = (await callAs('GET', '/v2/user?offset=6')).body
    assert.deepEqual([beyond.users, beyond.total], [[], 6])
  })

  test('takes a limit from 1 to 500', async () => {
    for (const limit of [1, 500]) {
      assert.equal((await call('GET', `/v2/user?limit=${limit}`)).body.limit, limit)
    }
    for (const query of ['limit=0', 'limit=501', 'offset=-1', 'limit=x']) {
      assert.equal((await call('GET', `/v2/user?${query}`)).status, 422, query)
    }
  })
})

describe('resolve', () => {
  test('decodes the client_user_id once', async () => {
    for (const name of [
      'a/b',
      'a%2Fb',
      'blank in it',
      '100%',
      'ü+é',
      '日本',
      'a?b#c',
      'ü'.repeat(255),
    ]) {
      const made = await create(name)
      const url = `/v2/user/resolve/${encodeURIComponent(name)}`
      const found = await call('GET', url)
      assert.equal(found.body.user_id, made.body.user_id, name)
      assert.equal((await call('GET', `${url}/`)).body.user_id, made.body.user_id, name)
    }
  })

  test('finds nothing for a part of the name, another case, or a deleted user', async () => {
    const made = await create('Resolved')
    for (const name of ['Resolve', 'resolved', 'Resolved%20']) {
      assert.equal((await call('GET', `/v2/user/resolve/${name}`)).status, 404, name)
    }
    await call('DELETE', `/v2/user/${made.body.user_id}`)
    assert.equal((await call('GET', '/v2/user/resolve/Resolved')).status, 404)
  })
})
