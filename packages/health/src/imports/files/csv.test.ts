import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type CsvOptions, type CsvRow, openCsv } from './csv.ts'
import { ImportFileError } from './import-file-error.ts'
import { openImportFiles } from './import-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-csv-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function readTable(content: string | Buffer, options?: CsvOptions) {
  const path = join(folder, 'table')
  writeFileSync(path, content)
  const { files } = await openImportFiles(path, { maxBytes: 2 ** 30 })
  const [file] = files
  assert.ok(file)
  const table = await openCsv(file, options)
  const read: CsvRow[] = []
  for await (const batch of table.batches()) read.push(...batch)
  return { ...table, read, rows: read.map(({ cells }) => [...cells]) }
}

test('encodings, ends of lines, delimiters and byte order marks are detected', async () => {
  const text = 'Größe;Wert\r\n"a;b";1,5\r\n'
  const expected = { head: ['Größe', 'Wert'], rows: [['a;b', '1,5']], delimiter: ';' }
  for (const content of [
    text,
    `\ufeff${text}`,
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(text, 'latin1'),
    text.replaceAll('\r\n', '\n'),
    text.replaceAll('\r\n', '\r'),
    `sep=;\r\n${text}`,
  ]) {
    const { head, rows, delimiter } = await readTable(content)
    assert.deepEqual({ head, rows, delimiter }, expected)
  }
  assert.deepEqual((await readTable('a\tb\n1\t2')).rows, [['1', '2']])
})

test('a head row is found below others, and doubled names are read by position', async () => {
  const table = await readTable('Glucose Data,x\n\nTime,Elapsed,Elapsed\n1,2,3\n4\n', {
    isHead: (cells) => cells.includes('Time'),
  })
  assert.deepEqual(table.leading, [['Glucose Data', 'x']])
  assert.deepEqual(table.rows, [['1', '2', '3'], ['4']])
  const [row] = table.read
  assert.deepEqual(
    [row?.get('Elapsed'), row?.at(2), row?.get('none'), row?.pick(['Time', 'none'])],
    ['2', '3', '', { Time: '1', none: '' }],
  )
})

test('quotes hold delimiters, ends of lines and doubled quotes; a stray quote is text', async () => {
  const { rows } = await readTable('a,b\n"x, ""y""\nz",1\n5" disk,2\n')
  assert.deepEqual(rows, [
    ['x, "y"\nz', '1'],
    ['5" disk', '2'],
  ])
})

test('a long table is read in batches', async () => {
  const line = '2026-03-01T00:00:00Z,61,watch\n'
  const path = join(folder, 'long')
  writeFileSync(path, `time,bpm,source\n${line.repeat(200_000)}`)
  const { files } = await openImportFiles(path, { maxBytes: 2 ** 30 })
  const { batches } = await openCsv(files[0] ?? assert.fail())
  let [rows, largest] = [0, 0]
  for await (const batch of batches()) {
    rows += batch.length
    largest = Math.max(largest, batch.length)
  }
  assert.equal(rows, 200_000)
  assert.ok(largest < 20_000, String(largest))
})

test('no head row, an endless quote and no text are errors', async () => {
  const codeOf = (content: string | Buffer, options?: CsvOptions) =>
    readTable(content, options).then(
      () => assert.fail('it was read'),
      (error: unknown) => (error instanceof ImportFileError ? error.code : error),
    )
  assert.equal(await codeOf('a\n'.repeat(60), { isHead: () => false }), 'malformed_csv')
  assert.equal(await codeOf(''), 'malformed_csv')
  assert.equal(await codeOf(`a,b\n"${'x'.repeat(5 << 20)}`), 'malformed_csv')
  assert.equal(await codeOf(Buffer.from([97, 0, 1, 2])), 'wrong_encoding')
})
