import type { Registry } from 'prom-client'
import { erasureJobs } from './accounts/erasure/index.ts'
import { bootstrap, type FirstKeys, findTenant } from './accounts/teams/index.ts'
import { userJobs } from './accounts/users/index.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { continuousQueryJobs, createChangeMarker } from './health/continuous-queries/index.ts'
import { importJobs } from './health/imports/index.ts'
import {
  createSampleWriter,
  ingestJobs,
  type SampleWriter,
  sweepLeftBehind,
} from './health/ingest/index.ts'
import {
  createSummaryWriter,
  type SummaryWriter,
  summaryJobs,
  sweepLeftBehindSummaries,
} from './health/summaries/index.ts'
import { closeServer, listen, refuseTakenPort } from './http-server.ts'
import { keysFile, writeKeysFile } from './keys-file.ts'
import { loadStartingCatalog } from './lab/catalog/index.ts'
import { createLabGateways, type LabGateways } from './lab/gateways/index.ts'
import { labJobs } from './lab-jobs.ts'
import { StartupError } from './platform/errors.ts'
import { registerQuarantineMetric } from './platform/events/publication-quarantine.repository.ts'
import { watchEventLoop } from './platform/http/event-loop-watch.ts'
import { createMetrics } from './platform/http/metrics.ts'
import { checkHandlers, joinDefinitions, startWorker } from './platform/jobs/jobs.ts'
import { createLogger, type Logger } from './platform/log.ts'
import { checkDatabase } from './platform/postgres/database.ts'
import { type Clock, systemClock } from './platform/time/clock.ts'
import { EXIT_CODES, Shutdown } from './shutdown.ts'
import { openStores, type Stores } from './stores.ts'
import { startWebhooks, webhookJobs } from './webhooks/index.ts'

/** Jobs that one process works on at the same time. */
const WORKER_CONCURRENCY = 2

const shutdown = new Shutdown()
const { closers, checkpoint } = shutdown

async function start(): Promise<void> {
  const config = readConfig()
  const log = createLogger(config.logLevel)
  shutdown.logTo(log)
  const startedAt = performance.now()
  if (config.roles.includes('api')) await refuseTakenPort(config)

  const onStoreLost = (reason: string): void => {
    if (!shutdown.isStopping) log.error({ reason }, 'the embedded PostgreSQL ended')
    shutdown.stop(EXIT_CODES.failed)
  }
  const stores = await openStores({ config, log, closers, checkpoint, onStoreLost })
  checkpoint()
  const keepKeys = (keys: FirstKeys): void => writeKeysFile(config.dataDirectory, keys)
  const given = { db: stores.db, config, clock: systemClock, keepKeys }
  const { firstKeys, unusedKeys } = await bootstrap(given)
  for (const unused of unusedKeys) log.warn(unused, 'a given key opens nothing')

  checkpoint()
  await loadStartingCatalog(stores.db, systemClock.now())
  checkpoint()
  const parts = makeParts(config, stores, log)
  if (config.roles.includes('worker')) await startJobs(parts)
  checkpoint()
  const address = config.roles.includes('api') ? await serve(parts) : null
  checkpoint()
  announce(config, address, firstKeys, performance.now() - startedAt)
}

/** What the roles of a process are made of. */
interface Parts {
  config: Config
  stores: Stores
  gateways: LabGateways
  writer: SampleWriter
  summaryWriter: SummaryWriter
  log: Logger
  registry: Registry
}

function makeParts(config: Config, stores: Stores, log: Logger): Parts {
  // The data directory is locked, so an embedded engine has one process.
  const isAlone = config.clickhouseUrl === undefined
  const listener = createChangeMarker({ db: stores.db, clock: systemClock })
  const writerOptions = { ...stores, clock: systemClock, isAlone, listener, log }
  const writer = createSampleWriter(writerOptions)
  closers.push({ name: 'sample writer', close: () => writer.idle() })
  const summaryWriter = createSummaryWriter(writerOptions)
  closers.push({ name: 'summary writer', close: () => summaryWriter.idle() })
  const gateways = createLabGateways()
  const registry = createMetrics()
  registerQuarantineMetric(registry, stores.db)
  watchEventLoop(registry)
  return { config, stores, gateways, writer, summaryWriter, log, registry }
}

async function startJobs({
  config,
  stores,
  gateways,
  writer,
  summaryWriter,
  log,
  registry,
}: Parts): Promise<void> {
  const context = { ...stores, gateways, writer, summaryWriter, log, clock: systemClock }
  const isAlone = config.clickhouseUrl === undefined
  // Before anything is uploaded, every note is of a process that ended.
  if (isAlone) await recoverPublications(context)
  const definitions = joinDefinitions([
    ingestJobs(context),
    summaryJobs(context),
    erasureJobs(context),
    userJobs(context),
    continuousQueryJobs({ ...context, ...config }),
    ...labJobs(context, config),
    webhookJobs({ ...context, eventRetentionDays: config.eventRetentionDays }),
  ])
  const imports = importJobs({ ...context, maxXmlBytes: config.importMaxBytes })
  checkHandlers([definitions, imports])
  const workerOptions = { pool: stores.pool, log }
  const worker = await startWorker({
    ...workerOptions,
    definitions,
    concurrency: WORKER_CONCURRENCY,
  })
  closers.push({ name: 'worker', close: worker.stop })
  // A file may take an hour: files wait for each other, and nothing else waits for them.
  const importer = await startWorker({ ...workerOptions, definitions: imports, concurrency: 1 })
  closers.push({ name: 'import worker', close: importer.stop })
  const findScope = (environmentId: string) => findTenant(stores.db, environmentId)
  const webhooks = startWebhooks({ ...context, config, registry, findScope })
  closers.push({ name: 'webhooks', close: () => webhooks.stop() })
}

/** Publishes what a crash left behind. What fails is tried again by jobs and must not stop a start. */
async function recoverPublications(context: Stores & { clock: Clock; log: Logger }): Promise<void> {
  for (const sweep of [sweepLeftBehind, sweepLeftBehindSummaries]) {
    await sweep(context, 0, undefined, 0).catch((error: unknown) =>
      context.log.error({ err: error }, 'what was left behind could not be published yet'),
    )
  }
}

async function serve({ stores, ...parts }: Parts): Promise<string> {
  const app = await buildApp({
    ...stores,
    ...parts,
    clock: systemClock,
    isStopping: () => shutdown.isStopping,
    readinessChecks: [
      { name: 'postgres', check: () => checkDatabase(stores.pool) },
      { name: 'clickhouse', check: () => stores.clickhouse.ping() },
      { name: 'files', check: () => stores.files.check() },
    ],
  })
  closers.push({ name: 'HTTP server', close: (patience) => closeServer(app, patience) })
  return listen(app, parts.config)
}

function announce(
  config: Config,
  address: string | null,
  keys: FirstKeys | undefined,
  milliseconds: number,
): void {
  const lines = ['', `  Salus is ready after ${(milliseconds / 1000).toFixed(1)} s.`]
  if (address !== null) lines.push(`  API   ${address}`, `  Docs  ${address}/docs`)
  if (keys !== undefined) {
    lines.push('', `  First team, organization ${keys.organizationId}:`)
    if (keys.apiKey) lines.push(`  Sandbox API key  ${keys.apiKey}`)
    if (keys.managementKey) lines.push(`  Management key   ${keys.managementKey}`)
    lines.push(`  They are shown this once and kept in ${keysFile(config.dataDirectory)}.`)
  }
  console.log(`${lines.join('\n')}\n`)
}

shutdown.run(start, (error) => {
  if (!(error instanceof StartupError)) console.error(error)
  else console.error(`Salus cannot start: ${error.message}`)
})
