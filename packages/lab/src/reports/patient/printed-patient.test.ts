import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReportHeader } from '@salus/lab-report-parser'
import { field, labReport } from '../../../../server/test/reports/fake-parser.ts'
import { type KnownPatient, matchPatient } from '../../patients/index.ts'
import { namesOtherPatients, readPrintedPatient } from './printed-patient.ts'

const KNOWN: KnownPatient = {
  source: 'demographics',
  first_name: 'Ada',
  last_name: 'Moreau',
  days: ['1990-04-03'],
  sex: 'female',
  isSure: true,
}

function matchHead(changes: Partial<ReportHeader>, age?: string) {
  const report = labReport()
  const header = { ...report.header, ...changes }
  const patient = { age: age === undefined ? null : field(age), others: [] }
  return matchPatient(readPrintedPatient({ ...report, header, patient }, []), [KNOWN])
}

test('an age replaces a birth date that is not printed', () => {
  const cases: [text: string, outcome: string, status: string][] = [
    ['35 Y', 'partial', 'match'],
    ['36', 'partial', 'match'],
    ['64 years', 'mismatch', 'mismatch'],
    ['7 months', 'not_comparable', 'match'],
  ]
  for (const [text, outcome, status] of cases) {
    const match = matchHead({ dateOfBirth: null }, text)
    assert.deepEqual([match.birth_date.outcome, match.status], [outcome, status], text)
  }
  const undated = { dateOfBirth: null, dateCollected: null, dateReported: null }
  assert.equal(matchHead(undated, '64').birth_date.outcome, 'not_comparable', 'when was that')
})

test('a birth date is compared with every day that it may mean', () => {
  const undated = { dateCollected: null, dateReported: null }
  const born = (text: string, others: Partial<ReportHeader> = undated) =>
    matchHead({ ...others, dateOfBirth: field(text) }).birth_date.outcome
  assert.equal(born('04/03/1990'), 'match')
  assert.equal(born('03/04/90'), 'match')
  assert.equal(born('03 / 04 / 1990'), 'match')
  assert.equal(born('3 April 1990'), 'match')
  assert.equal(born('03-APR-90'), 'match')
  assert.equal(born('03.04.1990'), 'match')
  assert.equal(born('1990'), 'partial')
  assert.equal(born('1990-03-04'), 'uncertain', 'day and month may be swapped')
  assert.equal(born('1991-04-03'), 'mismatch')
  // The other dates determine which comes first.
  assert.equal(born('03/04/1990', { dateCollected: field('27/02/2026') }), 'match')
  assert.equal(born('03/04/1990', { dateCollected: field('02/27/2026') }), 'uncertain')
})

test('a reading with low confidence is uncertain, until a reviewer corrects it', () => {
  const report = labReport()
  const header = { ...report.header, patientLastName: { ...field('Norcau'), confidence: 0.5 } }
  const correction = { position: null, field: 'patient_last_name', old_value: 'Norcau' }
  const read = readPrintedPatient({ ...report, header }, [])
  assert.deepEqual([read.last_name, read.unsure], ['Norcau', ['name']])
  const corrected = [{ ...correction, new_value: 'Moreau' }]
  const { last_name, unsure } = readPrintedPatient({ ...report, header }, corrected)
  assert.deepEqual([last_name, unsure], ['Moreau', []])
})

test('another spelling of the patient is the same patient', () => {
  const report = labReport()
  const names = (first: string, last: string) =>
    namesOtherPatients(
      { ...report, patient: { age: null, others: [{ first, last }] } },
      readPrintedPatient(report, []),
    )
  assert.equal(names('MOREAU', 'ADA'), false)
  assert.equal(names('A.', 'Moreau'), false)
  assert.equal(names('Ada', 'Moreaux'), false)
  assert.equal(names('Bob', 'Stone'), true)
  assert.equal(names('Eva', 'Moreau'), true)
})
