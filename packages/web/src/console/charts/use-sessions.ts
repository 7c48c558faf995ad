import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DAY_SECONDS } from '../../time-units.ts'
import { unwrapResponse } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import { type Tile, tilesOf } from './time-tiles.ts'
import { datesOf } from './use-chart.ts'

/** A night or a workout: a span of time. */
export interface Session {
  id: string
  kind: 'sleep' | 'workout'
  /** Unix seconds. */
  from: number
  to: number
  /** Offset from UTC in seconds at its start; null where the source did not report it. */
  offset: number | null
  name: string
  provider: string
}

const toSeconds = (text: string): number => Date.parse(text) / 1000

/** Longer tiles would bring years of nights that are thinner than a pixel. */
export const LONGEST_TILE_OF_SESSIONS = 400 * DAY_SECONDS

/** Loads all tiles that are visible at once: there are few nights and workouts. */
const sessionsQuery = ({ key, team }: Environment, userId: string, tiles: readonly Tile[]) =>
  queryOptions({
    queryKey: [...key, 'sessions', userId, tiles],
    queryFn: async ({ signal }): Promise<Session[]> => {
      const from = Math.min(...tiles.map((tile) => tile.from))
      const to = Math.max(...tiles.map((tile) => tile.from + tile.length))
      // The range of days is one longer on both sides, because a night has the date of its end.
      const wide = { from: from - DAY_SECONDS, length: to - from + 2 * DAY_SECONDS }
      const params = {
        path: { user_id: userId },
        query: { ...datesOf(wide), provider: '' as const },
      }
      const [{ sleep }, { workouts }] = await Promise.all([
        unwrapResponse(team.GET('/v2/summary/sleep/{user_id}/merged', { params, signal })),
        unwrapResponse(team.GET('/v2/summary/workouts/{user_id}/merged', { params, signal })),
      ])
      return [
        ...sleep.map(
          (night): Session => ({
            ...{ id: night.id, kind: 'sleep', name: 'Asleep', provider: night.source.provider },
            from: toSeconds(night.bedtime_start),
            to: toSeconds(night.bedtime_stop),
            offset: night.bedtime_start_offset,
          }),
        ),
        ...workouts.map(
          (workout): Session => ({
            ...{ id: workout.id, kind: 'workout', provider: workout.source.provider },
            name: workout.title ?? workout.sport?.name ?? 'Workout',
            from: toSeconds(workout.time_start),
            to: toSeconds(workout.time_end),
            offset: workout.timezone_offset,
          }),
        ),
      ]
    },
    staleTime: 60_000,
  })

/**
 * Loads nights and workouts of the visible tiles, in order of time; null where the range is too
 * long.
 * @param names Names of the tiles.
 */
export function useSessions(userId: string, names: string) {
  const environment = useEnvironment()
  const tiles = useMemo(() => tilesOf(names), [names])
  const isTooLong = (tiles[0]?.length ?? 0) > LONGEST_TILE_OF_SESSIONS
  const { data, error } = useQuery({
    ...sessionsQuery(environment, userId, tiles),
    enabled: !isTooLong,
    placeholderData: keepPreviousData,
  })
  return useMemo(
    () => ({
      sessions: isTooLong ? null : (data ?? []).toSorted((a, b) => a.from - b.from),
      error,
    }),
    [data, isTooLong, error],
  )
}
