import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  type Method,
  orderBody,
  PATIENT_ADDRESS,
  PATIENT_DETAILS,
  startingLabTests,
} from '../../../../server/test/orders/order-bodies.ts'
import { changeSettings, storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let userId: string
let tests: Record<Method, string>

before(async () => {
  userId = await harness.makeUser()
  tests = await startingLabTests(harness)
})

const place = (changes: object = {}, method: Method = 'walk_in_test', path = '/v3/order') =>
  harness.call('POST', path, orderBody(userId, tests[method], changes))

async function refusal(changes: object, path = '/v3/order'): Promise<[number, string]> {
  const { status, body } = await place(changes, 'walk_in_test', path)
  return [status, body.detail.error_type ?? body.detail]
}

describe('an order', () => {
  for (const path of ['/v3/order', '/v3/order/create']) {
    test(`of every method is stored with one event by ${path}`, async () => {
      for (const method of Object.keys(tests) as Method[]) {
        const { status, body } = await place({}, method, path)
        assert.equal(status, 200, JSON.stringify(body))
        const { order } = body
        assert.equal(body.status, 'success')
        assert.deepEqual(
          order.events.map((event: { status: string }) => event.status),
          [`received.${method}.ordered`],
        )
        assert.deepEqual(order.last_event, order.events.at(-1))
        assert.equal(order.status, 'received')
        assert.equal(order.lab_test.method, method)
        assert.equal(order.details.type, method)
        assert.equal(order.lab_test.lab, null)
        assert.equal(order.order_transaction.status, 'active')
        assert.equal(order.order_transaction.orders[0].id, order.id)
        const { body: read } = await harness.call('GET', `/v3/order/${order.id}`)
        assert.deepEqual(read, order)
      }
    })
  }

  test('stores people in the form of laboratories', async () => {
    const { order } = (await place({ patient_details: { ...PATIENT_DETAILS, gender: 'Male' } }))
      .body
    assert.equal(order.patient_details.gender, 'male')
    assert.equal(order.patient_details.phone_number, '+15550100199')
    assert.equal(order.patient_details.dob, '1990-04-12')
    assert.equal(order.patient_address.access_notes, 'Ring twice')
    const { receiver_name: _, ...unnamed } = PATIENT_ADDRESS
    const { body } = await place({ patient_address: { ...unnamed, country: 'USA' } })
    assert.equal(body.order.patient_address.receiver_name, 'Ada Moreau')
    assert.equal(body.order.patient_address.country, 'USA')
  })

  test('stores the remarks of the customer', async () => {
    const said = {
      passthrough: '{"mine":1}',
      clinical_notes: 'line one\nline two',
      priority: true,
      icd_codes: ['E11.9', 'I10'],
      billing_type: 'patient_bill',
    }
    const { order } = (await place(said)).body
    for (const [name, value] of Object.entries(said)) assert.deepEqual(order[name], value, name)
    assert.equal(order.has_abn, true)
    assert.equal((await place()).body.order.has_abn, false)
  })

  test('emits labtest.order.created with itself', async () => {
    const { order } = (await place()).body
    const events = await storedEvents(harness, userId, /^labtest\.order\.created$/)
    assert.deepEqual(events.at(-1)?.payload.data, order)
  })

  test('accepts single markers, which become one reusable test', async () => {
    const { body } = await harness.call('GET', '/v3/lab_tests/markers?a_la_carte_enabled=true')
    const marker = body.markers.find(
      (candidate: { aoe: unknown; lab_id: number }) => candidate.aoe === null,
    )
    const order_set = { add_on: { marker_ids: [marker.id] } }
    const lab = (await harness.call('GET', '/v3/lab_tests/labs')).body.find(
      ({ id }: { id: number }) => id === marker.lab_id,
    )
    const collection_method = lab.collection_methods[0]
    const first = (await place({ order_set, collection_method })).body.order
    const second = (await place({ order_set, collection_method })).body.order
    assert.equal(first.lab_test.auto_generated, true)
    assert.equal(first.lab_test.id, second.lab_test.id)
  })
})

describe('an order is refused', () => {
  const details = (changes: object) => ({ patient_details: { ...PATIENT_DETAILS, ...changes } })
  const address = (changes: object) => ({ patient_address: { ...PATIENT_ADDRESS, ...changes } })

  // One for each function that reads a part of the body; order-requests.test.ts has all of them.
  const malformed: Record<string, object> = {
    'what does not fit the schema': details({ first_name: 'Zoë' }),
    'a patient who is none': details({ dob: '2999-01-01' }),
    'an address that is none': address({ state: 'ZZ' }),
    'insurance of another person who is not named': {
      health_insurance: { responsible_relationship: 'Spouse' },
    },
    'a physician without an NPI': {
      physician: { first_name: 'Ines', last_name: 'Park', npi: '123456789' },
    },
  }
  for (const [what, changes] of Object.entries(malformed)) {
    test(`for ${what}`, async () => {
      assert.equal((await place(changes)).status, 422)
      assert.equal((await place(changes, 'walk_in_test', '/v3/order/create')).status, 422)
    })
  }

  const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
  const refused: Record<string, [object, number, string]> = {
    'an unknown user': [{ user_id: id }, 404, 'user_not_found'],
    'no test': [{ order_set: null }, 400, 'order_set_required'],
    'an empty set': [{ order_set: { lab_test_ids: [] } }, 400, 'order_set_required'],
    'an unknown test': [{ order_set: { lab_test_ids: [id] } }, 404, 'lab_test_not_found'],
    'an empty add-on': [{ order_set: { add_on: {} } }, 400, 'add_on_empty'],
    'two kinds of ids': [
      { order_set: { add_on: { marker_ids: [1], provider_ids: ['1'] } } },
      400,
      'add_on_conflict',
    ],
    'insurance of an unknown payor': [
      {
        health_insurance: {
          payor_code: 'UNKNOWN',
          insurance_id: 'W1',
          responsible_relationship: 'Self',
        },
      },
      404,
      'payor_not_found',
    ],
    'an unknown account': [{ lab_account_id: id }, 400, 'lab_account_invalid'],
    'insurance without a diagnosis': [
      { billing_type: 'commercial_insurance' },
      400,
      'icd_codes_required',
    ],
    'billed insurance that does not exist': [
      { billing_type: 'commercial_insurance', icd_codes: ['E11.9'] },
      400,
      'insurance_required',
    ],
    'diagnosis codes of no form': [{ icd_codes: ['diabetes'] }, 400, 'icd_codes_invalid'],
    'a day that is over': [{ activate_by: '2020-01-01' }, 400, 'activate_by_in_past'],
    'answers to questions that the markers do not have': [
      { aoe_answers: [{ marker_id: 1, question_id: 1, answer: 'x' }] },
      400,
      'aoe_invalid',
    ],
    'a minor': [details({ dob: '2015-06-01' }), 400, 'minor_not_allowed'],
    'a physician without a licence there': [
      {
        physician: {
          first_name: 'Ines',
          last_name: 'Park',
          npi: '1234567893',
          licensed_states: ['NY'],
        },
      },
      400,
      'physician_not_licensed',
    ],
  }
  for (const [what, [changes, status, slug]] of Object.entries(refused)) {
    test(`for ${what} with ${slug}`, async () => {
      assert.deepEqual(await refusal(changes), [status, slug])
      assert.deepEqual(await refusal(changes, '/v3/order/create'), [status, slug])
    })
  }

  test('for both ways to name a test with order_set_conflict', async () => {
    assert.deepEqual(await refusal({ lab_test_id: tests.walk_in_test }), [
      400,
      'order_set_conflict',
    ])
    const { status } = await place({ order_set: null, lab_test_id: tests.walk_in_test })
    assert.equal(status, 200)
  })

  test('for tests of different methods without a chosen one', async () => {
    const { body } = await harness.call('GET', '/v3/lab_test')
    const byId = new Map(body.data.map((entry: { id: string }) => [entry.id, entry]))
    const [walkIn, atHome] = [tests.walk_in_test, tests.at_home_phlebotomy]
    const labOf = (testId: string) => (byId.get(testId) as { lab: { id: number } }).lab.id
    const order_set = { lab_test_ids: [walkIn, atHome] }
    const expected = labOf(walkIn) === labOf(atHome) ? 'multiple_methods' : 'multiple_labs'
    assert.deepEqual(await refusal({ order_set }), [400, expected])
  })

  test('stores nothing', async () => {
    const count = async () => {
      const { rows } = await harness.database.pool.query('select count(*) from orders')
      return rows[0].count
    }
    const earlier = await count()
    await refusal({ activate_by: '2020-01-01' })
    await refusal({ billing_type: 'commercial_insurance', icd_codes: ['E11.9'] })
    assert.equal(await count(), earlier)
  })
})

describe('a minor', () => {
  const minor = { ...PATIENT_DETAILS, dob: '2015-06-01' }
  const proxy = {
    first_name: 'Mia',
    last_name: 'Moreau',
    phone_number: '+15550100197',
    address: { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' },
  }

  test('can be ordered for with a proxy, when the team allows it', async () => {
    await changeSettings(harness, { minor_ordering_enabled: true })
    assert.deepEqual(await refusal({ patient_details: minor }), [400, 'medical_proxy_required'])
    const patient_details = { ...minor, medical_proxy: proxy }
    const { status, body } = await place({ patient_details })
    assert.equal(status, 200)
    assert.equal(body.order.patient_details.medical_proxy.last_name, 'Moreau')
    await changeSettings(harness, { minor_ordering_enabled: false })
  })
})

test('consents are required when the team requires them', async () => {
  await changeSettings(harness, { consents_required: true })
  assert.deepEqual(await refusal({}), [400, 'consents_required'])
  const types = ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent']
  const consents = types.map((consentType) => ({ consentType }))
  assert.deepEqual(await refusal({ consents: consents.slice(1) }), [400, 'consents_required'])
  assert.equal((await place({ consents })).status, 200)
  await changeSettings(harness, { consents_required: false })
})

test("the customer's physician is used, and listed for the team", async () => {
  const physician = { first_name: 'Ines', last_name: 'Park', npi: '1234567893' }
  const { order } = (await place({ physician: { ...physician, licensed_states: ['AZ'] } })).body
  assert.deepEqual(order.physician, physician)
  await place({ physician })
  const { body } = await harness.call('GET', `/v2/team/${harness.teamId}/physicians`)
  assert.deepEqual(body, [physician])
  const other = await harness.makeTeam()
  const theirs = await harness.call('GET', `/v2/team/${other.id}/physicians`)
  assert.equal(theirs.status, 404)
})
