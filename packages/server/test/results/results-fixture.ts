import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLabSimulator } from '@salus/sandbox/lab'
import Fastify, { type InjectOptions } from 'fastify'
import {
  bootstrap,
  createManagementAuthentication,
  createTeamAuthentication,
  findEnvironment,
  registerManagedEnvironments,
  registerManagementRoutes,
} from '../../src/accounts/teams/index.ts'
import { registerUserRoutes } from '../../src/accounts/users/index.ts'
import { createLabGateways } from '../../src/lab/gateways/index.ts'
import { ordersOfUsers, registerOrderRoutes } from '../../src/lab/orders/index.ts'
import {
  inReportTransaction,
  RESULT_FILES,
  type ResultsScope,
  registerMatchReviewOperatorRoutes,
  registerResultRoutes,
  type TakenOutcome,
  type TakenReport,
  takeReport,
} from '../../src/lab/results/index.ts'
import { unpackBody } from '../../src/platform/events/event-body.ts'
import { type FileStore, openFileStore } from '../../src/platform/files/file-store.ts'
import type { App } from '../../src/platform/http/app-types.ts'
import { registerErrorHandler } from '../../src/platform/http/error-handler.ts'
import { registerNotFound } from '../../src/platform/http/method-not-allowed.ts'
import { registerRequestBodies } from '../../src/platform/http/request-body.ts'
import { createValidatorCompiler } from '../../src/platform/http/validation.ts'
import type { Log } from '../../src/platform/log.ts'
import { createScope, type Environment, type Stores } from '../../src/platform/scope.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { TestClock } from '../teams-app.ts'

export interface Answer {
  status: number
  headers: Record<string, unknown>
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

/** A line of the log of the results. */
export interface LogLine {
  data: object
  message: string
}

export interface ToldEvent {
  type: string
  userId: string | null
  data: Answer['body']
}

/** Orders and results of one team's sandbox on a database of its own, without samples. */
export interface ResultsFixture {
  database: TestDatabase
  clock: TestClock
  files: FileStore
  log: LogLine[]
  apiKey: string
  productionKey: string
  organizationId: string
  teamId: string
  environmentId: string
  call(method: string, url: string, body?: unknown, headers?: object): Promise<Answer>
  manage(method: string, path: string, body?: unknown): Promise<Answer>
  /** Changes settings of the sandbox. */
  set(settings: object): Promise<void>
  makeUser(): Promise<string>
  environment(): Promise<Environment>
  context(): Promise<ResultsScope>
  /** Takes a report as the inbox does. */
  take(report: Omit<TakenReport, 'messageId' | 'at'>): Promise<TakenOutcome>
  /** Events about laboratory tests, in order of writing. */
  events(type?: RegExp): Promise<ToldEvent[]>
  /** Names of the stored PDFs. */
  fileNames(): string[]
  close(): Promise<void>
}

/** The routes that orders and results need, as one process would serve them. */
const buildApp = async (parts: { db: TestDatabase['db']; clock: TestClock; files: FileStore }) => {
  const { db, clock, files } = parts
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } }) as unknown as App
  app.setValidatorCompiler(createValidatorCompiler())
  registerErrorHandler(app)
  registerNotFound(app)
  registerRequestBodies(app)
  // Nothing here reads health data.
  const stores = { db, clock, clickhouse: undefined as never }
  const team = createTeamAuthentication(stores, { aliasesEnabled: true })
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', team.authenticate)
    const config = { baseUrl: undefined, sandboxUserLimit: 0 }
    registerUserRoutes(scope, { config, orders: ordersOfUsers })
    registerOrderRoutes(scope, { gateways: createLabGateways(createLabSimulator()) })
    registerResultRoutes(scope, { files })
  })
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', createManagementAuthentication({ db, aliasesEnabled: true }))
    registerManagementRoutes(scope, { db, clock, forgetCredentials: team.forget, eventTypes: [] })
  })
  const authenticate = createManagementAuthentication({ db })
  await registerManagedEnvironments(app, stores, authenticate, (managed) =>
    registerMatchReviewOperatorRoutes(managed),
  )
  await app.ready()
  return app
}

export async function createResultsFixture(): Promise<ResultsFixture> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-results-'))
  const clock = new TestClock()
  const database = await createTestDatabase()
  const { db, pool } = database
  const config = { apiKey: undefined, managementKey: undefined, region: 'us' as const }
  const { firstKeys } = await bootstrap({ db, config, clock })
  if (firstKeys === undefined) throw new Error('The test database was not fresh.')
  const { organizationId, teamId, apiKey = '', managementKey = '' } = firstKeys
  const files = openFileStore(directory)
  const app = await buildApp({ db, clock, files })
  const log: LogLine[] = []
  const note = (data: object, message: string) => void log.push({ data, message })

  const call: ResultsFixture['call'] = async (method, url, body, headers = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const request: InjectOptions = {
      method: method as 'GET',
      url,
      headers: { ...json, 'x-service-api-key': apiKey, ...headers },
    }
    if (body !== undefined) request.payload = JSON.stringify(body)
    const response = await app.inject(request)
    const isJson = String(response.headers['content-type']).includes('json')
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: response.rawPayload,
      body: isJson && response.body !== '' ? response.json() : undefined,
    }
  }
  const manage: ResultsFixture['manage'] = (method, path, body) =>
    call(method, `/v1/org/${organizationId}${path}`, body, { 'x-management-key': managementKey })
  const { rows } = await pool.query(
    "select id from team_environments where team_id = $1 and environment = 'sandbox'",
    [teamId],
  )
  const environmentId: string = rows[0].id
  const environment = async (): Promise<Environment> => {
    const found = await findEnvironment(db, environmentId)
    if (found === undefined) throw new Error('The environment is gone.')
    return found
  }
  const stores: Stores = {
    db,
    clock,
    // Nothing here reads health data.
    clickhouse: undefined as never,
    log: { debug: note, info: note, warn: note, error: note } as Log,
  }
  const context = async (): Promise<ResultsScope> => ({
    ...createScope(stores, await environment()),
    files,
  })
  const production = await manage('POST', '/team_api_keys/production/us', {
    label: 'Production',
    team_id: teamId,
  })
  let users = 0

  return {
    database,
    clock,
    files,
    log,
    apiKey,
    productionKey: production.body.value,
    organizationId,
    teamId,
    environmentId,
    call,
    manage,
    environment,
    context,
    async set(sandbox) {
      const answer = await manage('PATCH', `/team/${teamId}`, { sandbox })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    },
    async makeUser() {
      users += 1
      const created = await call('POST', '/v2/user', { client_user_id: `person-${users}` })
      return created.body.user_id
    },
    async take(taken) {
      const working = await context()
      return inReportTransaction(working, (tx) =>
        takeReport(tx, { ...taken, messageId: randomUUID(), at: clock.now() }),
      )
    },
    async events(type = /^labtest\./) {
      const { rows: found } = await pool.query(
        'select event_type, user_id, body from events order by sequence',
      )
      return found
        .filter(({ event_type: name }) => type.test(name))
        .map(({ event_type: name, user_id: userId, body }) => ({
          type: name,
          userId,
          data: JSON.parse(unpackBody(body).toString()).data,
        }))
    },
    fileNames() {
      try {
        return readdirSync(join(directory, RESULT_FILES)).sort()
      } catch {
        return []
      }
    },
    async close() {
      await app.close()
      await database.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
