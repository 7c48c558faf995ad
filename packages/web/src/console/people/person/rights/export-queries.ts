import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { take } from '../../../api/client.ts'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'

export type PersonExport = components['schemas']['PersonExport']

const LIST = '/v2/user/{user_id}/export'
const ONE = `${LIST}/{export_id}` as const

export const isUnderWay = ({ status }: PersonExport): boolean =>
  status === 'queued' || status === 'running'

const exportsKey = ({ key }: Environment, userId: string) =>
  [...key, 'person', userId, 'exports'] as const

/** Exports of a person, newest first; followed while one is being made. */
export const exportsQuery = (environment: Environment, userId: string) =>
  queryOptions({
    queryKey: exportsKey(environment, userId),
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      return (await take(environment.team.GET(LIST, { params, signal }))).data
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 1500 : false),
  })

/** What can be done with exports of a person. */
export function useExports(userId: string) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const { team } = environment
  const onSuccess = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: exportsKey(environment, userId) })
  return {
    create: useMutation({
      mutationFn: (format: PersonExport['format']) =>
        take(team.POST(LIST, { params: { path: { user_id: userId } }, body: { format } })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) =>
        take(team.DELETE(ONE, { params: { path: { user_id: userId, export_id: id } } })),
      onSuccess,
    }),
    link: useMutation({
      mutationFn: ({ id, seconds }: { id: string; seconds: number }) =>
        take(
          team.POST(`${ONE}/link`, {
            params: { path: { user_id: userId, export_id: id } },
            body: { expires_in_seconds: seconds },
          }),
        ),
      onSuccess,
    }),
  }
}

/** The archive of an export. @throws ApiError */
export async function readArchive(
  { team }: Environment,
  { user_id, id: export_id }: PersonExport,
): Promise<Blob> {
  const params = { path: { user_id, export_id } }
  const file: unknown = await take(team.GET(`${ONE}/download`, { params, parseAs: 'blob' }))
  return file as Blob
}
