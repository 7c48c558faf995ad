import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ResultTransport, SendingTransport } from '@salus/contracts/lab-gateway'
import { createLogger } from '@salus/kernel/log'
import { createMllpReceiver, readPeers } from './mllp-receiver.ts'
import { createMllpSender } from './mllp-sender.ts'
import type { Receive } from './transport.ts'

/** Who is let in: certificates of a real authority, and networks of peers. */

type Listening = Extract<ResultTransport, { kind: 'mllp-listen' }>
type Sending = Extract<SendingTransport, { kind: 'mllp' }>

const log = createLogger('silent')
const readSecret = async (reference: string) =>
  readFileSync(reference.slice('file:'.length), 'utf8')
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers.reverse()) await close()
})

/** Returns a port that was free a moment ago. */
async function freePort(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

let receivedCount = 0
const acknowledge: Receive = async () => {
  receivedCount += 1
  return [Buffer.from('ACK')]
}

async function listen(options: Partial<Listening>): Promise<number> {
  const bind = options.bind ?? '127.0.0.1'
  const port = await freePort(bind)
  const all: Listening = { kind: 'mllp-listen', bind, port, peers: ['127.0.0.1'], ...options }
  const receiver = createMllpReceiver(all, readSecret, log)
  await receiver.open(acknowledge)
  closers.push(() => receiver.close())
  return port
}

async function send(
  options: Pick<Sending, 'port'> & Partial<Sending>,
): Promise<string | undefined> {
  const all: Sending = { kind: 'mllp', host: '127.0.0.1', ack_timeout_seconds: 20, ...options }
  const sender = createMllpSender(all, readSecret)
  closers.push(() => sender.close())
  const content = Buffer.from('MSH|M1')
  const message = { content, controlId: 'M1', requisition: null, isAnswer: () => true }
  return (await sender.send(message))?.toString()
}

/** The other side closed the connection, before or after the message was written. */
const CLOSED = /ECONNRESET|connection_lost|EPIPE/

describe('peers', () => {
  const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === '::1'),
  )

  for (const [peer, isIn] of [
    ['127.0.0.1', true],
    ['127.0.0.0/8', true],
    ['::ffff:127.0.0.1', true],
    ['::FFFF:127.0.0.0/104', true],
    ['127.0.0.2', false],
    ['10.0.0.0/8', false],
    ['::1', false],
    ['::/0', false],
  ] as const) {
    for (const bind of ['127.0.0.1', ...(HAS_IPV6 ? ['::'] : [])]) {
      test(`of ${peer} ${isIn ? 'have' : 'have not'} 127.0.0.1 on ${bind}`, async () => {
        const before = receivedCount
        const port = await listen({ bind, peers: [peer] })
        if (isIn) assert.equal(await send({ port }), 'ACK')
        else await assert.rejects(send({ port }), CLOSED)
        assert.equal(receivedCount, before + (isIn ? 1 : 0))
      })
    }
  }

  test('of IPv6 are let in by their network', { skip: !HAS_IPV6 }, async () => {
    const host = '::1'
    assert.equal(await send({ host, port: await listen({ bind: '::1', peers: ['::1'] }) }), 'ACK')
    const wide = await listen({ bind: '::1', peers: ['::/64', '10.0.0.0/8'] })
    assert.equal(await send({ host, port: wide }), 'ACK')
    const other = await listen({ bind: '::1', peers: ['fd00::/8', '127.0.0.1'] })
    await assert.rejects(send({ host, port: other }), CLOSED)
  })

  test('that are no networks are refused', () => {
    for (const peer of ['lab.example', '10.1.2.3/33', '10.1.2.3/x', '::1/129', '', '10.1.2']) {
      assert.throws(() => readPeers([peer]), { code: 'wrong_peer' }, peer)
    }
  })
})

describe('certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mllp-'))
  const path = (name: string) => `file:${join(folder, name)}`
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

  function makeAuthority(name: string): void {
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-subj', `/CN=${name}`, '-days', '2'],
      ...['-keyout', `${name}.key`, '-out', `${name}.crt`],
    )
  }

  /** @param days Days until it ends; below zero it has ended. */
  function sign(name: string, authority: string, names: string, days = 2): void {
    openssl(
      ...['req', ...NEW_KEY, '-subj', `/CN=${name}`],
      ...['-keyout', `${name}.key`, '-out', `${name}.csr`],
    )
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}\n`)
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-days', String(days), '-CAcreateserial'],
      ...['-CA', `${authority}.crt`, '-CAkey', `${authority}.key`],
      ...['-extfile', `${name}.ext`, '-out', `${name}.crt`],
    )
  }

  before(() => {
    for (const name of ['authority', 'earlier']) makeAuthority(name)
    sign('server', 'authority', 'DNS:localhost,IP:127.0.0.1')
    sign('client', 'authority', 'DNS:salus.example')
    sign('other-name', 'authority', 'DNS:lab.example')
    sign('ended-server', 'authority', 'DNS:localhost', -1)
    sign('ended-client', 'authority', 'DNS:salus.example', -1)
    sign('earlier-server', 'earlier', 'DNS:localhost')
    sign('earlier-client', 'earlier', 'DNS:salus.example')
  })
  after(() => rmSync(folder, { recursive: true }))

  const tlsOf = (mode: 'server' | 'mutual', own: string | null, ca = 'authority') => ({
    mode,
    ca: path(`${ca}.crt`),
    ...(own !== null && { cert: path(`${own}.crt`), key: path(`${own}.key`) }),
  })
  const serve = (mode: 'server' | 'mutual', own: string, ca?: string) =>
    listen({ tls: tlsOf(mode, own, ca) })
  const host = 'localhost'

  test('of the server are enough where it asks for none', async () => {
    const port = await serve('server', 'server')
    assert.equal(await send({ host, port, tls: tlsOf('server', null) }), 'ACK')
  })

  test('with the address of the server are enough without a name', async () => {
    const port = await serve('server', 'server')
    assert.equal(await send({ port, tls: tlsOf('server', null) }), 'ACK')
  })

  test('of both sides let messages pass', async () => {
    const port = await serve('mutual', 'server')
    assert.equal(await send({ host, port, tls: tlsOf('mutual', 'client') }), 'ACK')
  })

  for (const [what, own, ca, code] of [
    ['has ended', 'ended-server', 'authority', 'CERT_HAS_EXPIRED'],
    ['has another name', 'other-name', 'authority', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['is of an authority that is no longer trusted', 'earlier-server', 'authority', /UNABLE_TO/],
  ] as const) {
    test(`of a server that ${what} are refused before anything is sent`, async () => {
      const before = receivedCount
      const port = await serve('server', own)
      await assert.rejects(
        send({ host, port, tls: tlsOf('server', null, ca) }),
        ({ code: found }) => {
          assert.match(found, code instanceof RegExp ? code : new RegExp(`^${code}$`))
          return true
        },
      )
      assert.equal(receivedCount, before)
    })
  }

  test('with another name are accepted for the name that the connection says', async () => {
    const port = await serve('server', 'other-name')
    const tls = { ...tlsOf('server', null), server_name: 'lab.example' }
    assert.equal(await send({ host, port, tls }), 'ACK')
  })

  for (const [what, own] of [
    ['that shows none', null],
    ['that has ended', 'ended-client'],
    ['of an authority that is no longer trusted', 'earlier-client'],
  ] as const) {
    test(`of a client ${what} are refused, and nothing is received`, async () => {
      const before = receivedCount
      const port = await serve('mutual', 'server')
      await assert.rejects(send({ host, port, tls: tlsOf('mutual', own) }))
      assert.equal(receivedCount, before)
    })
  }

  test('are needed where the other side does not encrypt', async () => {
    const before = receivedCount
    await assert.rejects(send({ host, port: await serve('server', 'server') }))
    assert.equal(receivedCount, before)
  })
})
