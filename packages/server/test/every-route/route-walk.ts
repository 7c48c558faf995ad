import type { App } from '@salus/kernel/http/app-types'
import { createLogger } from '@salus/kernel/log'
import { openDatabase } from '@salus/kernel/postgres/database'
import type { Replicas } from '@salus/kernel/postgres/replicas/replicas'
import { loadCatalog, STARTING_CATALOG } from '@salus/lab/catalog'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/app.ts'
import type { TestDatabase } from '../database.ts'
import { type Answer, answerOf, createHarness, type Harness } from '../harness.ts'
import { isManagementCase, type RouteCase, requestOf } from '../route-cases.ts'
import { collectRoutes, type RegisteredRoute } from '../route-table.ts'
import { makeSubjects, type Subject } from '../subject.ts'
import { makeOrganization } from '../teams-app.ts'

/** Objects of one owner, and other callers who want them. */
export interface RouteWalk {
  harness: Harness
  /** Every route that is registered. */
  routes: RegisteredRoute[]
  /** Of the first team and its organization: what each case is about. */
  subjects: Map<RouteCase, Subject>
  subjectOf(entry: RouteCase): Subject
  /** A second application on the same stores, whose log is kept in `lines`. */
  logged: App
  lines: string[]
  /** Sends a case to the logged application, with the owner's key unless another is given. */
  send(
    entry: RouteCase,
    subject?: Subject,
    key?: string,
  ): Promise<{ method: string; url: string; answer: Answer }>
  strangers: Strangers
  /** Number of statements so far that were read from replicas. */
  replicaStatements(): number
}

export interface Strangers {
  /** Another team of the first organization. */
  team: { id: string; sandboxKey: string }
  /** Of the first team. */
  productionKey: string
  organization: { id: string; key: string }
}

export const nameOf = ({ method, path }: RouteCase): string => `${method} ${path}`

/** Whether a body is that of a 404: a text, or in the FHIR interface an OperationOutcome. */
export function isNotFoundBody({ path }: RouteCase, text: string): boolean {
  const { detail, resourceType } = JSON.parse(text)
  return path.startsWith('/fhir/')
    ? resourceType === 'OperationOutcome'
    : typeof detail === 'string'
}

/**
 * Code of an error in either form: that of the API, or an OperationOutcome of FHIR, whose 404 has
 * the code that other bodies leave out.
 */
export function errorTypeOf(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  const { detail, issue } = JSON.parse(text)
  const code = issue?.[0].details?.coding[0].code
  return detail?.error_type ?? (/not_found$/.test(code ?? '') ? undefined : code)
}

/**
 * One set-up for the checks of a file.
 * @param hasOwner - Whether the owner's requests use up what they are about; those of strangers
 *   leave it whole
 */
export async function startRouteWalk({ hasOwner }: { hasOwner: boolean }): Promise<RouteWalk> {
  let replicaStatements = 0
  const { result: harness, routes } = await collectRoutes(() =>
    // What fills a demo team are requests of their own.
    createHarness(
      {},
      {
        fillDemoTeam: async () => {},
        openReplicas: async (primary) => openReadOnly(primary, () => replicaStatements++),
      },
    ),
  )
  // As an operator's, so that production sees a catalog, too.
  await loadCatalog(harness.database.db, STARTING_CATALOG, harness.clock.now())
  const subjects = await makeSubjects(harness, hasOwner)
  const strangers = await makeStrangers(harness)
  const lines: string[] = []
  const log = createLogger('debug', { write: (line) => lines.push(line) })
  const logged = await buildApp({ ...harness.dependencies, log })
  const subjectOf = (entry: RouteCase) => subjects.get(entry) as Subject
  return {
    harness,
    routes,
    subjects,
    subjectOf,
    logged,
    lines,
    async send(entry, subject = subjectOf(entry), key) {
      const { url, payload, headers } = requestOf(entry, subject)
      const { apiKey, managementKey } = harness
      const credentials = isManagementCase(entry)
        ? { 'x-management-key': key ?? managementKey }
        : { 'x-service-api-key': key ?? apiKey }
      const method = entry.method as 'GET'
      const all = { ...headers, ...credentials }
      const answer = answerOf(await logged.inject({ method, url, payload, headers: all }))
      return { method, url, answer }
    },
    strangers,
    replicaStatements: () => replicaStatements,
  }
}

/**
 * Instead of replicas, the database itself by connections that cannot write: an operation that
 * reads from replicas and tries to write fails.
 */
async function openReadOnly(primary: TestDatabase, onStatement: () => void): Promise<Replicas> {
  const url = new URL(primary.url)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const { db, pool, close } = openDatabase({ url: url.href, poolSize: 3 })
  pool.on('acquire', onStatement)
  const none = { list: () => [], register: () => undefined, check: async () => 'ok' as const }
  return { ...none, choose: async () => db, close } as Partial<Replicas> as Replicas
}

async function makeStrangers(harness: Harness): Promise<Strangers> {
  const { organizationId, teamId, managementKey } = harness
  const manage = (method: string, path: string, body: object) =>
    harness.call(method, `/v1/org/${organizationId}${path}`, body, {
      'x-management-key': managementKey,
    })
  const team = await harness.makeTeam()
  // A team without a review queue gets this answer for every id.
  const review = { match_review_enabled: true }
  await manage('PATCH', `/team/${team.id}`, { sandbox: review })
  await manage('PATCH', `/team/${teamId}`, { production: review })
  const made = await manage('POST', '/team_api_keys/production/us', {
    label: 'Production',
    team_id: teamId,
  })
  // The first organization is the operator's, and no two are made in one instant.
  harness.clock.advance(1)
  const app = harness.app as unknown as FastifyInstance
  const organization = await makeOrganization(app, harness.database.db, harness.clock)
  return { team, productionKey: made.body.value, organization }
}
