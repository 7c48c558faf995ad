import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type AppointmentProvider,
  type OfferedSlot,
  ProviderUnavailable,
} from '@salus/contracts/lab-gateway'
import { MINUTE_MS } from '@salus/contracts/time-units'
import {
  areaOf,
  createSchedulingFixture,
  NOW,
  offeredSlots,
  siteOf,
  TODAY,
  visitOf,
} from '../../../../server/test/scheduling/scheduling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const salus = useFixture(createSchedulingFixture)

const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * MINUTE_MS)

/** Creates a visit at a new site with notes, and returns its first slots. */
async function begin(provider: AppointmentProvider, notes: string | null = null) {
  const visit = visitOf(salus, { notes })
  const gateway = salus.gateway(provider)
  const list = () => offeredSlots(gateway, visit)
  const [slot, other] = (await list()) as [OfferedSlot, OfferedSlot]
  return { visit, gateway, list, slot, other }
}

describe('areas', () => {
  const servedBy = async (zip: string, fixture = salus) => {
    const area = { environmentId: fixture.environmentId, zip }
    const ready = await fixture.gateway('getlabs').serviceTypes(area)
    const request = await fixture.gateway('phlebfinders').serviceTypes(area)
    return [...ready, ...request]
  }

  test('are served in residential ZIP codes, two of them by one provider only', async () => {
    assert.deepEqual(await servedBy('60614'), ['appointment-ready', 'appointment-request'])
    assert.deepEqual(await servedBy('60614-1234'), ['appointment-ready', 'appointment-request'])
    assert.deepEqual(await servedBy('85004'), ['appointment-ready'])
    assert.deepEqual(await servedBy('54650'), ['appointment-request'])
  })

  test('are not P.O. boxes, military mail, territories, or unknown ZIP codes', async () => {
    for (const zip of ['85001', '09012', '00907', '99999']) {
      assert.deepEqual(await servedBy(zip), [], zip)
    }
  })

  test('are narrowed by the setting', async () => {
    const narrow = await createSchedulingFixture(['85004'])
    try {
      assert.deepEqual(await servedBy('85004', narrow), ['appointment-ready'])
      assert.deepEqual(await servedBy('60614', narrow), [])
    } finally {
      await narrow.close()
    }
  })

  test('that are not served have days without slots, and no bookings', async () => {
    const visit = visitOf(salus, { place: areaOf('85001') })
    const getlabs = salus.gateway('getlabs')
    const search = { ...visit, now: NOW, startDate: TODAY, days: 2 }
    assert.deepEqual(await getlabs.listSlots(search), [
      { date: '2026-06-10', slots: [] },
      { date: '2026-06-11', slots: [] },
    ])
    const [slot] = await offeredSlots(getlabs, visitOf(salus, { place: areaOf('60614') }))
    assert.ok(slot)
    assert.deepEqual(await getlabs.book(visit, slot, NOW), { state: 'refused' })
    const elsewhere = visitOf(salus, { place: areaOf('85004') })
    assert.deepEqual(await salus.gateway('phlebfinders').request(elsewhere, NOW), {
      state: 'refused',
    })
  })
})

describe('slots', () => {
  test('of sites are free of charge and take one to three appointments', async () => {
    const visit = visitOf(salus, { place: siteOf('A1') })
    const list = () => offeredSlots(salus.gateway('quest'), visit)
    const slots = await list()
    // From 13:00 to 17:00 today, from 07:00 to 12:00 tomorrow.
    assert.equal(slots.length, 12 + 15)
    assert.deepEqual(new Set(slots.map(({ priceCents }) => priceCents)), new Set([0]))
    assert.deepEqual(new Set(slots.map(({ available }) => available)), new Set([1, 2, 3]))
    assert.deepEqual(slots.map(({ isPriority }) => isPriority).indexOf(true), 12)
    assert.deepEqual(await list(), slots)
  })

  test('of areas cost more in the first hours and at the weekend', async () => {
    const visit = visitOf(salus, { place: areaOf('60614') })
    const slots = await offeredSlots(salus.gateway('getlabs'), visit, { days: 4 })
    // Wednesday from 14:00, then Thursday and Friday, then Saturday.
    const prices = slots.map(({ priceCents, isPriority }) => `${priceCents} ${isPriority}`)
    const [usual, peak] = ['3500 false', '7900 true']
    const weekday = [peak, usual, usual, usual, usual]
    assert.deepEqual(prices, [usual, usual, ...weekday, ...weekday, ...Array(5).fill(peak)])
  })

  test('are separate for each environment', async () => {
    const { gateway, visit, slot } = await begin('quest')
    await gateway.book(visit, slot, NOW)
    const { id: environmentId } = await salus.db
      .selectFrom('team_environments')
      .select('id')
      .where('environment', '=', 'production')
      .executeTakeFirstOrThrow()
    const elsewhere = await offeredSlots(gateway, { ...visit, environmentId })
    assert.equal(elsewhere[0]?.available, slot.available)
  })

  test('that have begun or do not exist cannot be booked', async () => {
    const { gateway, visit, slot } = await begin('quest')
    const shifted = { start: new Date(slot.start.getTime() + MINUTE_MS), end: slot.end }
    const isGone = { state: 'slot_unavailable' }
    assert.deepEqual(await gateway.book(visit, shifted, NOW), isGone)
    assert.deepEqual(await gateway.book(visit, { ...slot, end: NOW }, NOW), isGone)
    assert.deepEqual(await gateway.book(visit, slot, slot.start), isGone)
    const getlabs = salus.gateway('getlabs')
    assert.deepEqual(await getlabs.book(visit, slot, NOW), { state: 'refused' })
  })

  test('can be booked until they begin, also when no longer listed', async () => {
    const { gateway, visit, list, other } = await begin('quest')
    const now = new Date(other.start.getTime() - 1)
    const listed = await offeredSlots(gateway, visit, { now })
    assert.ok(listed.every(({ start }) => start > other.start))
    assert.equal((await gateway.book(visit, other, now)).state, 'booked')
    assert.equal((await list())[1]?.available, other.available - 1)
  })
})

describe('bookings', () => {
  test('are the same when they are requested again, also after they have begun', async () => {
    const { gateway, visit, list, slot } = await begin('quest')
    const answer = await gateway.book(visit, slot, NOW)
    assert.ok(answer.state === 'booked' && answer.externalId)
    assert.match(answer.externalId, /^[A-Z]{6}$/)
    assert.equal(answer.isHeld, false)
    assert.deepEqual(await gateway.book(visit, slot, NOW), answer)
    assert.deepEqual(await gateway.book(visit, slot, later(24 * 60)), answer)
    assert.equal((await list())[0]?.available, slot.available - 1)
  })

  test('are rescheduled as a whole, and stay when the other slot is full', async () => {
    const { gateway, visit, list, slot, other } = await begin('quest')
    await gateway.book(visit, slot, NOW)
    for (let seat = 0; seat < other.available; seat++) {
      await gateway.book(visitOf(salus, { place: visit.place }), other, NOW)
    }
    assert.deepEqual(await gateway.reschedule(visit, other, NOW), { state: 'slot_unavailable' })
    assert.equal((await list())[0]?.available, slot.available - 1)
    const [, , third] = (await list()) as [OfferedSlot, OfferedSlot, OfferedSlot]
    assert.equal((await gateway.reschedule(visit, third, NOW)).state, 'booked')
    const [first, , now] = await list()
    assert.equal(first?.available, slot.available)
    assert.equal(now?.available, third.available - 1)
  })

  test('that were cancelled, even in advance, are refused and take no seat', async () => {
    const { gateway, visit, list, slot } = await begin('quest')
    await gateway.book(visit, slot, NOW)
    await gateway.cancel(visit)
    await gateway.cancel(visit)
    assert.deepEqual(await gateway.book(visit, slot, NOW), { state: 'refused' })
    const unknown = visitOf(salus, { place: visit.place })
    await gateway.cancel(unknown)
    assert.deepEqual(await gateway.book(unknown, slot, NOW), { state: 'refused' })
    assert.equal((await list())[0]?.available, slot.available)
  })

  test('of phlebfinders are requests without a time', async () => {
    const visit = visitOf(salus, { place: areaOf('54650') })
    const phlebfinders = salus.gateway('phlebfinders')
    const answer = await phlebfinders.request(visit, NOW)
    assert.ok(answer.state === 'booked')
    assert.equal(answer.isHeld, true)
    assert.deepEqual(await phlebfinders.request(visit, NOW), answer)
    assert.deepEqual(await salus.gateway('quest').request(visitOf(salus), NOW), {
      state: 'refused',
    })
    await phlebfinders.cancel(visit)
    assert.deepEqual(await phlebfinders.request(visit, NOW), { state: 'refused' })
  })
})

describe('directives in notes', () => {
  test('[sandbox: taken] and [sandbox: refused] are answers, and take no seat', async () => {
    for (const [wish, state] of [
      ['taken', 'slot_unavailable'],
      ['refused', 'refused'],
    ]) {
      const { gateway, visit, list, slot } = await begin('quest', `Fasting. [sandbox: ${wish}]`)
      assert.deepEqual(await gateway.book(visit, slot, NOW), { state })
      assert.equal((await list())[0]?.available, slot.available)
    }
  })

  test('[sandbox: silent] does not answer, and takes no seat', async () => {
    const { gateway, visit, list, slot } = await begin('quest', '[sandbox: silent]')
    await assert.rejects(
      gateway.book(visit, slot, NOW, AbortSignal.timeout(20)),
      ProviderUnavailable,
    )
    assert.equal((await list())[0]?.available, slot.available)
    const area = visitOf(salus, { place: areaOf('54650'), notes: '[sandbox: silent]' })
    const phlebfinders = salus.gateway('phlebfinders')
    await assert.rejects(phlebfinders.request(area, NOW, AbortSignal.abort()), ProviderUnavailable)
  })

  test('[sandbox: lost] takes the seat, and answers the repeated request', async () => {
    const { gateway, visit, list, slot } = await begin('quest', '[sandbox: lost]')
    await assert.rejects(gateway.book(visit, slot, NOW), ProviderUnavailable)
    assert.equal((await list())[0]?.available, slot.available - 1)
    assert.equal((await gateway.book(visit, slot, NOW)).state, 'booked')
    assert.equal((await list())[0]?.available, slot.available - 1)
  })

  test('[sandbox: slow 1s] takes the seat at once and answers later', async () => {
    const { gateway, visit, list, slot } = await begin('quest', '[sandbox: slow 1s]')
    const isTooLate = AbortSignal.timeout(20)
    await assert.rejects(gateway.book(visit, slot, NOW, isTooLate), ProviderUnavailable)
    assert.equal((await list())[0]?.available, slot.available - 1)
    const startedAt = performance.now()
    assert.equal((await gateway.book(visit, slot, NOW)).state, 'booked')
    assert.ok(performance.now() - startedAt > 900)
  })

  test('[sandbox: slow 10m] answers after that time in the sandbox', async () => {
    const { gateway, visit, list, slot } = await begin('quest', '[sandbox: slow 10m]')
    const ask = (now: Date) => gateway.book(visit, slot, now, AbortSignal.timeout(20))
    await assert.rejects(ask(NOW), ProviderUnavailable)
    await assert.rejects(ask(later(9)), ProviderUnavailable)
    assert.equal((await ask(later(10))).state, 'booked')
    assert.equal((await list())[0]?.available, slot.available - 1)
  })
})
