import Fastify, { type FastifyInstance } from 'fastify'
import {
  createManagementAuthentication,
  createTeamAuthentication,
  registerManagedEnvironments,
  registerManagementRoutes,
} from '../../src/accounts/teams/index.ts'
import {
  registerLabCatalogRoutes,
  registerLabTestApprovalRoutes,
} from '../../src/lab/catalog/index.ts'
import type { App } from '../../src/platform/http/app-types.ts'
import { registerErrorHandler } from '../../src/platform/http/error-handler.ts'
import { registerNotFound } from '../../src/platform/http/method-not-allowed.ts'
import { registerRequestBodies } from '../../src/platform/http/request-body.ts'
import { createValidatorCompiler } from '../../src/platform/http/validation.ts'
import type { Db } from '../../src/platform/postgres/database.ts'
import type { Environment } from '../../src/platform/scope.ts'
import { createTestDatabase } from '../database.ts'
import {
  makeOrganization,
  makeTeam,
  makeTeamKey,
  TestClock,
  type TestOrganization,
} from '../teams-app.ts'

export interface Answer {
  status: number
  headers: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

export interface CatalogTeam {
  id: string
  sandbox: Environment
  production: Environment
  /** Calls the API with the sandbox key. */
  call(method: string, url: string, body?: unknown): Promise<Answer>
  callProduction(method: string, url: string, body?: unknown): Promise<Answer>
}

export interface CatalogApp {
  db: Db
  clock: TestClock
  organization: TestOrganization
  team: CatalogTeam
  makeTeam(settings?: object): Promise<CatalogTeam>
  close(): Promise<void>
}

/** The routes of this domain with their credentials, on a database of their own without a catalog. */
export async function createCatalogApp(): Promise<CatalogApp> {
  const database = await createTestDatabase()
  const { db, pool } = database
  // Test databases come with the starting catalog.
  await pool.query('truncate labs, loincs, catalog_loads restart identity cascade')
  const clock = new TestClock()
  const app = buildApp(db, clock)
  await app.ready()
  const organization = await makeOrganization(app, db, clock)

  async function send(key: string, method: string, url: string, body?: unknown): Promise<Answer> {
    const response = await app.inject({
      method: method as 'GET',
      url,
      headers: { 'x-service-api-key': key },
      ...(body !== undefined && { payload: body as object }),
    })
    const { statusCode: status, headers } = response
    return { status, headers, body: response.json() }
  }

  async function newTeam(settings: object = {}): Promise<CatalogTeam> {
    const id = await makeTeam(organization, settings)
    const sandbox = await makeTeamKey(organization, id, 'sandbox')
    const production = await makeTeamKey(organization, id, 'production')
    return {
      id,
      sandbox: (await send(sandbox.value, 'GET', '/whoami')).body,
      production: (await send(production.value, 'GET', '/whoami')).body,
      call: (method, url, body) => send(sandbox.value, method, url, body),
      callProduction: (method, url, body) => send(production.value, method, url, body),
    }
  }

  return {
    db,
    clock,
    organization,
    team: await newTeam(),
    makeTeam: newTeam,
    async close() {
      await app.close()
      await database.close()
    },
  }
}

function buildApp(db: Db, clock: TestClock): FastifyInstance {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.setValidatorCompiler(createValidatorCompiler())
  registerErrorHandler(app)
  registerNotFound(app)
  registerRequestBodies(app)
  // Nothing here reads health data.
  const stores = { db, clock, clickhouse: undefined as never }
  const teams = createTeamAuthentication(stores, { aliasesEnabled: true })
  app.register(async (scope) => {
    scope.addHook('onRequest', teams.authenticate)
    registerLabCatalogRoutes(scope as unknown as App)
    scope.get('/whoami', async ({ scope }) => scope.environment)
  })
  app.register(async (scope) => {
    scope.addHook('onRequest', createManagementAuthentication({ db }))
    const options = { db, clock, forgetCredentials: teams.forget, eventTypes: [] }
    registerManagementRoutes(scope as unknown as App, options)
  })
  const authenticate = createManagementAuthentication({ db })
  registerManagedEnvironments(app as unknown as App, stores, authenticate, (managed) =>
    registerLabTestApprovalRoutes(managed),
  )
  return app
}
