import { findEnvironment } from '@salus/accounts/teams'
import type { StatusUpdate } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { unpackBody } from '@salus/kernel/events/event-body'
import { createScope, type Scope, type TransactionScope } from '@salus/kernel/scope'
import {
  applyUpdate,
  lockOrder,
  type OrderRow,
  type OrderTransition,
  transitionOrder,
  type UpdateEffect,
} from '@salus/lab/orders'
import { getOrderRow } from '../../../lab/src/orders/show-orders.service.ts'
import type { Config } from '../../src/config.ts'
import { createHarness, type Harness } from '../harness.ts'
import {
  type Method,
  orderBody,
  registrationBody,
  SHIPPING_DETAILS,
  startingLabTests,
} from './order-bodies.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type Body = any

/** An update without what every one carries. */
export type BareUpdate = StatusUpdate extends infer Update
  ? Update extends StatusUpdate
    ? Omit<Update, 'order' | 'at'>
    : never
  : never

export interface Message {
  type: string
  userId: string
  data: Body
}

export interface WaitingJob {
  task: string
  payload: Body
  key: string | null
  attempts: number
}

/** Orders of one sandbox, and whatever can happen to them. */
export interface OrdersFixture {
  harness: Harness
  context: Scope
  userId: string
  /** Lab tests by their method. */
  tests: Record<Method, string>
  /** Places an order that must be taken. */
  place(method?: Method, changes?: object): Promise<Body>
  /** Orders a kit whose patient is not known yet. */
  orderKit(changes?: object): Promise<Body>
  /** A kit whose number is known, brought as far as the given scans do. */
  sendKit(...scans: ('in_transit' | 'out_for_delivery' | 'delivered')[]): Promise<Body>
  /** Registers a kit by its number, with all that the network of physicians asks for. */
  register(kit: Body, changes?: object): Promise<Body>
  import(sampleId: string, method?: Method, changes?: object): Promise<Body>
  /** Applies an update as the inbox does. */
  update(orderId: string, update: BareUpdate, at?: Date): Promise<UpdateEffect>
  transition(
    orderId: string,
    to: LowLevelStatus,
    transition?: Partial<OrderTransition>,
  ): Promise<OrderRow>
  /** Brings an order through several statuses. */
  walk(orderId: string, ...statuses: LowLevelStatus[]): Promise<void>
  read(orderId: string): Promise<Body>
  row(orderId: string): Promise<OrderRow>
  /** Everything that was emitted of an order, oldest first. */
  messages(orderId: string): Promise<Message[]>
  /** Jobs about an order that wait. */
  jobs(orderId: string): Promise<WaitingJob[]>
  close(): Promise<void>
}

const PARCEL = { courier: 'usps', trackingNumber: '9400100000000000000000' } as const

/** A scan of a parcel. */
export const scan = (
  direction: 'outbound' | 'inbound',
  seen: Extract<BareUpdate, { kind: 'scan' }>['scan'],
): BareUpdate => ({ kind: 'scan', direction, scan: seen, trackingUrl: null, ...PARCEL })

export const statusesOf = (order: Body): string[] =>
  order.events.map(({ status }: { status: string }) => status.split('.').at(-1))

let kitNumber = 4_000_000_000

export async function createOrdersFixture(settings: Partial<Config> = {}): Promise<OrdersFixture> {
  const harness = await createHarness(settings)
  const { db, pool } = harness.database
  const { rows } = await pool.query(
    "select id from team_environments where team_id = $1 and environment = 'sandbox'",
    [harness.teamId],
  )
  const tests = await startingLabTests(harness)
  const userId = await harness.makeUser()
  const environment = await findEnvironment(db, rows[0].id)
  if (environment === undefined) throw new Error('The sandbox is gone.')
  const context = createScope(harness.dependencies, environment)

  const post = async (url: string, body: object): Promise<Body> => {
    // Orders of one instant stand in no certain order.
    harness.clock.advance(1)
    const answer = await harness.call('POST', url, body)
    if (answer.status !== 200) throw new Error(`${url}: ${answer.text}`)
    return answer.body.order
  }

  /** Does something with a locked order, in one transaction. */
  const change = <T>(orderId: string, work: (row: OrderRow, tx: TransactionScope) => Promise<T>) =>
    context.transaction(async (tx) => {
      const row = await lockOrder(tx, orderId)
      if (row === undefined) throw new Error('The order is gone.')
      return work(row, tx)
    })

  const fixture: OrdersFixture = {
    harness,
    context,
    userId,
    tests,
    place: (method = 'walk_in_test', changes = {}) =>
      post('/v3/order', orderBody(userId, tests[method], changes)),
    orderKit(changes = {}) {
      const what = { lab_test_id: tests.testkit, shipping_details: SHIPPING_DETAILS }
      return post('/v3/order/testkit', { user_id: userId, ...what, ...changes })
    },
    async sendKit(...scans) {
      const { id } = await fixture.orderKit()
      kitNumber += 1
      await fixture.update(id, { kind: 'kit_dispatched', sampleId: String(kitNumber) })
      for (const seen of scans) await fixture.update(id, scan('outbound', seen))
      return fixture.read(id)
    },
    register: (kit, changes = {}) =>
      post('/v3/order/testkit/register', registrationBody(kit.sample_id, changes)),
    import(sampleId, method = 'walk_in_test', changes = {}) {
      const what = { collection_method: method, billing_type: 'client_bill', sample_id: sampleId }
      return post('/v3/order/import', orderBody(userId, tests[method], { ...what, ...changes }))
    },
    update: (orderId, update, at = harness.clock.now()) =>
      change(orderId, async (row, tx) => {
        const whole = { ...update, order: { orderId, labSlug: '' } } as StatusUpdate
        return (await applyUpdate(tx, row, whole, at)).effect
      }),
    transition: (orderId, to, transition = {}) =>
      change(orderId, (row, tx) =>
        transitionOrder(tx, row, { to, at: harness.clock.now(), ...transition }),
      ),
    async walk(orderId, ...statuses) {
      for (const status of statuses) await fixture.transition(orderId, status)
    },
    async read(orderId) {
      return (await harness.call('GET', `/v3/order/${orderId}`)).body
    },
    row: (orderId) => getOrderRow(context, orderId),
    async messages(orderId) {
      const { rows: events } = await pool.query(
        `select event_type, user_id, body from events
        where event_type like 'labtest.order.%' order by sequence`,
      )
      return events
        .map((event) => ({
          type: event.event_type.split('.').at(-1),
          userId: event.user_id,
          data: JSON.parse(unpackBody(event.body).toString()).data,
        }))
        .filter(({ data }) => data.id === orderId)
    },
    async jobs(orderId) {
      const { rows: jobs } = await pool.query(
        `select identifier as task, payload, key, attempts
        from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
        where payload ->> 'orderId' = $1 order by job.id`,
        [orderId],
      )
      return jobs
    },
    close: () => harness.close(),
  }
  return fixture
}

/** What a refusal says: its status and its code. */
export function refusalOf({ status, body }: { status: number; body: Body }): [number, string] {
  return [status, body.detail?.error_type ?? body.detail]
}
