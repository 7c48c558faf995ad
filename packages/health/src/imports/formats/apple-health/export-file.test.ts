import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { buildZip, type ZipPart } from '../../../../../server/test/imports/build-zip.ts'
import { openExportXml } from './export-file.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')
const XML = Buffer.from('<?xml version="1.0"?>\n<HealthData locale="es_ES"></HealthData>\n')
const CDA = Buffer.from(`<ClinicalDocument>${' '.repeat(500)}</ClinicalDocument>`)
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apple-health-'))
})
after(() => rm(folder, { recursive: true }))

async function saved(content: Uint8Array): Promise<string> {
  // A name without an extension: the kind must come from the content.
  const path = join(folder, 'upload.bin')
  await writeFile(path, content)
  return path
}

async function xmlIn(parts: ZipPart[]): Promise<string> {
  const { stream } = await openExportXml(await saved(buildZip(parts)))
  return (await buffer(stream)).toString()
}

async function codeOf(content: Uint8Array, maxXmlBytes?: number): Promise<string> {
  const path = await saved(content)
  const reading = openExportXml(path, { maxXmlBytes }).then(({ stream }) => buffer(stream))
  return reading.then(
    () => 'no error',
    (error) => error.code,
  )
}

test('a plain export.xml is streamed with its progress', async () => {
  const path = join(FIXTURES, 'iphone6s-export-sample.xml')
  const { stream, totalBytes, consumedBytes } = await openExportXml(path)
  assert.equal(consumedBytes(), 0)
  const bytes = await buffer(stream)
  assert.equal(bytes.equals(await readFile(path)), true)
  assert.equal(totalBytes, bytes.length)
  assert.equal(consumedBytes(), totalBytes)
})

test('the export.xml of a zip is streamed with its progress', async () => {
  const opened = await openExportXml(join(FIXTURES, 'synthetic-30d-export.zip'))
  assert.equal(opened.totalBytes, 2_333_108)
  const bytes = await buffer(opened.stream)
  assert.equal(bytes.length, 2_333_108)
  assert.equal(opened.consumedBytes(), 2_333_108)
})

test('export.xml is taken from any folder, stored or deflated, never export_cda.xml', async () => {
  const cda = { name: 'apple_health_export/export_cda.xml', content: CDA }
  for (const stored of [true, false]) {
    const parts = [cda, { name: 'a/b/export.xml', content: XML, stored }]
    assert.equal(await xmlIn(parts), XML.toString())
  }
})

test('a translated name is found by its content', async () => {
  const other = { name: 'apple_health_export/notes.xml', content: CDA }
  for (const name of ['exportación.xml', 'Export.xml', '导出.xml']) {
    const cda = { name: `apple_health_export/${name.replace('.xml', '_cda.xml')}`, content: CDA }
    const parts = [cda, other, { name: `apple_health_export/${name}`, content: XML }]
    assert.equal(await xmlIn(parts), XML.toString())
  }
})

test('a zip64 archive is read', async () => {
  const zip = buildZip([{ name: 'export.xml', content: XML }], { zip64: true })
  const { stream } = await openExportXml(await saved(zip))
  assert.equal((await buffer(stream)).toString(), XML.toString())
})

test('what is no export is refused with a code', async () => {
  assert.equal(await codeOf(Buffer.alloc(0)), 'not_an_export')
  assert.equal(await codeOf(Buffer.from('hello')), 'not_an_export')
  assert.equal(await codeOf(CDA), 'not_an_export')
  assert.equal(await codeOf(buildZip([])), 'no_export_inside')
  const onlyCda = [{ name: 'apple_health_export/export_cda.xml', content: CDA }]
  assert.equal(await codeOf(buildZip(onlyCda)), 'no_export_inside')
})

test('an encrypted or damaged zip is refused with a code', async () => {
  const part = { name: 'export.xml', content: XML }
  assert.equal(await codeOf(buildZip([{ ...part, encrypted: true }])), 'encrypted')
  assert.equal(await codeOf(buildZip([{ ...part, wrongChecksum: true }])), 'corrupt_zip')
  assert.equal(await codeOf(buildZip([{ ...part, method: 12 }])), 'unsupported_zip')
  const zip = buildZip([part])
  assert.equal(await codeOf(zip.subarray(0, zip.length - 30)), 'truncated_zip')
  const whole = await readFile(join(FIXTURES, 'synthetic-30d-export.zip'))
  assert.equal(await codeOf(whole.subarray(0, 60_000)), 'truncated_zip')
  const garbled = Buffer.from(whole)
  garbled.fill(0xff, 50_000, 50_100)
  assert.equal(await codeOf(garbled), 'corrupt_zip')
})

test('a small zip that holds one text again and again is refused', async () => {
  const content = Buffer.concat([XML, Buffer.alloc(20 * 2 ** 20, '<!-- again -->')])
  assert.equal(await codeOf(buildZip([{ name: 'export.xml', content }])), 'compressed_too_far')
  const small = Buffer.concat([XML, Buffer.alloc(2 ** 20, '<!-- again -->')])
  assert.equal(await codeOf(buildZip([{ name: 'export.xml', content: small }])), 'no error')
})

test('an export above the limit is refused, zipped or not', async () => {
  assert.equal(await codeOf(XML, 10), 'xml_too_large')
  assert.equal(await codeOf(buildZip([{ name: 'export.xml', content: XML }]), 10), 'xml_too_large')
})

test('an entry that is larger than it claims is refused', async () => {
  const bomb = Buffer.concat([XML, Buffer.alloc(100_000, ' ')])
  const zip = buildZip([{ name: 'export.xml', content: bomb, claimedBytes: XML.length }])
  assert.equal(await codeOf(zip, 1000), 'corrupt_zip')
})

test('a missing file gives the error of the file system', async () => {
  await assert.rejects(openExportXml(join(folder, 'absent')), { code: 'ENOENT' })
})
