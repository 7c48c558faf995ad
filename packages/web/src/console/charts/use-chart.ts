import { keepPreviousData, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { type Environment, useEnvironment } from '../api/environment.ts'
import { useUnits } from '../components/units.ts'
import { type ChartRequest, readInBatch } from './chart-batch.ts'
import { type Chart, convertChart, type JoinedChart, joinCharts } from './join-tiles.ts'
import { nameTiles, neighborTiles, pointsOf, type Tile, tilesOf } from './time-tiles.ts'
import { type TimeView, useViewValue } from './time-view.ts'

export interface ChartName {
  resource: string
  kind: Chart['kind']
  unit: string
}

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** The range of a tile as parameters of a query; an end covers its whole second. */
export const datesOf = ({ from, length }: Tile) => ({
  start_date: instant(from),
  end_date: instant(from + length - 1),
})

const tileQuery = (environment: Environment, userId: string, chart: ChartName, tile: Tile) =>
  queryOptions({
    queryKey: [...environment.key, 'chart', userId, chart.resource, tile.from, tile.length],
    queryFn: ({ signal }) =>
      readInBatch(
        environment,
        userId,
        {
          ...{ resource: chart.resource as ChartRequest['resource'], by: 'merged', provider: '' },
          ...{ ...datesOf(tile), points: pointsOf(tile, chart.kind) },
        },
        signal,
      ),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

export interface ChartData {
  /** The data before stay until all visible tiles have arrived. */
  data: JoinedChart | undefined
  isLoading: boolean
  error: unknown
  retry: () => void
}

/**
 * Loads the visible part of a chart, and its neighbors, so that they are there when the view moves.
 */
export function useChart(view: TimeView, userId: string, chart: ChartName): ChartData {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  const names = useViewValue(view, nameTiles)
  const tiles = useMemo(() => tilesOf(names), [names])
  const answers = useQueries({
    queries: tiles.map((tile) => tileQuery(environment, userId, chart, tile)),
    combine: (results) => ({
      charts: results.every(({ data, isPlaceholderData }) => data && !isPlaceholderData)
        ? results.flatMap(({ data }) => data ?? [])
        : undefined,
      isLoading: results.some(({ isFetching }) => isFetching),
      error: results.find(({ error }) => error)?.error ?? null,
      retry: () => {
        for (const result of results) if (result.error) result.refetch()
      },
    }),
  })
  const { charts } = answers
  const units = useUnits()
  const joined = useMemo(
    () => (charts === undefined ? undefined : convertChart(joinCharts(charts), units)),
    [charts, units],
  )
  const shown = useRef<JoinedChart>(undefined)
  if (joined !== undefined) shown.current = joined
  const isComplete = joined !== undefined
  useEffect(() => {
    if (!isComplete) return
    for (const tile of neighborTiles(tiles)) {
      queryClient.prefetchQuery(tileQuery(environment, userId, chart, tile))
    }
  }, [isComplete, tiles, userId, chart, queryClient, environment])
  return {
    data: joined ?? shown.current,
    isLoading: answers.isLoading,
    error: answers.error,
    retry: answers.retry,
  }
}
