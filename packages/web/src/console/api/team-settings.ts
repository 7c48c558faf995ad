import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { management, unwrapResponse } from './client.ts'
import { type Environment, useEnvironment } from './environment.ts'
import type { components } from './openapi.generated.d.ts'

type TeamEnvironment = components['schemas']['TeamEnvironment']

/** Loads the settings of an environment. */
export const teamSettingsQuery = ({ path, key }: Environment) =>
  queryOptions({
    queryKey: [...key, 'team settings'],
    queryFn: async ({ signal }): Promise<TeamEnvironment | null> => {
      const { org_id, team_id, env } = path
      const team = await unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}', {
          params: { path: { org_id, team_id }, query: { include_environment: [env] } },
          signal,
        }),
      )
      return team[env] ?? null
    },
  })

/** Changes a setting of the environment. */
export function useTeamSetting() {
  const { path, key } = useEnvironment()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (settings: Partial<TeamEnvironment>) => {
      const { org_id, team_id, env } = path
      return unwrapResponse(
        management.PATCH('/v1/org/{org_id}/team/{team_id}', {
          params: { path: { org_id, team_id } },
          body: { [env]: settings } as never,
        }),
      )
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}
