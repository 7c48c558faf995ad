import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { continuousQueryJobs, createChangeMarker } from './continuous-queries/index.ts'
import { erasureJobs } from './erasure/index.ts'
import { importJobs } from './imports/index.ts'
import {
  createSampleWriter,
  ingestJobs,
  type SampleWriter,
  sweepLeftBehind,
} from './ingest/index.ts'
import { loadStartingCatalog } from './lab-catalog/index.ts'
import { labJobs } from './lab-jobs.ts'
import { createLabGateways, type LabGateways } from './labs/index.ts'
import { StartupError } from './platform/errors.ts'
import type { App } from './platform/http/app-types.ts'
import { createMetrics } from './platform/http/metrics.ts'
import { type JobDefinitions, startWorker } from './platform/jobs/jobs.ts'
import { createLogger, type Logger } from './platform/log.ts'
import { checkDatabase } from './platform/postgres/database.ts'
import { systemClock } from './platform/time/clock.ts'
import { type Closers, openStores, type Stores } from './stores.ts'
import {
  createSummaryWriter,
  type SummaryWriter,
  summaryJobs,
  sweepLeftBehindSummaries,
} from './summaries/index.ts'
import { bootstrap, type FirstKeys, findTenant } from './teams/index.ts'
import { userJobs } from './users/index.ts'
import { startWebhooks, webhookJobs } from './webhooks/index.ts'

/** Jobs that one process works on at the same time. */
const WORKER_CONCURRENCY = 2

const closers: Closers = []
let isStopping = false

async function start(): Promise<void> {
  const config = readConfig()
  const log = createLogger(config.logLevel)
  const startedAt = performance.now()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0, log))
  if (config.roles.includes('api')) await refuseTakenPort(config)

  const stores = await openStores(config, log, closers, (reason) => {
    if (isStopping) return
    log.error({ reason }, 'the embedded PostgreSQL ended')
    stop(1, log)
  })
  const { firstKeys, unusedKeys } = await bootstrap({ db: stores.db, config, clock: systemClock })
  for (const unused of unusedKeys) log.warn(unused, 'a given key opens nothing')
  if (firstKeys !== undefined) writeFirstKeys(config, firstKeys)

  // The data directory is locked, so an embedded engine has one process.
  const isAlone = config.clickhouseUrl === undefined
  const listener = createChangeMarker({ db: stores.db, clock: systemClock })
  const writerOptions = { ...stores, clock: systemClock, isAlone, listener }
  const writer = createSampleWriter(writerOptions)
  closers.push({ name: 'sample writer', close: () => writer.idle() })
  const summaryWriter = createSummaryWriter(writerOptions)
  closers.push({ name: 'summary writer', close: () => summaryWriter.idle() })
  await loadStartingCatalog(stores.db, systemClock.now())
  const gateways = createLabGateways()
  const registry = createMetrics()
  const parts: Parts = { config, stores, gateways, writer, summaryWriter, log, registry }
  if (config.roles.includes('worker')) await startJobs(parts)
  const address = config.roles.includes('api') ? await listen(parts) : null
  // A signal during the start found an incomplete list of things to close.
  if (isStopping) return closeAll(log)
  announce(config, address, firstKeys, performance.now() - startedAt)
}

/** Binds the port for a moment, so that a taken one is told before the databases start. */
function refuseTakenPort({ port, host }: Config): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const probe = createServer()
  probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListen(error, port, host)))
  probe.listen(port, host, () => probe.close(() => resolve()))
  return promise
}

function explainListen(error: NodeJS.ErrnoException, port: number, host: string): StartupError {
  if (error.code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port} on ${host} is taken. Stop what listens there, or set PORT to another number.`,
      { cause: error },
    )
  }
  if (error.code === 'EACCES') {
    return new StartupError(`Port ${port} needs more rights. Set PORT to 1024 or more.`, {
      cause: error,
    })
  }
  return new StartupError(
    `Cannot listen on ${host}:${port} (${error.code}). Check HOST and PORT.`,
    {
      cause: error,
    },
  )
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
  if (isAlone) await sweepLeftBehind(context, 0)
  if (isAlone) await sweepLeftBehindSummaries(context, 0)
  const parts: JobDefinitions[] = [
    ingestJobs(context),
    summaryJobs(context),
    importJobs({ ...context, maxXmlBytes: config.importMaxBytes }),
    erasureJobs(context),
    userJobs(context),
    continuousQueryJobs({ ...context, ...config }),
    ...labJobs(context, config),
    webhookJobs({ ...context, eventRetentionDays: config.eventRetentionDays }),
  ]
  const worker = await startWorker({
    pool: stores.pool,
    definitions: {
      handlers: Object.assign({}, ...parts.map((part) => part.handlers)),
      schedule: parts.map((part) => part.schedule).join('\n'),
    },
    concurrency: WORKER_CONCURRENCY,
    log,
  })
  closers.push({ name: 'worker', close: worker.stop })
  const findScope = (environmentId: string) => findTenant(stores.db, environmentId)
  const webhooks = startWebhooks({ ...context, config, registry, findScope })
  closers.push({ name: 'webhooks', close: () => webhooks.stop() })
}

async function listen({ stores, ...parts }: Parts): Promise<string> {
  const { config } = parts
  const app = await buildApp({
    ...stores,
    ...parts,
    clock: systemClock,
    isStopping: () => isStopping,
    readinessChecks: [
      { name: 'postgres', check: () => checkDatabase(stores.pool) },
      { name: 'clickhouse', check: () => stores.clickhouse.ping() },
    ],
  })
  closers.push({ name: 'HTTP server', close: () => closeServer(app) })
  const { port, host } = config
  return app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    throw explainListen(error, port, host)
  })
}

/** Waits for requests in flight; their connections stay open for more, until told otherwise. */
async function closeServer(app: App): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close().finally(() => clearInterval(sweep))
}

const keysFile = (config: Config): string => join(config.dataDirectory, 'keys.json')

function writeFirstKeys(config: Config, keys: FirstKeys): void {
  const content = {
    api_key: keys.apiKey,
    management_key: keys.managementKey,
    organization_id: keys.organizationId,
    team_id: keys.teamId,
  }
  writeFileSync(keysFile(config), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
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
    lines.push(`  They are shown this once and kept in ${keysFile(config)}.`)
  }
  console.log(`${lines.join('\n')}\n`)
}

async function closeAll(log: Logger): Promise<void> {
  // Newest first: requests, then jobs, then what they use.
  for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
    try {
      await next.close()
    } catch (error) {
      log.error({ err: error, part: next.name }, 'a part did not close cleanly')
    }
  }
}

function stop(code: number, log: Logger): void {
  // A second signal does not wait.
  if (isStopping) process.exit(1)
  isStopping = true
  process.exitCode = code
  closeAll(log).finally(() => process.exit(code))
}

start().catch(async (error: unknown) => {
  if (!(error instanceof StartupError)) console.error(error)
  else console.error(`Salus cannot start: ${error.message}`)
  isStopping = true
  await closeAll(createLogger('silent'))
  process.exit(1)
})
