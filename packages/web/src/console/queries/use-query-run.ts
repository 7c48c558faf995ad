import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, toApiError } from '../api/api-error.ts'
import { baseUrl, findToken, unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import type { TableColumns } from './query-code.ts'
import type { QueryTables } from './query-completion.ts'

type QueryRequest = components['schemas']['QueryRequest']

export interface QueryRun {
  request: QueryRequest
  userId: string
  tables: TableColumns[]
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

/** Runs a query about a person. */
export function useQueryRun() {
  const { team } = useEnvironment()
  return useMutation({
    mutationFn: async ({ userId, text }: { userId: string; text: string }): Promise<QueryRun> => {
      const request = parseJson<QueryRequest>(text)
      const startedAt = performance.now()
      const answer = await unwrapResponse(
        team.POST('/aggregate/v1/user/{user_id}/query', {
          params: { path: { user_id: userId } },
          body: request,
        }),
      )
      // The request accepts JSON only.
      const { results } = answer as components['schemas']['QueryResponse']
      const milliseconds = performance.now() - startedAt
      return {
        ...{ request, userId, milliseconds },
        tables: results.map(({ table }) => table),
        sourceRules: results.map((result) => result.source_rule),
      }
    },
  })
}

const ARCHIVE_TYPE = 'application/vnd.service.tar+gzip+parquet'

/** Loads the results as an archive of Parquet files, which the server writes. */
export function useParquetExport() {
  const { path } = useEnvironment()
  return useMutation({
    mutationFn: async ({ userId, request }: QueryRun): Promise<Blob> => {
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
