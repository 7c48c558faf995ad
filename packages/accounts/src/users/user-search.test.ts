import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Answer, createHarness } from '../../../server/test/harness.ts'
import {
  orderBody,
  PATIENT_DETAILS,
  startingLabTests,
} from '../../../server/test/orders/order-bodies.ts'
import { USER_INFO } from '../../../server/test/route-cases.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)

const call = (method: string, url: string, body?: unknown): Promise<Answer> =>
  harness.call(method, url, body)
const create = async (clientUserId: string): Promise<string> =>
  (await call('POST', '/v2/user', { client_user_id: clientUserId })).body.user_id
const search = (body: object): Promise<Answer> => call('POST', '/v2/user/search', body)
const find = async (query: string): Promise<string[]> =>
  (await search({ query })).body.users.map(
    (user: { client_user_id: string }) => user.client_user_id,
  )

describe('people are found', () => {
  before(async () => {
    const info = { ...USER_INFO, first_name: 'Nora', last_name: 'Quill-Brandt' }
    const known = await create('runner-known')
    await call('PATCH', `/v2/user/${known}/info`, { ...info, email: 'nq@sample.example' })
    harness.clock.advance(1000)
    await create('runner-2')
    harness.clock.advance(1000)
    await create('Runner')
  })

  test('by parts of name and e-mail address, in any order and case', async () => {
    for (const text of [
      'nora',
      'BRANDT',
      'brandt nora',
      'nq@sample',
      'quill-b nq@',
      ' Nora  quill ',
    ]) {
      assert.deepEqual(await find(text), ['runner-known'], text)
    }
    assert.deepEqual(await find('nora smith'), [])
    const { body } = await search({ query: 'nora' })
    const [{ first_name, last_name, email, name_from: from }] = body.users
    assert.deepEqual(
      [first_name, last_name, email, from],
      ['Nora', 'Quill-Brandt', 'nq@sample.example', 'demographics'],
    )
    assert.equal(body.total, 1)
  })

  test('by a name as it is now, not as it was', async () => {
    const id = await create('renamed')
    await call('PATCH', `/v2/user/${id}/info`, { ...USER_INFO, last_name: 'Oldfield' })
    await call('PATCH', `/v2/user/${id}/info`, { ...USER_INFO, last_name: 'Newfield' })
    assert.deepEqual([await find('oldfield'), await find('newfield')], [[], ['renamed']])
  })

  test('by part of a client_user_id, the one that is exactly so first, then the newest', async () => {
    assert.deepEqual(await find('Runner'), ['Runner', 'runner-2', 'runner-known'])
    const { body } = await search({ query: 'runner-known', limit: 1 })
    assert.deepEqual([body.total, body.next_cursor], [1, null])
    assert.deepEqual(await find('runner-2'), ['runner-2'])
  })

  test('by a whole user id, or its beginning', async () => {
    const id = await create('by-id')
    for (const text of [id, id.toUpperCase(), id.slice(0, 23), id.slice(0, 14)]) {
      assert.ok((await find(text)).includes('by-id'), text)
    }
    assert.ok(!(await find(id.slice(1))).includes('by-id'))
  })

  test('by what stands for something else in a pattern', async () => {
    await create('a%_\\z')
    assert.deepEqual(await find('%_\\'), ['a%_\\z'])
    assert.deepEqual(await find('a__'), [])
  })

  test('by the patient of an order, when nothing else is known', async () => {
    const id = await create('ordered-for')
    const { walk_in_test: labTestId } = await startingLabTests(harness)
    const patient = { first_name: 'Iris', last_name: 'Ordered', email: 'iris@clinic.example' }
    const details = { ...PATIENT_DETAILS, ...patient }
    const body = orderBody(id, labTestId, { patient_details: details })
    assert.equal((await call('POST', '/v3/order', body)).status, 200)
    for (const text of ['ordered iris', 'IRIS@clinic']) {
      const [user] = (await search({ query: text })).body.users
      const { client_user_id, first_name, last_name, email, name_from: from } = user
      assert.equal(client_user_id, 'ordered-for')
      assert.deepEqual({ first_name, last_name, email }, patient)
      assert.equal(from, 'order')
    }
  })

  test('no more once they are deleted', async () => {
    const id = await create('leaving')
    await call('PATCH', `/v2/user/${id}/info`, { ...USER_INFO, last_name: 'Leaver' })
    assert.deepEqual(await find('leaver'), ['leaving'])
    await call('DELETE', `/v2/user/${id}`)
    assert.deepEqual([await find('leaver'), await find('leaving'), await find(id)], [[], [], []])
  })
})

describe('connections', () => {
  test('narrow the list, by provider and by state', async () => {
    const id = await create('connected-person')
    const body = { user_id: id }
    assert.equal((await call('POST', '/v2/link/provider/manual/manual', body)).status, 200)
    const names = async (filter: object): Promise<string[]> =>
      (await search(filter)).body.users.map(
        (user: { client_user_id: string }) => user.client_user_id,
      )
    assert.deepEqual(await names({ provider: 'manual' }), ['connected-person'])
    assert.deepEqual(await names({ connection_status: 'connected' }), ['connected-person'])
    assert.deepEqual(await names({ connection_status: 'error' }), [])
    assert.deepEqual(await names({ provider: 'oura', connection_status: 'connected' }), [])
    const [user] = (await search({ query: id })).body.users
    assert.deepEqual(
      user.connections.map((connection: { provider: { slug: string }; status: string }) => [
        connection.provider.slug,
        connection.status,
      ]),
      [['manual', 'connected']],
    )
  })
})

describe('pages', () => {
  test('follow each other without gaps and repeats, of everybody and of matches', async () => {
    for (const name of ['page', ...'0123456'])
      await create(`page${name}`.replace('pagepage', 'page'))
    for (const [query, limit] of [
      ['page', 3],
      ['page', 1],
      [null, 3],
    ] as const) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const { body } = await search({ query, limit, next_cursor: cursor })
        assert.ok(body.users.length <= limit)
        seen.push(...body.users.map((user: { user_id: string }) => user.user_id))
        cursor = body.next_cursor
        if (cursor === null) assert.equal(body.total, seen.length)
      } while (cursor !== null)
      assert.equal(new Set(seen).size, seen.length)
      assert.ok(seen.length >= 7)
    }
  })

  test('of another search are refused, as are wrong values', async () => {
    const { body } = await search({ query: 'page', limit: 2 })
    const other = await search({ query: 'other', next_cursor: body.next_cursor })
    assert.deepEqual([other.status, other.body.detail.error_type], [400, 'invalid_cursor'])
    for (const wrong of [
      { limit: 0 },
      { limit: 201 },
      { connection_status: 'lost' },
      { query: 7 },
    ]) {
      assert.equal((await search(wrong)).status, 422, JSON.stringify(wrong))
    }
  })
})
