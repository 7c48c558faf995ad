import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { orderBody, SHIPPING_DETAILS, startingLabTests } from '../../../test/orders/order-bodies.ts'
import { distanceMiles } from '../../platform/geography/distance.ts'
import { findZipCode } from '../../platform/geography/zip-codes.ts'

const SAMPLES = new URL('../../../data/service-centers/sample-sites.csv', import.meta.url)
const samples: Record<string, string>[] = parse(readFileSync(SAMPLES, 'utf8'), { columns: true })

let harness: Harness
let labIds: Record<string, number>
before(async () => {
  harness = await createHarness()
  const { body } = await harness.call('GET', '/v3/lab_tests/labs')
  labIds = Object.fromEntries(body.map(({ id, slug }: { id: number; slug: string }) => [slug, id]))
})
after(() => harness?.close())

interface Listed {
  site_code: string
  distance: string
  capabilities: string[]
  supported_bill_types: string[]
}

const list = (zip: string, lab = 'quest', more = '', headers = {}) =>
  harness.call(
    'GET',
    `/v3/order/psc/info?zip_code=${zip}&lab_id=${labIds[lab]}${more}`,
    undefined,
    headers,
  )
const area = (zip: string, more = '', headers = {}) =>
  harness.call('GET', `/v3/order/area/info?zip_code=${zip}${more}`, undefined, headers)

/** What should be listed, from the file and by the formula of platform/geography, which another test checks. */
async function expectedSites(
  zip: string,
  lab: string,
  radius: number,
  capabilities: string[] = [],
) {
  const found = await findZipCode(zip)
  if (found === undefined || found.isMilitary) return []
  const center = { lng: found.longitude, lat: found.latitude }
  return samples
    .filter((site) => site.lab === lab && site.is_active !== 'false')
    .filter((site) => capabilities.every((it) => site.capabilities?.split(' ').includes(it)))
    .map((site) => ({
      site_code: site.site_code ?? '',
      miles: distanceMiles(center, { lng: Number(site.longitude), lat: Number(site.latitude) }),
    }))
    .filter(({ miles }) => miles <= radius)
    .sort((a, b) => a.miles - b.miles || (a.site_code < b.site_code ? -1 : 1))
}

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
          const listed: Listed[] = body.patient_service_centers
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

  it('have all asked capabilities, in either spelling', async () => {
    const via = 'appointment_scheduling_via_service'
    const expected = await expectedSites('90012', 'quest', 50, ['stat', via])
    assert.ok(expected.length > 3)
    for (const spelling of [via, 'appointment_scheduling_via_junction']) {
      const { body } = await list(
        '90012',
        'quest',
        `&radius=50&capabilities=stat&capabilities=${spelling}`,
      )
      const codes = body.patient_service_centers.map(({ site_code }: Listed) => site_code)
      assert.deepEqual(
        codes,
        expected.slice(0, 30).map(({ site_code }) => site_code),
      )
    }
    const one = await list('90012', 'quest', '&capabilities=stat')
    assert.ok(
      one.body.patient_service_centers.every((it: Listed) => it.capabilities.includes('stat')),
    )
    const none = await list('90012', 'quest', '&capabilities=appointment_scheduling_with_lab')
    assert.deepEqual(none.body.patient_service_centers, [])
  })

  it('show what there is to know of a site, and that it is a sample', async () => {
    const { body } = await list('10001')
    const [first] = body.patient_service_centers
    const sample = samples.find(({ site_code }) => site_code === first.site_code)
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
    assert.deepEqual(hours.sunday, [])
    assert.match(hours.monday[0].open, /^0\d:\d\d$/)
    assert.deepEqual(first.location, {
      lng: Number(sample.longitude),
      lat: Number(sample.latitude),
    })
  })

  it('look different to clients of the alias', async () => {
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
    it(`are none around ${what}, and the answer says why`, async () => {
      const { status, body, headers } = await list(zip, lab, '&radius=100')
      assert.deepEqual([status, body.patient_service_centers], [200, []])
      assert.equal(headers['x-salus-warning'], warning)
    })
  }

  for (const [what, query] of [
    ['a radius that is not offered', 'zip_code=85004&lab_id=1&radius=30'],
    ['a capability nobody knows', 'zip_code=85004&lab_id=1&capabilities=parking'],
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

  it('are those of a laboratory that the environment has', async () => {
    const unknown = await harness.call('GET', '/v3/order/psc/info?zip_code=85004&lab_id=9999')
    assert.deepEqual([unknown.status, unknown.body.detail], [404, 'lab_not_found'])
    const { productionKey } = await harness.makeTeam()
    const production = await list('85004', 'quest', '', { 'x-service-api-key': productionKey })
    assert.deepEqual([production.status, production.body.detail], [404, 'lab_not_found'])
  })

  it('are no sample in production, which says that its directory is empty', async () => {
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

describe('lab accounts', () => {
  async function makeAccount(lab: string, account: object): Promise<string> {
    const { pool } = harness.database
    const { rows } = await pool.query(
      `insert into lab_accounts (id, lab_id, organization_id, status, delegated_flow, provider_account_id,
        allowed_billing, team_id_allowlist, business_units, created_at)
      select gen_random_uuid(), $1, $2, 'active', 'not_delegated', gen_random_uuid()::text, billing,
        team_id_allowlist, business_units, now()
      from jsonb_to_record($3) as given (billing jsonb, team_id_allowlist uuid[], business_units text[])
      returning id`,
      [labIds[lab], harness.organizationId, account],
    )
    return rows[0].id
  }
  const billTypes = (body: { patient_service_centers: Listed[] }) => [
    ...new Set(body.patient_service_centers.map((it) => it.supported_bill_types.join())),
  ]

  it('allow what sites take, in the state of the ZIP code', async () => {
    const billing = {
      client_bill: ['AZ', 'NY'],
      patient_bill: ['NY'],
      commercial_insurance: ['AZ'],
    }
    const account = { billing, team_id_allowlist: [harness.teamId] }
    const id = await makeAccount('quest', account)
    const named = `&lab_account_id=${id}`
    // Some sample sites take two types only.
    assert.deepEqual(billTypes((await list('85004', 'quest', `&radius=50${named}`)).body).sort(), [
      'client_bill',
      'client_bill,commercial_insurance',
    ])
    assert.deepEqual(billTypes((await list('10001', 'quest', named)).body), [
      'client_bill,patient_bill',
    ])
    // The only account of the team speaks for it, also when it is not named.
    assert.deepEqual(billTypes((await list('10001')).body), ['client_bill,patient_bill'])
    const { body } = await area('10001', `&labs=quest&labs=labcorp${named}`)
    assert.deepEqual(body.central_labs.quest.supported_bill_types, ['client_bill', 'patient_bill'])
    assert.equal(body.central_labs.labcorp.supported_bill_types.length, 4)
    await harness.database.pool.query('delete from lab_accounts where id = $1', [id])
  })

  it('of some units of a laboratory are for their sites, and those of no unit', async () => {
    const { pool } = harness.database
    const account = { billing: {}, team_id_allowlist: [harness.teamId], business_units: ['NORTH'] }
    const id = await makeAccount('bioreference', account)
    const codes = async (more: string): Promise<string[]> => {
      const { body } = await list('90012', 'bioreference', `&radius=50${more}`)
      return body.patient_service_centers.map(({ site_code }: Listed) => site_code)
    }
    const all = await codes(`&lab_account_id=${id}`)
    const [north, south, ...others] = all
    assert.ok(others.length > 0)
    const move = (code: string | undefined, unit: string) =>
      pool.query('update service_centers set business_unit = $2 where site_code = $1', [code, unit])
    await move(north, 'NORTH')
    await move(south, 'SOUTH')
    const { body } = await area('90012', `&labs=bioreference&radius=50&lab_account_id=${id}`)
    const { within_radius: count } = body.central_labs.bioreference.patient_service_centers
    const seen = await codes(`&lab_account_id=${id}`)
    assert.ok(seen.includes(String(north)) && !seen.includes(String(south)))
    assert.equal(count, (await expectedSites('90012', 'bioreference', 50)).length - 1)
    await pool.query('update service_centers set business_unit = null')
    await pool.query('delete from lab_accounts where id = $1', [id])
  })

  it('of other teams and of other laboratories are refused', async () => {
    const stranger = await harness.makeTeam()
    const theirs = await makeAccount('quest', { billing: {}, team_id_allowlist: [stranger.id] })
    const { rows } = await harness.database.pool.query(
      'select id from lab_accounts where lab_id = $1',
      [labIds.labcorp],
    )
    for (const id of [theirs, rows[0].id, '5f0c0d6e-8a51-4c3b-9d27-000000000000']) {
      const { status, body } = await list('85004', 'quest', `&lab_account_id=${id}`)
      assert.deepEqual([status, body.detail.error_type], [400, 'lab_account_invalid'])
    }
    assert.equal((await area('85004', `&lab_account_id=${theirs}`)).status, 400)
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

  it('are not there for kits that nobody registered, nor for orders of nobody', async () => {
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

describe('the info of an area', () => {
  it('counts the sites of the four laboratories and tells what they can do', async () => {
    const { status, body } = await area('85004', '&radius=50')
    assert.equal(status, 200)
    assert.equal(body.zip_code, '85004')
    assert.deepEqual(body.phlebotomy, { is_served: false, providers: [] })
    const labs = ['quest', 'labcorp', 'bioreference', 'sonora_quest']
    assert.deepEqual(Object.keys(body.central_labs).sort(), labs.sort())
    for (const lab of labs) {
      const { patient_service_centers: sites, ...rest } = body.central_labs[lab]
      const expected = await expectedSites('85004', lab, 50)
      assert.equal(sites.within_radius, expected.length)
      assert.equal(sites.radius, '50')
      assert.equal(sites.appointment_with_vital, lab.endsWith('quest'))
      assert.equal(rest.lab_id, labIds[lab])
      assert.equal(rest.supported_bill_types.length, 4)
    }
    const { capabilities } = body.central_labs.quest.patient_service_centers
    assert.deepEqual(capabilities, ['stat', 'appointment_scheduling_via_service'])
  })

  it('tells of the asked laboratories only, within the asked radius', async () => {
    const one = await area('90012', '&lab=quest')
    assert.deepEqual(Object.keys(one.body.central_labs), ['quest'])
    const two = await area('90012', '&lab=quest&labs=labcorp&radius=10')
    assert.deepEqual(Object.keys(two.body.central_labs).sort(), ['labcorp', 'quest'])
    const near = two.body.central_labs.quest.patient_service_centers.within_radius
    assert.ok(near < one.body.central_labs.quest.patient_service_centers.within_radius)
    assert.equal((await area('90012', '&labs=crl')).status, 422)
  })

  it('spells capabilities as clients of the alias do', async () => {
    const headers = { 'x-service-api-key': '', 'x-vital-api-key': harness.apiKey }
    const { body } = await area('85004', '&labs=quest', headers)
    const { capabilities } = body.central_labs.quest.patient_service_centers
    assert.deepEqual(capabilities, ['stat', 'appointment_scheduling_via_junction'])
  })

  for (const zip of ['00000', '09012']) {
    it(`says that nothing serves a ZIP code that is nowhere: ${zip}`, async () => {
      const { status, body } = await area(zip, '&radius=100')
      assert.equal(status, 200)
      assert.equal(body.phlebotomy.is_served, false)
      for (const lab of Object.values(body.central_labs) as any[]) {
        assert.deepEqual(lab.supported_bill_types, [])
        const { within_radius: count, appointment_with_vital: isBookable } =
          lab.patient_service_centers
        assert.deepEqual([count, isBookable], [0, false])
      }
    })
  }
})
