import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  importOrder,
  type OrderSelection,
  PATIENT,
  pdfText,
  reportOf,
} from '../../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { inResultTransaction, rematchHeldResults } from '../index.ts'
import { UnmatchedResult } from './match-review.schema.ts'

const fixture = useFixture(createResultsFixture)
before(() => fixture.set({ match_review_enabled: true }))

const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/,
  },
})
const isUnmatchedResult = ajv.compile(UnmatchedResult)

let born = 0
/** Returns a person whom no other test uses. */
const someone = () => {
  born += 1
  const dob = new Date(Date.UTC(1950, 0, born)).toISOString().slice(0, 10)
  return { ...PATIENT, last_name: `Moreau`, dob }
}

const newOrder = async (patient: typeof PATIENT, wish: Partial<OrderSelection> = {}) =>
  importOrder(fixture, { userId: await fixture.makeUser(), patient, ...wish })
const about = (
  patient: typeof PATIENT,
  more: Partial<ResultMessage> = {},
): Partial<ResultMessage> => ({
  patient: { ...patient, patient_id: null } as ResultMessage['patient'],
  ...more,
})
const take = (message: ResultMessage, labSlug = 'quest') => fixture.take({ message, labSlug })
const newest = async () => {
  const { body } = await fixture.call('GET', '/v3/unmatched_result?limit=1')
  return body.data[0]
}
/** Receives a result message that must be held, and returns the held result. */
const hold = async (report: ResultMessage, labSlug?: string) => {
  fixture.clock.advance(1)
  assert.deepEqual(await take(report, labSlug), { state: 'held', orderId: null })
  const held = await newest()
  assert.ok(isUnmatchedResult(held), ajv.errorsText(isUnmatchedResult.errors))
  assert.deepEqual(held.allowed_actions, ['accept', 'reject', 'unsure'])
  assert.equal(held.status, 'pending_customer_review')
  return held
}
const summary = ({ candidate_groups: groups }: { candidate_groups: Group[] }) =>
  groups.map(({ user_id: userId, candidates }) => [userId, candidates.map((each) => each.order_id)])
interface Group {
  user_id: string
  candidates: {
    order_id: string
    candidate_type: string
    confidence_level: string
    reasons: string[]
    status_context: { can_receive_results: boolean }
    marker_overlap: object
  }[]
}
const cancel = (id: string) => fixture.call('POST', `/v3/order/${id}/cancel`)

describe('a result message of the number of an order is stored', () => {
  const isStored = async (
    order: { id: string; sample_id: string },
    change: Partial<ResultMessage['patient']>,
  ) => {
    const message = reportOf(order)
    const taken = await take({ ...message, patient: { ...message.patient, ...change } })
    assert.deepEqual(taken, { state: 'processed', orderId: order.id })
  }

  test('with swapped names, an initial, or without a birth date', async () => {
    await isStored(await newOrder(PATIENT), { first_name: 'MOREAU', last_name: 'ADA' })
    await isStored(await newOrder(PATIENT), { first_name: 'A.' })
    await isStored(await newOrder(PATIENT), { dob: null })
  })

  test('with a new family name that the demographics of the person have', async () => {
    const order = await newOrder(PATIENT)
    const { first_name, dob, gender, phone_number, email } = PATIENT
    const info = { first_name, last_name: 'Stone', dob, gender, phone_number, email }
    const lines = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004' }
    const body = { ...info, address: { ...lines, country: 'US' } }
    await fixture.call('PATCH', `/v2/user/${order.user_id}/info`, body)
    await isStored(order, { last_name: 'Stone' })
  })
})

describe('a result message is held as', () => {
  test('no_match when no order matches', async () => {
    const held = await hold(reportOf({ sample_id: 'UNKNOWN' }, about(someone())))
    assert.equal(held.decision_code, 'no_match')
    assert.deepEqual(held.candidate_groups, [])
    assert.equal(held.lab.slug, 'quest')
    assert.equal(held.markers.length, 7)
  })

  test('match_demo when the patient matches and the sample is unknown', async () => {
    const patient = someone()
    const order = await newOrder(patient)
    const held = await hold(reportOf({ sample_id: 'UNKNOWN' }, about(patient)))
    assert.equal(held.decision_code, 'match_demo')
    assert.deepEqual(summary(held), [[order.user_id, [order.id]]])
    const [candidate] = held.candidate_groups[0].candidates
    assert.deepEqual(candidate.reasons, ['demographic_match', 'same_lab', 'marker_overlap_exact'])
    assert.deepEqual(candidate.marker_overlap, { reported: 7, ordered: 7, shared: 7 })
    assert.equal(candidate.candidate_type, 'order_option')
    assert.equal(candidate.confidence_level, 'medium')
    assert.deepEqual(held.patient, {
      first_name: 'Ada',
      last_name: 'Moreau',
      dob: `${patient.dob}T00:00:00+00:00`,
      gender: 'female',
    })
  })

  test('match_sample_id_mismatch_demo when the sample belongs to another person', async () => {
    const [one, other] = [someone(), someone()]
    const [order, theirs] = [await newOrder(one), await newOrder(other)]
    const held = await hold(reportOf(order, about(other)))
    assert.equal(held.decision_code, 'match_sample_id_mismatch_demo')
    const byUser = summary(held).toSorted()
    const expected = [
      [order.user_id, [order.id]],
      [theirs.user_id, [theirs.id]],
    ]
    assert.deepEqual(byUser, expected.toSorted())
    const provenance = held.candidate_groups
      .flatMap(({ candidates }: Group) => candidates)
      .find((each: Group['candidates'][number]) => each.candidate_type === 'provenance_order')
    assert.equal(provenance.order_id, order.id)
    assert.ok(provenance.reasons.includes('demographic_mismatch'))
    assert.ok(provenance.reasons.includes('sample_id_match'))
  })

  test('match_sample_id_mismatch_demo when the patient of the order is not certain', async () => {
    const cases: [string, Partial<ResultMessage['patient']>][] = [
      ['a twin', { first_name: 'Eva' }],
      ['a typing error', { last_name: 'Morea' }],
      ['day and month swapped', { dob: '1990-12-04' }],
      ['another family name', { last_name: 'Stone' }],
      ['another sex', { gender: 'male' }],
      ['no patient', { first_name: null, last_name: null, dob: null, gender: null }],
    ]
    for (const [what, change] of cases) {
      const order = await newOrder(PATIENT)
      const message = reportOf(order)
      const held = await hold({ ...message, patient: { ...message.patient, ...change } })
      assert.equal(held.decision_code, 'match_sample_id_mismatch_demo', what)
      const { body } = await fixture.call('GET', `/v3/order/${order.id}/result`)
      assert.equal(body.detail, 'results_not_available', what)
    }
  })

  test('match_sample_id when the laboratory names another account', async () => {
    const patient = someone()
    const order = await newOrder(patient)
    const held = await hold(reportOf(order, about(patient, { account_id: '777' })))
    assert.equal(held.decision_code, 'match_sample_id')
    assert.deepEqual(held.sub_reason_codes, ['lab_account_mismatch'])
    assert.match(held.reason, /another account/)
    const [candidate] = held.candidate_groups[0].candidates
    assert.ok(candidate.reasons.includes('lab_account_mismatch'))
    assert.equal(candidate.confidence_level, 'high')
  })

  test('match_completed when the order has its result', async () => {
    const patient = someone()
    const order = await newOrder(patient)
    await take(reportOf(order, about(patient)))
    for (const report of [
      reportOf(order, about(patient, { specimen_number: 'SECOND' })),
      reportOf({ sample_id: 'OTHER' }, about(patient)),
    ]) {
      const held = await hold(report)
      assert.equal(held.decision_code, 'match_completed')
      const [candidate] = held.candidate_groups[0].candidates
      assert.ok(candidate.reasons.includes('matched_completed_order'))
      assert.equal(candidate.status_context.can_receive_results, false)
    }
  })

  test('match_cancelled when the order was cancelled', async () => {
    const patient = someone()
    const order = await newOrder(patient)
    await cancel(order.id)
    for (const sampleId of [order.sample_id, 'OTHER']) {
      const held = await hold(reportOf({ sample_id: sampleId }, about(patient)))
      assert.equal(held.decision_code, 'match_cancelled')
      const [candidate] = held.candidate_groups[0].candidates
      assert.ok(candidate.reasons.includes('matched_cancelled_order'))
    }
  })

  test('wrong_collection when the order cannot receive results yet', async () => {
    const patient = someone()
    const order = await newOrder(patient, { method: 'at_home_phlebotomy' })
    for (const sampleId of [order.sample_id, 'OTHER']) {
      const held = await hold(reportOf({ sample_id: sampleId }, about(patient)))
      assert.equal(held.decision_code, 'wrong_collection')
      const [candidate] = held.candidate_groups[0].candidates
      assert.ok(candidate.reasons.includes('invalid_collection_state'))
    }
  })

  test('wrong_lab when the open order is at another laboratory', async () => {
    const patient = someone()
    const order = await newOrder(patient, { lab: 'labcorp' })
    const held = await hold(reportOf(order, about(patient)))
    assert.equal(held.decision_code, 'wrong_lab')
    const [candidate] = held.candidate_groups[0].candidates
    assert.ok(candidate.reasons.includes('possible_wrong_lab'))
    assert.equal(candidate.status_context.can_receive_results, false)
  })

  test('multiple_demo_match when several patients match', async () => {
    const patient = someone()
    const orders = [await newOrder(patient), await newOrder({ ...patient, first_name: 'A' })]
    const held = await hold(reportOf(null, about(patient)))
    assert.equal(held.decision_code, 'multiple_demo_match')
    const users = summary(held).map(([userId]) => userId)
    assert.deepEqual(users.toSorted(), orders.map((order) => order.user_id).toSorted())
  })
})

describe('a held result message', () => {
  test('emits an event for the team with the person to whom it probably belongs', async () => {
    const patient = someone()
    const order = await newOrder(patient)
    const held = await hold(reportOf(null, about(patient)))
    const [event] = (await fixture.events(/match_review/)).slice(-1)
    assert.deepEqual(event, {
      type: 'labtest.match_review.created',
      userId: order.user_id,
      data: {
        id: held.id,
        status: 'pending_customer_review',
        decision_code: 'match_demo',
        sub_reason_codes: [],
        resolution_action: null,
        resolved_user_id: null,
        resolved_order_id: null,
      },
    })
  })

  test('is held once after repeated deliveries', async () => {
    const report = reportOf({ sample_id: 'AGAIN' }, about(someone(), { pdf: pdfText('again') }))
    const held = await hold(report)
    const files = fixture.fileNames()
    await take(report)
    assert.equal((await newest()).id, held.id)
    assert.deepEqual(fixture.fileNames(), files)
  })

  test('is logged by id and code only', async () => {
    const held = await hold(reportOf({ sample_id: 'LOGGED' }, about(someone())))
    const expected = { unmatchedResultId: held.id, decisionCode: 'no_match' }
    assert.deepEqual(fixture.log.at(-1), {
      data: expected,
      message: 'a result was held for review',
    })
  })

  test('is closed when later data of the laboratory match', async () => {
    const patient = someone()
    const order = await newOrder(patient)
    const wrong = { ...patient, last_name: 'Morreau' }
    const held = await hold(reportOf(order, about(wrong, { status: 'partial' })))
    const other = await hold(reportOf(order, about(wrong, { specimen_number: 'OTHER' })))
    await take(reportOf(order, about(patient)))
    const { body } = await fixture.call('GET', `/v3/unmatched_result/${held.id}`)
    assert.deepEqual(
      [body.status, body.resolved_order_id, body.resolved_user_id, body.allowed_actions],
      ['matched', order.id, order.user_id, []],
    )
    const event = (await fixture.events(/match_review/)).at(-1)
    assert.deepEqual(
      [event?.type, event?.data.id, event?.data.status],
      ['labtest.match_review.updated', held.id, 'matched'],
    )
    // Another specimen of the same requisition still waits for a decision.
    const open = await fixture.call('GET', `/v3/unmatched_result/${other.id}`)
    assert.equal(open.body.status, 'pending_customer_review')
  })

  test('is stored when its order gets the sample id', async () => {
    const patient = someone()
    const order = await newOrder(patient)
    const held = await hold(reportOf({ sample_id: `N-${order.sample_id}` }, about(patient)))
    await fixture.database.pool.query('update orders set sample_id = $1 where id = $2', [
      `N-${order.sample_id}`,
      order.id,
    ])
    const context = await fixture.context()
    const isStored = await inResultTransaction(context, (tx) =>
      rematchHeldResults(tx, order.id, fixture.clock.now()),
    )
    assert.equal(isStored, true)
    const { body } = await fixture.call('GET', `/v3/unmatched_result/${held.id}`)
    assert.equal(body.status, 'matched')
    assert.equal((await fixture.call('GET', `/v3/order/${order.id}/result`)).status, 200)
  })
})
