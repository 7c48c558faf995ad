import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import { USER_INFO } from '../../../server/test/route-cases.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)

const call = (method: string, url: string, body?: unknown, headers?: object): Promise<Answer> =>
  harness.call(method, url, body, headers)
const create = async (clientUserId: string): Promise<string> =>
  (await call('POST', '/v2/user', { client_user_id: clientUserId })).body.user_id

describe('demographics', () => {
  const UNKNOWN = {
    medical_proxy: null,
    race: null,
    ethnicity: null,
    sexual_orientation: null,
    gender_identity: null,
  }
  const put = (userId: string, info: object) => call('PATCH', `/v2/user/${userId}/info`, info)
  const latest = (userId: string) => call('GET', `/v2/user/${userId}/info/latest`)

  test('are stored and answered with every documented key', async () => {
    const userId = await create('info')
    const address = { ...USER_INFO.address, second_line: '', access_notes: null }
    const expected = { ...USER_INFO, ...UNKNOWN, address }
    const stored = await put(userId, USER_INFO)
    assert.deepEqual([stored.status, stored.body], [200, expected])
    assert.deepEqual((await latest(userId)).body, expected)
  })

  test('are replaced as a whole: what is left out is forgotten', async () => {
    const userId = await create('info replaced')
    const guarantor = {
      first_name: 'Max',
      last_name: 'Moreau',
      phone_number: '+15550101',
      address: { first_line: '2 Main St', city: 'Phoenix', state: 'AZ', country: 'US' },
    }
    const full = { ...USER_INFO, race: 'asian', ethnicity: 'other', medical_proxy: guarantor }
    const first = await put(userId, full)
    assert.equal(first.body.race, 'asian')
    assert.equal(first.body.medical_proxy.first_name, 'Max')
    await put(userId, { ...USER_INFO, last_name: 'Noir' })
    const { body } = await latest(userId)
    assert.deepEqual([body.last_name, body.race, body.medical_proxy], ['Noir', null, null])
  })

  test('need every required field and known values', async () => {
    const userId = await create('info refused')
    for (const name of Object.keys(USER_INFO)) {
      const answer = await put(userId, { ...USER_INFO, [name]: undefined })
      assert.equal(answer.status, 422, name)
      assert.deepEqual(answer.body.detail[0].loc, ['body', name])
    }
    const wrong = [{ race: 'martian' }, { email: 'no address' }, { dob: '1990/04/12' }]
    for (const change of wrong) {
      assert.equal((await put(userId, { ...USER_INFO, ...change })).status, 422)
    }
    assert.equal((await latest(userId)).status, 404, 'nothing was stored')
  })

  test('of an unknown user are 404', async () => {
    assert.equal((await put(newId(), USER_INFO)).status, 404)
    assert.equal((await latest(newId())).status, 404)
  })
})

describe('search', () => {
  const search = async (text: string): Promise<string[]> => {
    const { body } = await call('GET', `/v2/team/users/search?query_id=${encodeURIComponent(text)}`)
    return body.map((user: { client_user_id: string }) => user.client_user_id)
  }

  test('finds the beginning of a user id, in either case, and no other part of it', async () => {
    const userId = await create('by id')
    assert.deepEqual(await search(userId), ['by id'])
    assert.deepEqual(await search(userId.slice(0, 13).toUpperCase()), ['by id'])
    assert.deepEqual(await search(userId.slice(1)), [])
  })

  test('finds any part of a client_user_id, in either case', async () => {
    await create('Patient-Zürich-77')
    for (const text of ['patient-z', 'ZÜRICH', '-77', 'Patient-Zürich-77']) {
      assert.deepEqual(await search(text), ['Patient-Zürich-77'], text)
    }
  })

  test('takes wildcards of the database literally', async () => {
    await create('100%_done\\now')
    await create('100 or done')
    for (const text of ['0%_', '%_d', 'e\\n', '100%']) {
      assert.deepEqual(await search(text), ['100%_done\\now'], text)
    }
    for (const text of ['%%', '__', '\\\\']) assert.deepEqual(await search(text), [], text)
  })

  test('needs two characters', async () => {
    for (const query of ['', 'query_id=', 'query_id=a']) {
      const { status, body } = await call('GET', `/v2/team/users/search?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(body.detail[0].loc, ['query', 'query_id'])
    }
  })

  test('answers with at most 50, and leaves deleted users out', async () => {
    const ids = await Promise.all(
      Array.from({ length: 52 }, (_, index) => create(`crowd ${index}`)),
    )
    assert.equal((await search('crowd')).length, 50)
    for (const id of ids.slice(0, 3)) await call('DELETE', `/v2/user/${id}`)
    assert.equal((await search('crowd')).length, 49)
  })
})

describe('metrics', () => {
  test('of a team without users are zero', async () => {
    const { id, sandboxKey } = await harness.makeTeam()
    const headers = { 'x-service-api-key': sandboxKey }
    assert.deepEqual((await call('GET', '/v2/user/metrics', undefined, headers)).body, {
      team_id: id,
      number_of_connected_sources: 0,
      number_of_users: 0,
      number_of_errored_connected_sources: 0,
      number_of_ordered_tests: 0,
      number_of_connected_sources_by_week: [],
    })
  })

  test('count users, connections and errors, and connections by week', async () => {
    const { sandboxKey } = await harness.makeTeam()
    const headers = { 'x-service-api-key': sandboxKey }
    const make = async (name: string, ...providers: string[]) => {
      const made = await call('POST', '/v2/user', { client_user_id: name }, headers)
      const { user_id } = made.body
      for (const provider of providers) {
        await call('POST', `/v2/link/provider/manual/${provider}`, { user_id }, headers)
      }
      return user_id
    }
    // The clock starts on Sunday 1 March 2026; weeks begin on Monday, UTC.
    await make('first', 'manual', 'omron_ble')
    harness.clock.advance(12 * 3600)
    const second = await make('second', 'manual', 'apple_health_kit')
    harness.clock.advance(14 * DAY_SECONDS)
    const third = await make('third', 'manual')
    await call('DELETE', `/v2/user/${second}/apple_health_kit`, undefined, headers)
    await call('DELETE', `/v2/user/${await make('fourth', 'manual')}`, undefined, headers)
    await harness.database.pool.query(
      "update connections set status = 'error' where user_id = $1",
      [third],
    )
    const { body } = await call('GET', '/v2/user/metrics', undefined, headers)
    assert.equal(body.number_of_users, 3)
    assert.equal(body.number_of_connected_sources, 4)
    assert.equal(body.number_of_errored_connected_sources, 1)
    assert.deepEqual(body.number_of_connected_sources_by_week, [
      { date: '2026-02-23T00:00:00+00:00', value: 2, all: 2 },
      { date: '2026-03-02T00:00:00+00:00', value: 1, all: 3 },
      { date: '2026-03-16T00:00:00+00:00', value: 1, all: 4 },
    ])
  })
})
