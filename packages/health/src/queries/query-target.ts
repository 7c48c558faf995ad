import { findUserZone } from '@salus/accounts/users'
import { notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { findOnlyDevices } from '../connections/index.ts'
import { type DataType, findProviderPriorities } from '../source-priorities/index.ts'
import type { QueryTarget } from './compiled-query.ts'
import type { QuerySource } from './tables/query-source.ts'

type TargetOfType = Omit<QueryTarget, 'providerPriorities'>

const NO_DEVICES: ReadonlyMap<string, string> = new Map()

/**
 * Returns the user and rules of queries.
 * @throws AppError 404 for the user.
 */
export async function getQueryTarget(
  scope: Scope,
  userId: string,
  sources: readonly QuerySource[],
  overrides: readonly string[],
): Promise<TargetOfType> {
  const [user, devices = NO_DEVICES] = await Promise.all([
    findUserZone(scope, userId),
    sources.some(namesDevices) ? findOnlyDevices(scope, userId) : NO_DEVICES,
  ])
  if (user === undefined) throw notFound('User')
  return {
    environmentId: scope.environment.id,
    userId,
    fallbackZone: user.fallback_time_zone,
    devices,
    overrides,
    now: scope.clock.now(),
  }
}

/** Whether a source names the device of a row: summaries do, samples do not. */
const namesDevices = ({ columns }: QuerySource): boolean => columns.has('source_device_id')

/** Returns the team's priorities for each of some data types. */
export async function listPriorities(
  scope: Scope,
  dataTypes: ReadonlySet<DataType>,
): Promise<Map<DataType, ReadonlyMap<string, number>>> {
  const entries = [...dataTypes].map(
    async (dataType) => [dataType, await findProviderPriorities(scope, dataType)] as const,
  )
  return new Map(await Promise.all(entries))
}
