import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type ReportedOrder,
  type ReportingLaboratory,
  startReporting,
} from './reporting-laboratory.ts'
import type { SentTest, SentValue } from './result-messages.ts'

/** Documents of a laboratory beside its values, byte for byte, until it takes them back. */

let laboratory: ReportingLaboratory

before(async () => {
  laboratory = await startReporting()
})
after(() => laboratory?.wired.close())

const pdfOf = (text: string): Buffer =>
  Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n`)
const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex')
const RTF = Buffer.from('{\\rtf1 Microscopy of the sediment}')

const attached = (name: string, content: Buffer, status = 'F'): SentValue => ({
  ...{ code: name.toUpperCase(), name, type: 'ED', status },
  value: `^application^octet-stream^Base64^${content.toString('base64')}`,
})
const thyroid = (value: string, ...documents: SentValue[]): SentTest => ({
  ...{ code: '100', name: 'TSH', filler: 'D-100' },
  values: [{ code: 'R1', name: 'TSH', value, unit: 'm[IU]/L', range: '0.450-4.500' }, ...documents],
})
const glucose: SentTest = {
  ...{ code: '200', name: 'Glucose', filler: 'D-200' },
  values: [{ code: '2345-7', name: 'Glucose', system: 'LN', value: '88' }],
}
const culture: SentTest = {
  ...{ code: '395', name: 'Urine culture', filler: 'D-395' },
  values: [{ code: '630-4', name: 'Bacteria', system: 'LN', type: 'ST', value: 'No growth' }],
}
const only = (...documents: SentValue[]): SentTest => ({
  ...{ code: 'PDFR', name: 'Report', filler: 'D-PDF', values: documents },
})

const call = (path: string) => laboratory.wired.call('GET', path)

/** Documents of the results as they are listed, with a hash of what is served under their ids. */
async function documentsOf(order: ReportedOrder, query = ''): Promise<unknown[]> {
  const { documents } = await order.results(query)
  const shown = []
  for (const { id, name, content_type, size, status, panel, version, is_report } of documents) {
    const path = `/v3/order/${order.id}/result/document/${id}${query}`
    const { status: code, bytes, headers } = await call(path)
    assert.deepEqual([code, headers['content-type'], bytes.length], [200, content_type, size])
    shown.push([name, content_type, status, panel, version, is_report, hashOf(bytes)])
  }
  return shown
}
const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 8)

async function assertPdf(order: ReportedOrder, content: Buffer | null): Promise<void> {
  const { status, bytes } = await call(`/v3/order/${order.id}/result/pdf`)
  assert.equal(status, 200)
  if (content === null) assert.ok(bytes.length > 3000, 'the result PDF is not a rendered one')
  else assert.equal(bytes.toString(), content.toString())
}

describe('documents of a laboratory', () => {
  test('of any kind are listed with their test, and served by their bytes', async () => {
    const order = await laboratory.place()
    const [first, second] = [pdfOf('first'), pdfOf('second')]
    const images = [attached('Gel', PNG), attached('Sediment', RTF)]
    await order.report(thyroid('2.1', attached('Report', first), ...images), {
      ...glucose,
      values: [...glucose.values, attached('Curve', second)],
    })
    assert.deepEqual(await documentsOf(order), [
      ['Report', 'application/pdf', 'final', 'TSH', 1, true, hashOf(first)],
      ['Gel', 'image/png', 'final', 'TSH', 1, false, hashOf(PNG)],
      ['Sediment', 'application/rtf', 'final', 'TSH', 1, false, hashOf(RTF)],
      ['Curve', 'application/pdf', 'final', 'Glucose', 1, false, hashOf(second)],
    ])
    await assertPdf(order, first)
    const { documents } = (await call(`/v3/user/${order.userId}/document?type=result_document`))
      .body
    assert.equal(documents.length, 3)
    for (const { path, content_type: type } of documents) {
      assert.equal((await call(path)).headers['content-type'], type)
    }
  })

  test('that are no picture are saved, and not opened', async () => {
    const order = await laboratory.place()
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    await order.report(thyroid('2.1', attached('Page', page)))
    const [{ id }] = (await order.results()).documents
    const { headers } = await call(`/v3/order/${order.id}/result/document/${id}`)
    assert.equal(headers['content-disposition'], `attachment; filename="${id}.html"`)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  test('are those of the order only', async () => {
    const [one, other] = [await laboratory.place(), await laboratory.place()]
    await one.report(thyroid('2.1', attached('Gel', PNG)))
    await other.report(thyroid('2.2'))
    const [{ id }] = (await one.results()).documents
    const { status, text } = await call(`/v3/order/${other.id}/result/document/${id}`)
    assert.equal(status, 404)
    assert.match(text, /document_not_available/)
  })
})

describe('the result PDF of a laboratory that sends pieces', () => {
  test('is the one that follows the last result, and clients hear of it', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('2.1', attached('Report', pdfOf('of one test'))))
    await assertPdf(order, pdfOf('of one test'))
    await order.report(glucose)
    await assertPdf(order, null)
    await order.report(culture)
    assert.equal(await order.status(), 'completed')
    const before = await order.events()
    await order.report(only(attached('Final report', pdfOf('of all'))))
    await assertPdf(order, pdfOf('of all'))
    assert.equal(await order.status(), 'completed')
    assert.deepEqual((await order.events()).slice(before.length), ['labtest.order.updated'])
    assert.deepEqual(
      (await documentsOf(order)).map((each) => (each as unknown[]).slice(0, 6)),
      [
        ['Report', 'application/pdf', 'final', 'TSH', 1, false],
        ['Final report', 'application/pdf', 'final', 'Report', 4, true],
      ],
    )
  })

  test('gives way to a rendered one when a value is corrected without it', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('2.1'), glucose, culture, only(attached('Report', pdfOf('all'))))
    await assertPdf(order, pdfOf('all'))
    await order.report({ ...thyroid('3.3'), status: 'C' })
    assert.equal(await order.status(), 'corrected')
    await assertPdf(order, null)
  })

  test('is not a document of pathology that has no test', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('2.1'), glucose, culture)
    const pathology = pdfOf('pathology')
    await order.send([
      'MSH|^~\\&|LAB|NORTH|SALUS||20260302090000||MDM^T02|M-1|P|2.3',
      order.sent.segments.find(([name]) => name === 'PID')?.join('|') ?? '',
      `TXA|1|PR|||20260302090000||||||||D-1|${order.sent.placer}`,
      `OBX|1|ED|PATH^Pathology^L||^application^pdf^Base64^${pathology.toString('base64')}||||||F`,
    ])
    await assertPdf(order, null)
    assert.deepEqual(await documentsOf(order), [
      ['Pathology', 'application/pdf', 'final', null, 2, false, hashOf(pathology)],
    ])
  })
})

describe('a document that the laboratory takes back', () => {
  test('is gone, as is one that it corrects, and one of a report with another person', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('2.1', attached('Gel', PNG)), glucose, culture)
    const gel = pdfOf('gel, corrected')
    await order.report({ ...thyroid('2.1'), values: [attached('Gel', PNG, 'D')] })
    assert.deepEqual(await documentsOf(order), [])
    assert.equal((await documentsOf(order, '?version=1')).length, 1)
    assert.equal(await order.status(), 'corrected')
    await order.report(thyroid('2.1', attached('Gel', gel)))
    await order.report({
      ...thyroid('2.1'),
      values: [{ code: 'R1', name: 'TSH', value: '2.1', status: 'W' }],
    })
    assert.deepEqual(await documentsOf(order), [])
    const events = await order.events()
    assert.ok(events.includes('labtest.result.withdrawn'))
  })

  test('makes room for its correction', async () => {
    const order = await laboratory.place()
    await order.report(thyroid('2.1', attached('Gel', PNG, 'P')))
    await order.report(thyroid('2.1', attached('Gel', pdfOf('final'))))
    await order.report({ ...thyroid('2.1', attached('Gel', pdfOf('corrected'), 'C')) })
    assert.deepEqual(
      (await documentsOf(order)).map((each) => (each as unknown[]).slice(1, 5)),
      [['application/pdf', 'corrected', 'TSH', 3]],
    )
  })
})
