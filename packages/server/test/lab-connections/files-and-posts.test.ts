import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { type SftpServer, startSftpServer, USER } from '../../../lab-gateways/test/sftp-server.ts'
import { storedEvents } from '../stored-events.ts'
import { acknowledge, type Order, readOrder } from './laboratory.ts'
import { IN_NORTH_DAKOTA, productionOfOperator } from './production-laboratory.ts'
import { writeResult } from './result-messages.ts'
import { createWiredLaboratory, type WiredLaboratory } from './wired-laboratory.ts'

/** Whole lives of production orders over files and HTTP, through the API. */

let wired: WiredLaboratory
let sftp: SftpServer
let http: Server
let base: string
/** What the laboratory answers to a request over HTTP. */
let answer: (method: string, path: string, body: string) => [status: number, body?: string]
before(async () => {
  wired = await createWiredLaboratory(productionOfOperator)
  sftp = await startSftpServer()
  http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isKnown = request.headers['x-lab-key'] === 'a key'
    const [status, content = ''] = isKnown
      ? answer(request.method ?? '', request.url ?? '', body)
      : ([401] as const)
    response.writeHead(status).end(content)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(http.address() as { port: number }).port}`
})
after(async () => {
  await wired?.close()
  await sftp?.close()
  http?.closeAllConnections()
  http?.close()
})
afterEach(() => {
  answer = () => [404]
})

async function waitFor<T>(what: string, find: () => T | undefined | Promise<T | undefined>) {
  const until = performance.now() + 120_000
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    assert.ok(performance.now() < until, what)
    await pause(50)
  }
}

/** The laboratory's answer in a message of its own, of production as the order. */
function accept(order: Order): string {
  const answer = acknowledge(order, 'AA').replace('|T|', '|P|').replace('|ACK|', '|ORR^O02|')
  return `${answer}\rORC|OK|${order.placer}`
}

/** Changes the connection; processes notice a change by its time. */
async function change(changes: Partial<LabConnectionConfig>): Promise<void> {
  wired.harness.clock.advance(1)
  await wired.connect(changes)
}

let sent = 0
const resultOf = (order: Order, value: string, at = '20260301120000') =>
  writeResult(
    order,
    { controlId: `F${++sent}`, processingId: 'P', at },
    order.tests.map((code) => ({
      code,
      name: 'Test',
      filler: `N-${code}`,
      values: [{ code: `X${code}`, name: 'First', value, unit: 'mg/dL' }],
    })),
  )

/** The order is completed with the value, and each message and event came once. */
async function assertCompleted(placed: { id: string; user_id: string }, value: string) {
  await wired.waitForStatus(placed.id, 'completed.walk_in_test.completed')
  const { body } = await wired.call('GET', `/v3/order/${placed.id}/result`)
  const values = body.results.map(({ result }: { result: string }) => result)
  assert.deepEqual([values.length, ...new Set(values)], [3, value])
  const versions = await wired.call('GET', `/v3/order/${placed.id}/result/version`)
  assert.equal(versions.body.data.length, 1)
  const events = await storedEvents(wired.harness, placed.user_id, /^labtest\.order\./)
  assert.deepEqual(
    events.map(({ payload }) => payload.data.last_event.status.split('.').at(-1)),
    ['ordered', 'requisition_created', 'completed'],
  )
}

/** Lays a file as a laboratory does: whole, with its mark. */
function lay(folder: string, name: string, content: string): void {
  writeFileSync(join(folder, `${name}.part`), content)
  renameSync(join(folder, `${name}.part`), join(folder, name))
  writeFileSync(join(folder, `${name}.done`), '')
}

const POLL = { every_seconds: 5, pattern: '*.hl7', ready: 'done-file' } as const

function overSftp(): Partial<LabConnectionConfig> {
  const key = join(sftp.folder, 'user.key')
  writeFileSync(key, sftp.userKey)
  const server = {
    host: '127.0.0.1',
    port: sftp.port,
    user: USER,
    key: `file:${key}`,
    host_key: sftp.fingerprints[0],
  }
  return {
    orders: { kind: 'sftp', ...server, dir: '/out', name: '{requisition}-{control_id}.hl7' },
    results: {
      kind: 'sftp-poll',
      ...server,
      dir: '/in',
      ...POLL,
      after: 'move',
      done_dir: '/done',
    },
  }
}

function overFolders(): Partial<LabConnectionConfig> {
  return {
    orders: { kind: 'folder', dir: join(sftp.folder, 'out'), name: '{control_id}.hl7' },
    results: { kind: 'folder-poll', dir: join(sftp.folder, 'in'), ...POLL },
  }
}

for (const [name, changes] of [
  ['SFTP', overSftp],
  ['folders', overFolders],
] as const) {
  test(`an order over ${name} is written, accepted by a file, and completed by another one`, async () => {
    for (const folder of ['out', 'in']) mkdirSync(join(sftp.folder, folder), { recursive: true })
    const [out, incoming] = [join(sftp.folder, 'out'), join(sftp.folder, 'in')]
    const before = readdirSync(out)
    await change(changes())
    const placed = await wired.place(IN_NORTH_DAKOTA)
    const file = await waitFor('the order is not written', () =>
      readdirSync(out).find((each) => each.endsWith('.hl7') && !before.includes(each)),
    )
    const order = readOrder(readFileSync(join(out, file), 'utf8'))
    assert.match(file, new RegExp(`^(?:${order.placer}-)?${order.controlId}\\.hl7$`))
    assert.deepEqual(order.tests.toSorted(), ['100', '200', '395'])
    // Nothing is accepted by being written: the laboratory acknowledges in a file of its own.
    const shown = await wired.call('GET', `/v3/order/${placed.id}`)
    assert.equal(shown.body.last_event.status, 'received.walk_in_test.ordered')
    lay(incoming, 'ack.hl7', accept(order))
    await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
    // The same file twice, and a message that has both of them.
    const result = resultOf(order, '101')
    lay(incoming, 'a.hl7', result)
    lay(incoming, 'b.hl7', `${result}\r${result}`)
    await assertCompleted(placed, '101')
    await waitFor('the files stay', () => (readdirSync(incoming).length === 0 ? true : undefined))
    assert.equal(readdirSync(out).filter((each) => !before.includes(each)).length, 1)
    assert.equal(existsSync(join(sftp.folder, 'done', 'b.hl7')), true)
  })
}

test('an order over HTTP is accepted in the answer, and completed by a result whose confirmation fails at first', async () => {
  const orders: Order[] = []
  const listed = new Map<string, string>()
  let failures = 1
  answer = (method, path, body) => {
    if (path === '/orders' && method === 'HEAD') return [405]
    if (path === '/orders') {
      orders.push(readOrder(body))
      return [200, accept(orders[0] as Order)]
    }
    if (path === '/results') return [200, JSON.stringify([...listed.keys()])]
    const id = path.split('/')[2] ?? ''
    if (method === 'GET') return [200, listed.get(id)]
    if (failures-- > 0) return [500]
    listed.delete(id)
    return [204]
  }
  const key = join(sftp.folder, 'http.key')
  writeFileSync(key, 'a key')
  const auth = { kind: 'api_key', header: 'X-Lab-Key', key: `file:${key}` } as const
  await change({
    orders: { kind: 'http', url: `${base}/orders`, auth },
    results: {
      kind: 'http-poll',
      list: `${base}/results`,
      get: `${base}/results/{id}`,
      confirm: `${base}/results/{id}/confirm`,
      auth,
      every_seconds: 5,
    },
  })
  const placed = await wired.place(IN_NORTH_DAKOTA)
  await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
  assert.equal(orders.length, 1)
  listed.set('r1', resultOf(orders[0] as Order, '102'))
  await waitFor('the result is not confirmed', () => (listed.size === 0 ? true : undefined))
  await assertCompleted(placed, '102')
})

test('results that are posted with the sign-in of the connection are stored before they are acknowledged', async () => {
  const orders: Order[] = []
  answer = (method, _path, body) => {
    if (method === 'HEAD') return [405]
    orders.push(readOrder(body))
    return [200, accept(orders[0] as Order)]
  }
  const token = join(sftp.folder, 'http.token')
  writeFileSync(token, 'a token')
  const key = join(sftp.folder, 'http.key')
  await change({
    orders: {
      kind: 'http',
      url: `${base}/orders`,
      auth: { kind: 'api_key', header: 'X-Lab-Key', key: `file:${key}` },
    },
    results: { kind: 'http-receive', auth: { kind: 'bearer', token: `file:${token}` } },
  })
  const placed = await wired.place(IN_NORTH_DAKOTA)
  await wired.waitForStatus(placed.id, 'received.walk_in_test.requisition_created')
  const { harness, path } = wired
  const operator = { 'x-management-key': harness.managementKey }
  const { body } = await harness.call('GET', path, undefined, operator)
  const message = resultOf(orders[0] as Order, '103')
  const post = (headers: object, id: string = body.id) =>
    harness.call('POST', `/v2/lab_connection/${id}/message`, message, {
      'content-type': 'x-application/hl7-v2+er7',
      ...headers,
    })
  for (const headers of [{}, { authorization: 'Bearer another' }]) {
    assert.equal((await post(headers)).status, 401)
  }
  const signed = { authorization: 'Bearer a token' }
  assert.equal((await post(signed, crypto.randomUUID())).status, 404)
  for (let time = 0; time < 3; time += 1) {
    const { status, text } = await post(signed)
    assert.deepEqual([status, text.split('\r')[1]?.slice(0, 7)], [200, 'MSA|AA|'])
  }
  await assertCompleted(placed, '103')
})
