import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '@salus/kernel/log'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createHttpPoller, createHttpSender } from './http.ts'
import { createLabFetch, type HttpAuth } from './http-auth.ts'
import type { Receive } from './transport.ts'

interface Request {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
interface Answer {
  status?: number
  body?: string
}

const agent = createOutboundAgent({ allowPrivate: true })
const log = createLogger('silent')
const keys = {
  RS384: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
}
let http: Server
let base: string
let requests: Request[] = []
let answer: (request: Request) => Answer = () => ({})

before(async () => {
  http = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(request)
    const { status = 200, body = '' } = answer(request)
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(http.address() as { port: number }).port}`
})
after(async () => {
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
  await agent.close()
})
beforeEach(() => {
  requests = []
  answer = () => ({})
})

const SECRETS: Record<string, string> = {
  'secret:password': 'open sesame',
  'secret:token': 'token-1',
  'secret:RS384': keys.RS384.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  'secret:ES384': keys.ES384.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
}
const readSecret = async (reference: string) => SECRETS[reference] ?? ''
const fetchWith = (auth: HttpAuth | undefined) => createLabFetch(agent, auth, readSecret, 5)

const MESSAGE = {
  content: Buffer.from('MSH|M1'),
  controlId: 'M1',
  requisition: null,
  isAnswer: (content: Buffer) => content.toString() === 'ACK M1',
}
const post = (auth?: HttpAuth) =>
  createHttpSender({ kind: 'http', url: `${base}/orders` }, fetchWith(auth)).send(MESSAGE)
const orders = () => requests.filter(({ url }) => url === '/orders')

describe('an order that is posted', () => {
  for (const [name, auth, header, value] of [
    ['no sign-in', { kind: 'none' }, 'authorization', undefined],
    [
      'a password',
      { kind: 'basic', user: 'salus', password: 'secret:password' },
      'authorization',
      `Basic ${Buffer.from('salus:open sesame').toString('base64')}`,
    ],
    ['a token', { kind: 'bearer', token: 'secret:token' }, 'authorization', 'Bearer token-1'],
    [
      'a key',
      { kind: 'api_key', header: 'X-Lab-Key', key: 'secret:token' },
      'x-lab-key',
      'token-1',
    ],
  ] as const) {
    test(`has ${name}, and its answer is the acknowledgement`, async () => {
      answer = () => ({ body: 'ACK M1' })
      assert.equal((await post(auth))?.toString(), 'ACK M1')
      const [request] = requests
      assert.deepEqual(
        [request?.method, request?.body, request?.headers['content-type']],
        ['POST', 'MSH|M1', 'x-application/hl7-v2+er7'],
      )
      assert.equal(request?.headers[header], value)
    })
  }

  test('has a token of the client, which is renewed once when it ended early', async () => {
    let tokens = 0
    answer = ({ url, headers }) => {
      if (url === '/token') {
        tokens += 1
        return { body: JSON.stringify({ access_token: `t${tokens}`, expires_in: 3600 }) }
      }
      return headers.authorization === 'Bearer t1' ? { status: 401 } : { body: 'ACK M1' }
    }
    const auth: HttpAuth = {
      kind: 'oauth2_client',
      token_url: `${base}/token`,
      client_id: 'salus',
      client_secret: 'secret:password',
      scope: 'orders',
    }
    assert.equal((await post(auth))?.toString(), 'ACK M1')
    const [token] = requests
    assert.equal(token?.body, 'grant_type=client_credentials&scope=orders')
    const credentials = Buffer.from('salus:open sesame').toString('base64')
    assert.equal(token?.headers.authorization, `Basic ${credentials}`)
    assert.deepEqual([tokens, orders().length], [2, 2])
    answer = ({ url }) => (url === '/token' ? { body: '{"access_token":"t"}' } : { status: 401 })
    requests = []
    await assert.rejects(post(auth), { code: 'http_401' })
    assert.equal(orders().length, 2)
    answer = () => ({ status: 400, body: '{"error":"invalid_client"}' })
    await assert.rejects(post(auth), { code: 'token_400' })
  })

  for (const algorithm of ['RS384', 'ES384'] as const) {
    test(`has a token for an assertion that is signed with ${algorithm}`, async () => {
      let claims: Record<string, unknown> = {}
      answer = ({ url, body }) => {
        if (url !== '/token') return { body: 'ACK M1' }
        const [header = '', payload = '', signature = ''] =
          new URLSearchParams(body).get('client_assertion')?.split('.') ?? []
        const isGood = verify(
          'sha384',
          Buffer.from(`${header}.${payload}`),
          { key: keys[algorithm].publicKey, dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature, 'base64url'),
        )
        claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
        return isGood ? { body: '{"access_token":"t"}' } : { status: 401 }
      }
      const key = `secret:${algorithm}` as const
      const token_url = `${base}/token`
      await post({ kind: 'private_key_jwt', token_url, client_id: 'salus', key, algorithm })
      assert.deepEqual([claims.iss, claims.sub, claims.aud], ['salus', 'salus', `${base}/token`])
      assert.equal(orders()[0]?.headers.authorization, 'Bearer t')
    })
  }

  test('is refused by an acknowledgement with 400, and sent again without one', async () => {
    answer = () => ({ status: 400, body: 'ACK M1' })
    assert.equal((await post())?.toString(), 'ACK M1')
    for (const status of [400, 403, 404, 429, 500, 503]) {
      answer = () => ({ status })
      await assert.rejects(post(), { code: `http_${status}` })
    }
    answer = () => ({ status: 202 })
    assert.equal(await post(), null)
  })
})

/** Polls until so many requests ended, and returns what was received. */
async function poll(isEnough: () => boolean, receive: Receive = async () => []): Promise<string[]> {
  const received: string[] = []
  const poller = createHttpPoller(
    {
      kind: 'http-poll',
      list: `${base}/results`,
      get: `${base}/results/{id}`,
      confirm: `${base}/results/{id}/confirm`,
      every_seconds: 0.02,
    },
    fetchWith(undefined),
    log,
  )
  await poller.open((content) => {
    received.push(content.toString())
    return receive(content)
  })
  const until = performance.now() + 60_000
  while (!isEnough()) {
    assert.ok(performance.now() < until)
    await pause(5)
  }
  await poller.close()
  return received
}

describe('results that are polled', () => {
  /** A laboratory that lists what is not confirmed. */
  function serveResults(
    confirm: (id: string) => number,
    fetched: (id: string) => number = () => 200,
  ) {
    const waiting = new Set(['a/1', 'b', 'c'])
    answer = ({ method, url }) => {
      if (url === '/results')
        return { body: JSON.stringify({ data: [...waiting].map((id) => ({ id })) }) }
      const [, , id = ''] = url.split('/').map(decodeURIComponent)
      if (method === 'GET') return { status: fetched(id), body: `MSH|${id}` }
      const status = confirm(id)
      if (status < 300) waiting.delete(id)
      return { status }
    }
    return waiting
  }

  test('are confirmed one by one, each after it was stored', async () => {
    const waiting = serveResults(() => 204)
    const steps: string[] = []
    const received = await poll(
      () => waiting.size === 0,
      async (content) => {
        const id = content.toString().slice(4)
        steps.push(
          String(requests.some(({ url }) => url.includes(`${encodeURIComponent(id)}/confirm`))),
        )
        return []
      },
    )
    assert.deepEqual(received, ['MSH|a/1', 'MSH|b', 'MSH|c'])
    assert.deepEqual(steps, ['false', 'false', 'false'])
  })

  test('are confirmed later when a confirmation fails, and do not hold up the others', async () => {
    let failures = 2
    const waiting = serveResults((id) => {
      if (id !== 'a/1' || failures === 0) return 204
      failures -= 1
      return failures === 1 ? 500 : 404
    })
    const received = await poll(() => waiting.size === 0)
    assert.deepEqual(received, ['MSH|a/1', 'MSH|b', 'MSH|c', 'MSH|a/1', 'MSH|a/1'])
  })

  test('are not confirmed when they cannot be fetched or stored', async () => {
    const waiting = serveResults(
      () => 204,
      (id) => (id === 'b' ? 404 : 200),
    )
    let failures = 1
    await poll(
      () => waiting.size === 1,
      async () => {
        failures -= 1
        if (failures >= 0) throw new Error('the database is down')
        return []
      },
    )
    assert.deepEqual([...waiting], ['b'])
  })

  test('need a list', async () => {
    for (const [given, code] of [
      [{ status: 404, body: '[]' }, 'http_404'],
      [{ body: 'no list' }, 'wrong_list'],
      [{ body: '{"data":[{}]}' }, 'wrong_list'],
    ] as const) {
      answer = () => given
      const options = { kind: 'http-poll', list: `${base}/results`, get: `${base}/{id}` } as const
      const poller = createHttpPoller(options, fetchWith(undefined), log)
      await assert.rejects(poller.check(), { code })
    }
  })
})
