import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ReportingLaboratory, startReporting } from './reporting-laboratory.ts'
import type { SentTest, SentValue } from './result-messages.ts'

/** A glucose tolerance test over the wire: one code at 0, 60 and 120 minutes, 08:00 in New York. */

let laboratory: ReportingLaboratory

before(async () => {
  laboratory = await startReporting()
})
after(() => laboratory?.wired.close())

const glucose = (value: string, observedAt?: string, status = 'F'): SentValue => ({
  code: '2345-7',
  name: 'Glucose',
  system: 'LN',
  value,
  unit: 'mg/dL',
  range: '70-99',
  status,
  ...(observedAt !== undefined && { observedAt }),
})
const inOneTest = (status: string, ...values: SentValue[]): SentTest => ({
  ...{ code: '200', name: 'Glucose tolerance', filler: 'G-1', status, values },
})
const draw = (drawnAt: string, value: SentValue, status = 'F'): SentTest => ({
  ...{ code: '200', name: 'Glucose tolerance', filler: 'G-1', drawnAt, status },
  values: [value],
})

describe('timed draws of one code', () => {
  test('in one test are distinguished by their times, also when one alone is corrected', async () => {
    const order = await laboratory.place()
    const [first, second] = [glucose('88'), glucose('190', '202603010900')]
    await order.report(inOneTest('F', first, second, glucose('141', '202603011000')))
    assert.deepEqual(await order.values('2345-7'), [
      ' 88 13:00 final',
      '#2 190 14:00 final',
      '#3 141 15:00 final',
    ])
    await order.report(inOneTest('C', glucose('151', '202603011000', 'C')))
    assert.deepEqual(await order.values('2345-7'), [
      ' 88 13:00 final',
      '#2 190 14:00 final',
      '#3 151 15:00 corrected',
    ])
  })

  test('in tests of one number and code are distinguished by OBR-7', async () => {
    const order = await laboratory.place()
    await order.report(
      draw('202603010800', glucose('88')),
      draw('202603010900', glucose('190')),
      draw('202603011000', glucose('', undefined, 'X'), 'X'),
    )
    assert.deepEqual(await order.values('2345-7'), [' 88 13:00 final', ' 190 14:00 final'])
    const { missing_results: missing } = await order.results()
    assert.equal(missing.filter(({ loinc }: { loinc: string }) => loinc === '2345-7').length, 1)
    await order.report(draw('202603010900', glucose('170', undefined, 'C'), 'C'))
    assert.deepEqual(await order.values('2345-7'), [' 88 13:00 final', ' 170 14:00 corrected'])
  })

  test('are each critical for themselves', async () => {
    const order = await laboratory.place()
    const critical = (value: string) => ({ ...glucose(value), flag: 'HH' })
    await order.report(draw('202603010800', critical('501')), draw('202603010900', glucose('99')))
    await order.report(draw('202603010900', critical('530')))
    const events = await order.events()
    assert.equal(events.filter((type) => type === 'labtest.result.critical').length, 2)
  })

  test('withdrawn without a time are all gone', async () => {
    const order = await laboratory.place()
    await order.report(inOneTest('F', glucose('88'), glucose('190', '202603010900')))
    await order.report(inOneTest('F', glucose('', undefined, 'W')))
    assert.deepEqual(await order.values('2345-7'), [])
  })
})

test('one test of two specimens has the values of both', async () => {
  const order = await laboratory.place()
  const specimen = (kind: string, value: string, status = 'F'): SentTest => ({
    ...draw('202603010800', glucose(value, undefined, status)),
    specimen: kind,
    status,
  })
  await order.report(specimen('SER&Serum', '88'), specimen('CSF&Cerebrospinal fluid', '61'))
  await order.report(specimen('CSF&Cerebrospinal fluid', '60', 'C'))
  const { results } = await order.results()
  assert.deepEqual(
    results
      .filter(({ loinc }: { loinc: string }) => loinc === '2345-7')
      .map((each: Record<string, string>) => [each.specimen_type, each.result, each.status]),
    [
      ['Serum', '88', 'final'],
      ['Cerebrospinal fluid', '60', 'corrected'],
    ],
  )
})
