import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, describe, type TestContext, test } from 'node:test'
import { openHttpSink, openRawSink } from '../../../server/test/local-sink.ts'
import { createOutboundAgent } from './outbound-agent.ts'
import { type PostOutcome, type PostRequest, post } from './post.ts'

const agent = createOutboundAgent({ allowPrivate: true })
after(() => agent.destroy())

function send(url: string, more: Partial<PostRequest> = {}): Promise<PostOutcome> {
  return post(agent, { url, headers: {}, body: '{}', timeoutMs: 2_000, ...more })
}

/** What comes of a remote side that answers with these bytes, and then says no more or hangs up. */
async function sendTo(
  t: TestContext,
  answer: string,
  { hangUp = false, timeoutMs = 2_000 } = {},
): Promise<PostOutcome> {
  const sink = await openRawSink(t, (socket) => {
    socket.write(answer)
    if (hangUp) socket.end()
  })
  return send(sink.url, { timeoutMs })
}

test('a request arrives as it was given, and its answer is returned', async (t) => {
  const seen: unknown[] = []
  const sink = await openHttpSink(t, async (request, response) => {
    const { method, url, headers } = request
    const { host, 'content-length': length, 'webhook-id': id } = headers
    seen.push({ method, url, host, length, id, body: await text(request) })
    response.writeHead(202).end('thank you')
  })
  const path = '/hooks/a%20b?key=1&key=2'
  const headers = { 'webhook-id': 'evt_1' }
  for (const body of ['{"name":"ü"}', Buffer.from('{"name":"ü"}')]) {
    const { durationMs, ...outcome } = await send(sink.url + path, { headers, body })
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0 && durationMs < 2_000)
    assert.deepEqual(outcome, { status: 202, responseBody: 'thank you', error: null })
  }
  const host = `127.0.0.1:${sink.port}`
  const body = '{"name":"ü"}'
  const request = { method: 'POST', url: path, host, length: '13', id: 'evt_1', body }
  assert.deepEqual(seen, [request, request])
})

describe('any status counts', () => {
  for (const status of [200, 204, 301, 307, 400, 404, 410, 429, 500, 503, 599, 999]) {
    test(`such as ${status}`, async (t) => {
      const outcome = await sendTo(t, `HTTP/1.1 ${status} Any\r\ncontent-length: 0\r\n\r\n`)
      assert.deepEqual([outcome.status, outcome.error], [status, null])
    })
  }

  test('and a redirect is not followed', async (t) => {
    const target = await openHttpSink(t, (_request, response) => response.end())
    for (const status of [301, 302, 303, 307, 308]) {
      const answer = `HTTP/1.1 ${status} Moved\r\nlocation: ${target.url}\r\ncontent-length: 0\r\n\r\n`
      assert.equal((await sendTo(t, answer)).status, status)
    }
    assert.equal(target.connectionCount, 0)
  })

  test('and the provisional ones before it do not', async (t) => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'
    const outcome = await sendTo(t, `${hints}HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n`)
    assert.equal(outcome.status, 201)
  })
})

describe('an attempt ends at its deadline', () => {
  const answers = {
    'without an answer': '',
    'with half a line': 'HTTP/1.1 200',
    'with headers that do not end': 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n',
    'with nothing but provisional answers': 'HTTP/1.1 103 Early Hints\r\n\r\n',
  }
  for (const [name, answer] of Object.entries(answers)) {
    test(name, async (t) => {
      const { durationMs, ...outcome } = await sendTo(t, answer, { timeoutMs: 60 })
      assert.deepEqual(outcome, { status: null, responseBody: '', error: 'timeout' })
      assert.ok(durationMs >= 59 && durationMs < 1_000, `${durationMs} ms`)
    })
  }

  test('with headers that trickle, and its connection is closed', async (t) => {
    const sink = await openRawSink(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('a: b\r\n'), 5)
      socket.on('close', () => clearInterval(timer))
    })
    assert.equal((await send(sink.url, { timeoutMs: 60 })).error, 'timeout')
    await sink.waitUntilDisconnected()
  })

  test('while its name is looked up', async () => {
    const waiting = createOutboundAgent({ allowPrivate: true, lookup: () => undefined })
    const request = { url: 'http://hooks.example/', headers: {}, body: '{}', timeoutMs: 30 }
    assert.equal((await post(waiting, request)).error, 'timeout')
    await waiting.destroy()
  })
})

describe('a remote side that fails is named by a constant', () => {
  test('when no server listens', async (t) => {
    const sink = await openHttpSink(t, () => undefined)
    await sink.close()
    const { durationMs: _, ...outcome } = await send(sink.url)
    assert.deepEqual(outcome, { status: null, responseBody: '', error: 'connection' })
  })

  test('when it resets the connection', async (t) => {
    const sink = await openRawSink(t, (socket) => socket.resetAndDestroy())
    assert.equal((await send(sink.url)).error, 'connection')
  })

  test('when it hangs up before or within its headers', async (t) => {
    assert.equal((await sendTo(t, '', { hangUp: true })).error, 'connection')
    assert.equal((await sendTo(t, 'HTTP/1.1 200 OK\r\na', { hangUp: true })).error, 'connection')
  })

  test('when it does not speak TLS', async (t) => {
    const sink = await openRawSink(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    assert.equal((await send(sink.url.replace('http', 'https'))).error, 'tls')
  })

  const answers = {
    garbage: 'SSH-2.0-OpenSSH_9.6\r\n',
    'another kind of status line': 'ICY 200 OK\r\n\r\n',
    'a header that is too long': `HTTP/1.1 200 OK\r\na: ${'b'.repeat(100_000)}\r\n\r\n`,
    'too many headers': `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`,
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na',
    'a status below 100': 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n',
    'leave to go on': 'HTTP/1.1 100 Continue\r\n\r\n',
    'another protocol': 'HTTP/1.1 101 Ok\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  }
  for (const [name, answer] of Object.entries(answers)) {
    test(`when it answers with ${name}`, async (t) => {
      assert.equal((await sendTo(t, answer)).error, 'invalid_response')
    })
  }
})

describe('the caller gets a rejection', () => {
  test('that it asked for something impossible', async () => {
    const headers = { 'webhook-id': 'a\r\nb: c' }
    await assert.rejects(send('http://127.0.0.1:1/', { headers }), { code: 'UND_ERR_INVALID_ARG' })
    await assert.rejects(send('ftp://127.0.0.1/'), { code: 'UND_ERR_INVALID_ARG' })
    await assert.rejects(send('no URL'), { code: 'ERR_INVALID_URL' })
  })

  test('that it aborted, before or while the remote side was waited for', async (t) => {
    const abort = new AbortController()
    const sink = await openRawSink(t, () => abort.abort(new Error('shutting down')))
    const { signal } = abort
    await assert.rejects(send(sink.url, { signal }), { message: 'shutting down' })
    await sink.waitUntilDisconnected()
    await assert.rejects(send(sink.url, { signal }), { message: 'shutting down' })
    assert.equal(sink.connectionCount, 1)
  })

  test('that the agent was destroyed meanwhile', async (t) => {
    const brief = createOutboundAgent({ allowPrivate: true, connectionsPerOrigin: 1 })
    const sink = await openRawSink(t, () => void brief.destroy())
    const request = { url: sink.url, headers: {}, body: '{}', timeoutMs: 2_000 }
    const [running, queued] = [post(brief, request), post(brief, request)]
    await Promise.all([
      assert.rejects(running, { code: 'UND_ERR_DESTROYED' }),
      assert.rejects(queued, { message: 'The outbound agent is closed.' }),
    ])
  })
})

test('what was given up in the queue is not sent, and costs no connection', async (t) => {
  const paths: unknown[] = []
  const firstArrived = Promise.withResolvers<ServerResponse>()
  const sink = await openHttpSink(t, (request, response) => {
    paths.push(request.url)
    if (request.url !== '/first') response.end()
    else firstArrived.resolve(response)
  })
  const single = createOutboundAgent({ allowPrivate: true, connectionsPerOrigin: 1 })
  const request = { headers: {}, body: '{}', timeoutMs: 2_000 }
  const first = post(single, { ...request, url: `${sink.url}/first` })
  const queued = await post(single, { ...request, url: `${sink.url}/queued`, timeoutMs: 30 })
  assert.equal(queued.error, 'timeout')
  const response = await firstArrived.promise
  response.end()
  assert.equal((await first).status, 200)
  assert.equal((await post(single, { ...request, url: `${sink.url}/last` })).status, 200)
  assert.deepEqual(paths, ['/first', '/last'])
  assert.equal(sink.connectionCount, 1)
  await single.close()
})
