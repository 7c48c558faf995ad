import { queryOptions } from '@tanstack/react-query'
import { management, unwrapResponse } from '../api/client.ts'
import type { Environment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'

export type Overview = components['schemas']['Overview']

/** Interval of reloading, in milliseconds. */
const RELOAD_MS = 60_000

/** Loads the state of the environment in numbers. */
export const overviewQuery = ({ key, path }: Pick<Environment, 'key' | 'path'>) =>
  queryOptions({
    queryKey: [...key, 'overview'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/overview', {
          params: { path },
          signal,
        }),
      ),
    refetchInterval: RELOAD_MS,
  })
