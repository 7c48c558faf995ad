import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { openEmbeddedClickHouse } from './embedded-clickhouse.ts'

/** Inserts batches of 100 rows without end and prints the number of each acknowledged one. */
const WRITER = `
  const { openEmbeddedClickHouse } = await import(process.argv[1])
  const clickhouse = await openEmbeddedClickHouse({ directory: process.argv[2] })
  await clickhouse.command('CREATE TABLE IF NOT EXISTS kept (batch UInt32, n UInt32) ENGINE = MergeTree ORDER BY (batch, n)')
  console.log('ready')
  for (let batch = 1; ; batch += 1) {
    const rows = Array.from({ length: 100 }, (_, n) => batch + '\\t' + n + '\\n').join('')
    await clickhouse.insert('kept', ['batch', 'n'], Buffer.from(rows))
    console.log(batch)
  }`

/** Opens, holds a query open and closes on SIGTERM. */
const CLOSER = `
  const { openEmbeddedClickHouse } = await import(process.argv[1])
  process.on('SIGTERM', async () => { await clickhouse.close(); process.exitCode = 7 })
  const clickhouse = await openEmbeddedClickHouse({ directory: process.argv[2] })
  const slow = clickhouse.queryRows('SELECT sleep(1)')
  console.log('ready')
  await slow
  setInterval(() => {}, 1000).unref()`

const modulePath = new URL('./embedded-clickhouse.ts', import.meta.url).href

function runScript(script: string, directory: string) {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', script, modulePath, directory],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const stderr: string[] = []
  child.stderr.on('data', (chunk) => stderr.push(String(chunk)))
  return { child, lines: createInterface({ input: child.stdout }), stderr }
}

describe('embedded ClickHouse in its process', () => {
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'salus-embedded-'))
  })
  after(() => rm(directory, { recursive: true }))

  test('acknowledged inserts survive kill -9, twice', async () => {
    for (const round of [1, 2]) {
      const { child, lines } = runScript(WRITER, directory)
      let acknowledged = 0
      for await (const line of lines) {
        if (line === 'ready') continue
        acknowledged = Number(line)
        if (acknowledged === 30 * round) child.kill('SIGKILL')
      }
      const clickhouse = await openEmbeddedClickHouse({ directory })
      try {
        const rows = await clickhouse.queryRows<{ batches: number; torn: number }>(
          `SELECT count() AS batches, countIf(rows % 100 != 0) AS torn
           FROM (SELECT batch, count() AS rows FROM kept WHERE batch <= {batch:UInt32} GROUP BY batch)`,
          { batch: acknowledged },
        )
        assert.deepEqual(rows, [{ batches: acknowledged, torn: 0 }])
      } finally {
        await clickhouse.close()
      }
    }
  })

  test('closes on SIGTERM after its statement, and prints nothing of its own', async () => {
    const { child, lines, stderr } = runScript(CLOSER, directory)
    const printed: string[] = []
    lines.on('line', (line) => {
      printed.push(line)
      if (line === 'ready') child.kill('SIGTERM')
    })
    const [code] = await once(child, 'close')
    assert.deepEqual([code, printed, stderr], [7, ['ready'], []])
  })

  test('opens again after close in the same process', async () => {
    for (const expected of [0, 1, 2]) {
      const clickhouse = await openEmbeddedClickHouse({ directory })
      await clickhouse.command(
        'CREATE TABLE IF NOT EXISTS reopened (n UInt8) ENGINE = MergeTree ORDER BY n',
      )
      const rows = await clickhouse.queryRows<{ n: number }>('SELECT count() AS n FROM reopened')
      assert.deepEqual(rows, [{ n: expected }])
      await clickhouse.insert('reopened', ['n'], Buffer.from('1\n'))
      await clickhouse.close()
      await assert.rejects(clickhouse.ping(), { name: 'ClickHouseError', code: 0 })
    }
  })

  test('close waits for running and queued statements and cancels streams', async () => {
    const clickhouse = await openEmbeddedClickHouse({ directory })
    const slow = [1, 2, 3, 4].map((n) =>
      clickhouse.queryRows('SELECT sleep(0.2) AS s, {n:UInt8} AS n', { n }),
    )
    const stream = clickhouse.queryStream('SELECT number FROM system.numbers', {}, 'TabSeparated')
    await stream.next()
    await clickhouse.close()
    assert.deepEqual(
      (await Promise.all(slow)).map((rows) => rows.length),
      [1, 1, 1, 1],
    )
    await assert.rejects(stream.next())
  })

  test('a second process that opens the folder is refused', async () => {
    const clickhouse = await openEmbeddedClickHouse({ directory })
    try {
      const { child, stderr } = runScript(CLOSER, directory)
      const [code] = await once(child, 'close')
      assert.notEqual(code, 7)
      assert.match(stderr.join(''), /StartupError: Cannot open the embedded ClickHouse/)
    } finally {
      await clickhouse.close()
    }
  })
})
