import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OrderUpdate, ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'
import { rulesOf } from '../../../test/connections.ts'
import {
  CULTURE,
  DOCUMENTS,
  EVERY_STATUS,
  HEADER_251,
  LEGACY_PANEL,
  message,
  PATIENT,
  PDF,
  SEVERAL_PATIENTS,
} from '../../../test/report-messages.ts'
import { readMessages } from './read-messages.ts'

const LOI = rulesOf('loi-lri-2.5.1')
const LEGACY = rulesOf('hl7-2.3-legacy')
const PER_TEST = rulesOf('loi-lri-2.5.1', { numbers: { placer: { per: 'test' } } })

type Report = Extract<OrderUpdate, { kind: 'report' }>

function reportsOf(content: Buffer, rules = LOI): Report[] {
  return readMessages(rules, content).map((update) => {
    assert.equal(update.kind, 'report')
    return update as Report
  })
}

function reportOf(content: Buffer, rules = LOI): ResultMessage {
  const [update, ...others] = reportsOf(content, rules)
  assert.equal(others.length, 0)
  return (update as Report).report
}

const brief = ({ name, result, status, test, sub_id }: ReportedResult) => [
  ...[name, result, status, test],
  ...(sub_id === undefined ? [] : [sub_id]),
]
const names = (list: readonly { name: string }[] = []) => list.map(({ name }) => name)

/** A message of 2.5.1 with one test and these observations. */
const withObservations = (...segments: string[]) =>
  message(
    HEADER_251,
    PATIENT,
    'ORC|RE|SA00000050^SALUS|FL-50^ACME',
    'OBR|1|SA00000050^SALUS|FL-50^ACME|500^Panel^L|||||||||||||||||||||F',
    ...segments,
  )
const typeAndText = (type: string, value: string, more = '||||||F') => {
  const [result] = reportOf(
    withObservations(`OBX|1|${type}|501^Analyte^L||${value}${more}`),
  ).results
  return result && [result.type, result.result]
}

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

describe('documents', () => {
  const report = reportOf(DOCUMENTS)

  test('are found by their bytes, and the first PDF is the report', () => {
    assert.deepEqual(Buffer.from(report.pdf ?? '', 'base64'), PDF)
    assert.deepEqual(
      report.documents?.map(({ name, content_type, test }) => [name, content_type, test]),
      [
        ['Page', 'text/html', '1'],
        ['Page', 'application/pdf', '1'],
      ],
    )
    // The second PDF came in two pieces.
    assert.deepEqual(Buffer.from(report.documents?.[1]?.content ?? '', 'base64'), PDF)
  })

  test('do not hide the text beside them, whose lines are one result', () => {
    assert.deepEqual(report.results.map(brief), [
      ['Diagnosis', 'Benign.\nNo further action.', 'final', '1'],
    ])
  })

  test('that cannot be decoded are noted', () => {
    const { pdf, notes } = reportOf(withObservations('OBX|1|ED|P^P^L||^AP^PDF^Base64^!!!||||||F'))
    assert.equal(pdf, null)
    assert.equal(notes, 'The laboratory sent a document that cannot be decoded.')
  })

  test('of MDM^T02 are read, and end no test', () => {
    const content = message(
      'MSH|^~\\&|LIS|ACME|SALUS|ACCT100|20260309085000-0700||MDM^T02|M-1|P|2.3',
      'EVN|T02|20260309085000',
      PATIENT,
      'TXA|1|PN|TX|20260309080000||||||||D-1||SA00000093|FL-93||AU',
      'OBX|1|TX|11526-1^Pathology report^LN||Line one||||||F',
      'OBX|2|TX|11526-1^Pathology report^LN||Line two||||||F',
    )
    const [update] = reportsOf(content)
    assert.deepEqual(update?.order.placerNumbers, ['SA00000093'])
    const { report } = update as Report
    assert.equal(report.status, 'partial')
    assert.deepEqual(report.results, [])
    assert.equal(
      Buffer.from(report.documents?.[0]?.content ?? '', 'base64').toString('utf8'),
      'Line one\nLine two',
    )
  })

  test('in texts are documents where the connection names their code', () => {
    const rules = rulesOf('loi-lri-2.5.1', { result: { document_codes: ['PDF'] } })
    const content = withObservations(`OBX|1|ST|PDF^Report^L||${PDF.toString('base64')}||||||F`)
    assert.deepEqual(Buffer.from(reportOf(content, rules).pdf ?? '', 'base64'), PDF)
  })
})

describe('a value', () => {
  test('is read by its type', () => {
    assert.deepEqual(typeAndText('NM', ' 5.20 '), ['numeric', '5.20'])
    assert.deepEqual(typeAndText('NM', '<10'), ['range', '<10'])
    assert.deepEqual(typeAndText('NM', '>= 10'), ['range', '>=10'])
    assert.deepEqual(typeAndText('NM', 'see below'), ['comment', 'see below'])
    assert.deepEqual(typeAndText('SN', '>=^32'), ['range', '>=32'])
    assert.deepEqual(typeAndText('SN', '^3^-^5'), ['range', '3-5'])
    assert.deepEqual(typeAndText('SN', '=^7'), ['numeric', '7'])
    assert.deepEqual(typeAndText('SN', '^1^:^128'), ['comment', '1:128'])
    assert.deepEqual(typeAndText('CWE', '260385009^Negative^SCT'), ['comment', 'Negative'])
    assert.deepEqual(typeAndText('CE', 'NOT_DETECTED'), ['coded_value', 'NOT_DETECTED'])
    assert.deepEqual(typeAndText('ST', 'A \\T\\ B'), ['comment', 'A & B'])
    assert.deepEqual(typeAndText('FT', 'one\\.br\\two~three'), ['comment', 'one\ntwo\nthree'])
    assert.deepEqual(typeAndText('DT', '20260301'), ['comment', '2026-03-01'])
    assert.deepEqual(typeAndText('TM', '0830'), ['numeric', '0830'])
  })

  test('that is empty is missing as a number, and a heading as a text', () => {
    const { results, missing_results } = reportOf(
      withObservations('OBX|1|ST|1^Heading^L||||||||F', 'OBX|2|NM|2^Number^L||||||||F'),
    )
    assert.deepEqual(results, [])
    assert.deepEqual(names(missing_results), ['Number'])
  })

  test('that is deleted is taken back', () => {
    const { withdrawn } = reportOf(withObservations('OBX|1|NM|1^Number^L||""||||||C'))
    assert.deepEqual(withdrawn, [
      { test: '1', name: 'Number', provider_id: '1', loinc: null, reason: 'deleted' },
    ])
  })

  test('without a name is a note and no result', () => {
    const { results, notes } = reportOf(withObservations('OBX|1|ST|||loose words||||||F'))
    assert.deepEqual(results, [])
    assert.equal(notes, 'loose words')
  })

  test('of a code that repeats without a sub-id keeps its own', () => {
    const line = (set: number, value: string) => `OBX|${set}|NM|7^Repeat^L||${value}||||||F`
    const { results } = reportOf(withObservations(line(1, '1'), line(2, '2')))
    assert.deepEqual(results.map(brief), [
      ['Repeat', '1', 'final', '1'],
      ['Repeat', '2', 'final', '1', '#2'],
    ])
  })

  test('has the range of its note where the connection says how', () => {
    const rules = rulesOf('loi-lri-2.5.1', {
      result: { range_from_notes: '^Reference range:\\s*(.+)$' },
    })
    const content = withObservations(
      'OBX|1|NM|1^Number^L||5|g|  ||||F',
      'NTE|1|L|Reference range: 32 to 36',
    )
    const [result] = reportOf(content, rules).results
    assert.equal(result?.reference_range, '32 to 36')
    assert.deepEqual([result?.min_range_value, result?.max_range_value], [32, 36])
  })

  test('has codes, units and flags by the maps of the connection', () => {
    const rules = rulesOf('loi-lri-2.5.1', {
      codes: {
        to_loinc: { '501': '2345-7' },
        units: { 'x10E3/uL': '10*3/uL' },
        flags: { C: 'HH' },
      },
    })
    const content = withObservations('OBX|1|NM|501^Number^L||5|x10E3/uL||QCF~C|||F')
    const [result] = reportOf(content, rules).results
    assert.equal(result?.loinc, '2345-7')
    assert.equal(result?.ucum, '10*3/uL')
    assert.deepEqual(result?.flags, ['QCF', 'HH'])
    assert.equal(result?.flag, 'HH')
  })

  test('has a LOINC code without a system by its check digit, and keeps the own code', () => {
    const codesOf = (code: string) => {
      const [result] = reportOf(withObservations(`OBX|1|NM|${code}||5||||||F`)).results
      return [result?.provider_id, result?.loinc]
    }
    assert.deepEqual(codesOf('2345-7^Glucose'), ['2345-7', '2345-7'])
    assert.deepEqual(codesOf('2345-6^Glucose'), ['2345-6', null])
    assert.deepEqual(codesOf('2345-7^Glucose^L'), ['2345-7', null])
    assert.deepEqual(codesOf('2345-7^Glucose^LN'), [null, '2345-7'])
    assert.deepEqual(codesOf('2345-7^Glucose^LN^G1^GLU^L'), ['G1', '2345-7'])
    assert.deepEqual(codesOf('^^^7600^LIPID'), ['7600', null])
  })

  test('that is an answer to a question is no result, but says whether the patient fasted', () => {
    const { results, fasting } = reportOf(
      withObservations(
        'OBX|1|CWE|49541-6^Fasting status^LN||Y^Yes^HL70136||||||F||||||||||||||||||QST',
      ),
    )
    assert.deepEqual(results, [])
    assert.equal(fasting, true)
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
