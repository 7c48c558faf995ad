import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newUserKey, type SftpServer, startSftpServer, USER } from '../../test/sftp-server.ts'
import { createSftpSender } from './sftp.ts'

let server: SftpServer
let key: string
before(async () => {
  server = await startSftpServer()
})
after(() => server.close())
beforeEach(() => {
  key = server.userKey
  server.trouble = () => undefined
  server.operations.length = 0
  mkdirSync(join(server.folder, 'out'), { recursive: true })
})

const place = (pinned = server.fingerprints[0]) => ({
  host: '127.0.0.1',
  port: server.port,
  user: USER,
  key: 'secret:key',
  host_key: pinned,
})
const readSecret = async () => key
const sender = (options: { name?: string; host_key?: string; dir?: string } = {}) =>
  createSftpSender({ kind: 'sftp', ...place(), dir: '/out', ...options }, readSecret)
const messageOf = (controlId: string, content = `MSH|${controlId}`, requisition = 'SA1') => ({
  content: Buffer.from(content),
  controlId,
  requisition,
  isAnswer: () => false,
})
const sent = (name: string) => readFileSync(join(server.folder, 'out', name), 'utf8')
const listed = (folder: string) => readdirSync(join(server.folder, folder)).sort()
describe('orders over SFTP', () => {
  test('are written under another name and renamed', async () => {
    assert.equal(await sender().send(messageOf('W1')), null)
    assert.equal(sent('W1.hl7'), 'MSH|W1')
    const steps = server.operations.filter((step) => /^(?:OPEN|WRITE|CLOSE|RENAME) /.test(step))
    assert.deepEqual(steps, [
      'OPEN /out/W1.hl7.tmp',
      'WRITE /out/W1.hl7.tmp',
      'CLOSE /out/W1.hl7.tmp',
      'RENAME /out/W1.hl7',
    ])
  })

  test('of 50 MB arrive whole', async () => {
    const content = Buffer.alloc(50 * 1024 ** 2, 'OBX|1|ED|')
    await sender().send({ ...messageOf('LARGE'), content })
    assert.ok(readFileSync(join(server.folder, 'out', 'LARGE.hl7')).equals(content))
  })

  test('that are sent again change nothing', async () => {
    await sender().send(messageOf('W2'))
    server.operations.length = 0
    assert.equal(await sender().send(messageOf('W2')), null)
    assert.ok(!server.operations.some((step) => step.startsWith('WRITE')))
    assert.equal(sent('W2.hl7'), 'MSH|W2')
  })

  test('do not replace another message of the same name that was not taken', async () => {
    const name = '{requisition}.hl7'
    await sender({ name }).send(messageOf('W3', 'order', 'SA3'))
    const cancellation = messageOf('W4', 'other', 'SA3')
    await assert.rejects(sender({ name }).send(cancellation), { code: 'name_taken' })
    assert.equal(sent('SA3.hl7'), 'order')
  })

  test('have names without letters that mean a folder', async () => {
    await sender({ name: '{requisition}.hl7' }).send(messageOf('W5', 'MSH', '../SA/5'))
    assert.ok(listed('out').includes('.._SA_5.hl7'))
  })

  for (const [name, operation] of [
    ['while it is written', 'WRITE'],
    ['before it is renamed', 'RENAME'],
  ] as const) {
    test(`have no half when the connection is lost ${name}, and arrive with the next attempt`, async () => {
      const content = Buffer.alloc(5 * 1024 ** 2, 'x')
      const message = { ...messageOf(`L${operation}`), content }
      let count = 0
      server.trouble = (step) => {
        if (step === operation) count += 1
        return step === operation && (operation === 'RENAME' || count === 20) ? 'lose' : undefined
      }
      await assert.rejects(sender().send(message), { name: 'TransportError' })
      assert.ok(!existsSync(join(server.folder, 'out', `L${operation}.hl7`)))
      server.trouble = () => undefined
      await sender().send(message)
      assert.ok(readFileSync(join(server.folder, 'out', `L${operation}.hl7`)).equals(content))
      assert.ok(!existsSync(join(server.folder, 'out', `L${operation}.hl7.tmp`)))
    })
  }

  test('are refused with the code of the server', async () => {
    server.trouble = (operation) => (operation === 'OPEN' ? 'deny' : undefined)
    await assert.rejects(sender().send(messageOf('D1')), { code: 'EACCES' })
    server.trouble = () => undefined
    await assert.rejects(sender({ dir: '/gone' }).send(messageOf('D1')), { code: 'ENOENT' })
    await assert.rejects(sender({ dir: '/gone' }).check(), { code: 'ENOENT' })
    await sender().check()
  })

  test('go only to the server with the pinned key, which may be any of its keys', async () => {
    const { signIns } = server
    const other = `SHA256:${'A'.repeat(43)}`
    await assert.rejects(sender({ host_key: other }).send(messageOf('K1')), {
      code: 'other_host_key',
    })
    assert.equal(server.signIns, signIns)
    assert.deepEqual(server.operations, [])
    await sender({ host_key: server.fingerprints[1] }).send(messageOf('K2'))
    assert.equal(sent('K2.hl7'), 'MSH|K2')
  })

  test('are not sent with another key, or with something that is none', async () => {
    key = newUserKey()
    await assert.rejects(sender().send(messageOf('K3')), { code: 'sign_in_refused' })
    key = 'no key'
    await assert.rejects(sender().send(messageOf('K3')), { code: 'wrong_key' })
  })

  test('wait where nothing listens', async () => {
    const { port } = server
    server.port = 1
    await assert.rejects(sender().send(messageOf('P1')), { code: 'ECONNREFUSED' })
    server.port = port
  })
})
