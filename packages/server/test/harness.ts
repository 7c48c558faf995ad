import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from '@salus/accounts/teams'
import type { Connectors } from '@salus/health/connectors'
import type { Ingest } from '@salus/health/ingest'
import type { Puller } from '@salus/health/pulling'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { openSecretBox } from '@salus/kernel/crypto/secret-key'
import { type FileStore, openFileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { joinDefinitions, startWorker, type Worker } from '@salus/kernel/jobs/jobs'
import { createLogger, type Logger } from '@salus/kernel/log'
import type { LabReportParser } from '@salus/lab-report-parser'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Registry } from 'prom-client'
import { type AppDependencies, buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createServices, type Services } from '../src/services.ts'
import type { Dispatcher } from '../src/webhooks/delivery/dispatcher.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { ExpectedErrors } from './expected-errors.ts'
import {
  createSampleFixture,
  createSummaryFixture,
  type SampleFixture,
  type SummaryFixture,
} from './ingest-fixture.ts'
import { createFakeParser } from './reports/fake-parser.ts'
import { TestClock } from './teams-app.ts'
import { createTestClickHouse } from './test-clickhouse.ts'

export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

export interface Harness {
  app: App
  /** What the application is made of, to make another one on the same stores. */
  dependencies: AppDependencies
  config: Config
  database: TestDatabase
  clickhouse: ClickHouse
  ingest: Ingest
  /** Stores samples, or summaries, past the routes. */
  writer: SampleFixture
  summaryWriter: SummaryFixture
  files: FileStore
  secrets: SecretBox
  clock: TestClock
  /** What is logged as an error: a test that causes some expects them. */
  errors: ExpectedErrors
  /** Sandbox key of the first team. */
  apiKey: string
  managementKey: string
  organizationId: string
  teamId: string
  /** Calls the API, as the first team unless other headers are given; objects are sent as JSON. */
  call(method: string, url: string, body?: unknown, headers?: object): Promise<Answer>
  /** Calls `/v1/org/{id}{path}` with the management key, or with another one. */
  manage(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  /** A new team with a sandbox and a production key, by the management API. */
  makeTeam(settings?: object): Promise<{ id: string; sandboxKey: string; productionKey: string }>
  /** A new user of the first team, connected to the given SDK providers. */
  makeUser(...providers: string[]): Promise<string>
  /** Works on jobs in this process until the harness closes. */
  startJobs(): Promise<Worker>
  /** Delivers webhooks in this process until the harness closes. */
  startWebhooks(options?: { timeoutMs?: number; pollMs?: number }): Dispatcher
  /** Asks vendors in this process until the harness closes. */
  startPuller(options?: Parameters<Services['startPuller']>[0]): Puller
  close(): Promise<void>
}

let nextUser = 0

export function answerOf(response: LightMyRequestResponse): Answer {
  const { statusCode: status, headers, body: text, rawPayload: bytes } = response
  const isJson = String(headers['content-type']).includes('json')
  return { status, headers, text, bytes, body: isJson && text !== '' ? response.json() : undefined }
}

/** Calls an application with a team's key, unless other headers are given. */
export function callerOf(app: App, apiKey: string): Harness['call'] {
  return async (method, url, body, headers = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    const request: InjectOptions = {
      method: method as 'GET',
      url,
      headers: {
        ...(isRaw ? {} : { 'content-type': 'application/json' }),
        'x-service-api-key': apiKey,
        ...headers,
      },
    }
    if (body !== undefined) request.payload = isRaw ? (body as string) : JSON.stringify(body)
    return answerOf(await app.inject(request))
  }
}

interface HarnessOptions {
  connectors?: Connectors
  labReportParser?: LabReportParser
  errors?: ExpectedErrors
  log?: Logger
  clock?: TestClock
  /** Connections of the pool, for tests in which much happens at once. */
  poolSize?: number
  fillDemoTeam?: AppDependencies['fillDemoTeam']
  /** A database that the test closes itself, where it needs a server of its own. */
  database?: TestDatabase
  /** @param primary The database of the harness. */
  openReplicas?: (primary: TestDatabase) => Promise<NonNullable<AppDependencies['replicas']>>
}

/**
 * The whole application on real stores: an own PostgreSQL database, an embedded ClickHouse with
 * empty tables, a clock that only the test moves. One a test file, and one at a time in a
 * process.
 */
export async function createHarness(
  settings: Partial<Config> = {},
  {
    connectors,
    labReportParser = createFakeParser(),
    // What fails unexpectedly is seen; warnings of what tests provoke are not.
    errors = new ExpectedErrors(),
    log = createLogger('error', errors),
    clock = new TestClock(),
    poolSize,
    fillDemoTeam,
    database: given,
    openReplicas,
  }: HarnessOptions = {},
): Promise<Harness> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-test-'))
  // All requests of a test come from one address, within a minute that does not pass.
  const unlimited = {
    keyRateLimit: 0,
    personRateLimit: 0,
    addressRateLimit: 0,
    failedSignInLimit: 0,
  }
  const config = { ...readConfig({ SALUS_DATA_DIR: directory }), ...unlimited, ...settings }
  const database = given ?? (await createTestDatabase(poolSize))
  const clickhouse = createTestClickHouse()
  const { firstKeys } = await bootstrap({ db: database.db, config, clock })
  if (firstKeys === undefined) throw new Error('The test database was not fresh.')
  const { db, pool } = database
  const files = openFileStore(join(directory, 'files'))
  const secrets = await openSecretBox(pool, config.secretKeys, directory)
  const replicas = await openReplicas?.(database)
  const stores = { db, pool, replicas, clickhouse, files, secrets }
  const services = createServices({
    ...stores,
    config,
    clock,
    log,
    batchWaitMs: 1,
    labReportParser,
    ...(connectors !== undefined && { connectors }),
  })
  const { ingest, emulator } = services
  await emulator?.listen()
  const dependencies: AppDependencies = {
    ...services,
    isStopping: () => false,
    ...(fillDemoTeam !== undefined && { fillDemoTeam }),
  }
  const app = await buildApp(dependencies).catch(async (error: unknown) => {
    // A server that still listens would keep the process of the tests alive.
    await emulator?.close()
    throw error
  })
  await app.ready()
  const apiKey = firstKeys.apiKey ?? config.apiKey ?? ''
  const managementKey = firstKeys.managementKey ?? config.managementKey ?? ''
  const workers = new Set<Worker>()
  const dispatchers = new Set<Dispatcher>()
  const pullers = new Set<Puller>()

  const call = callerOf(app, apiKey)
  const manage: Harness['manage'] = (method, path, body, key = managementKey) =>
    call(method, `/v1/org/${firstKeys.organizationId}${path}`, body, { 'x-management-key': key })
  const make = async (path: string, body: object) => {
    const answer = await manage('POST', path, body)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }

  return {
    app,
    dependencies,
    config,
    database,
    clickhouse,
    ingest,
    writer: createSampleFixture(ingest, services),
    summaryWriter: createSummaryFixture(ingest, services),
    files,
    secrets,
    clock,
    errors,
    apiKey,
    managementKey,
    organizationId: firstKeys.organizationId,
    teamId: firstKeys.teamId,
    call,
    manage,
    async makeTeam(settings = {}) {
      const { id } = await make('/team', { name: 'Another team', region: 'us', ...settings })
      const key = { label: 'test', team_id: id }
      const sandbox = await make('/team_api_keys/sandbox/us', key)
      const production = await make('/team_api_keys/production/us', key)
      return { id, sandboxKey: sandbox.value, productionKey: production.value }
    },
    async makeUser(...providers) {
      const created = await call('POST', '/v2/user', { client_user_id: `user-${nextUser++}` })
      for (const provider of providers) {
        const url = `/v2/link/provider/manual/${provider}`
        await call('POST', url, { user_id: created.body.user_id })
      }
      return created.body.user_id
    },
    async startJobs() {
      // On a busy machine a connection may take too long to open; the queue opens another one.
      errors.allow('Error with notify listener')
      const all = joinDefinitions([services.jobs, services.importJobs, services.labReportJobs])
      // Nothing runs by the time of day: tests say when.
      const definitions = { ...all, schedule: '' }
      const worker = await startWorker({ pool, definitions, concurrency: 1, log })
      workers.add(worker)
      return {
        stop() {
          workers.delete(worker)
          return worker.stop()
        },
      }
    },
    startWebhooks(options = {}) {
      const dispatcher = services.startWebhooks({ registry: new Registry(), ...options })
      dispatchers.add(dispatcher)
      return {
        poll: () => dispatcher.poll(),
        stop() {
          dispatchers.delete(dispatcher)
          return dispatcher.stop()
        },
      }
    },
    startPuller(options = {}) {
      const puller = services.startPuller({ registry: new Registry(), ...options })
      pullers.add(puller)
      return {
        poll: () => puller.poll(),
        stop() {
          pullers.delete(puller)
          return puller.stop()
        },
      }
    },
    async close() {
      for (const puller of pullers) await puller.stop()
      for (const dispatcher of dispatchers) await dispatcher.stop()
      for (const worker of workers) await worker.stop()
      await app.close()
      await emulator?.close()
      await services.idle()
      await clickhouse.close()
      await replicas?.close()
      await database.close()
      rmSync(directory, { recursive: true, force: true })
      errors.check()
    },
  }
}
