import { strict as assert } from 'node:assert'
import { after, before, describe, it } from 'node:test'
import {
  type CentersFixture,
  createCentersFixture,
  expectedSites,
  type ListedSite,
} from '../../../server/test/centers-fixture.ts'
import type { Harness } from '../../../server/test/harness.ts'
import type { PscAreaInfo } from './service-centers.schema.ts'

let harness: Harness
let labIds: Record<string, number>
let list: CentersFixture['list']
let area: CentersFixture['area']
before(async () => {
  const fixture = await createCentersFixture()
  ;({ harness, labIds, list, area } = fixture)
})
after(() => harness?.close())

describe('the info of an area', () => {
  it('counts the sites of the four laboratories and lists their capabilities', async () => {
    const { status, body } = await area('85004', '&radius=50')
    assert.equal(status, 200)
    assert.equal(body.zip_code, '85004')
    // As the scheduling gateways of sandboxes answer.
    assert.deepEqual(body.phlebotomy, {
      is_served: true,
      providers: [{ name: 'getlabs', service_types: ['appointment-ready'] }],
    })
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

  it('lists only the requested laboratories, within the requested radius', async () => {
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
    it(`lists no services for an unknown ZIP code: ${zip}`, async () => {
      const { status, body } = await area(zip, '&radius=100')
      assert.equal(status, 200)
      assert.equal(body.phlebotomy.is_served, false)
      for (const lab of Object.values(body.central_labs) as PscAreaInfo[]) {
        assert.deepEqual(lab.supported_bill_types, [])
        const { within_radius: count, appointment_with_vital: isBookable } =
          lab.patient_service_centers
        assert.deepEqual([count, isBookable], [0, false])
      }
    })
  }
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
  const billTypes = (body: { patient_service_centers: ListedSite[] }) => [
    ...new Set(body.patient_service_centers.map((it) => it.supported_bill_types.join())),
  ]

  it('limit the billing types of sites by the state of the ZIP code', async () => {
    const billing = {
      client_bill: ['AZ', 'NY'],
      patient_bill: ['NY'],
      commercial_insurance: ['AZ'],
    }
    const account = { billing, team_id_allowlist: [harness.teamId] }
    const id = await makeAccount('quest', account)
    const named = `&lab_account_id=${id}`
    // Some sample sites accept two billing types only.
    assert.deepEqual(billTypes((await list('85004', 'quest', `&radius=50${named}`)).body).sort(), [
      'client_bill',
      'client_bill,commercial_insurance',
    ])
    assert.deepEqual(billTypes((await list('10001', 'quest', named)).body), [
      'client_bill,patient_bill',
    ])
    // The only account of the team applies also when it is not named.
    assert.deepEqual(billTypes((await list('10001')).body), ['client_bill,patient_bill'])
    const { body } = await area('10001', `&labs=quest&labs=labcorp${named}`)
    assert.deepEqual(body.central_labs.quest.supported_bill_types, ['client_bill', 'patient_bill'])
    assert.equal(body.central_labs.labcorp.supported_bill_types.length, 4)
    await harness.database.pool.query('delete from lab_accounts where id = $1', [id])
  })

  it('of some business units include their sites, and those without a unit', async () => {
    const { pool } = harness.database
    const account = { billing: {}, team_id_allowlist: [harness.teamId], business_units: ['NORTH'] }
    const id = await makeAccount('bioreference', account)
    const codes = async (more: string): Promise<string[]> => {
      const { body } = await list('90012', 'bioreference', `&radius=50${more}`)
      return body.patient_service_centers.map(({ site_code }: ListedSite) => site_code)
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
