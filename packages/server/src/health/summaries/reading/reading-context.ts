import { getUserRow } from '../../../accounts/users/index.ts'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Environment } from '../../../platform/scope.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { findOnlyDevices } from '../../connections/index.ts'
import type { ObjectContext } from '../objects/summary-objects.ts'

export interface ReadingContext {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  environment: Environment
  baseUrl: string
}

/**
 * What the objects of one person are written with.
 * @throws AppError 404 for the user.
 */
export async function loadObjectContext(
  { db, environment, baseUrl }: ReadingContext,
  userId: string,
): Promise<ObjectContext> {
  const { id: environmentId } = environment
  const [user, devices] = await Promise.all([
    getUserRow(db, environmentId, userId),
    findOnlyDevices(db, environmentId, userId),
  ])
  if (devices === undefined) throw notFound('User')
  return { userId: user.id, baseUrl, devices, fallbackZone: user.fallback_time_zone }
}
