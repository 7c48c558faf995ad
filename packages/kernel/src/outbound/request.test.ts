import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { openHttpSink, openRawSink } from '../../../server/test/local-sink.ts'
import { createOutboundAgent, type OutboundAgent } from './outbound-agent.ts'
import { OutboundError } from './outbound-error.ts'
import { type OutboundRequest, request } from './request.ts'

const agent = createOutboundAgent({ allowPrivate: true })
const strict = createOutboundAgent({ allowPrivate: false })
after(() => Promise.all([agent.destroy(), strict.destroy()]))

const MIB = 1024 ** 2

const send = (url: string, more: Partial<OutboundRequest> = {}, by: OutboundAgent = agent) =>
  request(by, { url, timeoutMs: 2_000, maxBytes: MIB, ...more })

/** What a request fails with, and that it says nothing of what was sent or came back. */
async function failureOf(
  sending: Promise<unknown>,
): Promise<[reason: string, status: number | null]> {
  const error = await sending.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof OutboundError, String(error))
  assert.doesNotMatch(inspect(error) + JSON.stringify(error), /secret/)
  return [error.reason, error.status]
}

test('a request of any method arrives as it was given, and its answer comes whole', async (t) => {
  const sink = await openHttpSink(t, async (incoming, response) => {
    const { method, url, headers } = incoming
    const body = await text(incoming)
    const seen = { method, url, authorization: headers.authorization, body }
    response.writeHead(method === 'DELETE' ? 404 : 200, { 'x-left': '9' })
    response.end(method === 'HEAD' ? undefined : JSON.stringify(seen))
  })
  const headers = { authorization: 'Bearer secret' }
  const url = `${sink.url}/v1/days?from=2026-01-01`
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const body = method === 'GET' ? {} : { body: '{"ü":1}' }
    const answer = await send(url, { method, headers, ...body })
    assert.deepEqual(
      [answer.status, answer.header('x-left')],
      [method === 'DELETE' ? 404 : 200, '9'],
    )
    assert.deepEqual(answer.json(), {
      method,
      url: '/v1/days?from=2026-01-01',
      authorization: 'Bearer secret',
      body: body.body ?? '',
    })
    assert.doesNotMatch(inspect(answer) + JSON.stringify({ answer }), /secret|days/)
  }
  assert.equal((await send(url, { method: 'HEAD' })).bytes().length, 0)
})

describe('the size of an answer has a limit', () => {
  test('that a body may reach and not pass, with a length and without', async (t) => {
    const sink = await openHttpSink(t, (incoming, response) => {
      const body = Buffer.alloc(Number(incoming.url?.slice(1)), 'a')
      if (incoming.headers['x-whole'] === undefined) response.write(body.subarray(0, 1))
      else return response.end(body)
      return response.end(body.subarray(1))
    })
    for (const headers of [{ 'x-whole': '1' }, {} as Record<string, string>]) {
      assert.equal((await send(`${sink.url}/${MIB}`, { headers })).bytes().length, MIB)
      const over = send(`${sink.url}/${MIB + 1}`, { headers })
      assert.deepEqual(await failureOf(over), ['response_too_large', 200])
    }
  })

  test('that is not downloaded to its end, and does not wait for it', async (t) => {
    let isFinished = false
    const sink = await openHttpSink(t, (_incoming, response) => {
      response.on('finish', () => {
        isFinished = true
      })
      const write = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      }
      response.on('drain', write)
      write()
    })
    assert.deepEqual(await failureOf(send(sink.url)), ['response_too_large', 200])
    await sink.waitUntilDisconnected()
    assert.equal(isFinished, false)
  })

  test('that holds for what is unpacked too', async (t) => {
    const bodies: Record<string, Buffer> = {
      '/fits': gzipSync('{"a":1}'),
      '/bomb': gzipSync(Buffer.alloc(100 * MIB)),
      '/torn': gzipSync('{"a":1}').subarray(0, 12),
    }
    const sink = await openHttpSink(t, (incoming, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bodies[incoming.url ?? '']),
    )
    assert.deepEqual((await send(`${sink.url}/fits`)).json(), { a: 1 })
    assert.deepEqual(await failureOf(send(`${sink.url}/bomb`)), ['response_too_large', 200])
    assert.deepEqual(await failureOf(send(`${sink.url}/torn`)), ['invalid_response', 200])
  })
})

describe('a remote side that fails is named by a constant', () => {
  test('when it is slow, before its answer or within', async (t) => {
    const silent = await openRawSink(t, () => undefined)
    assert.deepEqual(await failureOf(send(silent.url, { timeoutMs: 50 })), ['timeout', null])
    const slow = await openHttpSink(t, (_incoming, response) => {
      const timer = setInterval(() => response.write('secret'), 5)
      response.on('close', () => clearInterval(timer))
    })
    assert.deepEqual(await failureOf(send(slow.url, { timeoutMs: 500 })), ['timeout', 200])
    await slow.waitUntilDisconnected()
  })

  test('when it breaks off', async (t) => {
    const reset = await openRawSink(t, (socket) => socket.resetAndDestroy())
    const url = `${reset.url}/?token=secret`
    assert.deepEqual(await failureOf(send(url)), ['connection', null])
    const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nsecret'
    const hangsUp = await openRawSink(t, (socket) => socket.end(half))
    assert.deepEqual((await failureOf(send(hangsUp.url)))[1], 200)
  })

  test('when it speaks something else', async (t) => {
    const sink = await openHttpSink(t, (_incoming, response) => response.end('<p>secret'))
    const answer = await send(sink.url)
    assert.deepEqual(await failureOf(Promise.resolve().then(() => answer.json())), [
      'invalid_response',
      200,
    ])
    assert.deepEqual(await failureOf(send(sink.url.replace('http', 'https'))), ['tls', null])
  })

  test('when its address is private and that is not allowed', async (t) => {
    const sink = await openHttpSink(t, (_incoming, response) => response.end())
    assert.deepEqual(await failureOf(send(sink.url, {}, strict)), ['refused_address', null])
    assert.equal(sink.connectionCount, 0)
  })
})

test('the caller may abort, also while the body is on its way', async (t) => {
  const abort = new AbortController()
  const sink = await openHttpSink(t, (_incoming, response) => {
    response.write('a')
    setTimeout(() => abort.abort(new Error('shutting down')), 20)
  })
  await assert.rejects(send(sink.url, { signal: abort.signal }), { message: 'shutting down' })
  await sink.waitUntilDisconnected()
})

describe('redirects', () => {
  test('are answers unless they are to be followed, and only those of GET are', async (t) => {
    const sink = await openHttpSink(t, (incoming, response) => {
      const at = Number(incoming.url?.slice(1))
      if (at === 0) response.end('there')
      else response.writeHead(302, { location: `/${at - 1}` }).end()
    })
    assert.equal((await send(`${sink.url}/1`)).status, 302)
    assert.equal((await send(`${sink.url}/2`, { maxRedirects: 1 })).status, 302)
    assert.equal((await send(`${sink.url}/2`, { maxRedirects: 2 })).bytes().toString(), 'there')
    const method = 'POST'
    assert.equal((await send(`${sink.url}/2`, { maxRedirects: 2, method })).status, 302)
  })

  test('take no headers to another origin', async (t) => {
    const seen: (string | undefined)[] = []
    const target = await openHttpSink(t, (incoming, response) => {
      seen.push(incoming.headers.authorization)
      response.end()
    })
    const sink = await openHttpSink(t, (incoming, response) => {
      seen.push(incoming.headers.authorization)
      const location = incoming.url === '/' ? '/same' : target.url
      response.writeHead(307, { location }).end()
    })
    await send(sink.url, { headers: { authorization: 'Bearer secret' }, maxRedirects: 2 })
    assert.deepEqual(seen, ['Bearer secret', 'Bearer secret', undefined])
  })

  test('lead to no private address', async (t) => {
    const target = await openHttpSink(t, (_incoming, response) => response.end('metadata'))
    const sink = await openHttpSink(t, (_incoming, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${target.port}/secret` }).end(),
    )
    // The sink stands for a public address; everything else is judged as it is in production.
    const mixed: OutboundAgent = {
      originCount: 0,
      connectionsOf: (origin) => (origin === sink.url ? agent : strict).connectionsOf(origin),
      close: () => Promise.resolve(),
      destroy: () => Promise.resolve(),
    }
    const failure = await failureOf(send(sink.url, { maxRedirects: 3 }, mixed))
    assert.deepEqual([failure, target.connectionCount], [['refused_address', null], 0])
  })

  test('lead to the web, and name no person', async (t) => {
    for (const location of ['file:///etc/passwd', 'http://me:secret@127.0.0.1/', 'http://']) {
      const sink = await openHttpSink(t, (_incoming, response) =>
        response.writeHead(302, { location }).end(),
      )
      const failure = await failureOf(send(sink.url, { maxRedirects: 1 }))
      assert.deepEqual(failure, ['refused_redirect', 302], location)
    }
  })

  test('share the time of the request', async (t) => {
    const sink = await openHttpSink(t, (_incoming, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 40)
    })
    const startedMs = performance.now()
    const failure = await failureOf(send(sink.url, { maxRedirects: 1_000, timeoutMs: 150 }))
    assert.deepEqual(failure, ['timeout', null])
    assert.ok(performance.now() - startedMs < 1_000)
  })
})

test('connecting has a limit of its own', async () => {
  const hasty = createOutboundAgent({ allowPrivate: true, connectTimeoutMs: 60 })
  // Of a network that is for documentation: no host answers.
  const sending = send('http://192.0.2.1/', { timeoutMs: 20_000 }, hasty)
  const [reason] = await failureOf(sending)
  assert.ok(['timeout', 'connection'].includes(reason), reason)
  await hasty.destroy()
})
