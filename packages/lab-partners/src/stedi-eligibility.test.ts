import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EligibilityQuestion } from '@salus/contracts/lab-partners'
import { Secret } from '@salus/kernel/crypto/credential-store'
import type { PartnerFaultKind } from '@salus/sandbox/partners'
import { openEmulatedPartners } from '../test/emulated-partners.ts'
import { readAnswer, readRejections } from './stedi-answer.ts'
import { createStediGateway } from './stedi-eligibility.ts'

const { emulator, urlOf, send } = await openEmulatedPartners()
const settings = {
  apiKey: new Secret('key-of-tests'),
  url: urlOf('stedi'),
  organizationName: 'Desert Lab',
  npi: '1234567893',
}
const gateway = createStediGateway(settings, send)

/** Body of the last request. */
const lastBody = () => ({ ...(emulator.calls.at(-1)?.body as Record<string, unknown>) })

const QUESTION: EligibilityQuestion = {
  payorIds: { stedi: ['60054'], availity: ['OTHER'] },
  memberId: 'W123456789',
  subscriber: { firstName: 'Ada', lastName: 'Moreau', birthDate: '1990-04-12', gender: 'female' },
  dependent: null,
  serviceTypeCodes: ['5'],
  dateOfService: '2026-03-04',
}

test('a question has the documented shape', async () => {
  await gateway.check(QUESTION)
  const { controlNumber, ...body } = lastBody()
  assert.match(String(controlNumber), /^\d{9}$/)
  assert.deepEqual(body, {
    tradingPartnerServiceId: '60054',
    provider: { organizationName: 'Desert Lab', npi: '1234567893' },
    subscriber: {
      memberId: 'W123456789',
      firstName: 'Ada',
      lastName: 'Moreau',
      dateOfBirth: '19900412',
      gender: 'F',
    },
    encounter: { serviceTypeCodes: ['5'], dateOfService: '20260304' },
  })
})

test('a dependent is beside the subscriber, whose birth date may be unknown', async () => {
  const subscriber = { firstName: 'Max', lastName: 'Moreau', birthDate: null, gender: null }
  const answer = await gateway.check({ ...QUESTION, subscriber, dependent: QUESTION.subscriber })
  assert.equal(answer.status, 'active')
  const body = lastBody()
  assert.deepEqual(body.subscriber, {
    memberId: 'W123456789',
    firstName: 'Max',
    lastName: 'Moreau',
  })
  assert.deepEqual(body.dependents, [
    { firstName: 'Ada', lastName: 'Moreau', dateOfBirth: '19900412', gender: 'F' },
  ])
})

test('an active plan has its dates and the benefits of the requested services', async () => {
  const { benefits, ...plan } = await gateway.check(QUESTION)
  assert.deepEqual(plan, {
    status: 'active',
    planName: 'SAMPLE CHOICE PLUS',
    groupNumber: 'G-1000',
    planBegins: '2026-01-01',
    planEnds: '2026-12-31',
    rejections: [],
  })
  assert.deepEqual(
    benefits.map(({ kind, serviceTypeCodes, amountCents, share, isInNetwork }) => {
      return [kind, serviceTypeCodes.join(), amountCents, share, isInNetwork]
    }),
    [
      ['co_payment', '5', 2000, null, true],
      ['co_insurance', '5', null, 0.4, false],
      ['deductible', '30', 150_050, null, true],
      ['out_of_pocket_maximum', '30', 600_000, null, true],
    ],
  )
  assert.deepEqual(benefits[0]?.notes, ['LABORATORIES OF THE NETWORK ONLY'])
  assert.equal(benefits[0]?.period, 'Visit')
  assert.equal(benefits[0]?.coverageLevelCode, 'IND')
  assert.equal(benefits[1]?.needsAuthorization, true)
})

test('a plan that ended is inactive', async () => {
  const answer = await gateway.check({ ...QUESTION, memberId: 'W1INACTIVE' })
  assert.deepEqual([answer.status, answer.planEnds], ['inactive', '2025-12-31'])
  assert.deepEqual(answer.benefits, [])
})

test('rejections of payors have a code for each documented AAA code', async () => {
  const codes = {
    42: 'payor_unavailable',
    43: 'provider_not_authorized',
    71: 'birth_date_mismatch',
    72: 'member_id_invalid',
    73: 'name_mismatch',
    75: 'person_not_found',
    76: 'person_ambiguous',
    79: 'payor_not_reachable',
    99: 'rejected',
  }
  for (const [aaaCode, code] of Object.entries(codes)) {
    const answer = await gateway.check({ ...QUESTION, memberId: `W1AAA${aaaCode}` })
    assert.equal(answer.status, 'unknown')
    assert.deepEqual(answer.rejections, [{ code, aaaCode }])
  }
})

test('rejections are found in every loop, once each', () => {
  const aaa = (code: string) => ({ aaaErrors: [{ code, description: 'x' }] })
  const body = {
    errors: [{ code: '75' }],
    subscriber: aaa('75'),
    payer: aaa('79'),
    dependents: [aaa('71')],
  }
  assert.deepEqual(
    readRejections(body).map(({ aaaCode }) => aaaCode),
    ['75', '79', '71'],
  )
})

test('values of other types and unknown codes are left out, and a plan without types is of all', () => {
  const body = {
    planStatus: [{ statusCode: '6', serviceTypeCodes: ['35'] }, { statusCode: 1 }, null, 'x'],
    planDateInformation: { plan: '20260101-20261231', planEnd: 7 },
    benefitsInformation: [
      { code: 'B', benefitAmount: 'much', benefitPercent: {}, serviceTypeCodes: 'x' },
      { code: 'C', benefitAmount: 12.345 },
      { code: 'toString' },
      { code: 'W' },
    ],
  }
  const answer = readAnswer(body, [], new Set(['5', '30']))
  assert.equal(answer.status, 'active')
  assert.deepEqual([answer.planBegins, answer.planEnds], ['2026-01-01', null])
  assert.deepEqual(
    answer.benefits.map(({ kind, amountCents, share }) => [kind, amountCents, share]),
    [
      ['co_payment', null, null],
      ['deductible', 1235, null],
    ],
  )
})

test('payors are reached by ids of two lists, and others not', () => {
  assert.equal(gateway.reaches({ change_healthcare: ['60054'] }), true)
  assert.equal(gateway.reaches({ stedi: [], availity: ['60054'] }), false)
})

test('each fault of the clearing house is a failure with its reason', async () => {
  const reasons: Record<PartnerFaultKind, string> = {
    unauthorized: 'unauthorized',
    rate_limit: 'rate_limited',
    maintenance: 'maintenance',
    server_error: 'server_error',
    slow: 'no_answer',
    malformed: 'malformed',
  }
  for (const [kind, reason] of Object.entries(reasons)) {
    emulator.setFault('stedi', { kind: kind as PartnerFaultKind, times: 1, milliseconds: 2000 })
    const failure = { name: 'PartnerFailure', partner: 'stedi', reason }
    await assert.rejects(gateway.check(QUESTION), failure, kind)
  }
})

test('a request that the clearing house does not understand is a failure and no rejection', async () => {
  const failure = { name: 'PartnerFailure', reason: 'refused' }
  await assert.rejects(gateway.check({ ...QUESTION, payorIds: {} }), failure)
})
