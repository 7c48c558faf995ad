import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { take } from '../../api/client.ts'
import type { Environment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type Erasure = components['schemas']['Erasure']
export type ErasureDryRun = components['schemas']['ErasureDryRun']
export type ErasureStatement = components['schemas']['ErasureStatement']

/** How states of erasures are shown. */
export const ERASURE_STATUS: Readonly<Record<Erasure['status'], { label: string; tone: Tone }>> = {
  scheduled: { label: 'Waiting', tone: 'warning' },
  running: { label: 'Erasing', tone: 'info' },
  completed: { label: 'Erased', tone: 'good' },
}

export const ERASURE_CAUSE: Readonly<Record<Erasure['cause'], string>> = {
  requested: 'A request',
  deleted: 'A delete a week before',
}

/** How often is asked while something goes on, in milliseconds. */
const FOLLOW_MS = 3_000

const isUnderWay = ({ status }: Erasure): boolean => status !== 'completed'

/** Erasures of the environment, newest first. */
export const erasuresQuery = ({ key, team }: Environment) =>
  infiniteQueryOptions({
    queryKey: [...key, 'erasures'],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { next_cursor: pageParam }
      return take(team.GET('/v2/erasure', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? FOLLOW_MS : false,
  })

/** One erasure, followed until its receipt is there. */
export const erasureQuery = ({ key, team }: Environment, erasureId: string) =>
  queryOptions({
    queryKey: [...key, 'erasure', erasureId],
    queryFn: ({ signal }) => {
      const params = { path: { erasure_id: erasureId } }
      return take(team.GET('/v2/erasure/{erasure_id}', { params, signal }))
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data) ? FOLLOW_MS : false,
  })
