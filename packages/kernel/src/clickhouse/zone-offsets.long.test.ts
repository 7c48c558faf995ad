import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { listWrongOffsets } from '../../../server/test/zone-offsets.ts'
import type { ClickHouse } from './clickhouse.ts'
import { openEmbeddedClickHouse } from './embedded-clickhouse.ts'

let directory: string
let clickhouse: ClickHouse
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'salus-zones-'))
  clickhouse = await openEmbeddedClickHouse({ directory })
})
after(async () => {
  await clickhouse.close()
  await rm(directory, { recursive: true })
})

test('every zone of the time zone database has the offsets of Temporal', async () => {
  const wrong: string[] = []
  for (const [seed, zone] of Intl.supportedValuesOf('timeZone').entries()) {
    wrong.push(...(await listWrongOffsets(clickhouse, zone, seed)))
  }
  assert.deepEqual(wrong, [])
})
