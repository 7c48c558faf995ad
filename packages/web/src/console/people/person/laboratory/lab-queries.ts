import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { toApiError } from '../../../api/api-error.ts'
import { baseUrl, findToken, management, unwrapResponse } from '../../../api/client.ts'
import type { Environment } from '../../../api/environment.ts'
import type { components, paths } from '../../../api/openapi.generated.d.ts'

export type Order = components['schemas']['Order']
export type PersonResult = components['schemas']['PersonResult']
export type PersonDocument = components['schemas']['PersonDocument']
export type EventSummary = components['schemas']['EventSummary']

type DocumentType = PersonDocument['type']
type EventQuery = NonNullable<
  paths['/v1/org/{org_id}/team/{team_id}/{env}/event']['get']['parameters']['query']
>

const ORDERS_AT_ONCE = 10

/** Loads the orders of a person, newest first, page by page. */
export const ordersQuery = ({ key, team }: Environment, userId: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'person', userId, 'orders'],
    queryFn: ({ pageParam: page, signal }) => {
      const query = { user_id: userId, page, size: ORDERS_AT_ONCE }
      return unwrapResponse(team.GET('/v3/orders', { params: { query }, signal }))
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : null),
  })

/** Loads the newest appointments of a person; no person has more than these. */
export const appointmentsQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'appointments'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId }, query: { limit: 100 } }
      const answer = await unwrapResponse(
        team.GET('/v3/user/{user_id}/appointment', { params, signal }),
      )
      return answer.appointments
    },
  })

/** Loads the insurance of a person, newest first. */
export const insuranceQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'insurance'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId }, query: { limit: 100 } }
      return (await unwrapResponse(team.GET('/v2/user/{user_id}/insurance', { params, signal })))
        .data
    },
  })

/** Loads every result of a person, newest first, to be grouped by analyte. */
export const resultsQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'results'],
    queryFn: async ({ signal }) => {
      const results: PersonResult[] = []
      for (let cursor: string | null = null; ; ) {
        const query = { limit: 500, next_cursor: cursor }
        const params = { path: { user_id: userId }, query }
        const page: { results: PersonResult[]; next_cursor: string | null } = await unwrapResponse(
          team.GET('/v3/user/{user_id}/result', { params, signal }),
        )
        results.push(...page.results)
        if (page.next_cursor === null) return results
        cursor = page.next_cursor
      }
    },
  })

/** Loads one analyte over all orders and reports, in one unit. */
export const trendQuery = ({ key, team }: Environment, userId: string, code: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'trend', code],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId }, query: { loinc_code: code } }
      return unwrapResponse(team.GET('/v3/user/{user_id}/result/trend', { params, signal }))
    },
  })

/** Loads documents of a person that are ready, newest first. */
export const documentsQuery = ({ key, team }: Environment, userId: string, type: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'person', userId, 'documents', type],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        next_cursor: pageParam,
        ...(type !== '' && { type: type as DocumentType }),
      }
      const params = { path: { user_id: userId }, query }
      return unwrapResponse(team.GET('/v3/user/{user_id}/document', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

/** Loads a document as a file. @throws ApiError */
export async function readDocument({ path }: Environment, document: PersonDocument): Promise<Blob> {
  const headers = { authorization: `Bearer ${await findToken(path)}` }
  const response = await fetch(`${baseUrl}${document.path}`, { headers, credentials: 'omit' })
  if (response.ok) return response.blob()
  throw toApiError(response.status, await response.json().catch(() => undefined))
}

export interface EventFilter {
  type: string
  status: string
}

/** Loads events about a person, newest first. */
export const eventsQuery = (
  { key, path }: Environment,
  userId: string,
  { type, status }: EventFilter,
) =>
  infiniteQueryOptions({
    queryKey: [...key, 'person', userId, 'events', type, status],
    queryFn: ({ pageParam, signal }) => {
      const query: EventQuery = {
        user_id: userId,
        ...(type !== '' && { event_type: type }),
        ...(status !== '' && { status: status as NonNullable<EventQuery['status']> }),
        ...(pageParam !== null && { next_cursor: pageParam }),
      }
      const address = '/v1/org/{org_id}/team/{team_id}/{env}/event'
      return unwrapResponse(management.GET(address, { params: { path, query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

/** Loads the names of all event types. */
export const eventTypesQuery = ({ key, path }: Environment) =>
  queryOptions({
    queryKey: [...key, 'event-type-names'],
    queryFn: async ({ signal }) => {
      const address = '/v1/org/{org_id}/team/{team_id}/{env}/event_type'
      const { data } = await unwrapResponse(management.GET(address, { params: { path }, signal }))
      return data.filter((type) => type.is_about_user).map(({ name }) => name)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Loads requests about a person, reads too, newest first (docs/audit.md). */
export const accessQuery = ({ key, path }: Environment, userId: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'person', userId, 'access'],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? {} : { next_cursor: pageParam }
      const query = { user_id: userId, reads: true, limit: 25, ...cursor }
      const address = '/v1/org/{org_id}/team/{team_id}/{env}/audit_log'
      return unwrapResponse(management.GET(address, { params: { path, query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
