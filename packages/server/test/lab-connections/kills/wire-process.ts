import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { openSecretBox } from '@salus/kernel/crypto/secret-key'
import { openFileStore } from '@salus/kernel/files/file-store'
import { joinDefinitions, startWorker } from '@salus/kernel/jobs/jobs'
import { createLogger } from '@salus/kernel/log'
import { openDatabase } from '@salus/kernel/postgres/database'
import { labConnectionJobs } from '@salus/lab/connections'
import { createLabGateways } from '@salus/lab/gateways'
import { labInboxJobs, openInbox } from '@salus/lab/inbox'
import { orderJobs } from '@salus/lab/orders'
import { resultJobs } from '@salus/lab/results'
import { createLabSimulator } from '@salus/sandbox/lab'
import { openLabConnections } from '../../../src/open-lab-connections.ts'
import { readOrders, report } from './death.ts'
import { watchSteps } from './watch-steps.ts'

/**
 * A process of Salus that exchanges messages with laboratories and does nothing else, on the stores
 * of a test. It says `loaded`, waits for the order to start, says `ready`, and lives until it is
 * killed or gets SIGTERM.
 */

const [, , url = '', directory = ''] = process.argv
const clock = { now: () => new Date('2026-03-01T12:00:00.250Z') }
readOrders(({ start: name }) => void start(name))
report({ is: 'loaded' })
// A process that is killed writes no cache at its end, and the next one loads by it.
flushCompileCache()

async function start(name: string): Promise<void> {
  watchSteps()
  const log = createLogger('error', process.stderr)
  const address = new URL(url)
  address.searchParams.set('application_name', name)
  const { db, pool } = openDatabase({ url: address.href, poolSize: 8 })
  const files = openFileStore(join(directory, 'files'))
  const secrets = await openSecretBox(pool, undefined, directory)
  // Messages and orders are in PostgreSQL.
  const clickhouse = undefined as never
  const stores = { db, pool, clickhouse, files, secrets, log, clock }
  const labConnections = openLabConnections(stores)
  const partners = { sandbox: { couriers: [] }, production: { couriers: [] } }
  const simulator = createLabSimulator()
  const gateways = createLabGateways(simulator, labConnections.registry, partners as never)
  openInbox(stores, gateways)
  gateways.connected.start({ isReceiver: true })
  const parts = { findGateway: gateways.find, couriers: gateways.couriers }
  const { handlers } = joinDefinitions([
    orderJobs(stores, { ...parts, timeZone: 'America/New_York' }),
    labInboxJobs(stores, { files, gateways }),
    labConnectionJobs(stores, labConnections),
    resultJobs(stores, { files, simulator, makeTestUser: () => Promise.reject(new Error('none')) }),
  ])
  const definitions = { handlers, schedule: '' }
  const worker = await startWorker({ pool, definitions, concurrency: 2, log })
  process.once('SIGTERM', async () => {
    await worker.stop()
    await gateways.connected.close()
    process.exit()
  })
  report({ is: 'ready' })
}
