import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, createHarness, type Harness } from './harness.ts'
import { USER_INFO } from './route-cases.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

let harness: Harness
let userId: string

before(async () => {
  harness = await createHarness()
  userId = await harness.makeUser('manual')
})
after(() => harness?.close())

const call = (method: string, url: string, body?: unknown, headers?: object): Promise<Answer> =>
  harness.call(method, url, body, headers)

/** The error body of contract 01: a list of where, what in words, and what as a code. */
function assertProblems(answer: Answer, problems: [loc: (string | number)[], type: string][]) {
  assert.equal(answer.status, 422, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['detail'])
  for (const problem of answer.body.detail) {
    assert.deepEqual(Object.keys(problem), ['loc', 'msg', 'type'])
    assert.equal(typeof problem.msg, 'string')
  }
  const found = answer.body.detail.map(({ loc, type }: { loc: []; type: string }) => [loc, type])
  assert.deepEqual(found, problems)
}

describe('requests that do not match their schema are 422', () => {
  test('in the path', async () => {
    assertProblems(await call('GET', '/v2/user/42'), [[['path', 'user_id'], 'uuid_parsing']])
    const url = '/v2/link/provider/manual/oura'
    assertProblems(await call('POST', url, { user_id: userId }), [[['path', 'provider'], 'enum']])
  })

  test('in the query, naming the parameter', async () => {
    const cases: [query: string, name: string, type: string][] = [
      ['limit=abc', 'limit', 'type'],
      ['limit=501', 'limit', 'less_than_equal'],
      ['limit=0', 'limit', 'greater_than_equal'],
      ['offset=-1', 'offset', 'greater_than_equal'],
      ['offset=1.5', 'offset', 'type'],
    ]
    for (const [query, name, type] of cases) {
      assertProblems(await call('GET', `/v2/user?${query}`), [[['query', name], type]])
    }
    const reads = `/v2/timeseries/${userId}/steps/grouped`
    assertProblems(await call('GET', reads), [[['query', 'start_date'], 'missing']])
    const malformed = await call('GET', `${reads}?start_date=yesterday`)
    assertProblems(malformed, [[['query', 'start_date'], 'datetime_parsing']])
  })

  test('an unknown query parameter and an unknown field are ignored', async () => {
    assert.equal((await call('GET', '/v2/user?colour=red&limit=1')).status, 200)
    const body = { client_user_id: 'more', colour: 'red' }
    const answer = await call('POST', '/v2/user', body)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.colour, undefined)
  })

  test('in the body, with every problem', async () => {
    const body = {
      client_user_id: 7,
      fallback_time_zone: 'Mars/Olympus',
      fallback_birth_date: '1990-02-30',
    }
    assertProblems(await call('POST', '/v2/user', body), [
      [['body', 'client_user_id'], 'type'],
      [['body', 'fallback_time_zone'], 'time_zone'],
      [['body', 'fallback_birth_date'], 'date_parsing'],
    ])
    const nested = { ...USER_INFO, address: { ...USER_INFO.address, zip: undefined } }
    const answer = await call('PATCH', `/v2/user/${userId}/info`, nested)
    assertProblems(answer, [[['body', 'address', 'zip'], 'missing']])
  })

  test('where the body is missing, null, or not an object', async () => {
    for (const body of [undefined, 'null', '']) {
      const answer = await call('POST', '/v2/user', body, JSON_TYPE)
      assertProblems(answer, [[['body'], 'missing']])
    }
    for (const body of ['[]', '"text"', '7']) {
      assertProblems(await call('POST', '/v2/user', body, JSON_TYPE), [[['body'], 'type']])
    }
  })

  test('where the body is not JSON', async () => {
    for (const body of ['{', '{"a":1,}', 'NaN', '{"__proto__":{}}', '{"a":"\u0001"}']) {
      const answer = await call('POST', '/v2/user', body, JSON_TYPE)
      assertProblems(answer, [[['body'], 'json_invalid']])
    }
  })

  test('never quotes the value', async () => {
    const answer = await call('POST', '/v2/user', {
      client_user_id: 'x',
      fallback_time_zone: 'secret/zone',
    })
    assert.doesNotMatch(answer.text, /secret/)
  })
})

describe('texts that no database can hold', () => {
  test('are 422 in every body', async () => {
    const { organizationId, teamId, managementKey } = harness
    const management = { 'x-management-key': managementKey, ...JSON_TYPE }
    for (const bad of ['\\u0000', '\\ud800', '\\udc00\\ud800']) {
      const bodies: [method: string, url: string, body: object, headers: object][] = [
        ['POST', '/v2/user', { client_user_id: 'x#' }, JSON_TYPE],
        ['PATCH', `/v2/user/${userId}`, { client_user_id: 'x#' }, JSON_TYPE],
        ['PATCH', `/v2/user/${userId}/info`, { ...USER_INFO, first_name: 'x#' }, JSON_TYPE],
        [
          'POST',
          '/v2/link/provider/manual/contour_ble',
          { user_id: userId, granted_permissions: ['x#'] },
          JSON_TYPE,
        ],
        [
          'POST',
          `/v1/org/${organizationId}/team_api_keys/sandbox/us`,
          { label: 'x#', team_id: teamId },
          management,
        ],
      ]
      for (const [method, url, body, headers] of bodies) {
        const answer = await call(method, url, JSON.stringify(body).replace('#', bad), headers)
        // PostgreSQL takes half a pair in a plain text: it arrives as the replacement character.
        const isPlainText = url.includes('team_api_keys') && bad !== '\\u0000'
        assert.equal(answer.status, isPlainText ? 200 : 422, `${method} ${url}: ${answer.text}`)
      }
    }
  })

  test('are 422 in the address, and the part of it is named', async () => {
    const path = await call('GET', '/v2/user/resolve/a%00b')
    assertProblems(path, [[['path'], 'string_unicode']])
    const provider = await call('DELETE', `/v2/user/${userId}/a%00`)
    assertProblems(provider, [[['path'], 'string_unicode']])
    const search = await call('GET', '/v2/team/users/search?query_id=ab%00')
    assertProblems(search, [[['query'], 'string_unicode']])
    const undo = await call('POST', '/v2/user/undo_delete?client_user_id=%00')
    assertProblems(undo, [[['query'], 'string_unicode']])
  })
})
