import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf, type ResourceContext } from './fhir-parts.ts'
import { toSample } from './health-resources.ts'
import { toDiagnosticReport } from './lab-resources.ts'
import { toServiceRequest } from './order-resources.ts'
import { toCoverage } from './person-resources.ts'

// What resources say, as a physician's system reads them; exports.system.test.ts holds them against
// the schema of FHIR.

const AT = '2026-03-01T08:00:00Z'
const context: ResourceContext = {
  patient: { reference: 'Patient/1b4e28ba-2fa1-41d2-883f-0016d3cca427' },
  refer: (type, id) => ({ reference: `${type}/${id}` }),
  reportIdOf: (...parts) => idOf('report', ...parts),
  resultIdsOf: (_order, _version, results) => results.map(({ name }) => idOf('result', name)),
  toUcum: (unit) => unit,
  labTests: new Map([['test-id', 'Lipid panel']]),
  payors: new Map([['payor-id', { name: 'Example Health', code: 'SAMPLE-1' }]]),
  firstFinal: new Map([['order', 2]]),
}

const ORDER = {
  id: 'order',
  method: 'walk_in_test' as const,
  last_status: 'ordered' as const,
  physician: { first_name: 'Grace', last_name: 'Okafor', npi: '1234567893' },
  sample_id: null,
  lab_test_id: 'test-id',
  priority: false,
  icd_codes: null,
  created_at: AT,
}

test('an order names its test and its physician, and says what has become of it', () => {
  const [request] = toServiceRequest(ORDER, context)
  assert.ok(request?.resourceType === 'ServiceRequest')
  assert.deepEqual(request.code, {
    coding: [{ system: 'urn:salus:lab_test', code: 'test-id' }],
    text: 'Lipid panel',
  })
  assert.equal(request.requester?.display, 'Grace Okafor')
  const statuses = [
    ['ordered', 'active'],
    ['partial_results', 'active'],
    ['completed', 'completed'],
    ['corrected', 'completed'],
    ['cancelled', 'revoked'],
    ['sample_error', 'revoked'],
  ] as const
  for (const [last_status, status] of statuses) {
    const [shown] = toServiceRequest({ ...ORDER, last_status }, context)
    assert.equal(shown?.resourceType === 'ServiceRequest' && shown.status, status, last_status)
  }
})

const RESULT = {
  name: 'Glucose',
  result: '95',
  type: 'numeric',
  unit: 'mg/dL',
  timestamp: AT,
  notes: null,
  reference_range: null,
  min_range_value: 70,
  max_range_value: 99,
  interpretation: 'normal',
  loinc: '2345-7',
}

function showReport(version: number, status: string, result = '95') {
  const report = { evaluated: { results: [{ ...RESULT, result }] } }
  const row = { order_id: 'order', version, status, created_at: AT, report }
  const [observation, shown] = toDiagnosticReport(row, context)
  assert.ok(observation?.resourceType === 'Observation')
  assert.ok(shown?.resourceType === 'DiagnosticReport')
  return { observation, report: shown }
}

test('results that came after final ones are amended, so that two reports of an order can be distinguished', () => {
  const statuses = [showReport(1, 'partial'), showReport(2, 'final'), showReport(3, 'final')].map(
    ({ observation, report }) => [report.status, observation.status],
  )
  assert.deepEqual(statuses, [
    ['partial', 'preliminary'],
    ['final', 'final'],
    ['amended', 'amended'],
  ])
})

test('a result without a value is absent, and not zero', () => {
  const { observation } = showReport(2, 'final', ' ')
  assert.equal(observation.valueQuantity, undefined)
  assert.equal(observation.dataAbsentReason?.coding?.[0]?.code, 'unknown')
  assert.equal(showReport(2, 'final', '0').observation.valueQuantity?.value, 0)
})

test('a result that is only below or above a number says so beside the number', () => {
  const { observation } = showReport(2, 'final', '<0.6')
  assert.deepEqual(observation.valueQuantity, {
    ...{ value: 0.6, comparator: '<' },
    ...{ unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
  })
  assert.equal(showReport(2, 'final', '>= 90').observation.valueQuantity?.comparator, '>=')
  assert.equal(
    showReport(2, 'final', '<5 (see note)').observation.valueString,
    '<5 (see note) mg/dL',
  )
})

test('a policy names who insures and who is insured', () => {
  const policy = {
    id: 'policy',
    payor_id: 'payor-id',
    member_id: 'W1',
    group_id: null,
    relationship: 'Spouse',
    is_primary: true,
    insured: { first_name: 'Ada', last_name: 'Moreau' },
  }
  const [coverage] = toCoverage(policy, context)
  assert.ok(coverage?.resourceType === 'Coverage')
  assert.deepEqual(coverage.payor, [
    {
      identifier: { system: 'urn:salus:payor_code', value: 'SAMPLE-1' },
      display: 'Example Health',
    },
  ])
  assert.deepEqual(coverage.subscriber, { display: 'Ada Moreau' })
  const [own] = toCoverage({ ...policy, relationship: 'Self' }, context)
  assert.ok(own?.resourceType === 'Coverage')
  assert.deepEqual(own.subscriber, context.patient)
})

test('a body mass index is in the unit that its LOINC code wants', () => {
  const sample = {
    ...{ series: 'body_mass_index', started_at: AT, ended_at: AT, provider: 'withings' },
    ...{ source_type: 'scale', app_id: '', sample_type: '', workout_id: '' },
    ...{ timezone_offset: null, value: 23.5, diastolic: 0, text_value: '' },
  }
  const [observation] = toSample(sample, context)
  assert.ok(observation?.resourceType === 'Observation')
  assert.equal(observation.code.text, 'Body mass index')
  assert.equal(observation.valueQuantity?.code, 'kg/m2')
})
