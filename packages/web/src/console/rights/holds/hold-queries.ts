import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'

export type LegalHold = components['schemas']['LegalHold']

const LIST = '/v1/org/{org_id}/team/{team_id}/{env}/legal_hold'

const holdsKey = ({ key }: Environment) => [...key, 'holds'] as const

/**
 * Loads legal holds, newest first: of one person, or the active or released ones of the
 * environment.
 */
export const holdsQuery = (
  environment: Environment,
  filter: { user_id?: string; is_active?: boolean },
) =>
  queryOptions({
    queryKey: [...holdsKey(environment), filter],
    queryFn: async ({ signal }): Promise<LegalHold[]> => {
      const params = { path: environment.path, query: filter }
      return (await unwrapResponse(management.GET(LIST, { params, signal }))).data
    },
  })

/** Places a hold on a person. */
export function usePlaceHold() {
  const environment = useEnvironment()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { user_id: string; reason: string }) =>
      unwrapResponse(management.POST(LIST, { params: { path: environment.path }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: holdsKey(environment) }),
  })
}

/** Releases a hold. */
export function useReleaseHold() {
  const environment = useEnvironment()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (holdId: string) => {
      const params = { path: { ...environment.path, hold_id: holdId } }
      return unwrapResponse(management.POST(`${LIST}/{hold_id}/release`, { params }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: holdsKey(environment) }),
  })
}
