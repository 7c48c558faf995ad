import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openHttpSink, openRawSink } from '../../../server/test/local-sink.ts'
import { createOutboundAgent } from './outbound-agent.ts'
import { type PostOutcome, type PostRequest, post } from './post.ts'

const agent = createOutboundAgent({ allowPrivate: true, connectionsPerOrigin: 1 })
after(() => agent.destroy())

function send(url: string, more: Partial<PostRequest> = {}): Promise<PostOutcome> {
  return post(agent, { url, headers: {}, body: '{}', timeoutMs: 2_000, ...more })
}

async function readBodyOf(t: TestContext, body: Buffer | string, headers = {}): Promise<string> {
  const sink = await openHttpSink(t, (_request, response) =>
    response.writeHead(200, headers).end(body),
  )
  return (await send(sink.url)).responseBody
}

/** Writes as fast as the other side reads, and counts what it got rid of. */
function writeMany(response: ServerResponse, totalBytes: number, onWritten: (n: number) => void) {
  const chunk = Buffer.alloc(16 * 1024, 'a')
  let leftBytes = totalBytes
  const write = (): void => {
    let hasRoom = true
    while (leftBytes > 0 && hasRoom) {
      leftBytes -= chunk.length
      onWritten(chunk.length)
      hasRoom = response.write(chunk)
    }
    if (leftBytes <= 0) response.end()
  }
  response.on('drain', write)
  write()
}

describe('of the body of an answer', () => {
  test('the first 4 KiB are kept', async (t) => {
    assert.equal(await readBodyOf(t, ''), '')
    assert.equal(await readBodyOf(t, 'a'.repeat(4_095)), 'a'.repeat(4_095))
    assert.equal(await readBodyOf(t, 'a'.repeat(4_096)), 'a'.repeat(4_096))
    assert.equal(await readBodyOf(t, 'a'.repeat(4_097)), 'a'.repeat(4_096))
    assert.equal(await readBodyOf(t, 'a'.repeat(200_000)), 'a'.repeat(4_096))
  })

  test('bytes that are not UTF-8 are replaced, and NULs removed', async (t) => {
    assert.equal(await readBodyOf(t, Buffer.from('a\0b\0\0c\xffd', 'latin1')), 'abc\ufffdd')
    assert.equal(await readBodyOf(t, `${'a'.repeat(4_095)}ü`), `${'a'.repeat(4_095)}\ufffd`)
  })

  test('characters in pieces are put together, compressed ones left as they are', async (t) => {
    const bytes = Buffer.from('grüße')
    const sink = await openHttpSink(t, (_request, response) => {
      response.write(bytes.subarray(0, 3))
      setImmediate(() => response.end(bytes.subarray(3)))
    })
    assert.equal((await send(sink.url)).responseBody, 'grüße')
    const packed = gzipSync('a'.repeat(1_000))
    const headers = { 'content-encoding': 'gzip' }
    assert.equal(await readBodyOf(t, packed, headers), packed.toString().replaceAll('\0', ''))
  })

  test('what came before it was cut off is kept, and the status counts', async (t) => {
    const answers = [
      'HTTP/1.1 500 Oh\r\ncontent-length: 100\r\n\r\nhalf',
      'HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n9\r\n',
      'HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nno length\r\n',
      'HTTP/1.1 500 Oh\r\nconnection: close\r\n\r\nhalf',
    ]
    for (const answer of answers) {
      const sink = await openRawSink(t, (socket) => socket.end(answer))
      const { durationMs: _, ...outcome } = await send(sink.url)
      assert.deepEqual(outcome, { status: 500, responseBody: 'half', error: null })
    }
  })
})

describe('a body of 10 MB is not downloaded', () => {
  const totalBytes = 10 * 1024 * 1024
  for (const headers of [{}, { 'content-length': String(totalBytes) }]) {
    test(`${'content-length' in headers ? 'with' : 'without'} a length`, async (t) => {
      let writtenBytes = 0
      let isFinished = false
      const sink = await openHttpSink(t, (_request, response) => {
        response.on('finish', () => {
          isFinished = true
        })
        response.writeHead(200, headers)
        writeMany(response, totalBytes, (n) => {
          writtenBytes += n
        })
      })
      const outcome = await send(sink.url)
      assert.equal(outcome.status, 200)
      assert.equal(outcome.responseBody, 'a'.repeat(4_096))
      await sink.waitUntilDisconnected()
      assert.equal(isFinished, false)
      // What was on its way when we hung up: buffers of both systems.
      assert.ok(writtenBytes < totalBytes * 0.8, `${writtenBytes} bytes`)
    })
  }
})

describe('a body that does not end', () => {
  test('is read until the deadline, then the connection is closed', async (t) => {
    const sink = await openHttpSink(t, (_request, response) => {
      const timer = setInterval(() => response.write('a'), 5)
      response.on('close', () => clearInterval(timer))
    })
    const outcome = await send(sink.url, { timeoutMs: 500 })
    assert.deepEqual([outcome.status, outcome.error], [200, null])
    assert.match(outcome.responseBody, /^a+$/)
    assert.ok(outcome.durationMs >= 499 && outcome.durationMs < 2_000)
    await sink.waitUntilDisconnected()
  })

  test('is not awaited once its first 4 KiB are there, and still closed at the deadline', async (t) => {
    const sink = await openHttpSink(t, (_request, response) => response.write('a'.repeat(5_000)))
    const startedMs = performance.now()
    const outcome = await send(sink.url, { timeoutMs: 1_000 })
    assert.equal(outcome.responseBody.length, 4_096)
    assert.ok(outcome.durationMs < 900)
    await sink.waitUntilDisconnected()
    assert.ok(performance.now() - startedMs >= 999)
  })

  test('does not turn an answer into an abort', async (t) => {
    const abort = new AbortController()
    const sink = await openHttpSink(t, (_request, response) => {
      response.write('a')
      const timer = setInterval(() => response.write('a'), 5)
      response.on('close', () => clearInterval(timer))
      setTimeout(() => abort.abort(), 50)
    })
    const outcome = await send(sink.url, { signal: abort.signal })
    assert.equal(outcome.status, 200)
    assert.ok(outcome.durationMs < 1_000)
    await sink.waitUntilDisconnected()
  })
})

describe('a connection is used again', () => {
  for (const bytes of [0, 100, 4_096, 20_000, 60_000]) {
    test(`after a body of ${bytes} bytes`, async (t) => {
      const sink = await openHttpSink(t, (_request, response) => response.end('a'.repeat(bytes)))
      for (let sent = 0; sent < 4; sent += 1) {
        const outcome = await send(sink.url)
        assert.equal(outcome.responseBody.length, Math.min(bytes, 4_096))
      }
      assert.equal(sink.connectionCount, 1)
    })
  }

  test('but not after a body of 100 kB', async (t) => {
    const sink = await openHttpSink(t, (_request, response) => response.end('a'.repeat(100_000)))
    for (let sent = 0; sent < 3; sent += 1) assert.equal((await send(sink.url)).status, 200)
    assert.equal(sink.connectionCount, 3)
  })

  test('but not after the remote side hung up behind its answer without having said so', async (t) => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
    const sink = await openRawSink(t, (socket) => socket.end(answer))
    for (let sent = 0; sent < 20; sent += 1) assert.equal((await send(sink.url)).status, 200)
    assert.equal(sink.connectionCount, 20)
  })
})
