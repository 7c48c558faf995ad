import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrapResponse } from '../../api/client.ts'
import type { Environment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type Erasure = components['schemas']['Erasure']
export type ErasureDryRun = components['schemas']['ErasureDryRun']
export type ErasureStatement = components['schemas']['ErasureStatement']

/** Labels of the statuses of erasures. */
export const ERASURE_STATUS: Readonly<Record<Erasure['status'], { label: string; tone: Tone }>> = {
  scheduled: { label: 'Waiting', tone: 'warning' },
  running: { label: 'Erasing', tone: 'info' },
  completed: { label: 'Erased', tone: 'good' },
}

export const ERASURE_CAUSE: Readonly<Record<Erasure['cause'], string>> = {
  requested: 'A request',
  deleted: 'Deletion a week before',
}

/** Interval of reloading a running erasure, in milliseconds. */
const FOLLOW_MS = 3_000

const isUnderWay = ({ status }: Erasure): boolean => status !== 'completed'

/** Loads erasures of the environment, newest first. */
export const erasuresQuery = ({ key, team }: Environment) =>
  infiniteQueryOptions({
    queryKey: [...key, 'erasures'],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { next_cursor: pageParam }
      return unwrapResponse(team.GET('/v2/erasure', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isUnderWay)) ? FOLLOW_MS : false,
  })

/** Loads an erasure, reloading until its receipt exists. */
export const erasureQuery = ({ key, team }: Environment, erasureId: string) =>
  queryOptions({
    queryKey: [...key, 'erasure', erasureId],
    queryFn: ({ signal }) => {
      const params = { path: { erasure_id: erasureId } }
      return unwrapResponse(team.GET('/v2/erasure/{erasure_id}', { params, signal }))
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data) ? FOLLOW_MS : false,
  })
