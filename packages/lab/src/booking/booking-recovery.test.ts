import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { BookingAnswer } from '@salus/contracts/lab-gateway'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { AppError } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { claimKey } from '../../../kernel/src/idempotency/idempotent-requests.repository.ts'
import { createBookingFixture } from '../../../server/test/booking/booking-fixture.ts'
import { refusalOf, statusesOf } from '../../../server/test/orders/orders-fixture.ts'
import {
  BOOKED,
  type ScriptedProvider,
  scriptProvider,
} from '../../../server/test/scheduling/scripted-provider.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { bookingJobs } from './booking.jobs.ts'
import { bookSite } from './commands/book-site.service.ts'
import { rescheduleAppointment } from './commands/change-appointment.service.ts'
import { settleAttempt } from './commands/settle-attempt.service.ts'

/** Providers that do not answer, and processes that end during a booking. */

const fixture = useFixture(createBookingFixture)
let provider: ScriptedProvider
/** Booking keys of slots of a site. */
let keys: string[]

before(async () => {
  const [code] = await fixture.siteCodes()
  const slots = await fixture.siteSlots(`lab=quest&site_codes=${code}&start_date=2026-03-05`)
  keys = slots.map(({ booking_key: key }) => key)
})
beforeEach(() => {
  provider = scriptProvider()
})

const parts = () => ({ ...fixture.harness.dependencies, scheduling: provider.scheduling })
const book = (orderId: string, key = keys[0], more: object = {}) =>
  bookSite(fixture.context, parts(), orderId, {
    booking_key: key as string,
    async_confirmation: false,
    ...more,
  })
const is =
  (status: number, code: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof AppError, String(error))
    assert.deepEqual([error.status, error.errorType], [status, code])
    return true
  }
const idOf = async (orderId: string): Promise<string | undefined> => {
  const { rows } = await fixture.harness.database.pool.query(
    'select appointment_id from booking_attempts where order_id = $1',
    [orderId],
  )
  return rows[0]?.appointment_id
}

describe('a provider that does not answer', () => {
  test('is 502, and a repetition of the request resumes the same booking', async () => {
    const orderId = await fixture.placeSite()
    provider.answers = ['silent', BOOKED]
    await assert.rejects(book(orderId), is(502, 'provider_unavailable'))
    assert.equal(statusesOf(await fixture.read(orderId)).at(-1), 'requisition_created')
    const appointment = await book(orderId)
    assert.equal(appointment.status, 'confirmed')
    const [first, second] = provider.asked
    assert.equal(first?.visit.appointmentId, appointment.id)
    assert.equal(second?.visit.appointmentId, appointment.id)
    assert.equal(await idOf(orderId), undefined)
  })

  test('gets a cancellation of the first booking when another slot is booked next', async () => {
    const orderId = await fixture.placeSite()
    provider.answers = ['silent', BOOKED]
    await assert.rejects(book(orderId), is(502, 'provider_unavailable'))
    const first = await idOf(orderId)
    const appointment = await book(orderId, keys[1])
    assert.deepEqual(provider.cancelled, [first])
    assert.notEqual(appointment.id, first)
  })

  test('blocks another slot for the order until it accepts the cancellation', async () => {
    const orderId = await fixture.placeSite()
    provider.deafFor = 1
    await assert.rejects(book(orderId), is(502, 'provider_unavailable'))
    await assert.rejects(book(orderId, keys[1]), is(502, 'provider_unavailable'))
    assert.notEqual(await idOf(orderId), undefined)
    provider.answers = [BOOKED]
    assert.equal((await book(orderId, keys[1])).status, 'confirmed')
  })

  test('results in a pending appointment when the client does not wait', async () => {
    const orderId = await fixture.placeSite()
    const timeouts = { async_confirmation: true, async_confirmation_timeout_millisecond: 60_000 }
    const pending = await book(orderId, keys[0], timeouts)
    assert.deepEqual([pending.status, pending.can_reschedule], ['pending', false])
    assert.equal(statusesOf(await fixture.read(orderId)).at(-1), 'appointment_pending')
    const { rows } = await fixture.harness.database.pool.query(
      "select confirm_by - created_at = interval '60 seconds' as is_right from appointments where id = $1",
      [pending.id],
    )
    assert.equal(rows[0].is_right, true)
    assert.equal(await idOf(orderId), undefined)
  })

  test('is called with the timeout of the client', async () => {
    const orderId = await fixture.placeSite()
    let release: (answer: BookingAnswer) => void = () => {}
    provider.answers = [() => new Promise((resolve) => (release = resolve))]
    const begun = performance.now()
    const wish = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000 }
    const pending = await book(orderId, keys[0], wish)
    const waited = performance.now() - begun
    assert.equal(pending.status, 'pending')
    assert.ok(waited >= 990 && waited < 3000, String(waited))
    release(BOOKED)
  })

  test('stores nothing under an idempotency key', async () => {
    const orderId = await fixture.placeSite()
    const headers = { 'x-idempotency-key': 'silent' }
    const body = { booking_key: keys[2], appointment_notes: '[sandbox: lost]' }
    const lost = await fixture.site(orderId, 'book', body, headers)
    assert.deepEqual(refusalOf(lost), [502, 'provider_unavailable'])
    const again = await fixture.site(orderId, 'book', body, headers)
    assert.equal(again.status, 200, again.text)
    assert.equal(again.headers['x-idempotency-replayed'], undefined)
  })
})

describe('an interrupted booking', () => {
  /** Leaves the state of a process that ended while it waited for the provider. */
  const cutShort = async (orderId: string): Promise<string> => {
    provider.answers = ['silent']
    await assert.rejects(book(orderId), is(502, 'provider_unavailable'))
    const id = await idOf(orderId)
    await fixture.harness.database.pool.query(
      "update booking_attempts set held_until = $2::timestamptz + interval '1 minute' where appointment_id = $1",
      [id, fixture.harness.clock.now()],
    )
    return id as string
  }

  test('blocks other requests for a minute, and is then resumed by the same request', async () => {
    const orderId = await fixture.placeSite()
    const id = await cutShort(orderId)
    provider.answers = [BOOKED]
    await assert.rejects(book(orderId), is(400, 'appointment_exists'))
    fixture.harness.clock.advance(60)
    assert.equal((await book(orderId)).id, id)
  })

  test('is cancelled at the provider, after the process that works on it', async () => {
    const orderId = await fixture.placeSite()
    const id = await cutShort(orderId)
    await settleAttempt(fixture.context, parts(), id)
    assert.deepEqual(provider.cancelled, [])
    assert.equal(await idOf(orderId), id)
    fixture.harness.clock.advance(60)
    await settleAttempt(fixture.context, parts(), id)
    assert.deepEqual(provider.cancelled, [id])
    assert.equal(await idOf(orderId), undefined)
    await settleAttempt(fixture.context, parts(), id)
    assert.deepEqual(provider.cancelled, [id])
  })

  test('is settled by a job after it was abandoned for a minute', async () => {
    const orderId = await fixture.placeSite()
    const id = await cutShort(orderId)
    const { handlers } = bookingJobs(fixture.harness.dependencies, parts())
    const run = (name: string, payload = {}) =>
      handlers[name]?.(payload, new AbortController().signal, { isLast: false })
    const jobs = async () => {
      await run('run_due_appointments')
      const { rows } = await fixture.harness.database.pool.query(
        `select job.payload from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
        where task.identifier = 'settle_booking_attempt' and job.payload ->> 'appointmentId' = $1`,
        [id],
      )
      return rows.map(({ payload }) => payload)
    }
    assert.deepEqual(await jobs(), [])
    fixture.harness.clock.advance(119)
    assert.deepEqual(await jobs(), [])
    fixture.harness.clock.advance(1)
    const [job] = await jobs()
    assert.deepEqual(await jobs(), [job])
    await run('settle_booking_attempt', job)
    assert.deepEqual(provider.cancelled, [id])
    assert.equal(await idOf(orderId), undefined)
  })
})

describe('an idempotency key', () => {
  test('of an interrupted request is free again after a minute', async () => {
    const orderId = await fixture.placeSite()
    const endpoint = 'POST /v3/order/{order_id}/psc/appointment/book'
    const at = fixture.harness.clock.now()
    const later = (seconds: number) => new Date(at.getTime() + seconds * 1000)
    const claim = { request_hash: Buffer.alloc(32), holder: newId(), user_id: null, at }
    const ends = { held_until: later(60), expires_at: later(14 * DAY_SECONDS) }
    await claimKey(fixture.context, { endpoint, key: 'cut short' }, { ...claim, ...ends })
    const send = () =>
      fixture.site(orderId, 'book', { booking_key: keys[4] }, { 'x-idempotency-key': 'cut short' })
    assert.deepEqual(refusalOf(await send()), [409, 'idempotency_conflict'])
    fixture.harness.clock.advance(60)
    const answer = await send()
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await send()).text, answer.text)
  })
})

describe('changes during the call to the provider', () => {
  test('a cancelled order gets no appointment, and the booking is cancelled at the provider', async () => {
    const orderId = await fixture.placeSite()
    provider.answers = [
      async () => {
        await fixture.harness.call('POST', `/v3/order/${orderId}/cancel`)
        return BOOKED
      },
    ]
    await assert.rejects(book(orderId), is(400, 'order_state'))
    assert.equal(await idOf(orderId), undefined)
    const id = provider.asked[0]?.visit.appointmentId
    const { rows } = await fixture.harness.database.pool.query(
      `select job.payload from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier = 'cancel_appointment_at_provider'
        and job.payload ->> 'appointmentId' = $1`,
      [id],
    )
    assert.equal(rows.length, 1)
  })
})

describe('a move', () => {
  const move = (orderId: string, key: string | undefined) =>
    rescheduleAppointment(fixture.context, parts(), {
      orderId,
      type: 'patient_service_center',
      body: { booking_key: key as string },
    })

  test('with an unknown outcome is undone', async () => {
    const orderId = await fixture.placeSite()
    provider.answers = [BOOKED, 'silent', BOOKED]
    const booked = await book(orderId)
    await assert.rejects(move(orderId, keys[3]), is(502, 'provider_unavailable'))
    await settleAttempt(fixture.context, parts(), booked.id)
    assert.equal(provider.asked.at(-1)?.slot.start.getTime(), Date.parse(booked.start_at as string))
    const { body } = await fixture.site(orderId, 'read')
    assert.equal(body.start_at, booked.start_at)
  })

  test('that cannot be undone is applied', async () => {
    const orderId = await fixture.placeSite()
    provider.answers = [BOOKED, 'silent', { state: 'slot_unavailable' }]
    const booked = await book(orderId)
    await assert.rejects(move(orderId, keys[3]), is(502, 'provider_unavailable'))
    const wanted = provider.asked.at(-1)?.slot.start
    await settleAttempt(fixture.context, parts(), booked.id)
    const { body } = await fixture.site(orderId, 'read')
    assert.equal(Date.parse(body.start_at), wanted?.getTime())
    assert.deepEqual(body.event_data, { origin: 'system', is_reschedule: true })
    assert.equal(await idOf(orderId), undefined)
  })

  test('to a full slot leaves the appointment unchanged', async () => {
    const orderId = await fixture.placeSite()
    provider.answers = [BOOKED, { state: 'slot_unavailable' }]
    const booked = await book(orderId)
    await assert.rejects(move(orderId, keys[3]), is(404, 'slot_unavailable'))
    assert.equal((await fixture.site(orderId, 'read')).body.start_at, booked.start_at)
    assert.equal(await idOf(orderId), undefined)
  })
})
