import { AppError, conflict, invalidInput, notFound } from '@salus/kernel/errors'
import { INSTANT_KEY, KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import type {
  ContinuousQuery,
  ContinuousQueryCreate,
  ContinuousQueryUpdate,
  QueryValidation,
} from '../continuous-queries.schema.ts'
import { skipScheduledTasks } from '../evaluating/tasks.repository.ts'
import { deleteInvalidationsOfQuery } from '../invalidation/invalidations.repository.ts'
import { checkQuery } from './check-query.ts'
import type { QueryRow } from './queries.repository.ts'
import * as repository from './queries.repository.ts'

function toContinuousQuery(row: QueryRow, teamId: string): ContinuousQuery {
  return {
    id: row.id,
    status: row.status,
    slug: row.slug,
    title: row.title,
    team_id: teamId,
    query: row.query,
    query_config: row.query_config,
    scheduling_preferences: { minimum_gap_duration_second: row.minimum_gap_seconds },
    result_table_schema: row.result_table_schema,
    resource_dependencies: row.resource_dependencies,
    export_preferences: {
      data_events: { enabled: row.data_events_enabled },
      fhir_observations: row.fhir_observations,
    },
    fhir_observation_mappers: [],
  }
}

const PAGES = new KeysetPages({ createdAt: INSTANT_KEY, id: UUID_KEY })

/** Returns a page of the queries, archived ones included, oldest first. */
export async function listQueries(
  scope: Scope,
  query: { next_cursor?: string; cursor?: string; limit: number },
) {
  const list = ['continuous_queries', scope.environment.id]
  const after = PAGES.read(list, query.next_cursor || query.cursor)
  const rows = await repository.listQueries(scope, after, query.limit + 1)
  const { page, nextCursor } = PAGES.cut(list, rows, query.limit, (row) => ({
    createdAt: row.created_at,
    id: row.id,
  }))
  return {
    data: page.map((row) => toContinuousQuery(row, scope.environment.teamId)),
    next_cursor: nextCursor,
  }
}

/** Returns the columns and dependencies of a query. @throws AppError 422 */
export function validateQuery(input: ContinuousQueryCreate): QueryValidation {
  refuseTimeframe(input)
  const { columns, resources } = checkQuery(input.query)
  return {
    result_table_schema: { columns },
    resource_dependencies: resources,
    fhir_observation_previews: null,
  }
}

function refuseTimeframe(input: object): void {
  if (!('timeframe' in input)) return
  const msg = 'A continuous query does not take a timeframe'
  throw invalidInput(['body', 'timeframe'], msg, 'extra_forbidden')
}

const PLATFORM_REFUSED = new AppError(
  403,
  'feature_not_enabled',
  'Continuous queries of the platform are not supported; omit query_type.',
)

/**
 * Creates a query; a minute later it is evaluated for every user.
 * @throws AppError 403 for a query of the platform, 409 for a used slug, 422
 */
export async function createQuery(
  scope: Scope,
  queryType: 'team' | 'platform',
  input: ContinuousQueryCreate,
): Promise<ContinuousQuery> {
  if (queryType === 'platform') throw PLATFORM_REFUSED
  const validated = validateQuery(input)
  const { query_config: config = null, export_preferences: exported } = input
  const row = await repository.insertQuery(scope, {
    id: newId(),
    slug: input.slug,
    title: input.title,
    status: 'active',
    query: JSON.stringify(input.query),
    query_config: config === null ? null : JSON.stringify(config),
    minimum_gap_seconds: input.scheduling_preferences?.minimum_gap_duration_second ?? null,
    data_events_enabled: exported?.data_events?.enabled ?? true,
    fhir_observations: exported?.fhir_observations ?? false,
    result_table_schema: JSON.stringify(validated.result_table_schema),
    resource_dependencies: validated.resource_dependencies,
    created_at: scope.clock.now(),
    begun_at: null,
    begun_through: null,
  })
  if (row !== undefined) return toContinuousQuery(row, scope.environment.teamId)
  throw conflict('slug_taken', 'A continuous query, active or archived, already has this slug.')
}

/**
 * Changes the given fields; a new gap applies from the next change of data on. @throws AppError 404
 */
export async function updateQuery(
  scope: Scope,
  queryId: string,
  input: ContinuousQueryUpdate,
): Promise<ContinuousQuery> {
  const { title, scheduling_preferences: scheduling } = input
  const gap = scheduling?.minimum_gap_duration_second
  const change = {
    ...(title !== undefined && { title }),
    ...(gap !== undefined && { minimum_gap_seconds: gap }),
  }
  const isChange = Object.keys(change).length > 0
  const row = await (isChange
    ? repository.updateQuery(scope, queryId, change)
    : repository.findQuery(scope, queryId))
  if (row === undefined) throw notFound('Continuous query')
  return toContinuousQuery(row, scope.environment.teamId)
}

/** Ends the evaluation of a query; its results stay readable. @throws AppError 404 */
export async function archiveQuery(scope: Scope, queryId: string): Promise<ContinuousQuery> {
  return scope.transaction(async (tx) => {
    const change = { status: 'archived' } as const
    const row = await repository.updateQuery(tx, queryId, change)
    if (row === undefined) throw notFound('Continuous query')
    await skipScheduledTasks(tx, queryId, scope.clock.now())
    await deleteInvalidationsOfQuery(tx, queryId)
    return toContinuousQuery(row, scope.environment.teamId)
  })
}
