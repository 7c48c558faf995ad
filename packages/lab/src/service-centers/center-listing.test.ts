import { strict as assert } from 'node:assert'
import { after, before, describe, it } from 'node:test'
import {
  type CentersFixture,
  createCentersFixture,
  expectedSites,
  type ListedSite,
  SAMPLE_SITES,
} from '../../../server/test/centers-fixture.ts'
import type { Harness } from '../../../server/test/harness.ts'
import {
  orderBody,
  SHIPPING_DETAILS,
  startingLabTests,
} from '../../../server/test/orders/order-bodies.ts'

let harness: Harness
let labIds: Record<string, number>
let list: CentersFixture['list']
before(async () => {
  const fixture = await createCentersFixture()
  ;({ harness, labIds, list } = fixture)
})
after(() => harness?.close())

describe('service centers around a ZIP code', () => {
  const zips = [
    '10001',
    '90012',
    '85004',
    '99501',
    '99546',
    '96813',
    '00901',
    '20500',
    '77002',
    '59718',
    '33131',
  ]
  for (const zip of zips) {
    it(`are the nearest 30 within every radius: ${zip}`, async () => {
      for (const radius of [10, 20, 25, 50, 100]) {
        for (const lab of ['quest', 'labcorp', 'sonora_quest']) {
          const { status, body } = await list(zip, lab, `&radius=${radius}`)
          assert.equal(status, 200)
          assert.deepEqual([body.lab_id, body.slug], [labIds[lab], lab])
          const listed: ListedSite[] = body.patient_service_centers
          const expected = await expectedSites(zip, lab, radius)
          assert.deepEqual(
            listed.map(({ site_code, distance }) => `${site_code} ${distance}`),
            expected.slice(0, 30).map(({ site_code, miles }) => `${site_code} ${miles.toFixed(3)}`),
          )
        }
      }
    })
  }

  it('are those within 25 miles unless a radius is given', async () => {
    const { body } = await list('59718', 'labcorp')
    const again = await list('59718', 'labcorp', '&radius=25')
    assert.deepEqual(body, again.body)
  })

  it('are never more than 30, of many more', async () => {
    assert.ok((await expectedSites('90012', 'quest', 100)).length > 60)
    assert.equal(
      (await list('90012', 'quest', '&radius=100')).body.patient_service_centers.length,
      30,
    )
  })

  it('have all requested capabilities, in either spelling', async () => {
    const via = 'appointment_scheduling_via_service'
    const expected = await expectedSites('90012', 'quest', 50, ['stat', via])
    assert.ok(expected.length > 3)
    for (const spelling of [via, 'appointment_scheduling_via_junction']) {
      const { body } = await list(
        '90012',
        'quest',
        `&radius=50&capabilities=stat&capabilities=${spelling}`,
      )
      const codes = body.patient_service_centers.map(({ site_code }: ListedSite) => site_code)
      assert.deepEqual(
        codes,
        expected.slice(0, 30).map(({ site_code }) => site_code),
      )
    }
    const one = await list('90012', 'quest', '&capabilities=stat')
    assert.ok(
      one.body.patient_service_centers.every((it: ListedSite) => it.capabilities.includes('stat')),
    )
    const none = await list('90012', 'quest', '&capabilities=appointment_scheduling_with_lab')
    assert.deepEqual(none.body.patient_service_centers, [])
  })

  it('have all data of a site, and are marked as samples', async () => {
    const { body } = await list('10001')
    const [first] = body.patient_service_centers
    const sample = SAMPLE_SITES.find(({ site_code }) => site_code === first.site_code)
    assert.ok(sample)
    const { name, hours, ...address } = first.metadata
    assert.match(name, /^Sample site \d+, /)
    assert.deepEqual(address, {
      first_line: sample.first_line,
      second_line: null,
      city: sample.city,
      state: sample.state,
      zip_code: sample.zip_code,
      phone_number: null,
      fax_number: null,
      website: null,
    })
    assert.deepEqual(Object.keys(hours).length, 7)
    assert.deepEqual(hours.sunday, [{ open: '07:00', close: '17:00' }])
    assert.deepEqual(first.location, {
      lng: Number(sample.longitude),
      lat: Number(sample.latitude),
    })
  })

  it('have other spellings for clients of the alias', async () => {
    const own = await list('85004')
    const alias = await list('85004', 'quest', '', {
      'x-service-api-key': '',
      'x-vital-api-key': harness.apiKey,
    })
    assert.equal(alias.status, 200)
    const capabilities = new Set<string>()
    for (const [index, site] of own.body.patient_service_centers.entries()) {
      const other = alias.body.patient_service_centers[index]
      assert.equal(other.distance, Math.round(Number(site.distance)))
      assert.deepEqual(
        other.capabilities,
        site.capabilities.map((it: string) => it.replace('_via_service', '_via_junction')),
      )
      for (const it of [...site.capabilities, ...other.capabilities]) capabilities.add(it)
    }
    assert.ok(capabilities.has('appointment_scheduling_via_service'))
    assert.ok(capabilities.has('appointment_scheduling_via_junction'))
    const both = await list('85004', 'quest', '', { 'x-vital-api-key': harness.apiKey })
    assert.deepEqual(both.body, own.body, 'the own header wins')
  })

  for (const [what, zip, lab, warning] of [
    ['a ZIP code that does not exist', '00000', 'quest', 'no such ZIP code'],
    ['a military ZIP code', '09012', 'quest', 'military ZIP codes have no location'],
    [
      'a laboratory without any',
      '85004',
      'crl',
      'the directory has no service centers of this laboratory',
    ],
    ['an island far from all', '96910', 'quest', undefined],
  ] as const) {
    it(`are none around ${what}, with the reason in a header`, async () => {
      const { status, body, headers } = await list(zip, lab, '&radius=100')
      assert.deepEqual([status, body.patient_service_centers], [200, []])
      assert.equal(headers['x-salus-warning'], warning)
    })
  }

  for (const [what, query] of [
    ['a radius that is not offered', 'zip_code=85004&lab_id=1&radius=30'],
    ['an unknown capability', 'zip_code=85004&lab_id=1&capabilities=parking'],
    ['a ZIP code of four digits', 'zip_code=8500&lab_id=1'],
    ['a ZIP code of nine digits', 'zip_code=85004-1234&lab_id=1'],
    ['no ZIP code', 'lab_id=1'],
    ['no laboratory', 'zip_code=85004'],
    ['a laboratory by its slug', 'zip_code=85004&lab_id=quest'],
    ['an account that is no id', 'zip_code=85004&lab_id=1&lab_account_id=mine'],
  ]) {
    it(`are refused for ${what}`, async () => {
      assert.equal((await harness.call('GET', `/v3/order/psc/info?${query}`)).status, 422)
    })
  }

  it('need a laboratory of the environment', async () => {
    const unknown = await harness.call('GET', '/v3/order/psc/info?zip_code=85004&lab_id=9999')
    assert.deepEqual([unknown.status, unknown.body.detail], [404, 'lab_not_found'])
    const { productionKey } = await harness.makeTeam()
    const production = await list('85004', 'quest', '', { 'x-service-api-key': productionKey })
    assert.deepEqual([production.status, production.body.detail], [404, 'lab_not_found'])
  })

  it('are not samples in production, whose directory is empty', async () => {
    const { productionKey } = await harness.makeTeam()
    await harness.database.pool.query("update labs set is_sample = false where slug = 'nexus'")
    const { status, body, headers } = await list('85004', 'nexus', '&radius=100', {
      'x-service-api-key': productionKey,
    })
    assert.deepEqual([status, body.patient_service_centers], [200, []])
    assert.match(String(headers['x-salus-warning']), /^the directory has no service centers/)
    assert.ok((await list('85004', 'nexus', '&radius=100')).body.patient_service_centers.length > 0)
  })
})

describe('service centers of an order', () => {
  async function place(zip: string): Promise<string> {
    const userId = await harness.makeUser()
    const labTests = await startingLabTests(harness)
    const body = orderBody(userId, labTests.walk_in_test) as { patient_address: object }
    body.patient_address = { ...body.patient_address, zip }
    const placed = await harness.call('POST', '/v3/order', body)
    assert.equal(placed.status, 200, placed.text)
    return placed.body.order.id
  }

  it('are those of its laboratory around its patient', async () => {
    const orderId = await place('85004-2222')
    const { rows } = await harness.database.pool.query(
      'select slug from labs, orders where labs.id = orders.lab_id and orders.id = $1',
      [orderId],
    )
    for (const more of ['', '&radius=50', '&capabilities=stat']) {
      const { status, body } = await harness.call('GET', `/v3/order/${orderId}/psc/info?${more}`)
      assert.equal(status, 200)
      assert.ok(body.patient_service_centers.length > 0)
      assert.deepEqual(body, (await list('85004', rows[0].slug, more)).body)
    }
  })

  it('do not exist for unregistered kits and unknown orders', async () => {
    const labTests = await startingLabTests(harness)
    const kit = await harness.call('POST', '/v3/order/testkit', {
      user_id: await harness.makeUser(),
      lab_test_id: labTests.testkit,
      shipping_details: SHIPPING_DETAILS,
    })
    const { status, body } = await harness.call('GET', `/v3/order/${kit.body.order.id}/psc/info`)
    assert.deepEqual([status, body.detail.error_type], [400, 'order_has_no_address'])
    const unknown = '/v3/order/5f0c0d6e-8a51-4c3b-9d27-000000000000/psc/info'
    assert.equal((await harness.call('GET', unknown)).body.detail, 'order_not_found')
  })
})
