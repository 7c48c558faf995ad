import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../connection/config.ts'
import type { CliError } from '../terminal/cli-error.ts'
import { startLocalServer } from '../testing/local-server.ts'
import { type FeedEvent, type FeedOptions, followEvents } from './webhook-feed.ts'

const TIMING = { mostSilenceMs: 300, leastWaitMs: 5, mostWaitMs: 20 }

const READY = (position: number) => `id: ${position}\nevent: ready\ndata: {}\n\n`
const MESSAGE = (position: number, body = '{}') => {
  const data = { id: `msg_${position}`, event_type: 'a.b', created_at: 'now', body }
  return `id: ${position}\nevent: message\ndata: ${JSON.stringify(data)}\n\n`
}

/** What a server does with one connection; `after` is what the query says. */
type Answer = (response: ServerResponse, after: string | null) => void

const stream = (...texts: string[]): Answer => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const text of texts) response.write(text)
  }
}
const cutAfter = (...texts: string[]): Answer => {
  return (response, after) => {
    stream(...texts)(response, after)
    // Once it is sent.
    setTimeout(() => response.destroy(), 20)
  }
}
const refuse = (status: number, body: string): Answer => {
  return (response) => response.writeHead(status).end(body)
}

interface Reading {
  handled: string[]
  /** The `after` of each connection. */
  afters: (string | null)[]
  cuts: string[]
  error: unknown
}

/** Follows a server that answers one connection after another so, until it has `count` events. */
async function follow(
  t: TestContext,
  answers: Answer[],
  count: number,
  options: Partial<FeedOptions> & { handle?: (event: FeedEvent) => Promise<unknown> } = {},
): Promise<Reading> {
  const { handle, ...rest } = options
  const afters: (string | null)[] = []
  const server = await startLocalServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://a').searchParams.get('after')
    afters.push(after)
    answers[Math.min(afters.length, answers.length) - 1]?.(response, after)
  })
  t.after(() => server.close())
  const connection = { url: server.url, managementKey: { value: 'mg', from: 'a test' } }
  const reading: Reading = { handled: [], afters, cuts: [], error: undefined }
  const events = followEvents(connection as Connection, {
    path: '/feed',
    eventTypes: [],
    after: undefined,
    signal: t.signal,
    onConnected: () => {},
    onCut: ({ message }: CliError) => reading.cuts.push(message),
    timing: TIMING,
    ...rest,
  })
  try {
    for await (const event of events) {
      await handle?.(event)
      reading.handled.push(event.position)
      if (reading.handled.length === count) break
    }
  } catch (error) {
    reading.error = error
  }
  return reading
}

describe('the feed of events', () => {
  it('goes on after the last handled event when the connection breaks', async (t) => {
    const answers = [cutAfter(READY(7)), cutAfter(MESSAGE(8), MESSAGE(9)), stream(MESSAGE(10))]
    const { handled, afters, error } = await follow(t, answers, 3)
    assert.equal(error, undefined)
    assert.deepEqual(handled, ['8', '9', '10'])
    assert.deepEqual(afters, [null, '7', '9'])
  })

  it('handles an event once although the connection breaks meanwhile', async (t) => {
    const answers = [cutAfter(READY(0), MESSAGE(1)), stream(READY(1), MESSAGE(2))]
    const handle = () => sleep(60)
    const { handled, afters } = await follow(t, answers, 2, { handle })
    assert.deepEqual(handled, ['1', '2'])
    assert.deepEqual(afters, [null, '1'])
  })

  it('takes a connection for broken that is silent for too long', async (t) => {
    const answers = [stream(READY(0), MESSAGE(1)), stream(MESSAGE(2))]
    const { handled, cuts } = await follow(t, answers, 2)
    assert.deepEqual(handled, ['1', '2'])
    assert.match(cuts.join(), /^The server at http\S+ does not respond\.$/)
  })

  it('does not take the time for silence that an event is handled', async (t) => {
    const handle = () => sleep(TIMING.mostSilenceMs + 100)
    const { handled, cuts } = await follow(t, [stream(READY(0), MESSAGE(1))], 1, { handle })
    assert.deepEqual(handled, ['1'])
    assert.deepEqual(cuts, [])
  })

  it('waits for a server that is away, or whose place something else takes', async (t) => {
    const away = [refuse(503, '{}'), refuse(404, 'no route'), refuse(200, '<html>')]
    const gone: Answer = (response) => response.destroy()
    const answers = [cutAfter(READY(0)), gone, ...away, cutAfter(READY(0)), stream(MESSAGE(1))]
    const { handled, cuts } = await follow(t, answers, 1)
    assert.deepEqual(handled, ['1'])
    assert.equal(cuts.length, 6)
  })

  it('ends with the error of the first connection', async (t) => {
    const { error, afters } = await follow(t, [refuse(503, '{"detail":"Not now."}')], 1)
    assert.match(String(error), /Not now\./)
    assert.equal(afters.length, 1)
  })

  it('ends when the server takes the key no more', async (t) => {
    const gone = JSON.stringify({ detail: { error_type: 'x', error_message: 'Revoked.' } })
    const { error } = await follow(t, [cutAfter(READY(0)), refuse(401, gone)], 1)
    assert.match(String(error), /Revoked\. It came from a test\./)
  })

  it('ends with an event that cannot be one', async (t) => {
    const broken: [string, RegExp][] = [
      ['event: message\ndata: {}\n\n', /without its position/],
      ['id: 1\nevent: message\ndata: {\n\n', /not JSON/],
      [`data: ${'x'.repeat(9 * 1024 * 1024)}`, /too large/],
    ]
    for (const [text, expected] of broken) {
      const { error } = await follow(t, [stream(READY(0), text)], 1)
      assert.match(String(error), expected)
    }
  })

  it('reads no more than it handles', async (t) => {
    const event = MESSAGE(1, 'x'.repeat(64 * 1024))
    let written = 0
    const flood: Answer = (response, after) => {
      stream(READY(0))(response, after)
      const write = () => {
        while (!response.destroyed) {
          written += event.length
          if (!response.write(event)) break
        }
      }
      response.on('drain', write)
      write()
    }
    const handle = () => sleep(500)
    assert.deepEqual((await follow(t, [flood], 1, { handle })).handled, ['1'])
    // What lies in the buffers of the two sockets and of the stream.
    assert.ok(written < 16 * 1024 * 1024, `${written} bytes were written`)
  })

  it('ends with the reason of the signal', async (t) => {
    const controller = new AbortController()
    const answers = [cutAfter(READY(0)), refuse(503, '{}')]
    setTimeout(() => controller.abort(new Error('Enough.')), 100)
    const { error } = await follow(t, answers, 1, { signal: controller.signal })
    assert.match(String(error), /Enough\./)
  })
})
