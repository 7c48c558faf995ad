import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type ReportedOrder,
  type ReportingLaboratory,
  startReporting,
} from './reporting-laboratory.ts'
import type { SentTest, SentValue } from './result-messages.ts'

/** Cultures, withdrawals and cancellations over the wire, as a physician reads them. */

let laboratory: ReportingLaboratory

before(async () => {
  laboratory = await startReporting()
})
after(() => laboratory?.wired.close())

const organism = (value: string, subId = '', status = 'F'): SentValue => ({
  ...{ code: '630-4', name: 'Bacteria identified', system: 'LN', type: 'ST', value, subId, status },
})
const culture = (status: string, ...values: SentValue[]): SentTest => ({
  ...{ code: '395', name: 'Urine culture', filler: 'C-395', status, values },
})
const susceptibility = (subId: string, organismName: string, value: string): SentTest => ({
  ...{ code: '395S', name: 'Susceptibility', filler: `C-395-${subId}` },
  reflex: { result: `630-4&Bacteria identified&LN^${subId}^${organismName}`, parent: '^C-395' },
  values: [{ code: 'AMP', name: 'Ampicillin', type: 'ST', value, flag: 'R', subId: '1' }],
})
const thyroid = (value: string, status = 'F', code = 'R1'): SentTest => ({
  ...{ code: '100', name: 'TSH', filler: 'C-100', status },
  values: [{ code, name: 'TSH', value, unit: 'm[IU]/L', range: '0.450-4.500' }],
})
const glucose = (value: string, status = 'F'): SentTest => ({
  ...{ code: '200', name: 'Glucose', filler: 'C-200', status },
  values: [{ code: '2345-7', name: 'Glucose', system: 'LN', value, unit: 'mg/dL' }],
})

/** Each result as `value sub-id (status) < parent`. */
async function shown(order: ReportedOrder): Promise<string[]> {
  const { results } = await order.results()
  return results.map(
    (each: Record<string, string> & { parent: { result: string } | null }) =>
      `${each.result} ${each.sub_id ?? '-'} (${each.status})${each.parent ? ` < ${each.parent.result}` : ''}`,
  )
}

describe('a culture', () => {
  test('without growth at first names its organism at last', async () => {
    const order = await laboratory.place()
    await order.report(culture('P', organism('No growth at 24 hours', '', 'P')))
    assert.deepEqual(await shown(order), ['No growth at 24 hours - (preliminary)'])
    await order.report(culture('F', organism('Escherichia coli', '1')))
    assert.deepEqual(await shown(order), ['Escherichia coli 1 (final)'])
  })

  test('whose isolates are renamed and numbered anew shows the last ones only', async () => {
    const order = await laboratory.place()
    const [rods, cocci] = [organism('Gram negative rods', '1', 'P'), organism('Cocci', '2', 'P')]
    await order.report(culture('P', rods, cocci))
    await order.report(culture('F', organism('Staphylococcus aureus', '1')))
    assert.deepEqual(await shown(order), ['Staphylococcus aureus 1 (final)'])
  })

  test('has susceptibilities that come later, below their isolates', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('2.1'), glucose('88'))
    const isolates = [organism('Escherichia coli', '1'), organism('Klebsiella oxytoca', '2')]
    await order.report(culture('F', ...isolates))
    assert.equal(await order.status(), 'completed')
    await order.report(susceptibility('2', 'Klebsiella oxytoca', '>=32'))
    await order.report(susceptibility('1', 'Escherichia coli', '<=2'))
    const drugs = (await shown(order)).filter((each) => each.includes('<'))
    assert.deepEqual(drugs, [
      '>=32 1 (final) < Klebsiella oxytoca',
      '<=2 1 (final) < Escherichia coli',
    ])
    assert.equal(await order.status(), 'completed')
  })
})

describe('a withdrawal', () => {
  test('is undone by a later value, and beside a new value only ends the old one', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('9.9'), glucose('88'), culture('F', organism('No growth')))
    await order.report(thyroid('', 'W'))
    assert.deepEqual(await order.values('R1'), [])
    await order.report(thyroid('2.1', 'C'))
    assert.deepEqual(await order.values('R1'), [' 2.1 13:00 corrected'])
    const [old] = thyroid('2.1', 'D').values
    const [right] = thyroid('2.4', 'C').values
    await order.report({
      ...thyroid('2.4', 'C'),
      values: [
        { ...(old as SentValue), status: 'D' },
        { ...(right as SentValue), status: 'C' },
      ],
    })
    assert.deepEqual(await order.values('R1'), [' 2.4 13:00 corrected'])
    assert.equal(await order.status(), 'corrected')
  })
})

describe('an order of three tests', () => {
  test('of which one is cancelled is complete without it', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('2.1'), { ...glucose('', 'X'), values: [] })
    assert.equal(await order.status(), 'partial_results')
    await order.report(culture('F', organism('No growth')))
    assert.equal(await order.status(), 'completed')
    const { missing_results: missing, metadata } = await order.results()
    assert.deepEqual(
      [missing.map(({ loinc }: { loinc: string }) => loinc), metadata.status],
      [['2345-7'], 'final'],
    )
  })

  test('has one analyte of two panels twice, each corrected for itself', async () => {
    const order = await laboratory.place()
    const other: SentTest = { ...glucose('91'), code: '201', name: 'Metabolic', filler: 'C-201' }
    await order.report(glucose('88'), other)
    await order.report({ ...other, status: 'C', values: glucose('95', 'C').values })
    assert.deepEqual(await order.values('2345-7'), [' 88 13:00 final', ' 95 13:00 corrected'])
  })

  test('keeps the text of a report and its addendum', async () => {
    const order = await laboratory.place()
    const text = (value: string, code: string): SentTest => ({
      ...{ code: '395', name: 'Urine culture', filler: 'C-395' },
      values: [{ code, name: 'Microscopy', type: 'TX', value }],
    })
    await order.report(text('Squamous cells.', '88304&GDT'))
    await order.report(text('Addendum: atypia seen on review.', '88304&ADT'))
    assert.deepEqual(
      (await order.results()).results.map(({ result }: { result: string }) => result),
      ['Squamous cells.', 'Addendum: atypia seen on review.'],
    )
  })
})

test('a result with another name is held with its documents, which the accept brings along', async () => {
  const order = await laboratory.place()
  const { wired } = laboratory
  const { pool } = wired.harness.database
  const pid = order.sent.segments.find(([name]) => name === 'PID')?.join('|') ?? ''
  const wrong = pid.replace(/\|[A-Z]+\^[A-Z]+/, '|OTHERNAME^WALDO')
  assert.notEqual(wrong, pid)
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
  await order.send([
    'MSH|^~\\&|LAB|NORTH|SALUS||20260301120000||ORU^R01|H-1|P|2.3',
    wrong,
    `ORC|RE|${order.sent.placer}|H-100`,
    `OBR|1|${order.sent.placer}|H-100|100^TSH^L|||202603010800|||||||||||||||20260301120000|||F`,
    'OBX|1|NM|R1^TSH^L||2.1|m[IU]/L|0.450-4.500||||F',
    `OBX|2|ED|GEL^Gel^L||^image^png^Base64^${png}||||||F`,
  ])
  const { rows } = await pool.query(
    "select id, document_files from unmatched_results where status like 'pending%'",
  )
  assert.deepEqual([rows.length, rows[0].document_files.length], [1, 1])
  const settings = { match_review_enabled: true }
  await wired.harness.manage('PATCH', `/team/${wired.teamId}`, { production: settings })
  await pool.query("update unmatched_results set status = 'pending_customer_review'")
  const accepted = await wired.call('POST', `/v3/unmatched_result/${rows[0].id}/accept`, {
    order_id: order.id,
    user_id: order.userId,
  })
  assert.equal(accepted.status, 200, accepted.text)
  const [document] = (await order.results()).documents
  const path = `/v3/order/${order.id}/result/document/${document.id}`
  assert.equal((await wired.call('GET', path)).bytes.toString('base64'), png)
  const undone = await wired.call('POST', `/v3/unmatched_result/${rows[0].id}/undo`)
  assert.equal(undone.status, 200, undone.text)
  assert.equal((await wired.call('GET', path)).status, 404)
})
