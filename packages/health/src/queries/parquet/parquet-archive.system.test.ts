import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'
import { readWithArrow } from '../../../../server/test/queries/read-arrow.ts'
import {
  type Row,
  readArchive,
  readObjects,
  readSchema,
  readWithHyparquet,
  writeRows,
} from '../../../../server/test/queries/read-parquet.ts'
import type { OutputColumn, OutputType } from '../compiled-query.ts'
import { openParquetArchive, openParquetFile } from './parquet-archive.ts'

/** Files of the engine are read with two independent readers. */

const directory = mkdtempSync(join(tmpdir(), 'salus-parquet-'))
let clickhouse: ClickHouse

before(async () => {
  clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
})
after(async () => {
  await clickhouse.close()
  rmSync(directory, { recursive: true, force: true })
})

const column = (name: string, type: OutputType, nullable = true): OutputColumn => ({
  name,
  type,
  nullable,
})

/** Every type, with a null in each that may have one. */
const EVERYTHING = {
  sql: `select * from values(
    'whole Nullable(Int64), real Nullable(Float64), flag Nullable(Bool), word Nullable(String),
     day Nullable(Date32), time Nullable(DateTime64(3, ''UTC'')), list Array(String), \`n.0\` Int64',
    (9007199254740993, 0.1, true, {word:String}, '1900-01-01', '2025-03-30 02:30:00.000', ['', 'é'], 1),
    (-9223372036854775808, -1e300, false, '', '2025-02-28', '1969-12-31 23:59:59.250', [], 2),
    (null, null, null, null, null, null, ['a', 'b', 'c'], 3)) order by \`n.0\``,
  parameters: { word: "née 😀 'x'\\ \n" },
  columns: [
    column('whole', 'integer'),
    column('real', 'number'),
    column('flag', 'boolean'),
    column('word', 'text'),
    column('day', 'date'),
    column('time', 'datetime'),
    column('list', 'texts', false),
    column('n.0', 'integer', false),
  ],
}

const EXPECTED_ROWS: Row[] = [
  {
    whole: '9007199254740993',
    real: 0.1,
    flag: true,
    word: "née 😀 'x'\\ \n",
    day: '1900-01-01',
    time: '2025-03-30 02:30:00',
    list: ['', 'é'],
    'n.0': '1',
  },
  {
    whole: '-9223372036854775808',
    real: -1e300,
    flag: false,
    word: '',
    day: '2025-02-28',
    time: '1969-12-31 23:59:59.25',
    list: [],
    'n.0': '2',
  },
  {
    whole: null,
    real: null,
    flag: null,
    word: null,
    day: null,
    time: null,
    list: ['a', 'b', 'c'],
    'n.0': '3',
  },
]

/**
 * As Arrow's C data interface writes them: a list of texts is `+lu`, a timestamp in milliseconds of
 * no zone `tsm:`.
 */
const ARROW_TYPES: Row = {
  whole: 'l',
  real: 'g',
  flag: 'b',
  word: 'u',
  day: 'tdD',
  time: 'tsm:',
  list: '+lu',
  'n.0': 'l',
}

/** Types and rows as the Parquet of Apache Arrow reads them; whole numbers and times as texts. */
function readTyped(
  file: Uint8Array,
  columns: readonly OutputColumn[],
): { types: Row; rows: Row[] } {
  const read = readWithArrow(file)
  const rows = read[0]?.values.map((_, at) =>
    Object.fromEntries(read.map(({ name, values }) => [name, values[at]])),
  )
  const types = Object.fromEntries(read.map(({ name, format }) => [name, format]))
  return { types, rows: writeRows(rows ?? [], columns) }
}

describe('a parquet file', () => {
  test('has the types of the contract, with timestamps of no zone', async () => {
    const file = await openParquetFile(clickhouse, EVERYTHING)
    const optional = { repetition: 'OPTIONAL' }
    assert.deepEqual(readSchema(file), [
      { name: 'schema', type: undefined, repetition: undefined },
      { name: 'whole', type: 'INT64', ...optional },
      { name: 'real', type: 'DOUBLE', ...optional },
      { name: 'flag', type: 'BOOLEAN', ...optional },
      { name: 'word', type: 'BYTE_ARRAY', logical: 'STRING', ...optional },
      { name: 'day', type: 'INT32', logical: 'DATE', ...optional },
      {
        name: 'time',
        type: 'INT64',
        logical: 'TIMESTAMP',
        isAdjustedToUTC: false,
        unit: 'MILLIS',
        ...optional,
      },
      { name: 'list', type: undefined, logical: 'LIST', repetition: 'REQUIRED' },
      { name: 'list', type: undefined, repetition: 'REPEATED' },
      { name: 'element', type: 'BYTE_ARRAY', logical: 'STRING', repetition: 'REQUIRED' },
      { name: 'n.0', type: 'INT64', repetition: 'REQUIRED' },
    ])
  })

  test('is read alike by both readers, whole numbers beyond 2^53 and nulls included', async () => {
    const file = await openParquetFile(clickhouse, EVERYTHING)
    const { types, rows } = readTyped(file, EVERYTHING.columns)
    assert.deepEqual(types, ARROW_TYPES)
    assert.deepEqual(rows, EXPECTED_ROWS)
    assert.deepEqual(await readWithHyparquet(file, EVERYTHING.columns), EXPECTED_ROWS)
  })

  test('has its columns also without rows', async () => {
    const query = { ...EVERYTHING, sql: `select * from (${EVERYTHING.sql}) where 0` }
    const file = await openParquetFile(clickhouse, query)
    const empty = { types: ARROW_TYPES, rows: [] }
    assert.deepEqual(readTyped(file, EVERYTHING.columns), empty)
    assert.deepEqual(await readWithHyparquet(file, EVERYTHING.columns), [])
    assert.equal(readSchema(file)[6]?.isAdjustedToUTC, false)
  })

  test('has the declared types whatever the statement makes', async () => {
    const file = await openParquetFile(clickhouse, {
      sql: "select toUInt64(1) as `a`, toLowCardinality('x') as `b\\`\\\\`, toFloat32(2) as c",
      parameters: {},
      columns: [column('a', 'integer'), column('b`\\', 'text'), column('c', 'number', false)],
    })
    const types = { a: 'l', 'b`\\': 'u', c: 'g' }
    assert.deepEqual(readTyped(file, []).types, types)
  })

  test('keeps the order of many rows', async () => {
    const query = {
      sql: `select toInt64(number * 7919 % 200003) as k,
              toDateTime64('2025-01-31 07:00:00', 3, 'UTC') + toIntervalSecond(k) as t,
              if(k % 3 = 0, null, toString(k % 17)) as w
            from numbers(200003) order by k desc`,
      parameters: {},
      columns: [column('k', 'integer', false), column('t', 'datetime', false), column('w', 'text')],
    }
    const { files } = await readArchive(openParquetArchive(clickhouse, [query]))
    const file = files[0] as Buffer
    const rows = await readObjects(file, ['k'])
    assert.equal(rows.length, 200003)
    assert.ok(rows.every(({ k }, at) => k === BigInt(200002 - at)))
    const [k, t, w] = readWithArrow(file).map(({ values }) => values)
    assert.equal(w?.filter((word) => word !== null).length, 133335)
    const start = Date.UTC(2025, 0, 31, 7)
    assert.ok(t?.every((time, at) => Number(time) === start + 1000 * Number(k?.[at])))
    assert.equal(t?.length, 200003)
  })
})

describe('an archive', () => {
  const numbered = (value: number) => ({
    sql: 'select {value:Int64} as value',
    parameters: { value },
    columns: [column('value', 'integer', false)],
  })

  test('holds a file for each query, in their order', async () => {
    const queries = Array.from({ length: 12 }, (_, at) => numbered(at))
    const { names, files } = await readArchive(openParquetArchive(clickhouse, queries))
    assert.deepEqual(
      names,
      queries.map((_, at) => `${at}.parquet`),
    )
    for (const [at, file] of files.entries()) {
      assert.deepEqual(readTyped(file, numbered(at).columns).rows, [{ value: String(at) }])
    }
  })

  test('is read alike by both readers', async () => {
    const { files } = await readArchive(openParquetArchive(clickhouse, [EVERYTHING]))
    const file = files[0] as Buffer
    const expected = { types: ARROW_TYPES, rows: EXPECTED_ROWS }
    assert.deepEqual(readTyped(file, EVERYTHING.columns), expected)
    assert.deepEqual(await readWithHyparquet(file, EVERYTHING.columns), EXPECTED_ROWS)
  })

  test('fails with the first query before anything is given', async () => {
    const broken = { ...numbered(1), sql: 'select throwIf(1) as value', parameters: {} }
    const chunks = openParquetArchive(clickhouse, [broken, numbered(2)])
    await assert.rejects(chunks.next(), ClickHouseError)
  })

  test('fails with a later query before its end, so that it never looks whole', async () => {
    const broken = { ...numbered(1), sql: 'select throwIf(1) as value', parameters: {} }
    await assert.rejects(
      readArchive(openParquetArchive(clickhouse, [numbered(1), broken])),
      ClickHouseError,
    )
  })

  test('runs no further query when it is left or called off', async () => {
    let count = 0
    const counted: ClickHouse = Object.assign(Object.create(clickhouse), {
      queryBytes: (...call: Parameters<ClickHouse['queryBytes']>) => {
        count++
        return clickhouse.queryBytes(...call)
      },
    })
    const large = {
      sql: 'select toInt64(rand64()) as value from numbers(200000)',
      parameters: {},
      columns: [column('value', 'integer', false)],
    }
    for await (const _chunk of openParquetArchive(counted, Array(5).fill(large))) break
    assert.ok(count <= 2, `${count} queries ran`)
    const controller = new AbortController()
    const archive = openParquetArchive(counted, Array(5).fill(large), controller.signal)
    await archive.next()
    controller.abort()
    await assert.rejects(async () => {
      for await (const _chunk of archive);
    }, /abort/i)
    assert.ok(count <= 4, `${count} queries ran`)
  })
})
