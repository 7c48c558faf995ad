import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import { CANCELLATION_REASONS } from '../../../lab/src/booking/cancellation-reasons.registry.ts'
import { PATIENT_ADDRESS, PATIENT_DETAILS } from '../orders/order-bodies.ts'
import { API_KEY, request } from '../server-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any

/** Where and when an appointment is; null when there is none. */
type State = string | null

interface Operation {
  method: 'POST' | 'PATCH'
  path: string
  body: object
  key: string
  /** What it leads to. */
  effect: State
}

/** An order whose appointment a client books, moves and cancels, and what is known of it. */
export interface BookingClient {
  orderId: string
  kind: 'psc' | 'phlebotomy'
  /** What may be true: what was acknowledged last, or what requests since then lead to. */
  possible: State[]
  /** One that was not answered. */
  unanswered: Operation | undefined
}

const METHODS = { psc: 'walk_in_test', phlebotomy: 'at_home_phlebotomy' } as const
const TYPES = { psc: 'patient_service_center', phlebotomy: 'phlebotomy' } as const
const SITE = 'SAMPLE-12'
const HOME = {
  first_line: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip_code: PATIENT_ADDRESS.zip,
}
/** Slots that all clients share. */
const SHARED_SLOTS = 8

async function call(baseUrl: string, method: string, path: string, body?: object): Promise<Body> {
  const answer = await request(baseUrl, method, path, body)
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/**
 * Orders with their requisitions, half of them for sites and half for visits, each of a user
 * else.
 */
export async function makeBookingClients(baseUrl: string, count: number): Promise<BookingClient[]> {
  const { data } = await call(baseUrl, 'GET', '/v3/lab_test?lab_test_limit=100')
  const testOf = (kind: BookingClient['kind']): string =>
    data.find(
      (test: Body) =>
        test.method === METHODS[kind] && (kind === 'phlebotomy' || test.lab?.slug === 'quest'),
    ).id
  const tests = { psc: testOf('psc'), phlebotomy: testOf('phlebotomy') }
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const kind = index % 2 === 0 ? 'psc' : 'phlebotomy'
      const client_user_id = `booking-${index}-${randomUUID()}`
      const { user_id } = await call(baseUrl, 'POST', '/v2/user', { client_user_id })
      const { order } = await call(baseUrl, 'POST', '/v3/order', {
        user_id,
        order_set: { lab_test_ids: [tests[kind]] },
        patient_details: PATIENT_DETAILS,
        patient_address: PATIENT_ADDRESS,
      })
      const status = `received.${METHODS[kind]}.requisition_created`
      await call(baseUrl, 'POST', `/v3/order/${order.id}/test?final_status=${status}`)
      return { orderId: order.id, kind, possible: [null], unanswered: undefined }
    }),
  )
}

interface OfferedSlot {
  key: string
  state: string
}

export type SharedSlots = Record<BookingClient['kind'], OfferedSlot[]>

/**
 * The slots that clients share, with fresh keys; those that are full have none, and are left out.
 */
export async function findSharedSlots(baseUrl: string): Promise<SharedSlots> {
  const day = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10)
  const find = async (kind: string, query: string, body?: object) => {
    const path = `/v3/order/${kind}/appointment/availability?start_date=${day}${query}`
    const { slots: days } = await call(baseUrl, 'POST', path, body)
    return days
      .flatMap((entry: Body) => entry.slots)
      .slice(0, SHARED_SLOTS)
      .filter(({ booking_key: key }: Body) => key !== null)
      .map(({ booking_key: key, start }: Body): OfferedSlot => ({ key, state: start }))
  }
  return {
    psc: await find('psc', `&lab=quest&site_codes=${SITE}`),
    phlebotomy: await find('phlebotomy', '', HOME),
  }
}

/** Answers that a client may get while others want the same slots. */
const REFUSALS = new Set([
  'slot_unavailable',
  'appointment_exists',
  'appointment_busy',
  'appointment_closed',
  'idempotency_conflict',
  'no_appointment',
  'appointment_already_cancelled',
])

export interface Tally {
  acknowledged: number
  refused: Map<string, number>
  /** Answers that say "not now": 502 and 503. */
  unavailable: number
}

/** Sends one request after the other until the server is gone, or `isOver` says so. */
export async function bookAndMove(
  client: BookingClient,
  options: {
    baseUrl: string
    slots: SharedSlots
    random: () => number
    tally: Tally
    isOver?: () => boolean
  },
): Promise<void> {
  const { baseUrl, random, tally, slots, isOver = () => false } = options
  while (!isOver()) {
    // Half of those who did not hear anything send the same again, as they should.
    const again = random() < 0.5 ? client.unanswered : undefined
    const operation = again ?? chooseOperation(client, slots[client.kind], random)
    if (operation === undefined) return
    const before = client.possible
    client.possible = [...new Set([...before, operation.effect])]
    client.unanswered = operation
    let answer: Body
    try {
      answer = await send(baseUrl, operation)
    } catch {
      return
    }
    note(client, { operation, before }, answer, tally)
  }
}

async function send(baseUrl: string, { method, path, body, key }: Operation): Promise<Body> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      'x-service-api-key': API_KEY,
      'content-type': 'application/json',
      'x-idempotency-key': key,
      'x-idempotency-error': 'no-cache',
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

function note(
  client: BookingClient,
  { operation, before }: { operation: Operation; before: State[] },
  { status, body }: Body,
  tally: Tally,
): void {
  if (status === 502 || status === 503) {
    tally.unavailable += 1
    assert.match(body.detail.error_type, /^(store|audit)_unavailable$/)
    return
  }
  client.unanswered = undefined
  if (status === 200) {
    const state = body.status === 'cancelled' ? null : body.start_at
    assert.equal(state, operation.effect)
    client.possible = [state]
    tally.acknowledged += 1
    return
  }
  client.possible = before
  assert.ok(body.detail, `${status} ${JSON.stringify(body)}`)
  const code = body.detail.error_type ?? body.detail
  assert.ok(REFUSALS.has(code), `${status} ${JSON.stringify(body)}`)
  tally.refused.set(code, (tally.refused.get(code) ?? 0) + 1)
}

function chooseOperation(
  { orderId, kind, possible }: BookingClient,
  slots: OfferedSlot[],
  random: () => number,
): Operation | undefined {
  const path = `/v3/order/${orderId}/${kind}/appointment`
  const key = randomUUID()
  const slot = slots[Math.floor(random() * slots.length)]
  if (slot === undefined) return undefined
  const hasAppointment = possible.at(-1) !== null
  if (!hasAppointment || (possible.length > 1 && random() < 0.3)) {
    // A slow provider gives a kill the time to come between its call and its outcome.
    const notes = random() < 0.2 ? '[sandbox: slow 1s]' : null
    const body = { booking_key: slot.key, appointment_notes: notes }
    return { method: 'POST', path: `${path}/book`, body, key, effect: slot.state }
  }
  if (random() < 0.6) {
    const body = { booking_key: slot.key }
    return { method: 'PATCH', path: `${path}/reschedule`, body, key, effect: slot.state }
  }
  const [reason] = CANCELLATION_REASONS[TYPES[kind]]
  const body = { cancellation_reason_id: reason?.id }
  return { method: 'PATCH', path: `${path}/cancel`, body, key, effect: null }
}
