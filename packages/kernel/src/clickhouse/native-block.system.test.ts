import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startClickHouseServer } from '../../../server/test/clickhouse-server.ts'
import type { ClickHouse } from './clickhouse.ts'
import { ClickHouseError } from './clickhouse-error.ts'
import { openEmbeddedClickHouse } from './embedded-clickhouse.ts'
import { prepareBlocks } from './insert-block.ts'
import { NativeBlock } from './native-block.ts'
import { openRemoteClickHouse } from './remote-clickhouse.ts'

interface Opened {
  clickhouse: ClickHouse
  /** Folder of an embedded engine. */
  directory?: string
  dispose(): Promise<void>
}

const implementations: [string, () => Promise<Opened>, boolean][] = [
  ['embedded', openEmbedded, false],
  ['remote', openRemote, process.platform !== 'linux'],
]

async function openEmbedded() {
  const directory = await mkdtemp(join(tmpdir(), "salus embedded's-"))
  const clickhouse = await openEmbeddedClickHouse({ directory })
  const dispose = async () => {
    await clickhouse.close()
    await rm(directory, { recursive: true })
  }
  return { clickhouse, directory, dispose }
}

async function openRemote() {
  const server = await startClickHouseServer()
  const clickhouse = await openRemoteClickHouse({ url: `${server.url}/salus_test` })
  const dispose = async () => {
    await clickhouse.close()
    await server.stop()
  }
  return { clickhouse, dispose }
}

test('blocks that a killed process left are removed when the engine is opened', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'salus-blocks-'))
  const folder = await prepareBlocks(directory)
  await writeFile(join(folder, '1.native'), 'left')
  assert.equal(await prepareBlocks(directory), folder)
  assert.deepEqual(await readdir(folder), [])
  // The engine would take such a path for a pattern.
  const elsewhere = await prepareBlocks(join(directory, '{odd}'))
  assert.ok(!elsewhere.startsWith(directory))
  for (const path of [directory, elsewhere]) await rm(path, { recursive: true })
})

for (const [name, open, skip] of implementations) {
  describe(`${name} ClickHouse`, { skip }, () => {
    let clickhouse: ClickHouse
    let opened: Opened
    before(async () => {
      opened = await open()
      clickhouse = opened.clickhouse
    })
    after(() => opened.dispose())

    test('inserts a block of columns, with every number and text as it is', async () => {
      await clickhouse.command(`CREATE TABLE blocks (n Int64, version UInt64, value Float64,
        at DateTime64(3, 'UTC'), text String, name LowCardinality(String), twice Int64 DEFAULT 2 * n)
        ENGINE = MergeTree ORDER BY n`)
      for (const names of [3, 300, 70_000]) {
        const count = names + 5
        const each = <T>(read: (index: number) => T) =>
          Array.from({ length: count }, (_, i) => read(i))
        const rows = each((i) => ({
          n: i - 3,
          version: 9e15 - i,
          value: i % 7 === 0 ? -i / 3 : i * 1e300,
          at: (i - 3) * 86_400_001,
          text: i % 3 === 0 ? '' : `ä\t"\\\n'${'x'.repeat(i % 200)}`,
          name: `name ${i % names}`,
        }))
        const block = new NativeBlock(count)
        const column = (read: (row: (typeof rows)[number]) => number) =>
          Float64Array.from(rows, read)
        block.addIntegers(
          'n',
          'Int64',
          column(({ n }) => n),
        )
        block.addIntegers(
          'version',
          'UInt64',
          column(({ version }) => version),
        )
        block.addNumbers(
          'value',
          column(({ value }) => value),
        )
        block.addIntegers(
          'at',
          "DateTime64(3, 'UTC')",
          column(({ at }) => at),
        )
        block.addTexts(
          'text',
          rows.map(({ text }) => text),
        )
        const keys = Array.from({ length: names }, (_, key) => `name ${key}`)
        block.addDictionary(
          'name',
          keys,
          each((i) => i % names),
        )
        await clickhouse.insert('blocks', Object.keys(block.columns), block)
        const stored = await clickhouse.queryRows(`SELECT n, version, value,
          toUnixTimestamp64Milli(at) AS at, text, name, twice FROM blocks ORDER BY n`)
        assert.deepEqual(
          stored,
          rows.map((row) => ({ ...row, twice: 2 * row.n })),
        )
        await clickhouse.command('TRUNCATE TABLE blocks')
        const { directory } = opened
        if (directory) assert.deepEqual(await readdir(join(directory, 'salus-blocks')), [])
      }
    })

    test('a refused block leaves nothing and says nothing about the rows', async () => {
      await clickhouse.command('CREATE TABLE refused_block (n UUID) ENGINE = MergeTree ORDER BY n')
      const block = new NativeBlock(2)
      block.addTexts('n', ['00000000-0000-4000-8000-000000000001', 'secret'])
      await assert.rejects(
        clickhouse.insert('refused_block', ['n'], block),
        (error) =>
          error instanceof ClickHouseError && error.code > 0 && !/secret/.test(`${error.stack}`),
      )
      assert.deepEqual(await clickhouse.queryRows('SELECT count() AS n FROM refused_block'), [
        { n: 0 },
      ])
    })
  })
}
