import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { openSecretBox } from '@salus/kernel/crypto/secret-key'
import { openFileStore } from '@salus/kernel/files/file-store'
import { startWorker } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import { openDatabase } from '@salus/kernel/postgres/database'
import { readConfig } from '../../src/config.ts'
import { createServices } from '../../src/services.ts'
import { createFakeParser } from '../reports/fake-parser.ts'
import { TestClock } from '../teams-app.ts'
import { createTestClickHouse } from '../test-clickhouse.ts'

/**
 * A process of Salus that exchanges messages with laboratories and does nothing else, on the stores
 * of a test. It writes `ready` when it works, and lives until it is killed.
 */

const [, , url = '', directory = ''] = process.argv
const log = createLogger('error', process.stderr)
const config = readConfig({ SALUS_DATA_DIR: directory })
const { db, pool } = openDatabase({ url, poolSize: 6 })
const services = createServices({
  db,
  pool,
  clickhouse: createTestClickHouse(),
  files: openFileStore(join(directory, 'files')),
  secrets: await openSecretBox(pool, config.secretKeys, directory),
  config,
  clock: new TestClock(),
  log,
  labReportParser: createFakeParser(),
})
services.gateways.connected.start({ isReceiver: true })
const definitions = { ...services.jobs, schedule: '' }
await startWorker({ pool, definitions, concurrency: 2, log })
process.stdout.write('ready\n')
// A process that is killed writes no cache at its end, and the next one starts by it.
flushCompileCache()
