import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  type ClickHouseServer,
  startClickHouseServer,
} from '../../../server/test/clickhouse-server.ts'
import { listWrongOffsets } from '../../../server/test/zone-offsets.ts'
import type { ClickHouse, QueryParameters } from './clickhouse.ts'
import { ClickHouseError } from './clickhouse-error.ts'
import { openEmbeddedClickHouse } from './embedded-clickhouse.ts'
import { migrateClickHouse } from './migrate-clickhouse.ts'
import { openRemoteClickHouse } from './remote-clickhouse.ts'

const HOSTILE = [
  '',
  "it's",
  "\\'; DROP TABLE t; --",
  '{x:String}',
  '{{}}',
  'back\\slash \\n \\N \\',
  'tab\there',
  'line\nfeed\r\n',
  'nul\0 bell\x07 bs\b ff\f',
  '"double" `tick` $1 %s ?',
  'żółć 日本語 👩‍⚕️ \u2028',
]

/**
 * Across the date line, a zone of today that older tables of zones do not know, and a usual one.
 */
const ZONES = [
  'Pacific/Apia',
  'Pacific/Fakaofo',
  'Pacific/Kiritimati',
  'Pacific/Kwajalein',
  'Pacific/Kanton',
  'Pacific/Enderbury',
  'America/Vancouver',
  'Europe/Vienna',
  'UTC',
]

/** Opens either implementation on data of its own, and a function that removes all of it. */
type Open = () => Promise<{ clickhouse: ClickHouse; dispose: () => Promise<void> }>

const implementations: [string, Open, boolean][] = [
  ['embedded', openEmbedded, false],
  ['remote', openRemote, process.platform !== 'linux'],
]

async function openEmbedded() {
  const directory = await mkdtemp(join(tmpdir(), 'salus-embedded-'))
  const clickhouse = await openEmbeddedClickHouse({ directory })
  const dispose = async () => {
    await clickhouse.close()
    await rm(directory, { recursive: true })
  }
  return { clickhouse, dispose }
}

async function openRemote() {
  const server: ClickHouseServer = await startClickHouseServer()
  const clickhouse = await openRemoteClickHouse({ url: `${server.url}/salus_test` })
  const dispose = async () => {
    await clickhouse.close()
    await server.stop()
  }
  return { clickhouse, dispose }
}

for (const [name, open, skip] of implementations) {
  describe(`${name} ClickHouse`, { skip }, () => {
    let clickhouse: ClickHouse
    let dispose: () => Promise<void>
    before(async () => {
      ;({ clickhouse, dispose } = await open())
    })
    after(() => dispose())

    async function value(sql: string, parameters: QueryParameters): Promise<unknown> {
      const [row] = await clickhouse.queryRows<{ v: unknown }>(`SELECT ${sql} AS v`, parameters)
      return row?.v
    }

    test('binds every type by its declared type', async () => {
      const uuid = '0198c0de-0000-7000-8000-00000000abcd'
      const cases: [string, QueryParameters[string], unknown][] = [
        ['UInt8', 7, 7],
        ['Int64', -9007199254740991, -9007199254740991],
        ['Float64', 1e21, 1e21],
        ['Float64', -0.1, -0.1],
        ['Bool', true, true],
        ['UInt8', false, 0],
        ['UUID', uuid, uuid],
        ["DateTime64(3, 'UTC')", '2026-03-01 10:00:00.123', '2026-03-01 10:00:00.123'],
        ['Date', '2026-03-01', '2026-03-01'],
        ['Nullable(String)', null, null],
        ['Nullable(Int32)', null, null],
        ['Nullable(String)', 'NULL', 'NULL'],
        ['Array(UInt32)', [1, 2, 3], [1, 2, 3]],
        ['Array(UUID)', [uuid], [uuid]],
        ['Array(String)', [], []],
      ]
      for (const [type, given, expected] of cases) {
        assert.deepEqual(await value(`{v:${type}}`, { v: given }), expected, type)
      }
      assert.equal(
        await value('toString({v:UInt64})', { v: '18446744073709551615' }),
        '18446744073709551615',
      )
    })

    test('a fallback zone has the offsets of Temporal, also across the date line', async () => {
      for (const [seed, zone] of ZONES.entries()) {
        assert.deepEqual(await listWrongOffsets(clickhouse, zone, seed), [])
      }
    })

    test('binds hostile strings alone and in arrays', async () => {
      for (const text of HOSTILE) assert.equal(await value('{v:String}', { v: text }), text)
      assert.deepEqual(await value('{v:Array(String)}', { v: HOSTILE }), HOSTILE)
      assert.equal(await value("concat('{x:String}', {v:String})", { v: "'" }), "{x:String}'")
    })

    test('a place without a value and a number that is none are refused', async () => {
      await value('{v:UInt8}', { v: 1 })
      await assert.rejects(value('{v:UInt8}', {}), { name: 'ClickHouseError', code: 456 })
      await assert.rejects(value('{v:Float64}', { v: Number.NaN }), { code: 457 })
      await assert.rejects(value('{v:UInt8}', { v: null }), ClickHouseError)
    })

    test('binds 100 KB of parameters', async () => {
      const ids = Array.from({ length: 2000 }, (_, i) => `id-${i}-${'x'.repeat(30)}`)
      assert.equal(await value('length({v:Array(String)})', { v: ids }), 2000)
    })

    test('rows that go along with a statement are a table of it alone', async () => {
      const sent = {
        table: 'sent_rows',
        columns: { at: 'Int64', word: 'String' },
        payload: Buffer.from('1\tone\n2\ttwo\\tand more\n'),
      }
      const sql = 'select word from sent_rows where at = {at:Int64} and {words:Array(String)} != []'
      const parameters = { at: 2, words: ["it's", 'back\\slash'] }
      const readings = await Promise.all(
        [1, 2, 3, 4].map(async (round) => {
          const others = { ...sent, payload: Buffer.from(`2\t${round}\n`) }
          const bytes = await clickhouse.queryBytes(sql, parameters, 'CSV', others)
          return Buffer.from(bytes).toString()
        }),
      )
      assert.deepEqual(readings, ['"1"\n', '"2"\n', '"3"\n', '"4"\n'])
      const chunks: Uint8Array[] = []
      for await (const chunk of clickhouse.queryStream(sql, parameters, 'JSONEachRow', sent)) {
        chunks.push(chunk)
      }
      assert.deepEqual(JSON.parse(Buffer.concat(chunks).toString()), { word: 'two\tand more' })
      const none = await clickhouse.queryBytes(sql, parameters, 'CSV', {
        ...sent,
        payload: Buffer.alloc(0),
      })
      assert.equal(none.length, 0)
      await assert.rejects(clickhouse.queryRows('select * from sent_rows'), { code: 60 })
      await assert.rejects(
        clickhouse.queryBytes('select throwIf(at = 2) from sent_rows', {}, 'CSV', sent),
        { name: 'ClickHouseError', code: 395 },
      )
    })

    test('inserts TabSeparated rows', async () => {
      await clickhouse.command(
        'CREATE TABLE inserted (n UInt32, text Nullable(String)) ENGINE = MergeTree ORDER BY n',
      )
      const payload = '1\t{x:String}\n2\ta\\tb\\\\c\\nd\n3\t\\N\n4\t\n5\tżółć 👩‍⚕️\n'
      await clickhouse.insert('inserted', ['n', 'text'], Buffer.from(payload))
      const rows = await clickhouse.queryRows<{ text: string | null }>(
        'SELECT text FROM inserted ORDER BY n',
      )
      const texts = rows.map((row) => row.text)
      assert.deepEqual(texts, ['{x:String}', 'a\tb\\c\nd', null, '', 'żółć 👩‍⚕️'])
      assert.equal(
        Buffer.from(
          await clickhouse.queryBytes(
            'SELECT n, text FROM inserted ORDER BY n',
            {},
            'TabSeparated',
          ),
        ).toString(),
        payload,
      )
    })

    test('a refused insert leaves nothing and says nothing about the rows', async () => {
      await clickhouse.command('CREATE TABLE refused (n UInt32) ENGINE = MergeTree ORDER BY n')
      await assert.rejects(
        clickhouse.insert('refused', ['n'], Buffer.from('1\nsecret\n')),
        (error) =>
          error instanceof ClickHouseError &&
          error.code > 0 &&
          !/secret/.test(`${error.stack} ${error.message} ${error.cause}`),
      )
      await assert.rejects(clickhouse.insert('refused; x', ['n'], Buffer.from('1\n')))
      assert.equal(await value('(SELECT count() FROM refused)', {}), 0)
    })

    test('reads run in parallel and keep their own parameters', async () => {
      const numbers = Array.from({ length: 200 }, (_, i) => i)
      const got = await Promise.all(numbers.map((n) => value('{v:UInt32}', { v: n })))
      assert.deepEqual(got, numbers)
    })

    test('a failed query leaves the store usable and hides parameters', async () => {
      for (let i = 0; i < 5; i += 1) {
        await assert.rejects(value('toUInt8({v:String})', { v: 'secret' }), (error) => {
          return (
            error instanceof ClickHouseError && error.code === 6 && !/secret/.test(error.message)
          )
        })
      }
      await assert.rejects(clickhouse.queryRows('SELECT * FROM no_such_table'), { code: 60 })
      await assert.rejects(clickhouse.queryRows('SELECT {v:String} AS a, b', { v: 'secret' }), {
        code: 47,
      })
      await assert.rejects(clickhouse.command('SELEC 1'), { code: 62 })
      assert.equal(await value('1', {}), 1)
      await clickhouse.ping()
    })

    test('streams a million rows', async () => {
      let bytes = 0
      let largest = 0
      const sql = 'SELECT number FROM numbers({n:UInt64})'
      for await (const chunk of clickhouse.queryStream(sql, { n: 1_000_000 }, 'TabSeparated')) {
        bytes += chunk.length
        largest = Math.max(largest, chunk.length)
      }
      assert.equal(bytes, 6_888_890)
      assert.ok(largest < 4_000_000, `largest chunk ${largest}`)
    })

    test('leaving a stream cancels it, again and again', async () => {
      for (let i = 0; i < 8; i += 1) {
        const sql = 'SELECT number FROM system.numbers'
        for await (const chunk of clickhouse.queryStream(sql, {}, 'TabSeparated')) {
          assert.ok(chunk.length > 0)
          break
        }
      }
      const running = 'SELECT query FROM system.processes WHERE query LIKE {like:String}'
      for (let i = 0; i < 50; i += 1) {
        const left = await clickhouse.queryRows(running, { like: '%system%.numbers%' })
        if (left.length <= 1) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      assert.fail('a cancelled stream still runs')
    })

    test('a stream that fails half way fails its reader', async () => {
      const sql = `SELECT throwIf(number = 900000, 'secret') FROM numbers(1000000)
        SETTINGS max_block_size = 1000`
      const read = async () => {
        for await (const _ of clickhouse.queryStream(sql, {}, 'TabSeparated'));
      }
      await assert.rejects(read, (error) => {
        return (
          error instanceof ClickHouseError && error.code === 395 && !/secret/.test(error.message)
        )
      })
      assert.equal(await value('1', {}), 1)
    })

    test('migrations run once, and half-applied ones run again', async () => {
      const first = { number: 1, name: 'first', checksum: 'a', sql: TWO_STATEMENTS }
      const broken = { number: 2, name: 'second', checksum: 'b', sql: HALF_BROKEN }
      const second = { ...broken, sql: 'CREATE TABLE IF NOT EXISTS m_c (n UInt8) ENGINE = Memory' }
      assert.deepEqual(await migrateClickHouse(clickhouse, [first]), [1])
      assert.deepEqual(await migrateClickHouse(clickhouse, [first]), [])
      await assert.rejects(migrateClickHouse(clickhouse, [first, broken]), { code: 62 })
      const both = [first, second]
      await Promise.all([migrateClickHouse(clickhouse, both), migrateClickHouse(clickhouse, both)])
      assert.deepEqual(await migrateClickHouse(clickhouse, both), [])
      await assert.rejects(migrateClickHouse(clickhouse, [first]), {
        name: 'StartupError',
        message:
          'The ClickHouse schema is at 2, this version of Salus knows 1. Start a newer Salus.',
      })
      await assert.rejects(migrateClickHouse(clickhouse, [{ ...first, checksum: 'x' }, second]), {
        name: 'StartupError',
        message: /migration 1 \(first\) has changed/,
      })
    })
  })
}

const TWO_STATEMENTS = `-- a comment; with a semicolon
CREATE TABLE IF NOT EXISTS m_a (n UInt8 DEFAULT length('{shard}')) ENGINE = Memory;

-- between
CREATE TABLE IF NOT EXISTS m_b (n UInt8) ENGINE = Memory;
`
const HALF_BROKEN = `CREATE TABLE IF NOT EXISTS m_c (n UInt8) ENGINE = Memory;
SELEC 1;
`
