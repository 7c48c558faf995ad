import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rulesOf } from '../../../test/connections.ts'
import {
  brief,
  LEGACY,
  names,
  type Report,
  reportOf,
  reportsOf,
  withObservations,
} from '../../../test/read-reports.ts'
import {
  EVERY_STATUS,
  HEADER_251,
  LEGACY_PANEL,
  message,
  PATIENT,
} from '../../../test/report-messages.ts'

describe('a panel of the legacy kind', () => {
  const [update] = reportsOf(LEGACY_PANEL, LEGACY)
  const { report, order, at } = update as Report

  test('names its order by the numbers of both sides', () => {
    assert.deepEqual(order, {
      placerNumbers: ['SA00000017'],
      fillerNumbers: ['06654321'],
      sampleId: 'SA00000017',
      labSlug: 'acme',
    })
    assert.equal(at, '2026-03-07T22:41:00.000Z')
  })

  test('has its results with the codes of the laboratory and LOINC', () => {
    assert.deepEqual(report.results[0], {
      test: '1',
      name: 'Glucose',
      provider_id: '001032',
      loinc: '2345-7',
      status: 'final',
      flags: ['H'],
      method: null,
      type: 'numeric',
      result: '104',
      unit: 'mg/dL',
      reference_range: '70-99',
      min_range_value: 70,
      max_range_value: 99,
      flag: 'H',
      notes: null,
      observed_at: '2026-03-07T22:30:00.000Z',
      timestamp: '2026-03-07T22:41:00.000Z',
      performing_laboratory: 'PHX',
    })
    assert.deepEqual(report.results.map(brief), [
      ['Glucose', '104', 'final', '1'],
      ['Creatinine', '0.92', 'final', '1'],
      ['eGFR', '>59', 'final', '1'],
      ['Interpretation', 'First line.\n\nThird line.', 'final', '1'],
    ])
    assert.equal(report.results[1]?.notes, 'Reference interval changed on 02/01/2026.')
    assert.equal(report.results[2]?.type, 'range')
  })

  test('has what was not performed among the missing results, with its note', () => {
    assert.deepEqual(report.missing_results, [
      {
        test: '1',
        name: 'Carbon Dioxide, Total',
        provider_id: '001099',
        observed_at: '2026-03-07T22:30:00.000Z',
        loinc: '2028-9',
        failure_type: null,
        note: 'TNP\nTest not performed. Quantity not sufficient for analysis.',
      },
    ])
    assert.equal(report.tests?.['1']?.status, 'final')
    assert.equal(report.status, 'final')
  })

  test('has the person, the account, the times and the laboratory', () => {
    assert.deepEqual(report.patient, {
      first_name: 'MILO',
      last_name: 'TARN',
      dob: '1985-11-30',
      gender: 'male',
      patient_id: '884413',
    })
    assert.equal(report.account_id, '12345678')
    assert.equal(report.ordering_physician, 'RUTH HALL')
    assert.deepEqual(report.collected_at, {
      timestamp: '2026-03-06T16:05:00.000Z',
      timezone_offset: -25_200,
    })
    assert.equal(report.received_at?.timestamp, '2026-03-06T19:10:00.000Z')
    assert.equal(report.fasting, true)
    assert.equal(report.total_volume, '3 ML')
    assert.equal(report.notes, 'Drawn at home.')
    assert.deepEqual(report.ordered_provider_ids, ['322000'])
    assert.deepEqual(report.performing_laboratories, {
      PHX: {
        name: 'ACME PHOENIX',
        phone_number: '6025550100',
        medical_director: 'JANE MD SMITH',
        address: {
          first_line: '5005 S 40TH ST',
          second_line: null,
          city: 'PHOENIX',
          state: 'AZ',
          zip: '850400000',
          country: 'US',
        },
      },
    })
    assert.equal(report.tests?.['1']?.specimen?.type, 'Serum')
  })
})

describe('the status of a result', () => {
  const report = reportOf(EVERY_STATUS)

  test('decides whether there is a result', () => {
    assert.deepEqual(report.results.map(brief), [
      ['Glucose', '99', 'final', '1'],
      ['BUN', '18', 'preliminary', '1'],
      ['Potassium', '6.9', 'corrected', '1'],
      ['Calcium', '9.1', 'preliminary', '1'],
      ['Alkaline Phosphatase', '70', 'preliminary', '1'],
      // Without a status of its own it has that of the order, which is not complete.
      ['AST', '21', 'preliminary', '1'],
    ])
    assert.deepEqual(names(report.missing_results), ['Sodium'])
    assert.equal(report.missing_results[0]?.note, 'Hemolyzed specimen.')
    assert.deepEqual(names(report.confirmed), ['Albumin'])
    assert.deepEqual(
      report.withdrawn?.map(({ name, reason }) => [name, reason]),
      [
        ['Chloride', 'deleted'],
        ['Bilirubin', 'wrong_patient'],
      ],
    )
  })

  test('makes a report with a correction a corrected one, and its test as complete as the least', () => {
    assert.equal(report.status, 'corrected')
    assert.equal(report.tests?.['1']?.status, 'preliminary')
  })

  const statusOf = (order: string, ...observed: string[]) => {
    const content = message(
      HEADER_251,
      PATIENT,
      `OBR|1|SA00000051|FL-51|500^Panel^L|||||||||||||||||||||${order}`,
      ...observed.map((status, index) => {
        const value = ['X', 'I', 'D', 'W'].includes(status) ? '' : '1'
        return `OBX|${index + 1}|NM|50${index}^Analyte ${index}^L||${value}|g|||||${status}`
      }),
    )
    return reportOf(content).tests?.['1']?.status
  }

  test('and that of the order give the status of the test', () => {
    assert.equal(statusOf('F', 'F', 'F'), 'final')
    assert.equal(statusOf('F', 'F', 'C'), 'corrected')
    assert.equal(statusOf('F', 'F', 'X'), 'final')
    assert.equal(statusOf('F', 'X', 'X'), 'cancelled')
    assert.equal(statusOf('F', 'F', 'I'), 'preliminary')
    assert.equal(statusOf('I', 'I', 'I'), 'pending')
    assert.equal(statusOf('F', 'P', 'F'), 'preliminary')
    // More results will come, whatever the status of those that are there.
    assert.equal(statusOf('A', 'F', 'F'), 'preliminary')
    assert.equal(statusOf('', 'F'), 'final')
    assert.equal(statusOf('X'), 'cancelled')
    assert.equal(statusOf('F'), 'final')
    assert.equal(statusOf('S'), 'pending')
    assert.equal(statusOf('C', 'W'), 'corrected')
  })

  test('of a test is that of the order where the connection says so', () => {
    const rules = rulesOf('loi-lri-2.5.1', { result: { final_when: 'obr25' } })
    const content = message(
      HEADER_251,
      PATIENT,
      'OBR|1|SA00000051|FL-51|500^Panel^L|||||||||||||||||||||F',
      'OBX|1|NM|501^Analyte^L||1|g|||||P',
    )
    assert.equal(reportOf(content, rules).tests?.['1']?.status, 'final')
  })

  test('of an unknown letter is not final', () => {
    const content = withObservations('OBX|1|NM|501^Analyte^L||1|g|||||Q')
    assert.equal(reportOf(content).results[0]?.status, 'preliminary')
  })
})

describe('a cancelled test or result', () => {
  test('has its comments and the reason for the rejection', () => {
    const { missing_results, tests, status } = reportOf(
      message(
        HEADER_251,
        PATIENT,
        'ORC|OC|SA00000052|FL-52',
        'OBR|1|SA00000052|FL-52|500^Panel^L|||||||||||||||||||||X',
        'NTE|1|L|Call the laboratory.',
        'SPM|1|^S-1||122575003^Urine^SCT|||||||||||||||||RC^Clotted^HL70490',
      ),
    )
    assert.deepEqual(missing_results, [])
    assert.equal(tests?.['1']?.status, 'cancelled')
    assert.equal(tests?.['1']?.notes, 'Call the laboratory.')
    assert.equal(tests?.['1']?.specimen?.reject_reason, 'Clotted')
    assert.equal(status, 'final')
  })

  test('has the failure type of the first part of a comment that the connection names', () => {
    const rules = rulesOf('loi-lri-2.5.1', {
      codes: { failure: { hemolyz: 'collection_process_failure' } },
    })
    const [missing] = reportOf(EVERY_STATUS, rules).missing_results
    assert.equal(missing?.failure_type, 'collection_process_failure')
  })
})
