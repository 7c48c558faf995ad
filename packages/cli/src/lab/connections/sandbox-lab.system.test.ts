import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { orderBody, startingLabTests } from '../../../../server/test/orders/order-bodies.ts'
import { type HarnessServer, startHarnessServer } from '../../testing/harness-server.ts'
import { type RunningCommand, startSalus } from '../../testing/salus-command.ts'

let server: HarnessServer
let ports: string[]

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<string> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return String(port)
}

before(async () => {
  server = await startHarnessServer()
  server.harness.dependencies.gateways.connected.start({ isReceiver: true })
  await server.harness.startJobs()
  ports = [await freePort(), await freePort()]
})
after(async () => {
  await server?.harness.dependencies.gateways.connected.close()
  await server?.stop()
})

const salus = (args: string[], input?: string): RunningCommand =>
  startSalus(
    ['sandbox', 'lab', ...args],
    { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory },
    input,
  )

async function waitFor(command: RunningCommand, text: RegExp): Promise<void> {
  const until = performance.now() + 60_000
  const said = () => command.output.stdout + command.output.stderr
  while (!text.test(said())) {
    assert.ok(performance.now() < until && command.child.exitCode === null, said())
    await pause(50)
  }
}

async function place(notes: string): Promise<string> {
  const { call } = server.harness
  const { walk_in_test: labTestId } = await startingLabTests(server.harness)
  const made = await call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })
  const body = orderBody(made.body.user_id, labTestId, { clinical_notes: notes })
  const placed = await call('POST', '/v3/order', body)
  assert.equal(placed.status, 200, placed.text)
  return placed.body.order.id
}

describe('salus sandbox lab', () => {
  it('is the laboratory of a connection that it stores, until it is interrupted', async () => {
    const [orders = '', results = ''] = ports
    const command = salus([
      ...['--lab', 'quest', '--steps', 'final', '--pace', '0s'],
      ...['--orders-port', orders, '--results-port', results],
    ])
    await waitFor(command, /^quest-rehearsal: hl7-2\.3-legacy of quest, \d{3} tests\.$/m)
    const id = await place('')
    await waitFor(command, /SA00000001 +final +ORU\^R01 → AA$/m)
    assert.match(command.output.stdout, /SA00000001 +order of 3 tests +ORM\^O01 → AA$/m)
    const until = performance.now() + 60_000
    for (;;) {
      const { body } = await server.harness.call('GET', `/v3/order/${id}`)
      if (body.last_event.status === 'completed.walk_in_test.completed') break
      assert.ok(performance.now() < until, body.last_event.status)
      await pause(50)
    }
    command.child.kill('SIGINT')
    const { code, stderr } = await command.result
    assert.equal(code, 130)
    assert.match(stderr, /quest-rehearsal stays, and its orders wait for it\.$/m)
  })

  it('runs steps of its input, and explains lines that it cannot run', async () => {
    const command = salus(['quest-rehearsal'], 'SA99999999 final\nSA99999999 repeat\n')
    await waitFor(command, /^It has no order SA99999999\.$/m)
    await waitFor(command, /^"repeat" is no step\. There are: preliminary, final, /m)
    command.child.kill('SIGTERM')
    await once(command.child, 'close')
  })

  it('refuses unknown steps and connections, and a port that is taken', async () => {
    const cases: [string[], RegExp][] = [
      [['--lab', 'quest', '--steps', 'soon'], /^salus: "soon" is no step\./],
      [[], /^salus: Name a stored connection, or a laboratory with --lab\.$/m],
      [
        ['--lab', 'quest', '--environment', 'production'],
        /^salus: It works for sandboxes only\.$/m,
      ],
      [['labcorp-test'], /^salus: /],
    ]
    for (const [args, reason] of cases) {
      const { code, stderr } = await salus(args).result
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, reason)
    }
    const taken = createServer()
    const port = Number(ports[0])
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    const { stderr } = await salus(['quest-rehearsal']).result
    await new Promise((resolve) => taken.close(resolve))
    assert.match(
      stderr,
      /^salus: The laboratory cannot listen at 127\.0\.0\.1:\d+ \(EADDRINUSE\)\.$/m,
    )
  })
})
