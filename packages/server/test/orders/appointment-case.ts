import assert from 'node:assert/strict'
import type { AppointmentProvider } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import {
  type AppointmentDraft,
  type AppointmentRow,
  lockAppointment,
  showAppointment,
} from '@salus/lab/appointments'
import { book, labMessages, slotIn } from './appointments.ts'
import { type BareUpdate, type Body, type OrdersFixture, statusesOf } from './orders-fixture.ts'

export const METHOD_OF = {
  getlabs: 'at_home_phlebotomy',
  phlebfinders: 'at_home_phlebotomy',
  quest: 'walk_in_test',
  sonora_quest: 'walk_in_test',
} as const

/** An order of its own user with an appointment, and the messages that come from then on. */
export interface Case {
  orderId: string
  row: AppointmentRow
  /** Returns the messages since the previous call, as texts. */
  listEvents(): Promise<string[]>
  update(update: BareUpdate, at?: Date): Promise<string>
  appointment(): Promise<Body>
  statuses(): Promise<string[]>
}

export async function openCase(
  fixture: OrdersFixture,
  provider: AppointmentProvider,
  first: LowLevelStatus[],
  changes: Partial<AppointmentDraft> = {},
): Promise<Case> {
  const user_id = await fixture.harness.makeUser()
  const { id: orderId } = await fixture.place(METHOD_OF[provider], { user_id })
  await fixture.walk(orderId, ...first)
  let seen = (await labMessages(fixture, user_id)).length
  fixture.harness.clock.advance(60)
  const row = await book(fixture, orderId, provider, changes)
  fixture.harness.clock.advance(60)
  return {
    orderId,
    row,
    async listEvents() {
      const all = await labMessages(fixture, user_id)
      const texts = all.slice(seen).map(({ text }) => text)
      seen = all.length
      return texts
    },
    update: (update, at) => fixture.update(orderId, update, at),
    async appointment() {
      const found = await fixture.context.transaction((tx) => lockAppointment(tx, row.id))
      assert.ok(found)
      return showAppointment(fixture.context, found)
    },
    statuses: async () => statusesOf(await fixture.read(orderId)),
  }
}

/** Statuses of an order whose requisition is there. */
export const CREATED: LowLevelStatus[] = ['requisition_created']

export const accepted = { kind: 'requisition_accepted', sampleId: null } as const

/** A time from a provider: an hour that begins so many hours from now. */
export function timed(fixture: OrdersFixture, hours: number): Timed {
  const { start_at, end_at } = slotIn(fixture, hours)
  return {
    kind: 'appointment_scheduled',
    startAt: start_at.toISOString(),
    endAt: end_at.toISOString(),
  }
}
type Timed = Extract<BareUpdate, { startAt: string }>
