import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ADDRESS, createBookingFixture } from '../../../../server/test/booking/booking-fixture.ts'
import { type Body, refusalOf } from '../../../../server/test/orders/orders-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const fixture = useFixture(createBookingFixture)
let codes: string[]

before(async () => {
  codes = await fixture.siteCodes()
})

const atHome = (zip_code: string, query = '') =>
  fixture.harness.call('POST', `/v3/order/phlebotomy/appointment/availability${query}`, {
    ...ADDRESS,
    zip_code,
  })
const atSites = (query: string) =>
  fixture.harness.call('POST', `/v3/order/psc/appointment/availability?${query}`)
const datesOf = ({ body }: { body: Body }): string[] => body.slots.map(({ date }: Body) => date)

describe('slots of visits', () => {
  test('cover 14 local days of the patient from today', async () => {
    // 19:00 of the last day of February in Honolulu, 21:00 UTC before midnight there.
    fixture.harness.clock.advance(-7 * 3600)
    const west = await atHome('96813')
    const east = await atHome('10001')
    fixture.harness.clock.advance(7 * 3600)
    assert.deepEqual([west.body.timezone, datesOf(west)[0]], ['Pacific/Honolulu', '2026-02-28'])
    assert.deepEqual([east.body.timezone, datesOf(east)[0]], ['America/New_York', '2026-03-01'])
    assert.equal(new Set(datesOf(west)).size, 14)
    assert.equal(datesOf(west).at(-1), '2026-03-13')
  })

  test('have the fields of the contract, and keys only for free slots', async () => {
    const { body } = await atHome('85004', '?start_date=2026-03-05')
    assert.equal(body.slots[0].date, '2026-03-05')
    assert.equal(body.slots[0].location, null)
    const slots: Body[] = body.slots.flatMap((day: Body) => day.slots)
    assert.ok(slots.length > 50)
    for (const slot of slots) {
      assert.equal(slot.booking_key === null, slot.num_appointments_available === 0)
      assert.equal(slot.expires_at === null, slot.booking_key === null)
      assert.ok([3500, 7900].includes(slot.price))
      assert.equal(typeof slot.is_priority, 'boolean')
    }
    assert.equal(slots[0].expires_at, '2026-03-01T12:30:00+00:00')
  })

  test('are empty on 14 days where no provider serves the address', async () => {
    for (const zip of ['54650', '00000', '09012', '00901', '96799']) {
      const answer = await atHome(zip)
      assert.equal(answer.status, 200)
      assert.equal(answer.body.slots.length, 14)
      assert.deepEqual(
        answer.body.slots.flatMap(({ slots }: Body) => slots),
        [],
        zip,
      )
    }
    assert.equal((await atHome('00000')).body.timezone, null)
  })

  test('need an address with a valid state and a house number', async () => {
    // booking-requests.test.ts has the rest.
    const address = { ...ADDRESS, first_line: 'Main St' }
    const url = '/v3/order/phlebotomy/appointment/availability'
    const { status, body } = await fixture.harness.call('POST', url, address)
    assert.deepEqual(
      [status, body.detail[0].loc, body.detail[0].type],
      [422, ['body', 'first_line'], 'street_number'],
    )
    const orderId = await fixture.placeVisit()
    const request = { address, provider: 'phlebfinders' }
    const refused = await fixture.visit(orderId, 'request', request)
    assert.deepEqual(
      [refused.status, refused.body.detail[0].loc],
      [422, ['body', 'address', 'first_line']],
    )
  })

  test('are refused for a past day, and for one too far ahead', async () => {
    assert.deepEqual(refusalOf(await atHome('85004', '?start_date=2026-02-28')), [
      400,
      'start_date_in_past',
    ])
    assert.equal((await atHome('85004', '?start_date=2026-03-01')).status, 200)
    assert.equal((await atHome('85004', '?start_date=')).status, 200)
    assert.equal((await atHome('85004', '?start_date=9999-12-31')).status, 422)
    assert.equal((await atHome('85004', '?start_date=tomorrow')).status, 422)
    assert.equal((await atHome('8500')).status, 422)
  })
})

describe('slots of sites', () => {
  test('cover the three nearest sites, each in its own time zone', async () => {
    const answer = await atSites('lab=quest&zip_code=59601&radius=100')
    assert.equal(answer.body.timezone, null)
    const sites = new Map<string, Body[]>()
    for (const day of answer.body.slots) {
      sites.set(day.location.code, [...(sites.get(day.location.code) ?? []), day])
    }
    assert.equal(sites.size, 3)
    const distances = [...sites.values()].map(([day]) => day.location.distance)
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    )
    for (const days of sites.values()) assert.equal(days.length, 14)
    const near = await atSites('lab=quest&zip_code=59601&radius=10')
    assert.equal(near.body.slots.length, 14)
  })

  test('cover the given sites, at most three', async () => {
    const [one, two, three, four] = codes
    const both = await atSites(
      `lab=quest&site_codes=${two}&site_codes=${one}&start_date=2026-03-04`,
    )
    const named = both.body.slots.map(({ location }: Body) => location.code)
    assert.deepEqual([...new Set(named)], [two, one])
    assert.equal(datesOf(both)[0], '2026-03-04')
    assert.equal(both.body.slots[0].location.distance, null)
    const many = [one, two, three, four].map((code) => `site_codes=${code}`).join('&')
    assert.deepEqual(refusalOf(await atSites(`lab=quest&${many}`)), [400, 'too_many_sites'])
    const measured = await atSites(`lab=quest&site_codes=${one}&zip_code=85004`)
    assert.equal(typeof measured.body.slots[0].location.distance, 'number')
  })

  test('are refused with the problem of the query', async () => {
    const refusals: [string, number, string][] = [
      ['lab=quest', 400, 'site_or_zip_required'],
      ['lab=quest&zip_code=85004&radius=', 400, 'radius_required'],
      ['lab=quest&site_codes=NOWHERE', 400, 'site_not_found'],
      [`lab=sonora_quest&site_codes=${codes[0]}`, 400, 'site_not_found'],
      [`lab=quest&site_codes=${codes[0]}&start_date=2026-02-01`, 400, 'start_date_in_past'],
      ['lab=quest&zip_code=96799', 404, 'no_slots_found'],
      ['lab=quest&zip_code=00000', 404, 'no_slots_found'],
    ]
    for (const [query, status, code] of refusals) {
      assert.deepEqual(refusalOf(await atSites(query)), [status, code], query)
    }
    for (const query of ['', 'lab=labcorp&zip_code=85004', 'lab=quest&zip_code=850']) {
      assert.equal((await atSites(query)).status, 422, query)
    }
    const { pool } = fixture.harness.database
    const close = 'update service_centers set is_active = $1 where site_code = $2'
    await pool.query(close, [false, codes[5]])
    const closed = await atSites(`lab=quest&site_codes=${codes[5]}`)
    await pool.query(close, [true, codes[5]])
    assert.deepEqual(refusalOf(closed), [400, 'site_inactive'])
    const unbookable = "update service_centers set capabilities = '{}' where site_code = $1"
    await pool.query(unbookable, [codes[6]])
    const none = await atSites(`lab=quest&site_codes=${codes[6]}`)
    assert.deepEqual(refusalOf(none), [404, 'no_slots_found'])
  })

  test('may be up to 15 minutes old with allow_stale', async () => {
    const query = `lab=quest&site_codes=${codes[7]}&start_date=2026-03-05`
    const seats = async (more: string) =>
      (await fixture.siteSlots(`${query}${more}`)).reduce(
        (sum, slot) => sum + slot.num_appointments_available,
        0,
      )
    const before = await seats('&allow_stale=true')
    const [slot] = await fixture.siteSlots(query)
    const orderId = await fixture.placeSite()
    const booked = await fixture.site(orderId, 'book', { booking_key: slot.booking_key })
    assert.equal(booked.status, 200, booked.text)
    assert.equal(await seats('&allow_stale=true'), before)
    assert.equal(await seats(''), before - 1)
    fixture.harness.clock.advance(15 * 60)
    assert.equal(await seats('&allow_stale=true'), before - 1)
    // Days outside of the cache are fetched.
    const far = await atSites(
      `lab=quest&site_codes=${codes[7]}&start_date=2026-03-20&allow_stale=true`,
    )
    assert.equal(datesOf(far)[0], '2026-03-20')
    assert.equal(far.body.slots.length, 14)
  })
})

test('an area lists its providers and their service types', async () => {
  const areas: [string, object[]][] = [
    ['85004', [{ name: 'getlabs', service_types: ['appointment-ready'] }]],
    ['54650', [{ name: 'phlebfinders', service_types: ['appointment-request'] }]],
    ['00901', []],
  ]
  for (const [zip, providers] of areas) {
    const { body } = await fixture.harness.call('GET', `/v3/order/area/info?zip_code=${zip}`)
    assert.deepEqual(body.phlebotomy, { is_served: providers.length > 0, providers })
  }
})

test('the ids of cancellation reasons never change', async () => {
  const url = (kind: string) => `/v3/order/${kind}/appointment/cancellation-reasons`
  const visits = await fixture.harness.call('GET', url('phlebotomy'))
  assert.equal(visits.body.length, 11)
  assert.equal(new Set(visits.body.map(({ id }: Body) => id)).size, 11)
  const sites = await fixture.harness.call('GET', url('psc'))
  assert.deepEqual(sites.body, [
    { id: '9b1f6a40-3c57-4e0a-8d21-000000000201', name: 'Other', is_refundable: true },
  ])
})
