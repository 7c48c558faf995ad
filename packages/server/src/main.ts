import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSignInAddress, SIGN_IN_CODE_MINUTES } from '@salus/accounts/console'
import { bootstrap, type FirstKeys, waitForFirstTeam } from '@salus/accounts/teams'
import { recoverPulls } from '@salus/health/pulling'
import { StartupError } from '@salus/kernel/errors'
import { watchEventLoop } from '@salus/kernel/http/event-loop-watch'
import type { EndOfProcess } from '@salus/kernel/http/stopping'
import { startWorker } from '@salus/kernel/jobs/jobs'
import { createLogger, type Log, openLogDestination } from '@salus/kernel/log'
import { startTelemetry } from '@salus/kernel/telemetry/start-telemetry'
import { StatementObserver } from '@salus/kernel/telemetry/statement-observer'
import { systemClock } from '@salus/kernel/time/clock'
import { loadStartingCatalog } from '@salus/lab/catalog'
import { addStartingDiagnosisCodes, loadStartingPayors } from '@salus/lab/insurance'
import { logReaderConfinement, requireTemporaryFolder } from '@salus/lab/reports'
import { loadSampleServiceCenters } from '@salus/lab/service-centers'
import { buildApp, buildProbesApp } from './app.ts'
import { type Config, findUnknownSettings, readConfig, requireSharedAddress } from './config.ts'
import { closeServer, listen, refuseTakenPort } from './http-server.ts'
import { keysFile, writeKeysFile } from './keys-file.ts'
import { createServices, type Services } from './services.ts'
import { EXIT_CODES, Shutdown } from './shutdown.ts'
import { openStores } from './stores.ts'

/** Number of jobs that one process runs at the same time. */
const WORKER_CONCURRENCY = 2

/** Time after a start until all of its work has ended. */
const SETTLED_MS = 2_000

/**
 * Garbage that V8 lets grow before it collects all of the heap, as a share of the live data. On
 * machines with much memory it is up to three times as much as them by default, which a long pull
 * reaches (docs/decisions/0121-narrow-queries-and-memory.md).
 */
const HEAP_GROWING_PERCENT = 50

const shutdown = new Shutdown()
const { closers, checkpoint } = shutdown
const END_OF_PROCESS: EndOfProcess = {
  isStopping: () => shutdown.isStopping,
  isDraining: () => shutdown.isDraining,
}

function warnOfUnknownSettings(log: Log): void {
  for (const { name, nearest } of findUnknownSettings()) {
    log.warn(
      { name, nearest },
      `unknown setting ${name}${nearest ? `, did you mean ${nearest}?` : ''}`,
    )
  }
}

/** @throws StartupError before anything is opened */
async function refuseWrongSetup(config: Config): Promise<void> {
  requireSharedAddress(config)
  if (config.migrate === 'only') return
  requireTemporaryFolder()
  if (config.roles.includes('api')) await refuseTakenPort(config)
}

async function start(): Promise<void> {
  const config = readConfig()
  const log = createLogger(config.logLevel, await openLogDestination(config.logFormat))
  shutdown.logTo(log)
  warnOfUnknownSettings(log)
  const startedAt = performance.now()
  const telemetry = await startTelemetry({ config, log })
  if (telemetry !== undefined) closers.push({ name: 'telemetry', close: telemetry.close })
  await refuseWrongSetup(config)

  const onStoreLost = (reason: string): void => {
    if (!shutdown.isStopping) log.error({ reason }, 'the embedded PostgreSQL ended')
    shutdown.stop(EXIT_CODES.failed)
  }
  const statements = new StatementObserver({ log, slowMs: config.slowStatementMs })
  const stores = await openStores({ config, log, closers, checkpoint, onStoreLost, statements })
  checkpoint()
  if (config.migrate === 'wait') await waitForFirstTeam({ db: stores.db, log, checkpoint })
  const keepKeys = (keys: FirstKeys): void => writeKeysFile(config.dataDirectory, keys)
  const given = { db: stores.db, config, clock: systemClock, keepKeys }
  const { firstKeys, unusedKeys } = await bootstrap(given)
  for (const unused of unusedKeys) log.warn(unused, 'a key in the settings gives no access')

  checkpoint()
  await loadStartingCatalog(stores.db, systemClock.now())
  await loadStartingPayors(stores.db, systemClock.now())
  checkpoint()
  await addStartingDiagnosisCodes(stores.db)
  await loadSampleServiceCenters(stores.db, systemClock.now())
  checkpoint()
  if (config.migrate === 'only') {
    console.log(
      ['', '  The stores are up to date.', ...describeKeys(config, firstKeys), ''].join('\n'),
    )
    return shutdown.stop(EXIT_CODES.stopped)
  }
  const services = createServices({ ...stores, config, clock: systemClock, log, statements })
  closers.push({ name: 'writers', close: () => services.idle() })
  void logReaderConfinement(log)
  closers.push({ name: 'lab report parser', close: () => services.labReportParser.close() })
  watchEventLoop(services.registry)
  telemetry?.sendMetrics(services.registry)
  await startOutside(services)
  if (config.roles.includes('worker')) await startRoleOfWorker(services)
  checkpoint()
  const addresses = await serveRoles(services)
  checkpoint()
  const { api } = addresses
  const consoleUrl = api && (await findConsoleUrl(services, api))
  checkpoint()
  printReady(config, { ...addresses, consoleUrl }, firstKeys, performance.now() - startedAt)
  setTimeout(limitGarbage, SETTLED_MS).unref()
}

/**
 * Frees memory after a start, which leaves as much garbage as live data. V8 frees it when a process
 * is at rest, but notices the rest only at a garbage collection, which a process at rest does not
 * need: so this runs one, of some milliseconds. From then on it collects all of the heap earlier,
 * which would only delay a start.
 */
function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')({ type: 'minor' })
}

/** Starts the emulated vendors and the connections to laboratories. */
async function startOutside({ config, emulator, gateways }: Services): Promise<void> {
  const { connected } = gateways
  connected.start({ isReceiver: config.roles.includes('worker') })
  closers.push({ name: 'laboratory connections', close: () => connected.close() })
  if (emulator === undefined) return
  await emulator.listen()
  closers.push({ name: 'emulated vendors', close: () => emulator.close() })
}

async function startRoleOfWorker(services: Services): Promise<void> {
  const { config, pool, log, registry, jobs, importJobs, labReportJobs } = services
  // Before any upload, every pending publication belongs to a process that ended, and so does every
  // lease.
  if (config.clickhouseUrl === undefined) {
    await services.recoverPublications()
    await recoverPulls(services)
  }
  const workers = [
    { name: 'worker', definitions: jobs, concurrency: WORKER_CONCURRENCY },
    { name: 'import worker', definitions: importJobs, concurrency: 1 },
    {
      name: 'lab report worker',
      definitions: labReportJobs,
      concurrency: config.labReportProcesses,
    },
  ]
  for (const { name, definitions, concurrency } of workers) {
    const worker = await startWorker({ pool, log, registry, definitions, concurrency })
    closers.push({ name, close: worker.stop })
  }
  const webhooks = services.startWebhooks()
  closers.push({ name: 'webhooks', close: () => webhooks.stop() })
  const puller = services.startPuller()
  closers.push({ name: 'puller', close: () => puller.stop() })
}

/** URLs at which a process is reached. */
interface Addresses {
  api?: string
  /** URL of a process without the role api. */
  probes?: string
}

async function serveRoles(services: Services): Promise<Addresses> {
  const { roles, healthPort } = services.config
  if (roles.includes('api')) return { api: await serve(services) }
  return healthPort === undefined ? {} : { probes: await serveProbes(services, healthPort) }
}

async function serve(services: Services): Promise<string> {
  const app = await buildApp({ ...services, ...END_OF_PROCESS })
  closers.push({ name: 'HTTP server', close: (patience) => closeServer(app, patience) })
  const address = await listen(app, services.config)
  shutdown.drainFor(services.config.drainSeconds * 1000)
  return address
}

/** Serves probes and metrics of a process without the role api on the configured port. */
async function serveProbes(services: Services, port: number): Promise<string> {
  const app = buildProbesApp({ ...services, ...END_OF_PROCESS })
  closers.push({ name: 'probes', close: (patience) => closeServer(app, patience) })
  const portSetting = 'SALUS_HEALTH_PORT'
  return listen(app, { host: services.config.host, port, portSetting })
}

/** Returns the URL that signs in once, or the plain one where no code may be printed. */
async function findConsoleUrl(services: Services, address: string): Promise<string> {
  const { config } = services
  const serverUrl = config.baseUrl ?? address
  const signIn = config.consoleSignInCode
    ? await createSignInAddress(services, serverUrl)
    : undefined
  return signIn ?? `${serverUrl.replace(/\/+$/, '')}/console`
}

function printReady(
  config: Config,
  { api, probes, consoleUrl }: Addresses & { consoleUrl: string | undefined },
  keys: FirstKeys | undefined,
  milliseconds: number,
): void {
  const lines = ['', `  Salus is ready after ${(milliseconds / 1000).toFixed(1)} s.`]
  if (api !== undefined) lines.push(`  API   ${api}`)
  if (api !== undefined && config.docsOffered) lines.push(`  Docs  ${api}/docs`)
  if (probes !== undefined) lines.push(`  Probes ${probes}/health/ready`)
  if (consoleUrl !== undefined) lines.push('', ...describeConsole(consoleUrl))
  console.log(`${[...lines, ...describeKeys(config, keys)].join('\n')}\n`)
}

function describeKeys(config: Config, keys: FirstKeys | undefined): string[] {
  if (keys === undefined) return []
  const lines = ['', `  First team, organization ${keys.organizationId}:`]
  if (keys.apiKey) lines.push(`  Sandbox API key  ${keys.apiKey}`)
  if (keys.managementKey) lines.push(`  Management key   ${keys.managementKey}`)
  const areMade = keys.apiKey !== undefined || keys.managementKey !== undefined
  if (areMade)
    lines.push(`  They are shown only once, and are stored in ${keysFile(config.dataDirectory)}.`)
  return lines
}

function describeConsole(url: string): string[] {
  if (!url.includes('#')) return [`  Console  ${url}`]
  const times = `once, in the next ${SIGN_IN_CODE_MINUTES} minutes`
  return [
    `  Open this URL to sign in to the console (it works ${times}; then use "salus console"):`,
    `  ${url}`,
  ]
}

shutdown.run(start, (error) => {
  if (!(error instanceof StartupError)) console.error(error)
  else console.error(`Salus cannot start: ${error.message}`)
})
