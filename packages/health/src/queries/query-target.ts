import { findUser } from '@salus/accounts/users'
import { notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { findOnlyDevices } from '../connections/index.ts'
import { type DataType, findProviderPriorities } from '../source-priorities/index.ts'
import type { QueryTarget } from './compiled-query.ts'

type TargetOfType = Omit<QueryTarget, 'providerPriorities'>

/**
 * Returns the user and rules of a query.
 * @throws AppError 404 for the user.
 */
export async function getQueryTarget(
  scope: Scope,
  userId: string,
  overrides: readonly string[],
  now: Date,
): Promise<TargetOfType> {
  const [user, devices] = await Promise.all([
    findUser(scope, userId),
    findOnlyDevices(scope, userId),
  ])
  if (user === undefined || devices === undefined) throw notFound('User')
  return {
    environmentId: scope.environment.id,
    userId,
    fallbackZone: user.fallback_time_zone,
    devices,
    overrides,
    now,
  }
}

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
