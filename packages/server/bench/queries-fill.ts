import { join } from 'node:path'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'
import { fill } from './queries-data.ts'

/**
 * `queries-fill.ts <data directory> <user id>`: fills the store of a stopped server and prints the
 * environment of the person. A program of its own, because a process opens one folder only.
 */
const [directory = '', userId = ''] = process.argv.slice(2)
const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
const [row] = await clickhouse.queryRows<{ environment_id: string }>(
  'select environment_id from samples where user_id = {userId:UUID} limit 1',
  { userId },
)
if (row === undefined) throw new Error('the sample of the person is not stored')
await fill(clickhouse, { environmentId: row.environment_id, userId })
await clickhouse.close()
console.log(row.environment_id)
