import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { show, writePdf, writeStream } from '../../test/pdf.ts'
import { FileProblem, type FileProblemCode } from '../report.ts'
import { inspectFiles } from './inspect-files.ts'

const page = { content: show('Glucose 95 mg/dL', { x: 50, y: 700 }) }
const PDF = writePdf({ pages: [page, page] })
const create = { width: 20, height: 10, channels: 3, background: '#ffffff' } as const
const [JPEG, PNG] = await Promise.all([
  sharp({ create }).jpeg().toBuffer(),
  sharp({ create }).png().toBuffer(),
])
const bytes = (text: string) => Buffer.from(text, 'latin1')

async function assertRefused(files: Uint8Array[], code: FileProblemCode): Promise<void> {
  await assert.rejects(
    inspectFiles(files),
    (error) => error instanceof FileProblem && error.code === code,
  )
}

test('the type of a file is that of its content, its pages are counted', async () => {
  assert.deepEqual(await inspectFiles([PDF]), { type: 'pdf', pages: 2 })
  assert.deepEqual(await inspectFiles([JPEG]), { type: 'jpeg', pages: 1 })
  assert.deepEqual(await inspectFiles([PNG, JPEG]), { type: 'png', pages: 2 })
  assert.deepEqual(await inspectFiles([Buffer.concat([bytes('\n\r '), PDF])]), {
    type: 'pdf',
    pages: 2,
  })
})

test('a file that is empty, of another type, or a PDF among several is refused', async () => {
  await assertRefused([], 'empty_file')
  await assertRefused([JPEG, new Uint8Array()], 'empty_file')
  for (const text of [
    'GIF89a',
    'RIFF0000WEBPVP8 ',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'PK\x03\x04',
    '%PD',
  ]) {
    await assertRefused([bytes(text)], 'unsupported_file_type')
  }
  // Another file that holds a PDF further on.
  await assertRefused([Buffer.concat([bytes('GIF89a'), PDF])], 'unsupported_file_type')
  await assertRefused([PDF, JPEG], 'pdf_in_multi_upload')
  await assertRefused([JPEG, PDF], 'pdf_in_multi_upload')
})

test('a file that is several things is what it is at its beginning', async () => {
  assert.equal((await inspectFiles([Buffer.concat([JPEG, PDF])])).type, 'jpeg')
  assert.equal(
    (await inspectFiles([Buffer.concat([PNG, bytes('<script>PK\x03\x04')])])).type,
    'png',
  )
})

test('more pages than the contract allows are refused', async () => {
  assert.equal((await inspectFiles([writePdf({ pages: Array(20).fill(page) })])).pages, 20)
  await assertRefused([writePdf({ pages: Array(21).fill(page) })], 'too_many_pages')
})

test('a PDF that is cut off is not readable, wherever that is', async () => {
  for (const share of [0.05, 0.3, 0.6, 0.9, 0.99]) {
    await assertRefused([PDF.subarray(0, Math.floor(PDF.length * share))], 'unreadable_file')
  }
  const revision = Buffer.concat([PDF, bytes('100 0 obj\n<</Type/Page')])
  await assertRefused([revision], 'unreadable_file')
  const linearized = bytes(
    PDF.toString('latin1').replace(
      '%PDF-1.7\n',
      '%PDF-1.7\n9 0 obj<</Linearized 1/L 99999>>endobj\n',
    ),
  )
  await assertRefused([linearized], 'unreadable_file')
})

test('a PDF whose table of objects is wrong is read like its viewers do', async () => {
  const moved = bytes(
    PDF.toString('latin1').replace('%PDF-1.7\n', '%PDF-1.7\n% moves everything\n'),
  )
  assert.deepEqual(await inspectFiles([moved]), { type: 'pdf', pages: 2 })
  assert.deepEqual(
    await inspectFiles([Buffer.concat([PDF, bytes('\0\0\n<!-- sent by a portal -->')])]),
    {
      type: 'pdf',
      pages: 2,
    },
  )
})

test('a PDF that needs a password, or holds nothing, is not readable', async () => {
  const key = '0'.repeat(64)
  const objects = [`<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>`]
  const id = '/ID[<00><00>]/Encrypt 10 0 R'
  await assertRefused([writePdf({ pages: [page], objects, trailer: id })], 'unreadable_file')
  await assertRefused([bytes('%PDF-1.7\nnothing\n%%EOF\n')], 'unreadable_file')
  await assertRefused([writePdf({ pages: [] })], 'unreadable_file')
})

test('a PDF with scripts, or that starts programs, is refused, also when that is hidden', async () => {
  const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>'
  const packed = (text: string) =>
    writeStream('/Type/ObjStm/N 1/First 5/Filter/FlateDecode', deflateSync(bytes(`50 0 ${text}`)))
  const hostile = [
    { catalog: `/OpenAction${script}` },
    { catalog: `/OpenAction${script.replace('JavaScript', 'J#61va#53cript')}` },
    { catalog: '/OpenAction<</S/Launch/F(sh)>>' },
    { objects: [packed(script)] },
  ]
  for (const source of hostile)
    await assertRefused([writePdf({ pages: [page], ...source })], 'unreadable_file')
  const bomb = writeStream(
    '/Type/ObjStm/N 1/First 5/Filter/FlateDecode',
    deflateSync(new Uint8Array(40_000_000)),
  )
  await assertRefused([writePdf({ pages: [page], objects: [bomb] })], 'unreadable_file')
})

test('embedded files are not looked at', async () => {
  const objects = [
    '<</Type/Filespec/F(a.exe)/EF<</F 11 0 R>>>>',
    writeStream('/Type/EmbeddedFile', 'MZ'),
  ]
  const catalog = '/Names<</EmbeddedFiles<</Names[(a.exe)10 0 R]>>>>/AF[10 0 R]'
  assert.equal((await inspectFiles([writePdf({ pages: [page], objects, catalog })])).pages, 1)
})

test('one of several pictures that cannot be decoded is refused, one alone is left to parsing', async () => {
  const broken = Buffer.from(PNG)
  broken.fill(0xff, 40, 60)
  await assertRefused([PNG, broken], 'unreadable_file')
  await assertRefused([PNG, PNG.subarray(0, PNG.length - 30)], 'unreadable_file')
  assert.equal((await inspectFiles([broken])).pages, 1)
})
