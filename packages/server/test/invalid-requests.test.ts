import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Answer, createHarness } from './harness.ts'
import { USER_INFO } from './route-cases.ts'
import { useFixture } from './use-fixture.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const harness = useFixture(createHarness)
let userId: string

before(async () => {
  userId = await harness.makeUser('manual')
})

const call = (method: string, url: string, body?: unknown, headers?: object): Promise<Answer> =>
  harness.call(method, url, body, headers)

/**
 * The error body of docs/contract/01-conventions.md#body-shapes: a list of where, what in words,
 * and what as a code.
 */
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
    const unknown = await call('DELETE', `/v2/user/${userId}/fitbitt`)
    assertProblems(unknown, [[['path', 'provider'], 'enum']])
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

  test('an unknown query parameter is ignored, and a header reports it', async () => {
    const warned = async (query: string) => (await call('GET', query)).headers['x-salus-warning']
    assert.equal((await call('GET', '/v2/user?limt=1')).status, 200)
    assert.equal(await warned('/v2/user?limt=1'), 'unknown query parameter: limt')
    assert.equal(await warned('/v2/user?limit=1&offset=0'), undefined)
    assert.equal(await warned('/v2/user'), undefined)
    // Of a route that takes none, and of one that refuses the rest of the request.
    assert.match(String(await warned(`/v2/user/${userId}?expand=1`)), /: expand$/)
    assert.match(String(await warned('/v2/user?limit=0&ofset=3')), /: ofset$/)
    assert.match(String(await warned(`/v2/timeseries/${userId}/steps/grouped?from=1`)), /: from$/)
  })

  test('all names of unknown query parameters stand in the header, those too that it can hold only encoded', async () => {
    const names = [
      'a%0d%0aSet-Cookie:x',
      'ä',
      'x'.repeat(500),
      '<script>',
      'one',
      'two',
      'filter[a]',
    ]
    const query = names.map((name) => `${name}=1`).join('&')
    const answer = await call('GET', `/v2/user?${query}`)
    const shown = ['a%0D%0ASet-Cookie%3Ax', '%C3%A4', `${'x'.repeat(60)}...`, '%3Cscript%3E']
    const warning = `unknown query parameters: ${[...shown, 'one', 'two', 'filter[a]'].join(', ')}`
    assert.equal(answer.headers['x-salus-warning'], warning)
    assert.equal(answer.headers['set-cookie'], undefined)
    const many = Array.from({ length: 900 }, (_, index) => `p${index}=`).join('&')
    const { headers } = await call('GET', `/v2/user?${many}`)
    assert.match(String(headers['x-salus-warning']), /: p0, p1, .*p526, 373 more$/)
  })

  test('a list is read in each form that clients write: repeated, with brackets, with positions', async () => {
    const forms = [
      'status=completed&status=cancelled',
      'status[]=completed&status[]=cancelled',
      'status%5B%5D=completed&status%5B%5D=cancelled',
      'status[0]=completed&status[1]=cancelled',
      'status=completed&status[]=cancelled',
    ]
    for (const form of forms) {
      const right = await call('GET', `/v3/orders?${form}&order_key[]=created_at`)
      assert.deepEqual([right.status, right.headers['x-salus-warning']], [200, undefined], form)
      const wrong = await call('GET', `/v3/orders?${form.replace('cancelled', 'canceled')}`)
      assertProblems(wrong, [[['query', 'status', 1], 'enum']])
    }
    assertProblems(await call('GET', '/v3/orders?order_key[]=created_at&order_key[]=last_status'), [
      [['query', 'order_key'], 'type'],
      [['query', 'order_key'], 'enum'],
    ])
    const unknown = await call('GET', '/v3/orders?constructor[]=1&stat[]=2')
    assert.equal(
      unknown.headers['x-salus-warning'],
      'unknown query parameters: constructor[], stat[]',
    )
  })

  test('an empty query parameter that may be null is null', async () => {
    const urls = [
      `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01&end_date=&next_cursor=`,
      `/v2/timeseries/${userId}/steps/merged?start_date=2026-02-27&end_date=&next_cursor=`,
      `/v2/summary/activity/${userId}?start_date=2026-02-01&end_date=`,
      '/v3/orders?start_date=&end_date=&updated_end_date=&user_id=&order_key=&is_critical=',
      '/v2/introspect/resources?user_id=&provider=&next_cursor=',
      '/v2/providers?source_type=',
      `/v2/user/${userId}/put_aside?resource=&provider=&reason=`,
    ]
    for (const url of urls) assert.equal((await call('GET', url)).status, 200, url)
    for (const url of urls) {
      const text = url.replaceAll(/=(&|$)/g, '=null$1').replace(/next_cursor=null/, 'next_cursor=')
      assert.equal((await call('GET', text)).status, 200, text)
    }
    const required = await call('GET', `/v2/timeseries/${userId}/steps/grouped?start_date=`)
    assertProblems(required, [[['query', 'start_date'], 'datetime_parsing']])
  })

  test('a number that no number holds is 422', async () => {
    const cases: [url: string, part: string, name: string][] = [
      ['/v3/orders?page=1e400', 'query', 'page'],
      ['/v3/orders?page=1e300', 'query', 'page'],
      ['/v2/user?offset=1e400', 'query', 'offset'],
      ['/v2/user?offset=9007199254740993', 'query', 'offset'],
      ['/v3/lab_test?marker_ids=1&marker_ids=1e400', 'query', 'marker_ids'],
      ['/v3/lab_tests/1e400/markers/x', 'path', 'lab_id'],
    ]
    for (const [url, part, name] of cases) {
      const answer = await call('GET', url)
      assert.equal(answer.status, 422, `${url} ${answer.text}`)
      assert.deepEqual(answer.body.detail[0].loc.slice(0, 2), [part, name])
    }
  })

  test('a provider that there is not is 422 among the overrides of a query', async () => {
    const query = { select: [{ index: 'sleep' }] }
    const timeframe = { type: 'relative', anchor: '2026-02-01', past: { value: 1, unit: 'day' } }
    const config = { provider_priority_overrides: ['oura', 'quest', 'fitbitt'] }
    const url = `/aggregate/v1/user/${userId}/query`
    const loc = ['body', 'config', 'provider_priority_overrides', 2]
    const answer = await call('POST', url, { timeframe, queries: [query], config })
    assertProblems(answer, [[loc, 'enum']])
  })

  test('a range that ends before it starts is 400', async () => {
    const ranges = [
      'start_date=2026-02-02&end_date=2026-02-01',
      'updated_start_date=2026-02-02T10:00:00Z&updated_end_date=2026-02-02T09:59:59Z',
    ]
    for (const range of ranges) {
      const { status, body } = await call('GET', `/v3/orders?${range}`)
      assert.deepEqual([status, body.detail.error_type], [400, 'invalid_date_range'])
    }
    const sameDay = 'start_date=2026-02-02&end_date=2026-02-02'
    assert.equal((await call('GET', `/v3/orders?${sameDay}`)).status, 200)
  })

  test('an unknown field is ignored', async () => {
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
    const search = await call('GET', '/v2/team/users/search?query_id=ab%00')
    assertProblems(search, [[['query'], 'string_unicode']])
    const undo = await call('POST', '/v2/user/undo_delete?client_user_id=%00')
    assertProblems(undo, [[['query'], 'string_unicode']])
  })
})
