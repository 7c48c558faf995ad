import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import type { Worker } from '@salus/kernel/jobs/jobs'
import { type Answer, createHarness, type Harness } from '../harness.ts'
import { orderBody, startingLabTests } from '../orders/order-bodies.ts'
import { type Laboratory, startLaboratory } from './laboratory.ts'

/** An environment whose orders of one laboratory go over the wire. */
export interface WiredLaboratory {
  harness: Harness
  teamId: string
  /** Sends orders and applies what the laboratory sends, unless another process does. */
  worker: Worker | undefined
  /** Calls the API with the key of the environment. */
  call(method: string, url: string, body?: unknown): Promise<Answer>
  laboratory: Laboratory
  /** Port on which Salus listens for results. */
  resultsPort: number
  path: string
  /** Stores the connection, and waits until it receives. */
  connect(changes?: Partial<LabConnectionConfig>): Promise<void>
  /** Places an order of a user, and returns the answer. */
  tryPlace(userId: string, changes?: object): Promise<Answer>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  place(changes?: object): Promise<any>
  waitForStatus(orderId: string, status: string): Promise<void>
  close(): Promise<void>
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Where the orders are placed, and what is ordered. */
export interface WiredEnvironment {
  key: string
  lab: string
  teamId: string
  kind: 'sandbox' | 'production'
  labTestId: string
}

/** The first sandbox, with the walk-in test that it starts with. */
async function startingSandbox(harness: Harness): Promise<WiredEnvironment> {
  const { walk_in_test: labTestId } = await startingLabTests(harness)
  const { apiKey: key, teamId } = harness
  return { key, lab: 'quest', teamId, kind: 'sandbox', labTestId }
}

/**
 * Starts a laboratory, and Salus with an environment of its orders.
 * @param options.isElsewhere Another process sends and receives; this one only has the API.
 */
export async function createWiredLaboratory(
  makeEnvironment: (harness: Harness) => Promise<WiredEnvironment> = startingSandbox,
  { isElsewhere = false }: { isElsewhere?: boolean } = {},
): Promise<WiredLaboratory> {
  const harness = await createHarness()
  const laboratory = await startLaboratory()
  const resultsPort = await freePort()
  const { connected } = harness.dependencies.gateways
  if (!isElsewhere) connected.start({ isReceiver: true })
  const worker = isElsewhere ? undefined : await harness.startJobs()
  const { key, lab, teamId, kind, labTestId } = await makeEnvironment(harness)
  const name = `${lab}-test`
  const path = `/v1/org/${harness.organizationId}/team/${teamId}/${kind}/lab_connection/${name}`
  const headers = { 'x-management-key': harness.managementKey }
  const call: WiredLaboratory['call'] = (method, url, body) =>
    harness.call(method, url, body, { 'x-service-api-key': key })
  const wired: WiredLaboratory = {
    harness,
    teamId,
    worker,
    call,
    laboratory,
    resultsPort,
    path,
    async connect(changes = {}) {
      const config: LabConnectionConfig = {
        connection: name,
        lab,
        profile: 'hl7-2.3-legacy',
        time_zone: 'America/New_York',
        orders: { kind: 'mllp', host: '127.0.0.1', port: laboratory.port, ack_timeout_seconds: 2 },
        results: {
          kind: 'mllp-listen',
          bind: '127.0.0.1',
          port: resultsPort,
          peers: ['127.0.0.1'],
        },
        ...changes,
      }
      const stored = await harness.call('PUT', path, { config }, headers)
      assert.equal(stored.status, 200, stored.text)
      const isListening = async () => {
        const { checks } = (await harness.call('POST', `${path}/check`, undefined, headers)).body
        return checks.every(({ problem }: { problem: string | null }) => problem === null)
      }
      while (!(await isListening())) await pause(50)
    },
    tryPlace: (userId, changes = {}) =>
      call('POST', '/v3/order', orderBody(userId, labTestId, changes)),
    async place(changes = {}) {
      const made = await call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })
      const placed = await wired.tryPlace(made.body.user_id, changes)
      assert.equal(placed.status, 200, placed.text)
      return placed.body.order
    },
    async waitForStatus(orderId, status) {
      const until = performance.now() + 60_000
      for (;;) {
        const { body } = await call('GET', `/v3/order/${orderId}`)
        if (body.last_event.status === status) return
        assert.ok(
          performance.now() < until,
          `The order is ${body.last_event.status}, not ${status}.`,
        )
        await pause(50)
      }
    },
    async close() {
      await connected.close()
      await laboratory.close()
      await harness.close()
    },
  }
  return wired
}
