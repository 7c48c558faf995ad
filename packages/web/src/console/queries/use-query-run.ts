import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, toApiError } from '../api/api-error.ts'
import { baseUrl, findToken, unwrapResponse } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { findPeople } from '../components/person-picker.tsx'
import type { TableColumns } from './query-code.ts'
import type { QueryTables } from './query-completion.ts'

type QueryRequest = components['schemas']['QueryRequest']

/** A person of a run. */
interface RunPerson {
  userId: string
  /** Name for legends and tables; empty for the only person. */
  name: string
}

export interface QueryRun {
  request: QueryRequest
  people: RunPerson[]
  /** By query, then by person. */
  tables: TableColumns[][]
  /** How each table counts sources. */
  sourceRules: components['schemas']['QueryResponse']['results'][number]['source_rule'][]
  milliseconds: number
}

/** Parses JSON. @throws ApiError for invalid JSON */
export function parseJson<Value>(text: string): Value {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(
      0,
      'invalid_json',
      'The query is not valid JSON; the editor shows where.',
      null,
    )
  }
}

/** Loads tables and series with their columns. They change only with versions of the server. */
export function useQueryTables(): QueryTables | undefined {
  const { key, team } = useEnvironment()
  const { data } = useQuery({
    queryKey: [...key, 'query-tables'],
    queryFn: ({ signal }) => unwrapResponse(team.GET('/aggregate/v1/table', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** Runs a query about each of some people. */
export function useQueryRun() {
  const environment = useEnvironment()
  const { team } = environment
  return useMutation({
    mutationFn: async ({ ids, text }: { ids: string[]; text: string }): Promise<QueryRun> => {
      const request = parseJson<QueryRequest>(text)
      const startedAt = performance.now()
      const answers = await Promise.all(
        ids.map(async (userId) => {
          const params = { path: { user_id: userId } }
          const answer = await unwrapResponse(
            team.POST('/aggregate/v1/user/{user_id}/query', { params, body: request }),
          )
          // The request accepts JSON only.
          return (answer as components['schemas']['QueryResponse']).results
        }),
      )
      const milliseconds = performance.now() - startedAt
      const names = ids.length === 1 ? [''] : await Promise.all(ids.map(nameIn(environment)))
      return {
        ...{ request, milliseconds },
        people: ids.map((userId, index) => ({ userId, name: names[index] ?? userId })),
        tables: request.queries.map((_, query) =>
          answers.map((results) => results[query]?.table ?? {}),
        ),
        sourceRules: (answers[0] ?? []).map((result) => result.source_rule),
      }
    },
  })
}

const nameIn =
  (environment: Environment) =>
  async (userId: string): Promise<string> => {
    const [found] = await findPeople(environment, userId, AbortSignal.timeout(10_000))
    return found?.title ?? userId
  }

const ARCHIVE_TYPE = 'application/vnd.service.tar+gzip+parquet'

/** Loads the results as an archive of Parquet files, which the server writes. */
export function useParquetExport() {
  const { path } = useEnvironment()
  return useMutation({
    mutationFn: async ({
      userId,
      request,
    }: {
      userId: string
      request: QueryRequest
    }): Promise<Blob> => {
      const response = await fetch(`${baseUrl}/aggregate/v1/user/${userId}/query`, {
        method: 'POST',
        headers: {
          accept: ARCHIVE_TYPE,
          'content-type': 'application/json',
          authorization: `Bearer ${await findToken(path)}`,
        },
        body: JSON.stringify(request),
      })
      if (!response.ok) throw toApiError(response.status, await response.json().catch(() => null))
      return response.blob()
    },
  })
}
