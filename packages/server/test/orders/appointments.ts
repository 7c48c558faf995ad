import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import { SCHEDULING_PROVIDERS } from '@salus/contracts/lab-gateway'
import { HOUR_MS } from '@salus/contracts/time-units'
import { unpackBody } from '@salus/kernel/events/event-body'
import { newId } from '@salus/kernel/ids'
import {
  type AppointmentDraft,
  type AppointmentRow,
  type AppointmentStatus,
  type AppointmentTransition,
  createAppointment,
  transitionAppointment,
} from '@salus/lab/appointments'
import { lockOrder, moveOrderWithAppointment, type OrderRow } from '@salus/lab/orders'
import type { Body, OrdersFixture } from './orders-fixture.ts'

/** A slot that begins so many hours after the time of the fixture and takes one. */
export function slotIn(
  { harness }: OrdersFixture,
  hours: number,
): { start_at: Date; end_at: Date } {
  const start = harness.clock.now().getTime() + hours * HOUR_MS
  return { start_at: new Date(start), end_at: new Date(start + HOUR_MS) }
}

/** An appointment of an order as booking would make it: confirmed, in three days. */
export function draftOf(
  fixture: OrdersFixture,
  order: Pick<OrderRow, 'id' | 'user_id' | 'transaction_id'>,
  provider: AppointmentProvider,
  changes: Partial<AppointmentDraft> = {},
): AppointmentDraft {
  return {
    id: newId(),
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: order.transaction_id,
    type: SCHEDULING_PROVIDERS[provider].type,
    provider,
    status: 'confirmed',
    address: {
      first_line: '1 Main St',
      second_line: null,
      city: 'Phoenix',
      state: 'AZ',
      zip_code: '85004',
      access_notes: 'Ring twice',
    },
    lng: -112.07,
    lat: 33.45,
    site_code: null,
    ...slotIn(fixture, 72),
    time_zone: 'America/Phoenix',
    provider_id: 'P-1',
    external_id: null,
    can_reschedule: true,
    notes: null,
    confirm_by: null,
    cancel_at: null,
    eventData: { origin: 'customer' },
    ...changes,
  }
}

/** Event of the order for the first status of an appointment. */
const EVENT_OF_STATUS = { pending: 'requested', confirmed: 'scheduled' } as const

/** Stores an appointment of an order and has the order follow it, as booking does. */
export function book(
  fixture: OrdersFixture,
  orderId: string,
  provider: AppointmentProvider,
  changes: Partial<AppointmentDraft> = {},
  at = fixture.harness.clock.now(),
): Promise<AppointmentRow> {
  return fixture.context.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order === undefined) throw new Error('The order is gone.')
    const { row } = await createAppointment(tx, draftOf(fixture, order, provider, changes), at)
    const event = EVENT_OF_STATUS[row.status as keyof typeof EVENT_OF_STATUS]
    if (event !== undefined) await moveOrderWithAppointment(tx, order, event, at)
    return row
  })
}

/** An appointment whose provider has not set a time. */
export const REQUESTED = {
  status: 'pending',
  start_at: null,
  end_at: null,
  provider_id: '',
  can_reschedule: false,
} as const

/**
 * A message about an order or an appointment, by the status that it shows: `order.updated
 * cancelled`.
 */
export interface LabMessage {
  text: string
  data: Body
}

/** Everything that was emitted about orders and appointments of a person, oldest first. */
export async function labMessages(
  { harness }: OrdersFixture,
  userId: string,
): Promise<LabMessage[]> {
  const { rows } = await harness.database.pool.query(
    `select event_type, body from events
    where user_id = $1 and (event_type like 'labtest.order.%' or event_type like 'labtest.appointment.%')
    order by sequence`,
    [userId],
  )
  return rows.map(({ event_type, body }) => {
    const { data } = JSON.parse(unpackBody(body).toString())
    const status = data.last_event?.status.split('.').at(-1) ?? data.status
    return { text: `${event_type.slice('labtest.'.length)} ${status}`, data }
  })
}

/** Appointments by themselves, whatever their orders do. */
export function loneAppointments(fixture: OrdersFixture) {
  const { context, harness } = fixture
  const now = () => harness.clock.now()
  const methods = {
    /** An order at home of its own user. */
    async order(): Promise<OrderRow> {
      const user_id = await harness.makeUser()
      const { id } = await fixture.place('at_home_phlebotomy', { user_id })
      return fixture.row(id)
    },
    async make(changes: Partial<AppointmentDraft> = {}, of?: OrderRow): Promise<AppointmentRow> {
      const draft = draftOf(fixture, of ?? (await methods.order()), 'getlabs', changes)
      const { row } = await context.transaction((tx) => createAppointment(tx, draft, now()))
      return row
    },
    change: (
      row: AppointmentRow,
      transition: Partial<AppointmentTransition> & { to: AppointmentStatus },
    ): Promise<AppointmentRow> =>
      context.transaction((tx) => transitionAppointment(tx, row, { at: now(), ...transition })),
    /** Messages about the appointments of its person. */
    async listEvents({ user_id }: AppointmentRow): Promise<LabMessage[]> {
      const all = await labMessages(fixture, user_id)
      return all.filter(({ text }) => text.startsWith('appointment.'))
    },
  }
  return methods
}
