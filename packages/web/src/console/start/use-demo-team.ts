import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ApiError } from '../api/api-error.ts'
import { management, unwrapResponse } from '../api/client.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { teamsQuery } from '../api/teams.ts'

export type DemoTeam = components['schemas']['DemoTeam']

/** Interval of reloading while it is being filled, in milliseconds. */
const LOOK_MS = 700

export interface DemoTeamState {
  /** Undefined while it is loading. */
  team: DemoTeam | undefined
  error: ApiError | null
  retry: () => void
  /** Creates it, or creates it again after a failure. */
  fill: () => void
  remove: () => Promise<unknown>
  isBusy: boolean
  /** Error of creating or removing it. */
  refusal: ApiError | null
}

const paramsOf = (orgId: string) => ({ path: { org_id: orgId } })

export const demoTeamQuery = (orgId: string) =>
  queryOptions<DemoTeam, ApiError>({
    queryKey: ['demo-team', orgId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/demo_team', { params: paramsOf(orgId), signal }),
      ),
  })

/** Loads the demo team of the organization, and returns its actions. */
export function useDemoTeam(): DemoTeamState {
  const { organization } = useSession()
  const client = useQueryClient()
  const params = paramsOf(organization.id)
  const { queryKey, ...options } = demoTeamQuery(organization.id)
  const query = useQuery({
    ...options,
    queryKey,
    refetchInterval: ({ state }) => (state.data?.status === 'filling' ? LOOK_MS : false),
  })
  const teamId = query.data?.team_id
  const isShown = query.data?.first_user_id != null
  // biome-ignore lint/correctness/useExhaustiveDependencies: a team that came or went, and its first person
  useEffect(() => {
    void client.invalidateQueries(teamsQuery(organization.id))
    void client.invalidateQueries(sessionQuery)
  }, [teamId, isShown])
  const keep = (team: DemoTeam): void => {
    client.setQueryData(queryKey, team)
  }
  const fill = useMutation<DemoTeam, ApiError>({
    mutationFn: () => unwrapResponse(management.POST('/v1/org/{org_id}/demo_team', { params })),
    onSuccess: keep,
  })
  const remove = useMutation<DemoTeam, ApiError>({
    mutationFn: () => unwrapResponse(management.DELETE('/v1/org/{org_id}/demo_team', { params })),
    onSuccess: keep,
  })
  return {
    team: query.data,
    error: query.error,
    retry: () => void query.refetch(),
    fill: () => fill.mutate(),
    remove: () => remove.mutateAsync(),
    isBusy: fill.isPending || remove.isPending,
    refusal: fill.error ?? remove.error,
  }
}
