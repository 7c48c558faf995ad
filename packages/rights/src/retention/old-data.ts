import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { type Environment, environmentNow, type RowScope } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import type { RetainedRecords } from '@salus/lab/retention'
import { RETAINED_RESOURCES, type StoredRows } from './retention.registry.ts'
import { countOldRows } from './retention.repository.ts'

const BY_NAME = new Map(RETAINED_RESOURCES.map((resource) => [resource.name, resource]))

/** Data of a rule, with the instant before which they are removed. */
export interface OldData {
  stored: StoredRows | RetainedRecords
  cutoff: Date
  held: readonly string[]
}

/** Part of an environment that counting needs. */
export interface RetentionScope extends RowScope {
  readonly environment: Pick<Environment, 'id' | 'clockOffsetSeconds'>
  readonly clickhouse: ClickHouse
  readonly clock: Clock
}

/** @throws RangeError for an unknown resource */
export function findOldData(
  { clock, environment }: Pick<RetentionScope, 'clock' | 'environment'>,
  { resource, days }: { resource: string; days: number },
  held: readonly string[],
): OldData {
  const found = BY_NAME.get(resource)
  if (found === undefined) throw new RangeError('A rule is of a resource that is not known.')
  const { stored } = found
  const isOfOwnTime = isLabRecords(stored) && stored.isOfOwnTime
  const now = isOfOwnTime ? environmentNow({ clock, environment }) : clock.now()
  // Uses whole days in UTC, so that a run removes the same data at any hour.
  const cutoff = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - days * DAY_MS)
  return { stored, cutoff, held }
}

/** Whether the data are laboratory records instead of rows of ClickHouse. */
export const isLabRecords = (stored: OldData['stored']): stored is RetainedRecords =>
  'count' in stored

/** Counts the rows and the users whose rows they are. */
export function countOldData(
  scope: RetentionScope,
  { stored, ...old }: OldData,
): Promise<{ rows: number; people: number }> {
  return isLabRecords(stored) ? stored.count(scope, old) : countOldRows(scope, { stored, ...old })
}
