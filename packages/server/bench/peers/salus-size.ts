import { join } from 'node:path'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'

/**
 * `salus-size.ts <data directory>`: merges the samples of a stopped server and prints their bytes.
 * A program of its own, because a process opens one folder only.
 */
const [directory = ''] = process.argv.slice(2)
const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
await clickhouse.command('optimize table samples final')
const [size] = await clickhouse.queryRows<{ bytes: number }>(
  `select sum(bytes_on_disk) as bytes from system.parts
  where active and table = 'samples' and database = currentDatabase()`,
)
await clickhouse.close()
console.log(size?.bytes)
