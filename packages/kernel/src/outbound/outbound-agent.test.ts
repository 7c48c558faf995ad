import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { after, describe, test } from 'node:test'
import { openHttpSink, openRawSink } from '../../../server/test/local-sink.ts'
import type { Lookup } from './checked-lookup.ts'
import { createOutboundAgent, type OutboundAgent } from './outbound-agent.ts'
import { type PostOutcome, post } from './post.ts'

const sink = await openHttpSink({ after }, (_request, response) => response.end('reached'))

function send(agent: OutboundAgent, url: string, timeoutMs = 2_000): Promise<PostOutcome> {
  return post(agent, { url, headers: {}, body: '{}', timeoutMs })
}

function inFamily(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}

/** Answers the first question with the first addresses, and so on; the last answer stays. */
function answerInTurn(...answers: string[][]): { lookup: Lookup; questions: string[] } {
  const questions: string[] = []
  return {
    questions,
    lookup: (hostname, _options, callback) => {
      const addresses = answers[Math.min(questions.length, answers.length - 1)] ?? []
      questions.push(hostname)
      setImmediate(callback, null, addresses.map(inFamily))
    },
  }
}

/** Spellings of this machine, and of others that are not for strangers. */
const REFUSED_HOSTS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  'localhost',
  'LOCALHOST',
]

/** What a name may be said to lead to. */
const REFUSED_ANSWERS: readonly string[][] = [
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['fd00:ec2::254'],
  ['fe80::1%1'],
  ['1.1.1.1', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1'],
  ['2606:4700:4700::1111', '::1'],
  ['1.1.1.1', '2606:4700:4700::1111', '192.168.0.1'],
  ['not an address'],
]

describe('an agent for public addresses', () => {
  for (const host of REFUSED_HOSTS) {
    test(`refuses ${host}`, async () => {
      const agent = createOutboundAgent({ allowPrivate: false })
      for (const protocol of ['http', 'https']) {
        const outcome = await send(agent, `${protocol}://${host}:${sink.port}/`)
        assert.equal(outcome.error, 'refused_address', protocol)
      }
      assert.equal(sink.connectionCount, 0)
      await agent.close()
    })
  }

  for (const addresses of REFUSED_ANSWERS) {
    test(`refuses a name that leads to ${addresses.join(' and ')}`, async () => {
      const { lookup, questions } = answerInTurn(addresses)
      const agent = createOutboundAgent({ allowPrivate: false, lookup })
      const outcome = await send(agent, `http://hooks.example:${sink.port}/`)
      assert.equal(outcome.error, 'refused_address')
      assert.deepEqual(questions, ['hooks.example'])
      assert.equal(sink.connectionCount, 0)
      await agent.close()
    })
  }

  test('connects to what it checked, so a name that then leads elsewhere gains nothing', async () => {
    // Public by its range, but returned to the registry: no host is there.
    const { lookup, questions } = answerInTurn(['3ffe::1'], ['127.0.0.1'])
    const agent = createOutboundAgent({ allowPrivate: false, lookup })
    const first = await send(agent, `http://rebinding.example:${sink.port}/`, 300)
    assert.match(String(first.error), /^(connection|timeout)$/)
    assert.equal(questions.length, 1)
    const second = await send(agent, `http://rebinding.example:${sink.port}/`)
    assert.equal(second.error, 'refused_address')
    assert.equal(questions.length, 2)
    assert.equal(sink.connectionCount, 0)
    await agent.destroy()
  })
})

describe('an agent for all addresses', () => {
  for (const host of ['127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '0x7f.1', 'localhost']) {
    test(`reaches ${host}`, async () => {
      const agent = createOutboundAgent({ allowPrivate: true })
      const outcome = await send(agent, `http://${host}:${sink.port}/`)
      assert.equal(outcome.responseBody, 'reached')
      await agent.close()
    })
  }

  test('asks for a name once per connection', async () => {
    const { lookup, questions } = answerInTurn(['127.0.0.1'], ['192.0.2.1'])
    const agent = createOutboundAgent({ allowPrivate: true, lookup, connectionsPerOrigin: 1 })
    for (let sent = 0; sent < 3; sent += 1) {
      const outcome = await send(agent, `http://hooks.example:${sink.port}/`)
      assert.equal(outcome.status, 200)
    }
    assert.deepEqual(questions, ['hooks.example'])
    await agent.close()
  })

  test('says that a name has no address, or that no name server answers', async () => {
    const fail: Lookup = (_hostname, _options, callback) => callback(new Error('SERVFAIL'), [])
    for (const lookup of [answerInTurn([]).lookup, fail]) {
      const agent = createOutboundAgent({ allowPrivate: true, lookup })
      assert.equal((await send(agent, 'https://hooks.example/')).error, 'dns')
      await agent.close()
    }
  })
})

describe('the connections of an agent', () => {
  test('are limited per origin, however many requests there are', async (t) => {
    const busy = await openHttpSink(t, (_request, response) => response.end())
    const agent = createOutboundAgent({ allowPrivate: true, connectionsPerOrigin: 2 })
    const many = Array.from({ length: 100 }, () => send(agent, busy.url))
    assert.ok((await Promise.all(many)).every(({ status }) => status === 200))
    assert.equal(busy.connectionCount, 2)
    await agent.close()
  })

  test('are few also after the remote side closed one under load', async (t) => {
    let requestCount = 0
    const closing = await openHttpSink(t, (_request, response) => {
      requestCount += 1
      if (requestCount === 10) response.setHeader('connection', 'close')
      response.end()
    })
    const agent = createOutboundAgent({ allowPrivate: true, connectionsPerOrigin: 1 })
    for (let sent = 0; sent < 100; sent += 1) {
      assert.equal((await send(agent, closing.url)).status, 200)
    }
    assert.equal(closing.connectionCount, 2)
    await agent.close()
  })

  test('end when they are idle, and their origins are forgotten', async (t) => {
    const agent = createOutboundAgent({ allowPrivate: true, keepAliveTimeoutMs: 50 })
    const idle = await openRawSink(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 0\r\n\r\n')
    })
    await Promise.all([send(agent, idle.url), send(agent, `http://localhost:${idle.port}`)])
    assert.equal(agent.originCount, 2)
    await idle.waitUntilDisconnected()
    while (agent.originCount > 0) await new Promise(setImmediate)
    await agent.close()
  })

  test('that are broken off are not opened again', async (t) => {
    const silent = await openRawSink(t, () => undefined)
    const agent = createOutboundAgent({ allowPrivate: true })
    assert.equal((await send(agent, silent.url, 30)).error, 'timeout')
    await silent.waitUntilDisconnected()
    assert.equal((await send(agent, silent.url, 30)).error, 'timeout')
    await silent.waitUntilDisconnected()
    assert.equal(silent.connectionCount, 2)
    await agent.close()
  })

  test('stay within their limit also when they fail', async (t) => {
    let openCount = 0
    let mostOpen = 0
    const failing = await openRawSink(t, (socket) => {
      openCount += 1
      mostOpen = Math.max(mostOpen, openCount)
      socket.on('close', () => {
        openCount -= 1
      })
      setImmediate(() => socket.resetAndDestroy())
    })
    const agent = createOutboundAgent({ allowPrivate: true, connectionsPerOrigin: 2 })
    const many = Array.from({ length: 50 }, () => send(agent, failing.url))
    assert.ok((await Promise.all(many)).every(({ error }) => error === 'connection'))
    assert.equal(failing.connectionCount, 50)
    assert.ok(mostOpen <= 3, `${mostOpen} at once`)
    await agent.close()
  })

  test('are awaited by a close, with what waits for them', async (t) => {
    const busy = await openHttpSink(t, (_request, response) => setImmediate(() => response.end()))
    const agent = createOutboundAgent({ allowPrivate: true, connectionsPerOrigin: 1 })
    let answeredCount = 0
    const count = ({ status }: PostOutcome): void => {
      if (status === 200) answeredCount += 1
    }
    for (let sent = 0; sent < 3; sent += 1) void send(agent, busy.url).then(count)
    await Promise.all([agent.close(), agent.close()])
    assert.equal(answeredCount, 3)
    await busy.waitUntilDisconnected()
  })

  test('take no requests once the agent is closed', async () => {
    const agent = createOutboundAgent({ allowPrivate: true })
    assert.equal((await send(agent, sink.url)).status, 200)
    await agent.close()
    await assert.rejects(send(agent, sink.url), { message: 'The outbound agent is closed.' })
  })
})
