import { findUser } from '../../accounts/users/index.ts'
import { notFound } from '../../platform/errors.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { findOnlyDevices } from '../connections/index.ts'
import { type DataType, findProviderPriorities } from '../source-priorities/index.ts'
import type { QueryTarget } from './compiled-query.ts'

export type TargetOfType = Omit<QueryTarget, 'providerPriorities'>

/**
 * What a query has to know of a person.
 * @throws AppError 404 for the user.
 */
export async function getTarget(
  db: Db,
  environmentId: string,
  userId: string,
  overrides: readonly string[],
  now: Date,
): Promise<TargetOfType> {
  const [user, devices] = await Promise.all([
    findUser(db, environmentId, userId),
    findOnlyDevices(db, environmentId, userId),
  ])
  if (user === undefined || devices === undefined) throw notFound('User')
  return {
    environmentId,
    userId,
    fallbackZone: user.fallback_time_zone,
    devices,
    overrides,
    now,
  }
}

/** The team's priorities for each of some data types. */
export async function listPriorities(
  db: Db,
  environmentId: string,
  dataTypes: ReadonlySet<DataType>,
): Promise<Map<DataType, ReadonlyMap<string, number>>> {
  const entries = [...dataTypes].map(
    async (dataType) =>
      [dataType, await findProviderPriorities(db, environmentId, dataType)] as const,
  )
  return new Map(await Promise.all(entries))
}
