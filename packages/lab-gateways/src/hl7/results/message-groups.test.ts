import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rulesOf } from '../../../test/connections.ts'
import { brief, LEGACY, PER_TEST, reportOf, reportsOf } from '../../../test/read-reports.ts'
import {
  CULTURE,
  HEADER_251,
  message,
  PATIENT,
  SEVERAL_PATIENTS,
} from '../../../test/report-messages.ts'

describe('a culture', () => {
  const report = reportOf(CULTURE)

  test('keeps the results of two isolates apart by test and sub-id', () => {
    assert.deepEqual(report.results.map(brief), [
      ['Organism', 'Escherichia coli', 'final', '1', '1'],
      ['Colony count', '>100000', 'final', '1', '1'],
      ['Organism', 'Klebsiella oxytoca', 'final', '1', '2'],
      ['Ampicillin', '>=32', 'final', '2', '1'],
      ['Ciprofloxacin', '<=0.25', 'final', '2', '1'],
      ['Ampicillin', '<=2', 'final', '3', '2'],
    ])
    assert.deepEqual(report.results[3]?.flags, ['R'])
    assert.equal(report.results[3]?.ucum, 'ug/mL')
  })

  test('has its panels of susceptibilities as reflexes with their isolate', () => {
    const tests = report.tests ?? {}
    assert.deepEqual(
      Object.values(tests).map(({ origin }) => origin),
      ['ordered', 'reflex', 'reflex'],
    )
    assert.deepEqual(tests['3']?.parent, {
      filler_number: 'FL26-001201',
      provider_id: '395-1',
      loinc: '630-4',
      sub_id: '2',
      value: 'Klebsiella oxytoca',
    })
    assert.deepEqual(tests['1']?.specimen, {
      number: 'S-77',
      type: 'Urine specimen',
      condition: null,
      reject_reason: null,
    })
    assert.deepEqual(report.ordered_provider_ids, ['395'])
  })

  test('belongs to one order although its panels have no placer number', () => {
    const [update] = reportsOf(CULTURE)
    assert.deepEqual(update?.order.placerNumbers, ['SA00000071'])
    assert.deepEqual(update?.order.fillerNumbers, ['FL26-001201', 'FL26-001201-1', 'FL26-001201-2'])
  })
})

describe('a message of several orders and people', () => {
  test('has one update for each order, each with its own person', () => {
    const updates = reportsOf(SEVERAL_PATIENTS, LEGACY)
    assert.deepEqual(
      updates.map(({ order, report }) => [
        order.placerNumbers,
        report.patient.last_name,
        report.results.map(({ result }) => result),
        report.status,
      ]),
      [
        [['SA00000080'], 'VANCE', ['140'], 'final'],
        [['SA00000081'], 'VANCE', ['141'], 'final'],
        [['SA00000082'], 'TARN', ['142'], 'partial'],
      ],
    )
  })

  test('holds tests together by the group number where each has a number of its own', () => {
    const content = message(
      HEADER_251,
      PATIENT,
      'ORC|RE|SA00000100|FL-100|SA00000100',
      'OBR|1|SA00000100|FL-100|100^First^L|||||||||||||||||||||F',
      'OBX|1|NM|101^One^L||1|g|||||F',
      'ORC|RE|SA00000101|FL-101|SA00000100',
      'OBR|2|SA00000101|FL-101|200^Second^L|||||||||||||||||||||F',
      'OBX|1|NM|201^Two^L||2|g|||||F',
    )
    const [update, ...others] = reportsOf(content, PER_TEST)
    assert.equal(others.length, 0)
    assert.deepEqual(update?.order.placerNumbers, ['SA00000100', 'SA00000101'])
    assert.equal(update?.order.sampleId, 'SA00000100')
    // Where the requisition has one number, they are two orders.
    assert.equal(reportsOf(content, LEGACY).length, 2)
  })

  test('gives unsolicited results an update for each accession', () => {
    const content = message(
      HEADER_251,
      PATIENT,
      'OBR|1||FL-7-1|100^First^L|||||||||||||||||||||F',
      'OBX|1|NM|101^One^L||1|g|||||F',
      'OBR|2||FL-7-2|200^Second^L|||||||||||||||||||||F',
      'OBX|1|NM|201^Two^L||2|g|||||F',
      'OBR|3||FL-8|300^Third^L|||||||||||||||||||||F',
      'OBX|1|NM|301^Three^L||3|g|||||F',
    )
    const numbers = reportsOf(content).map(({ order }) => order.fillerNumbers)
    assert.deepEqual(numbers, [['FL-7-1', 'FL-7-2'], ['FL-8']])
  })

  test('is read without prefixes that the connection strips from numbers', () => {
    const rules = rulesOf('loi-lri-2.5.1', { numbers: { strip_from_results: ['^FAC-', '^0+'] } })
    const content = message(
      HEADER_251,
      PATIENT,
      'OBR|1|FAC-0042^SALUS|00|5^P^L||||||||||||||||||||||',
    )
    const [update] = reportsOf(content, rules)
    assert.deepEqual(update?.order.placerNumbers, ['42'])
    assert.deepEqual(update?.order.fillerNumbers, ['00'])
  })
})

describe('a specimen-centred message', () => {
  test('has the order of the segments that OUL has', () => {
    const content = message(
      'MSH|^~\\&|LIS|ACME|SALUS|ACCT100|20260309085000-0700||OUL^R22^OUL_R22|O-1|P|2.5',
      PATIENT,
      'SPM|1|KIT-9^S-9||119297000^Blood^SCT',
      'OBR|1|SA00000110|FL-110|100^Sodium Test^L|||||||||||||||||||||F',
      'ORC|RE|SA00000110|FL-110',
      'OBX|1|NM|101^Sodium^L||140|mmol/L|136-145|N|||F',
      'SPM|2|KIT-9^S-10||122575003^Urine^SCT',
      'OBR|2|SA00000110|FL-111|100^Sodium Test^L|||||||||||||||||||||F',
      'ORC|RE|SA00000110|FL-111',
      'OBX|1|NM|101^Sodium^L||90|mmol/L||N|||F',
    )
    const report = reportOf(content)
    const types = Object.values(report.tests ?? {}).map(({ specimen }) => specimen?.type)
    assert.deepEqual(types, ['Blood', 'Urine'])
    assert.deepEqual(report.results.map(brief), [
      ['Sodium', '140', 'final', '1'],
      ['Sodium', '90', 'final', '2'],
    ])
  })
})

test('a reflex that comes alone refers to the order by the numbers of its parent', () => {
  const obr = 'OBR|1||FL-51|101^Free T4^L|||||||G||||||||||||||F||||SA00000050&SALUS^FL-50&ACME'
  const [update] = reportsOf(
    message(HEADER_251, PATIENT, obr, 'OBX|1|NM|3024-7^Free T4^LN||0.7|ng/dL|0.8-1.8|L|||F'),
  )
  assert.deepEqual(update?.order.placerNumbers, ['SA00000050'])
  assert.deepEqual(update?.order.fillerNumbers, ['FL-51', 'FL-50'])
})
