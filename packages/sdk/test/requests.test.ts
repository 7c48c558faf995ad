import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, test } from 'node:test'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  InvalidInputError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  Salus,
  type SalusOptions,
  ServerError,
  TimeoutError,
  TooLargeError,
} from '../src/index.ts'
import { answerJson, type FakeServer, refuse, startFakeServer } from './fake-server.ts'

let server: FakeServer
afterEach(() => server?.close())

const ORDER = {} as Parameters<Salus['orders']['create']>[0]
const USER = { client_user_id: 'ada' }

/** A client of a server that answers so. */
async function clientOf(
  answer: (response: ServerResponse, attempt: number) => void,
  options: SalusOptions = {},
): Promise<Salus> {
  server = await startFakeServer((_request, response, attempt) => answer(response, attempt))
  return new Salus({ apiKey: 'sk_us_test', baseUrl: server.url, ...options })
}

const failing =
  (times: number, fail: (response: ServerResponse) => void) =>
  (response: ServerResponse, attempt: number): void =>
    attempt <= times ? fail(response) : answerJson(response, 200, {})

const cutOff = (response: ServerResponse): void => void response.destroy()

const unavailable = (response: ServerResponse): void => refuse(response, 503, 'unavailable')

const keysOf = (): unknown[] => server.requests.map(({ headers }) => headers['x-idempotency-key'])

describe('a request that fails is sent again', () => {
  test('when it reads, also when the connection breaks', async () => {
    const salus = await clientOf(failing(2, cutOff))
    await salus.users.get('u1')
    assert.equal(server.requests.length, 3)
  })

  test('when it carries an idempotency key, which is the same each time', async () => {
    const salus = await clientOf(failing(2, cutOff))
    await salus.orders.create(ORDER)
    const [first, ...others] = keysOf()
    assert.match(String(first), /^[0-9a-f]{32}$/)
    assert.deepEqual(others, [first, first])
    await salus.orders.create(ORDER)
    assert.notEqual(keysOf()[3], first)
    await salus.orders.create(ORDER, { idempotencyKey: 'mine' })
    assert.equal(keysOf()[4], 'mine')
  })

  test('when an upload, of which a repeat changes nothing, is not answered', async () => {
    const salus = await clientOf(failing(1, unavailable))
    await salus.timeseries.upload('u1', 'steps', { stage: 'daily', provider: 'manual', data: [] })
    assert.equal(server.requests.length, 2)
  })

  test('when the first attempt of the key still runs', async () => {
    const salus = await clientOf((response, attempt) => {
      if (attempt === 1) return cutOff(response)
      if (attempt === 2) return refuse(response, 409, 'idempotency_conflict')
      answerJson(response, 200, {})
    })
    await salus.orders.create(ORDER)
    assert.equal(server.requests.length, 3)
  })

  test('after a rate limit, at the time that the server sends', async () => {
    const salus = await clientOf(
      failing(1, (response) => refuse(response, 429, 'rate_limited', { 'retry-after': '1' })),
    )
    const startedAt = performance.now()
    await salus.users.create(USER)
    assert.ok(performance.now() - startedAt >= 900)
    assert.equal(server.requests.length, 2)
  })
})

describe('a request that fails is not sent again', () => {
  test('when a second one could have a second effect', async () => {
    for (const fail of [cutOff, unavailable]) {
      const salus = await clientOf(failing(1, fail))
      await assert.rejects(salus.users.create(USER))
      assert.equal(server.requests.length, 1)
      await server.close()
    }
  })

  test('when it was refused, and for a key that was used before', async () => {
    const salus = await clientOf((response) => refuse(response, 409, 'idempotency_conflict'))
    await assert.rejects(salus.orders.create(ORDER, { idempotencyKey: 'used' }), ConflictError)
    assert.equal(server.requests.length, 1)
  })

  test('when the server wants to be left alone for long', async () => {
    const salus = await clientOf((response) =>
      refuse(response, 429, 'rate_limited', { 'retry-after': '3600' }),
    )
    await assert.rejects(salus.users.get('u1'), (error) => {
      assert.ok(error instanceof RateLimitError)
      assert.equal(error.retryAfterSeconds, 3600)
      return true
    })
    assert.equal(server.requests.length, 1)
  })

  test('more often than its options allow', async () => {
    const salus = await clientOf(unavailable, { maxRetries: 1 })
    await assert.rejects(salus.users.get('u1'), ServerError)
    assert.equal(server.requests.length, 2)
    await assert.rejects(salus.users.get('u1', { maxRetries: 0 }), ServerError)
    assert.equal(server.requests.length, 3)
  })
})

describe('a refusal', () => {
  test('is of the class of its status, with the code', async () => {
    const classes = {
      400: BadRequestError,
      401: AuthenticationError,
      403: PermissionError,
      404: NotFoundError,
      409: ConflictError,
      413: TooLargeError,
      418: ApiError,
      507: ServerError,
    }
    const statuses = Object.keys(classes).map(Number)
    const salus = await clientOf((response, attempt) =>
      refuse(response, statuses[attempt - 1] ?? 0, 'some_code', { 'x-request-id': 'r1' }),
    )
    for (const Class of Object.values(classes)) {
      await assert.rejects(salus.users.create(USER), (error) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.constructor, Class)
        assert.equal(error.name, Class.name)
        assert.equal(error.errorType, 'some_code')
        assert.equal(error.requestId, 'r1')
        return true
      })
    }
  })

  test('of an input names the fields', async () => {
    const problem = { loc: ['body', 'client_user_id'], msg: 'Field required', type: 'missing' }
    const salus = await clientOf((response) => answerJson(response, 422, { detail: [problem] }))
    await assert.rejects(salus.users.create(USER), (error) => {
      assert.ok(error instanceof InvalidInputError)
      assert.deepEqual(error.problems, [problem])
      assert.match(error.message, /body\.client_user_id: Field required/)
      return true
    })
  })

  test('that is a text, or not of Salus at all, is one too', async () => {
    const salus = await clientOf((response, attempt) => {
      if (attempt === 1) answerJson(response, 404, { detail: 'User not found.' })
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nginx</h1>')
    })
    await assert.rejects(salus.users.get('u1'), { errorType: 'not_found', status: 404 })
    await assert.rejects(salus.users.get('u1'), { errorType: undefined, status: 404 })
  })

  test('says further facts beside its code', async () => {
    const detail = { error_type: 'INVALID_REQUEST', error_message: 'Taken.', user_id: 'u7' }
    const salus = await clientOf((response) => answerJson(response, 400, { detail }))
    await assert.rejects(salus.users.create(USER), (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.equal(error.detail.user_id, 'u7')
      return true
    })
  })
})

describe('without an answer', () => {
  test('a request ends in time', async () => {
    const salus = await clientOf(() => {}, { timeoutMs: 50, maxRetries: 0 })
    await assert.rejects(salus.users.get('u1'), TimeoutError)
  })

  test('so does one of which only the beginning came', async () => {
    const salus = await clientOf(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"user')
      },
      { timeoutMs: 100, maxRetries: 0 },
    )
    await assert.rejects(salus.users.get('u1'), TimeoutError)
  })

  test('a caller can end it, also between two attempts', async () => {
    const salus = await clientOf(() => {})
    await assert.rejects(salus.users.get('u1', { signal: AbortSignal.timeout(50) }), {
      name: 'TimeoutError',
      code: 23,
    })
    await server.close()
    const failed = await clientOf((response) =>
      refuse(response, 429, 'rate_limited', { 'retry-after': '50' }),
    )
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    await assert.rejects(failed.users.get('u1', { signal: controller.signal }), reason)
  })

  test('no server is an error of the connection, and nothing was sent', async () => {
    const salus = new Salus({ apiKey: 'sk_us_test', baseUrl: 'http://127.0.0.1:1', maxRetries: 1 })
    await assert.rejects(salus.users.create(USER), ConnectionError)
  })
})

describe('a request', () => {
  test('leads nowhere else by an id, and not to a list without one', async () => {
    const salus = await clientOf((response) => answerJson(response, 200, {}))
    await salus.users.get('../team?x=#')
    assert.equal(server.requests[0]?.url, '/v2/user/..%2Fteam%3Fx%3D%23')
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      await assert.rejects(salus.users.get(id), TypeError)
    }
    assert.equal(server.requests.length, 1)
  })

  test('carries lists as repeated parameters, and leaves out what is not given', async () => {
    const salus = await clientOf((response) => answerJson(response, 200, {}))
    await salus.orders.list({ status: ['completed', 'cancelled'], user_id: undefined, page: 2 })
    assert.equal(server.requests[0]?.url, '/v3/orders?status=completed&status=cancelled&page=2')
  })

  test('carries the credential of its endpoint and no other', async () => {
    const keys = { apiKey: 'sk_us_a', managementKey: 'mg_b', linkToken: 'link_c', orgId: 'o1' }
    const salus = await clientOf((response) => answerJson(response, 200, {}), keys)
    await salus.users.get('u1')
    await salus.admin.organization.get()
    await salus.link.getConfig()
    const token = { accessToken: async () => 'token_d', baseUrl: server.url }
    await new Salus(token).users.get('u1')
    const names = ['x-service-api-key', 'x-management-key', 'x-service-link-token', 'authorization']
    assert.deepEqual(
      server.requests.map(({ headers }) => names.map((name) => headers[name] ?? '')),
      [
        ['sk_us_a', '', '', ''],
        ['', 'mg_b', '', ''],
        ['', '', 'link_c', ''],
        ['', '', '', 'Bearer token_d'],
      ],
    )
  })

  test('is refused before it is sent when what it needs is not known', async () => {
    const salus = await clientOf((response) => answerJson(response, 200, {}))
    await assert.rejects(salus.admin.organization.get(), /Give orgId/)
    await assert.rejects(salus.admin.operation.getStatus(), /Give `managementKey`/)
    await assert.rejects(new Salus({ baseUrl: server.url }).users.getMetrics(), /Give `apiKey`/)
    assert.equal(server.requests.length, 0)
  })

  test('of the management API goes to the environment of the key, or of the call', async () => {
    const options = { managementKey: 'mg_b', orgId: 'o1', teamId: 't1' }
    const salus = await clientOf((response) => answerJson(response, 200, {}), options)
    await salus.admin.webhooks.listStatus()
    await salus.admin.webhooks.listStatus({}, { environment: 'production', teamId: 't2' })
    await salus.admin.apiKeys.list({}, { region: 'eu' })
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      [
        '/v1/org/o1/team/t1/sandbox/webhook_status',
        '/v1/org/o1/team/t2/production/webhook_status',
        '/v1/org/o1/team_api_keys/sandbox/eu',
      ],
    )
  })

  test('is not made with a key of the other environment', () => {
    const options: SalusOptions = { apiKey: 'pk_us_x', environment: 'sandbox' }
    assert.throws(() => new Salus(options), /key is for the production/)
  })
})
