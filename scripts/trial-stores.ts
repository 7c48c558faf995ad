import { once } from 'node:events'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { startClickHouseServer } from '../packages/server/test/clickhouse-server.ts'
import { startRestartablePostgres } from '../packages/server/test/restartable-postgres.ts'

/**
 * A PostgreSQL and a ClickHouse server to try guides with, on free ports of this machine, for as
 * long as this runs:
 *
 *   npm run stores -- FILE
 *
 * FILE gets their addresses, as lines that a shell reads. They come from the packages of the
 * embedded engines, their data are removed at the end, and ClickHouse ends after an hour: nothing
 * to keep data in. Linux only.
 */

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the file for the addresses: npm run stores -- FILE')
  process.exit(1)
}
const toldToEnd = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
const [postgres, clickhouse] = await Promise.all([
  startRestartablePostgres(),
  startClickHouseServer(),
])
const lines = [
  `export DATABASE_URL=${postgres.url}`,
  `export CLICKHOUSE_URL=${clickhouse.url}/salus`,
]
// A process that waits for the file never reads half of it.
writeFileSync(`${file}.part`, `${lines.join('\n')}\n`, { mode: 0o600 })
renameSync(`${file}.part`, file)
console.log(`PostgreSQL and ClickHouse are ready; ${file} has their addresses.`)
await toldToEnd
rmSync(file, { force: true })
await Promise.all([postgres.close(), clickhouse.stop()])
