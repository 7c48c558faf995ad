import { queryOptions } from '@tanstack/react-query'
import { management, unwrapResponse } from './client.ts'

export interface Team {
  id: string
  name: string
  region: string
}

/** Loads every team that the key may use, some hundred at most. */
export const teamsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['teams', orgId],
    queryFn: async ({ signal }): Promise<Team[]> => {
      const teams: Team[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await unwrapResponse(
          management.GET('/v1/org/{org_id}/team', {
            params: { path: { org_id: orgId }, query: cursor ? { next_cursor: cursor } : {} },
            signal,
          }),
        )
        teams.push(...page.teams)
        if (page.next_cursor === null) return teams
        cursor = page.next_cursor
      }
    },
    staleTime: 60_000,
  })
