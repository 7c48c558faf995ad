import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { INSURANCE } from '../../../../server/test/insurance/route-cases.ts'
import { refusalOf } from '../../../../server/test/orders/orders-fixture.ts'
import { USER_INFO } from '../../../../server/test/route-cases.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let userId: string

const GUARANTOR = {
  first_name: 'Max',
  last_name: 'Moreau',
  phone_number: '+15550100198',
  address: { first_line: '2 Main St', city: 'Phoenix', state: 'AZ', zip: '85004-1234' },
}

async function makeInsured(changes: object = {}): Promise<string> {
  const id = await harness.makeUser()
  await harness.call('PATCH', `/v2/user/${id}/info`, USER_INFO)
  const added = await harness.call('POST', `/v2/user/${id}/insurance`, { ...INSURANCE, ...changes })
  assert.equal(added.status, 200)
  return id
}
const check = (id: string, body: object = {}, headers?: object) =>
  harness.call('POST', `/v2/user/${id}/insurance/eligibility`, body, headers)

before(async () => {
  userId = await makeInsured()
})

test('a covered user has an active plan with the benefits of laboratories', async () => {
  const { status, body } = await check(userId)
  assert.equal(status, 200)
  const { benefits, ...plan } = body
  const year = harness.clock.now().getUTCFullYear()
  assert.deepEqual(plan, {
    status: 'active',
    payor_code: 'SAMPLE-10007',
    plan_name: 'SAMPLE CHOICE PLUS',
    group_number: 'G-1000',
    plan_begins: `${year}-01-01`,
    plan_ends: `${year}-12-31`,
    rejections: [],
    checked_at: `${harness.clock.now().toISOString().slice(0, 19)}+00:00`,
  })
  assert.deepEqual(benefits[0], {
    kind: 'co_payment',
    service_type_codes: ['5'],
    coverage_level: 'IND',
    amount_cents: 2000,
    share: null,
    period: 'Visit',
    is_in_network: true,
    needs_authorization: null,
    notes: ['LABORATORIES OF THE NETWORK ONLY'],
  })
  assert.deepEqual(
    benefits.map(({ kind }: { kind: string }) => kind),
    ['co_payment', 'co_insurance', 'deductible', 'out_of_pocket_maximum'],
  )
})

test('a rejection of the payor is an answer with its code and remedy', async () => {
  const { status, body } = await check(await makeInsured({ member_id: 'W1AAA75' }))
  assert.deepEqual([status, body.status], [200, 'unknown'])
  assert.deepEqual(body.rejections, [
    {
      code: 'person_not_found',
      aaa_code: '75',
      message: 'The payor does not find the person in its data.',
    },
  ])
})

test('a dependent is checked under the policyholder', async () => {
  const id = await makeInsured({ relationship: 'Spouse', guarantor: GUARANTOR })
  assert.equal((await check(id)).body.status, 'active')
})

test('stored insurance is chosen by its id, and only that of the user', async () => {
  const id = await makeInsured({ member_id: 'W1INACTIVE' })
  const [first] = (await harness.call('GET', `/v2/user/${id}/insurance`)).body.data
  await harness.call('POST', `/v2/user/${id}/insurance`, INSURANCE)
  assert.equal((await check(id)).body.status, 'active')
  assert.equal((await check(id, { insurance_id: first.id })).body.status, 'inactive')
  const { status, body } = await check(userId, { insurance_id: first.id })
  assert.deepEqual([status, body.detail], [404, 'insurance_not_found'])
})

test('a user without insurance, and one of another team, are not found', async () => {
  const none = await check(await harness.makeUser())
  assert.deepEqual([none.status, none.body.detail], [404, 'insurance_not_found'])
  const { sandboxKey } = await harness.makeTeam()
  const other = await check(userId, {}, { 'x-service-api-key': sandboxKey })
  assert.deepEqual([other.status, other.body.detail], [404, 'user_not_found'])
})

test('a payor without an id at the clearing house is refused', async () => {
  const id = await makeInsured({ payor_code: 'SAMPLE-10009' })
  assert.deepEqual(refusalOf(await check(id)), [400, 'payor_not_reachable'])
})

test('wrong input is refused with the field', async () => {
  const wrong: [object, string][] = [
    [{ service_type_codes: [] }, 'service_type_codes'],
    [{ service_type_codes: ['lab'] }, 'service_type_codes'],
    [{ date_of_service: 'tomorrow' }, 'date_of_service'],
    [{ insurance_id: 'x' }, 'insurance_id'],
  ]
  for (const [body, field] of wrong) {
    const answer = await check(userId, body)
    assert.deepEqual([answer.status, answer.body.detail[0].loc[1]], [422, field])
  }
})

test('production checks nothing until the operator configures a clearing house', async () => {
  const { productionKey } = await harness.makeTeam()
  const headers = { 'x-service-api-key': productionKey }
  const user = await harness.call('POST', '/v2/user', { client_user_id: 'p' }, headers)
  const id = user.body.user_id
  const missing = await check(id, {}, headers)
  assert.deepEqual([missing.status, missing.body.detail], [404, 'insurance_not_found'])
  await harness.call('PATCH', `/v2/user/${id}/info`, USER_INFO, headers)
  const payor = { name: 'Desert Mutual', address: INSURANCE.insured.address }
  const { body } = await harness.call('POST', '/v3/payor', payor, headers)
  const own = { ...INSURANCE, payor_code: body.payor_code }
  await harness.call('POST', `/v2/user/${id}/insurance`, own, headers)
  assert.deepEqual(refusalOf(await check(id, {}, headers)), [400, 'partner_not_configured'])
})
