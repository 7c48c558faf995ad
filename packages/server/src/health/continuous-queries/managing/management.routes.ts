import type { FastifyRequest } from 'fastify'
import type { App } from '../../../platform/http/app-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import * as schema from '../continuous-queries.schema.ts'
import * as queries from './queries.service.ts'

/** An environment of a team as a path names it. */
interface Place {
  org_id: string
  team_id: string
  env: 'sandbox' | 'production'
}

export interface ContinuousQueryManagementOptions {
  db: Db
  clock: Clock
  /**
   * The environment that the caller's management key may use.
   * @throws AppError 404 for any other
   */
  findPlace: (
    request: FastifyRequest,
    place: Place,
  ) => Promise<{ environmentId: string; teamId: string }>
}

const tags = ['Continuous queries']
const BASE = '/v1/org/:org_id/team/:team_id/:env'
const LIST = `${BASE}/continuous_query`
const ONE = `${LIST}/:query_id`

/** Queries that are kept (contract 09, section 12). The scope needs the hook of the management API. */
export function registerContinuousQueryManagementRoutes(
  app: App,
  { db, clock, findPlace }: ContinuousQueryManagementOptions,
): void {
  const context = async (
    request: FastifyRequest,
    place: Place,
  ): Promise<queries.QueriesContext> => {
    const { environmentId, teamId } = await findPlace(request, place)
    return { db, clock, environmentId, teamId }
  }
  registerCollection(app, context)
  registerValidation(app, context)
  registerSingle(app, context)
}

type ContextOf = (request: FastifyRequest, place: Place) => Promise<queries.QueriesContext>

function registerCollection(app: App, context: ContextOf): void {
  const params = schema.InEnvironment
  app.get(
    LIST,
    {
      schema: {
        tags,
        summary: 'List continuous queries, archived ones too',
        params,
        querystring: schema.ListQuery,
        response: { 200: schema.ContinuousQueryList },
      },
    },
    async (request) => queries.listQueries(await context(request, request.params), request.query),
  )
  app.post(
    LIST,
    {
      schema: {
        tags,
        summary: 'Create a continuous query',
        description:
          'It is evaluated for everyone a minute later, and then for each person whose data change.',
        params,
        querystring: schema.CreateQuery,
        body: schema.ContinuousQueryCreate,
        response: { 200: schema.ContinuousQuery },
      },
    },
    async (request) =>
      queries.createQuery(
        await context(request, request.params),
        request.query.query_type,
        request.body,
      ),
  )
}

function registerValidation(app: App, context: ContextOf): void {
  app.post(
    `${BASE}/validate_continuous_query`,
    {
      schema: {
        tags,
        summary: 'Check a continuous query without creating it',
        params: schema.InEnvironment,
        body: schema.ContinuousQueryCreate,
        response: { 200: schema.QueryValidation },
      },
    },
    async (request) => {
      await context(request, request.params)
      return queries.validateQuery(request.body)
    },
  )
}

function registerSingle(app: App, context: ContextOf): void {
  const params = schema.OfQuery
  app.patch(
    ONE,
    {
      schema: {
        tags,
        summary: 'Change the title or the schedule of a continuous query',
        description: 'The query itself cannot change; create another one.',
        params,
        body: schema.ContinuousQueryUpdate,
        response: { 200: schema.ContinuousQuery },
      },
    },
    async (request) =>
      queries.updateQuery(
        await context(request, request.params),
        request.params.query_id,
        request.body,
      ),
  )
  app.delete(
    ONE,
    {
      schema: {
        tags,
        summary: 'Archive a continuous query',
        description: 'It is not evaluated any more; its results stay readable.',
        params,
        response: { 200: schema.ContinuousQuery },
      },
    },
    async (request) =>
      queries.archiveQuery(await context(request, request.params), request.params.query_id),
  )
}
