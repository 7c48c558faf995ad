import { setPriority } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'
import { openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import { fillPostgres, somePeople } from './fill-postgres.ts'
import { fillSamples, waitForMerges } from './fill-samples.ts'

/**
 * `fill.ts <data directory> <template> <from> <to>`: adds people to the stores of a stopped server,
 * each with the rows of the template. Prints what the samples take and some of the people. A
 * program of its own, because a process opens one folder only.
 */
const [directory = '', templateId = '', from = '', to = ''] = process.argv.slice(2)
setPriority(15)
const postgres = await startEmbeddedPostgres({
  directory: join(directory, 'postgres'),
  log: () => {},
})
const database = openDatabase({ url: postgres.url, poolSize: 2 })
const numbers = { from: Number(from), to: Number(to) }
const { environmentId, ids } = await fillPostgres(database.pool, templateId, numbers)
const people = await somePeople(database.pool)
await database.close()
await postgres.stop()
const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
await fillSamples(clickhouse, environmentId, ids)
const size = await waitForMerges(clickhouse)
await clickhouse.close()
console.log(JSON.stringify({ ...size, people }))
