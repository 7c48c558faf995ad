import { queryOptions } from '@tanstack/react-query'
import { unwrapResponse } from '../../../api/client.ts'
import type { Environment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'

export type ImportJob = components['schemas']['ImportJob']
export type ImportOptions = components['schemas']['ImportOptions']

const POLL_MS = 1_000

export const isUnderWay = ({ status }: Pick<ImportJob, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** Loads the imports of a person, the newest first. */
export const importsQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'imports'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      return (await unwrapResponse(team.GET('/v2/user/{user_id}/import', { params, signal }))).jobs
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 3 * POLL_MS : false),
  })

/** Loads one import, and follows it until it ends or waits for an answer. */
export const importQuery = ({ key, team }: Environment, userId: string, jobId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'import', jobId],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId, job_id: jobId } }
      return unwrapResponse(team.GET('/v2/user/{user_id}/import/{job_id}', { params, signal }))
    },
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  })

/** Loads the formats of files that can be imported. */
export const formatsQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'import formats'],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(team.GET('/v2/import/formats', { signal }))).formats,
    staleTime: 3_600_000,
  })

/** Loads the templates of the environment, by name. */
export const templatesQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'import templates'],
    queryFn: async ({ signal }) =>
      (await unwrapResponse(team.GET('/v2/import/templates', { signal }))).templates,
  })

/** Loads the addresses at which apps of the person send data. */
export const addressesQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'import addresses'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      return (
        await unwrapResponse(team.GET('/v2/user/{user_id}/import_addresses', { params, signal }))
      ).addresses
    },
  })
