import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rulesOf } from '../../../test/connections.ts'
import {
  brief,
  names,
  type Report,
  reportOf,
  reportsOf,
  typeAndText,
  withObservations,
} from '../../../test/read-reports.ts'
import { DOCUMENTS, message, PATIENT, PDF } from '../../../test/report-messages.ts'

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
