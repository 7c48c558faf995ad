import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrapResponse } from '../../../api/client.ts'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'

export type PersonExport = components['schemas']['PersonExport']

const LIST = '/v2/user/{user_id}/export'
const ONE = `${LIST}/{export_id}` as const

export const isUnderWay = ({ status }: PersonExport): boolean =>
  status === 'queued' || status === 'running'

const exportsKey = ({ key }: Environment, userId: string) =>
  [...key, 'person', userId, 'exports'] as const

/** Loads exports of a person, newest first; reloads while one is running. */
export const exportsQuery = (environment: Environment, userId: string) =>
  queryOptions({
    queryKey: exportsKey(environment, userId),
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      return (await unwrapResponse(environment.team.GET(LIST, { params, signal }))).data
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 1500 : false),
  })

/** Returns the actions on exports of a person. */
export function useExports(userId: string) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const { team } = environment
  const onSuccess = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: exportsKey(environment, userId) })
  return {
    create: useMutation({
      mutationFn: (format: PersonExport['format']) =>
        unwrapResponse(
          team.POST(LIST, { params: { path: { user_id: userId } }, body: { format } }),
        ),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) =>
        unwrapResponse(team.DELETE(ONE, { params: { path: { user_id: userId, export_id: id } } })),
      onSuccess,
    }),
    link: useMutation({
      mutationFn: ({ id, seconds }: { id: string; seconds: number }) =>
        unwrapResponse(
          team.POST(`${ONE}/link`, {
            params: { path: { user_id: userId, export_id: id } },
            body: { expires_in_seconds: seconds },
          }),
        ),
      onSuccess,
    }),
  }
}

/** Loads the archive of an export. @throws ApiError */
export async function readArchive(
  { team }: Environment,
  { user_id, id: export_id }: PersonExport,
): Promise<Blob> {
  const params = { path: { user_id, export_id } }
  const file: unknown = await unwrapResponse(
    team.GET(`${ONE}/download`, { params, parseAs: 'blob' }),
  )
  return file as Blob
}
