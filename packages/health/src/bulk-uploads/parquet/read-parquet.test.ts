import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AppError } from '@salus/kernel/errors'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { type Row, writeParquet } from '../../../../server/test/bulk-uploads/write-parquet.ts'
import { ReadRow } from '../rows.ts'
import { readParquet } from './read-parquet.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-parquet-'))
after(() => rmSync(folder, { recursive: true }))

let files = 0

async function read(content: Uint8Array, maxBytes = 1e9): Promise<Row[]> {
  const path = join(folder, `${files++}.parquet`)
  writeFileSync(path, content)
  const rows: Row[] = []
  for await (const { firstLine, items } of readParquet(path, maxBytes)) {
    assert.equal(firstLine, rows.length + 1)
    rows.push(...items.map((item) => (item instanceof ReadRow ? item.toItem() : item) as Row))
  }
  return rows
}

const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof AppError && error.errorType === 'invalid_parquet' && message.test(error.message)

const START_MS = Date.UTC(2024, 2, 1)
const isoOf = (minute: number) =>
  new Date(START_MS + minute * 60_000).toISOString().replace('.000', '')

/** Rows with gaps, long and short texts, and runs of the same user. */
const makeRows = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    user_id: `00000000-0000-4000-8000-${String(Math.floor(index / 700)).padStart(12, '0')}`,
    resource: index % 3 === 0 ? 'heartrate' : 'steps',
    value: index / 4,
    unit: index % 3 === 0 ? 'bpm' : 'count',
    start_date: isoOf(index),
    ...(index % 3 > 0 && { end_date: isoOf(index + 1) }),
    ...(index % 5 === 0 && { timezone_offset: 3600 - 3600 * (index % 7) }),
    source_bundle: `com.example.${index % 11}`,
    ...(index % 2 === 0 && { metadata: { _DMO: `Watch ${index % 4}` } }),
  }))

/** A file has all its columns in all rows. */
const withAllColumns = (rows: readonly Row[]): Row[] => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const ofRow = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  return rows.map(ofRow)
}

const withNulls = (rows: readonly Row[]): Row[] =>
  rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null])),
  )

for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const) {
  test(`rows are read from pages of any size, compressed by ${codec}`, async () => {
    const rows = makeRows(5_000)
    for (const [pageSize, rowGroupSize] of [
      [1_000, 5_000],
      [40_000, 1_234],
      [1_048_576, 100_000],
    ]) {
      const file = writeParquet(rows, { codec, pageSize, rowGroupSize } as object)
      const found = withNulls(await read(file))
      assert.equal(found.length, rows.length)
      // Row by row, because the difference of long lists takes minutes to print.
      for (const [index, row] of withAllColumns(rows).entries()) {
        assert.deepEqual(found[index], row)
      }
    }
  })
}

test('other columns are ignored, and whole numbers are values', async () => {
  const file = parquetWriteBuffer({
    columnData: [
      { name: 'other', type: 'STRING', data: ['x', 'y'] },
      { name: 'client_user_id', type: 'STRING', data: ['a', 'b'] },
      { name: 'resource', type: 'STRING', data: ['steps', 'steps'] },
      { name: 'unit', type: 'STRING', data: ['count', 'count'] },
      { name: 'value', type: 'INT64', data: [5n, 6n] },
      { name: 'start_date', type: 'STRING', data: ['2024-03-01T08:00:00+01:00', 'nonsense'] },
    ],
  })
  assert.deepEqual(await read(new Uint8Array(file)), [
    {
      ...{ client_user_id: 'a', resource: 'steps', value: 5, unit: 'count' },
      start_date: '2024-03-01T08:00:00+01:00',
    },
    { client_user_id: 'b', resource: 'steps', value: 6, unit: 'count', start_date: 'nonsense' },
  ])
})

test('a file without the columns of samples is refused, and they are named', async () => {
  const file = writeParquet([{ user: 'a', value: 1, start_date: isoOf(0) }])
  await assert.rejects(read(file), (error) => {
    assert.ok(refusal(/lacks columns/)(error))
    assert.deepEqual((error as AppError).extra.columns, ['user_id', 'resource', 'unit'])
    return true
  })
})

test('a file of equal rows may be small, but not stand for more than a body has', async () => {
  const row = { user_id: 'a', resource: 'steps', value: 1, unit: 'count', start_date: isoOf(0) }
  const file = writeParquet(Array.from({ length: 50_000 }, () => row))
  assert.ok(file.length < 50_000)
  const isTooLarge = (error: unknown) => error instanceof AppError && error.status === 413
  await assert.rejects(read(file, 1e6), isTooLarge)
})

test('what is no Parquet file, or not whole, is refused', async () => {
  const whole = writeParquet(makeRows(100))
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('{"a":1}\n'),
    Buffer.from('PAR1 and a text PAR1'),
    whole.subarray(0, whole.length - 1),
    whole.subarray(whole.length / 2),
  ]) {
    await assert.rejects(read(content), refusal(/./))
  }
})

test('a damaged file is refused, or read with other values', async () => {
  const whole = writeParquet(makeRows(400), { codec: 'SNAPPY', pageSize: 2_000 })
  let refused = 0
  for (let at = 0; at < whole.length; at += 17) {
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] ?? 0) ^ 0xff
    try {
      await read(damaged)
    } catch (error) {
      assert.ok(refusal(/./)(error), `byte ${at}: ${error}`)
      refused++
    }
  }
  assert.ok(refused > 10, `${refused} of the damages were noticed`)
})
