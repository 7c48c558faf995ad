import type { Provider } from '@salus/contracts/providers'
import { SERIES } from '@salus/contracts/series'

/** Data types for which a team sets priorities (docs/contract/01-conventions.md#team-endpoints). */
export const DATA_TYPES = ['workouts', 'activity', 'sleep', 'body', 'timeseries'] as const
export type DataType = (typeof DATA_TYPES)[number]

/** Read names of the 51 series. */
export const SERIES_NAMES: readonly string[] = SERIES.map(({ name }) => name)

/** Resources of a user's rule: a series or a data type. */
export const PRIORITY_RESOURCES: readonly string[] = [...SERIES_NAMES, ...DATA_TYPES]

const SERIES_RESOURCES: ReadonlySet<string> = new Set(SERIES.map(({ resource }) => resource))

/** Whether a provider has data of the type. */
export function hasDataType({ resources }: Provider, dataType: DataType): boolean {
  if (dataType !== 'timeseries') return resources.includes(dataType)
  return resources.some((resource) => SERIES_RESOURCES.has(resource))
}
