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
import { changeSettings } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const harness = useFixture(createHarness)
let userId: string
let tests: Record<Method, string>
/** A test of a marker with one required question. */
let asking: { id: string; markerId: number; questionId: number; answer: string }

before(async () => {
  userId = await harness.makeUser()
  tests = await startingLabTests(harness)
  asking = await makeAskingTest()
})

interface Problem {
  field: string
  error_type: string
  message: string
  detail: Record<string, unknown>
}

async function validate(body: unknown) {
  const answer = await harness.call('POST', '/v3/order/validate', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const validateChanged = (changes: object = {}) =>
  validate(orderBody(userId, tests.walk_in_test, changes))

const toTexts = ({ problems }: { problems: Problem[] }) =>
  problems.map(({ field, error_type }) => `${field}: ${error_type}`)

async function makeAskingTest() {
  const { body } = await harness.call('GET', '/v3/lab_tests/markers?size=100&name=chlamydia')
  interface Marker {
    id: number
    lab_id: number
    aoe: {
      questions: {
        id: number
        required: boolean
        type: string
        code: string
        default: null
        answers: { code: string }[]
      }[]
    } | null
  }
  for (const { id, lab_id, aoe } of body.markers as Marker[]) {
    const question = aoe?.questions.find(
      ({ required, type, default: presumed, code }) =>
        required && type === 'choice' && presumed === null && !code.startsWith('F'),
    )
    if (question === undefined) continue
    const { body: labs } = await harness.call('GET', '/v3/lab_tests/labs')
    const lab = labs.find((candidate: { id: number }) => candidate.id === lab_id)
    const made = await harness.call('POST', '/v3/lab_tests', {
      name: 'Asks',
      description: 'With a question',
      method: lab.collection_methods[0],
      marker_ids: [id],
    })
    assert.equal(made.status, 200, made.text)
    const answer = question.answers[0]?.code ?? ''
    return { id: made.body.id, markerId: id, questionId: question.id, answer }
  }
  throw new Error('No marker of the catalog asks anything.')
}

describe('validating an order', () => {
  test('that can be placed finds no problems, returns its demands, and places nothing', async () => {
    for (const method of Object.keys(tests) as Method[]) {
      const { is_valid, problems, demands } = await validate(orderBody(userId, tests[method]))
      assert.deepEqual(problems, [])
      assert.equal(is_valid, true)
      assert.equal(demands.collection_method, method)
      assert.ok(demands.lab.collection_methods.includes(method))
      assert.ok(demands.billing_types.includes('client_bill'))
      assert.equal(demands.needs_physician, false)
      assert.deepEqual(demands.consents, [])
      assert.ok(demands.markers.length > 0)
      assert.equal(typeof demands.lab_account.id, 'string')
    }
    const { rows } = await harness.database.pool.query('select count(*)::int as count from orders')
    assert.equal(rows[0].count, 0)
  })

  test('with an empty body lists the fields of every order', async () => {
    const answer = await validate({})
    assert.equal(answer.is_valid, false)
    assert.equal(answer.demands, null)
    assert.deepEqual(toTexts(answer).sort(), [
      'order_set: order_set_required',
      'patient_address: missing',
      'patient_details: missing',
      'user_id: missing',
    ])
  })

  test('returns all problems at once, of the schema and of the rules', async () => {
    const answer = await validateChanged({
      patient_details: { ...PATIENT_DETAILS, first_name: 'Zoë', dob: '2015-06-01', email: 'none' },
      patient_address: { ...PATIENT_ADDRESS, zip: '8500' },
      collection_method: 'testkit',
      activate_by: '2020-01-01',
      icd_codes: ['diabetes'],
      physician: { first_name: 'Ines', last_name: 'Park', npi: '12' },
      aoe_answers: [{ marker_id: 1, question_id: 1, answer: 'x' }],
    })
    const all = toTexts(answer)
    for (const expected of [
      'patient_details.first_name: string_pattern_mismatch',
      'patient_details.email: email',
      'patient_address.zip: string_pattern_mismatch',
      'activate_by: activate_by_in_past',
      'icd_codes: icd_codes_invalid',
      'physician.npi: npi',
      'aoe_answers: aoe_invalid',
    ]) {
      assert.ok(all.includes(expected), `${expected} in ${all.join('; ')}`)
    }
    assert.ok(answer.demands.billing_types.length > 0, 'the state is known of a half address')
  })

  test('recognizes a minor by the birth date alone', async () => {
    const answer = await validateChanged({ patient_details: { dob: '2015-06-01' } })
    assert.ok(
      toTexts(answer).includes('patient_details.dob: minor_not_allowed'),
      toTexts(answer).join(),
    )
  })

  test('explains the code of a 404', async () => {
    const unknown = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
    const answer = await validateChanged({
      user_id: unknown,
      order_set: { lab_test_ids: [unknown] },
    })
    assert.deepEqual(toTexts(answer), ['user_id: user_not_found', 'order_set: lab_test_not_found'])
    for (const { message } of answer.problems) assert.match(message, / /)
  })

  test('lists the questions, the required ones, and wrong answers', async () => {
    const open = await validate(orderBody(userId, asking.id))
    assert.deepEqual(toTexts(open), ['aoe_answers: aoe_required'])
    const asked = open.demands.questions.find(
      ({ question }: { question: { id: number } }) => question.id === asking.questionId,
    )
    assert.equal(asked.marker_id, asking.markerId)
    assert.equal(asked.must_answer, true)
    assert.equal(asked.presumed_answer, null)
    assert.ok(asked.marker_name)
    const which = { marker_id: asking.markerId, question_id: asking.questionId }
    const wrong = { aoe_answers: [{ ...which, answer: 'no such answer' }] }
    const refused = await validate(orderBody(userId, asking.id, wrong))
    assert.deepEqual(refused.problems[0].detail, which)
    const open_ids = open.demands.questions.filter(
      ({ must_answer }: { must_answer: boolean }) => must_answer,
    )
    const answers = open_ids.map(
      (entry: {
        marker_id: number
        question: { id: number; type: string; answers: { code: string }[] }
      }) => ({
        marker_id: entry.marker_id,
        question_id: entry.question.id,
        answer: entry.question.answers[0]?.code ?? '1',
      }),
    )
    const right = await validate(orderBody(userId, asking.id, { aoe_answers: answers }))
    assert.deepEqual(right.problems, [])
  })

  test('lists the consents that the team requires', async () => {
    await changeSettings(harness, { consents_required: true })
    const answer = await validateChanged()
    assert.deepEqual(toTexts(answer), ['consents: consents_required'])
    assert.equal(answer.demands.consents.length, 3)
    await changeSettings(harness, { consents_required: false })
  })

  test('checks the fields that a replacement copies', async () => {
    const { body } = await harness.call('POST', '/v3/order', orderBody(userId, tests.walk_in_test))
    const replacement = { recreate_from_order_id: body.order.id }
    const noReason = await validate(replacement)
    assert.ok(toTexts(noReason).includes('recreate_from_order_id: update_reason_required'))
    const whole = await validate({ ...replacement, update_reason: 'OTHER' })
    assert.deepEqual(whole.problems, [])
    const { body: order } = await harness.call('GET', `/v3/order/${body.order.id}`)
    assert.equal(order.last_event.status, 'received.walk_in_test.ordered')
  })

  test('stores no policy that placing would create', async () => {
    const health_insurance = {
      payor_code: 'UNITED',
      insurance_id: 'W1',
      responsible_relationship: 'Self',
    }
    await validateChanged({ health_insurance })
    const { rows } = await harness.database.pool.query(
      'select count(*)::int as count from insurance_policies',
    )
    assert.equal(rows[0].count, 0)
  })

  test('of a body that is not an object is refused', async () => {
    for (const body of [[], 'order']) {
      const json = { 'content-type': 'application/json' }
      const text = JSON.stringify(body)
      const answer = await harness.call('POST', '/v3/order/validate', text, json)
      assert.equal(answer.status, 422, answer.text)
    }
  })
})

const unknownId = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
/** Invalid requests for each code of placing that depends on the body alone. */
const WRONG: Record<string, object> = {
  'an unknown user': { user_id: unknownId },
  'no test': { order_set: null },
  'an unknown test': { order_set: { lab_test_ids: [unknownId] } },
  'an empty add-on': { order_set: { add_on: {} } },
  'an add-on without a method': { order_set: { add_on: { marker_ids: [1] } } },
  'an unknown account': { lab_account_id: unknownId },
  'a method the laboratory lacks': { collection_method: 'testkit' },
  'insurance without a diagnosis': { billing_type: 'commercial_insurance' },
  'insurance that does not exist': { billing_type: 'commercial_insurance', icd_codes: ['E11.9'] },
  'an unknown payor': {
    health_insurance: {
      payor_code: 'UNKNOWN',
      insurance_id: 'W1',
      responsible_relationship: 'Self',
    },
  },
  'a day that is over': { activate_by: '2020-01-01' },
  'a minor': { patient_details: { ...PATIENT_DETAILS, dob: '2015-06-01' } },
  'a physician without a licence there': {
    physician: {
      first_name: 'Ines',
      last_name: 'Park',
      npi: '1234567893',
      licensed_states: ['NY'],
    },
  },
  'an address abroad': { patient_address: { ...PATIENT_ADDRESS, country: 'FR' } },
  'a phone number of letters': { patient_details: { ...PATIENT_DETAILS, phone_number: 'me' } },
  'nothing wrong': {},
}

describe('validating and placing agree', () => {
  for (const [what, changes] of Object.entries(WRONG)) {
    test(`about ${what}`, async () => {
      const body = orderBody(userId, tests.walk_in_test, changes)
      const { is_valid, problems } = await validate(body)
      const placed = await harness.call('POST', '/v3/order', body)
      assert.equal(is_valid, placed.status === 200, JSON.stringify([problems, placed.body]))
      if (placed.status === 200) return
      const { detail } = placed.body
      const code = Array.isArray(detail) ? detail[0].type : (detail.error_type ?? detail)
      assert.equal(problems[0].error_type, code)
    })
  }
})
