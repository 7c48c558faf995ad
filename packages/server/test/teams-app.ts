import { AuditLog } from '@salus/kernel/audit/audit-log'
import type { App } from '@salus/kernel/http/app-types'
import { registerErrorHandler } from '@salus/kernel/http/error-handler'
import { registerNotFound } from '@salus/kernel/http/method-not-allowed'
import { registerRateLimits } from '@salus/kernel/http/rate-limits'
import { registerRequestBodies } from '@salus/kernel/http/request-body'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import { newId } from '@salus/kernel/ids'
import { createLogger } from '@salus/kernel/log'
import type { Db } from '@salus/kernel/postgres/database'
import { registerSignInFailures } from '@salus/kernel/sign-in/sign-in-failures'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import {
  createManagementAuthentication,
  createTeamAuthentication,
} from '../../accounts/src/teams/access/authentication.ts'
import {
  generateManagementKey,
  storeManagementKey,
} from '../../accounts/src/teams/keys/management-keys.service.ts'
import { registerManagementRoutes } from '../../accounts/src/teams/management.routes.ts'
import { registerTeamRoutes } from '../../accounts/src/teams/organization/team.routes.ts'
import { insertOrganization } from '../../accounts/src/teams/organization/teams.repository.ts'
import { readConfig } from '../src/config.ts'
import { registerRoutePermissions } from '../src/route-permissions.ts'
import { createTestDatabase } from './database.ts'
import { ExpectedErrors } from './expected-errors.ts'
import { lazily, useFixture } from './use-fixture.ts'

/** A clock that only the test moves. */
export class TestClock {
  #now = new Date('2026-03-01T12:00:00.250Z')

  now(): Date {
    return new Date(this.#now)
  }

  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000)
  }
}

const EVENT_TYPES = ['daily.data.steps.created', 'provider.connection.created']

/** The team and management routes with their hooks, as one process would serve them. */
export function buildTeamsApp(
  db: Db,
  clock: TestClock,
  { aliasesEnabled = true } = {},
): FastifyInstance {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  app.setValidatorCompiler(createValidatorCompiler())
  registerRoutePermissions(app)
  registerErrorHandler(app)
  registerNotFound(app)
  registerRequestBodies(app)
  const errors = new ExpectedErrors()
  const audit = new AuditLog({ db, clock, log: createLogger('error', errors), secrets: null })
  const options = { db, clock, audit, registry: new Registry(), config: readConfig({}) }
  registerRateLimits(app as unknown as App, options)
  registerSignInFailures(app as unknown as App, options)
  app.addHook('onClose', async () => {
    await audit.flush()
    errors.check()
  })
  const team = createTeamAuthentication(
    // Nothing here reads health data.
    { db, clock, clickhouse: undefined as never },
    { aliasesEnabled },
  )
  app.register(async (scope) => {
    scope.addHook('onRequest', team.authenticate)
    registerTeamRoutes(scope as unknown as App, { baseUrl: undefined })
    scope.get('/whoami', async (request) => request.scope.environment)
  })
  app.register(async (scope) => {
    scope.addHook('onRequest', createManagementAuthentication({ db, aliasesEnabled }))
    const deps = { db, clock, forgetCredentials: team.forget, eventTypes: EVENT_TYPES }
    registerManagementRoutes(scope as unknown as App, deps)
  })
  return app
}

/** Opens the application on a database of its own, with two organizations, for a test file. */
export function useTeamsApp() {
  const clock = new TestClock()
  const fixture = useFixture(async () => {
    const database = await createTestDatabase()
    const app = buildTeamsApp(database.db, clock)
    const ours = await makeOrganization(app, database.db, clock)
    const theirs = await makeOrganization(app, database.db, clock)
    const close = async () => {
      await app.close()
      await database.close()
    }
    return { database, app, ours, theirs, close }
  })
  return {
    clock,
    database: lazily(() => fixture.database),
    app: lazily(() => fixture.app),
    ours: lazily(() => fixture.ours),
    theirs: lazily(() => fixture.theirs),
  }
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  headers: Record<string, unknown>
}

export async function send(app: FastifyInstance, options: InjectOptions): Promise<Answer> {
  const response = await app.inject(options)
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

/** One organization with its org_admin key, and a client for its management paths. */
export interface TestOrganization {
  id: string
  key: string
  /** Calls `/v1/org/{id}{path}` with the org_admin key, or with another one. */
  call(method: string, path: string, body?: object, key?: string): Promise<Answer>
}

export async function makeOrganization(
  app: FastifyInstance,
  db: Db,
  clock: TestClock,
): Promise<TestOrganization> {
  const id = newId()
  const createdAt = clock.now()
  await insertOrganization(db, { id, name: 'Test organization', created_at: createdAt })
  const key = generateManagementKey()
  await storeManagementKey(db, id, {
    label: 'First',
    role: 'org_admin',
    bindings: null,
    creator: { type: 'bootstrap' },
    value: key,
    createdAt,
  })
  const call: TestOrganization['call'] = (method, path, body, usedKey = key) =>
    send(app, {
      method: method as 'GET',
      url: `/v1/org/${id}${path}`,
      headers: { 'x-management-key': usedKey },
      payload: body,
    })
  return { id, key, call }
}

/** Makes a team, in `us` by default, and returns its id. */
export async function makeTeam(organization: TestOrganization, extra: object = {}) {
  const body = { name: 'Clinic', region: 'us', ...extra }
  const made = await organization.call('POST', '/team', body)
  return made.body.id as string
}

/** Makes a team key and returns it as the API answers it. */
export async function makeTeamKey(organization: TestOrganization, teamId: string, env = 'sandbox') {
  const body = { label: 'Server', team_id: teamId }
  const made = await organization.call('POST', `/team_api_keys/${env}/us`, body)
  return made.body as { id: string; value: string }
}

/** Makes a team_admin key, for every team when `teamIds` is null, and returns its value. */
export async function makeTeamAdmin(organization: TestOrganization, teamIds: string[] | null) {
  const team_role_bindings = teamIds?.map((team_id) => ({ team_id })) ?? null
  const body = { label: 'Bound', role: 'team_admin', team_role_bindings }
  const made = await organization.call('POST', '/management_key', body)
  return made.body.key as string
}
