import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { type Environment, environmentNow, type RowScope } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import type { RetainedRecords } from '@salus/lab/retention'
import { RETAINED_RESOURCES, type StoredRows } from './retention.registry.ts'
import { countOldRows } from './retention.repository.ts'

const BY_NAME = new Map(RETAINED_RESOURCES.map((resource) => [resource.name, resource]))

/** What a rule is about, with the instant before which it removes. */
export interface OldData {
  stored: StoredRows | RetainedRecords
  cutoff: Date
  held: readonly string[]
}

/** What counting needs to know of an environment. */
export interface RetentionScope extends RowScope {
  readonly environment: Pick<Environment, 'id' | 'clockOffsetSeconds'>
  readonly clickhouse: ClickHouse
  readonly clock: Clock
}

/** @throws RangeError for a resource that is not known */
export function findOld(
  { clock, environment }: Pick<RetentionScope, 'clock' | 'environment'>,
  { resource, days }: { resource: string; days: number },
  held: readonly string[],
): OldData {
  const found = BY_NAME.get(resource)
  if (found === undefined) throw new RangeError('A rule is of a resource that is not known.')
  const { stored } = found
  const isOfOwnTime = isRecords(stored) && stored.isOfOwnTime
  const now = isOfOwnTime ? environmentNow({ clock, environment }) : clock.now()
  // Whole days in UTC, so that a run removes the same at any hour.
  const cutoff = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - days * DAY_MS)
  return { stored, cutoff, held }
}

/** Whether something is records of laboratories, and not rows of ClickHouse. */
export const isRecords = (stored: OldData['stored']): stored is RetainedRecords => 'count' in stored

/** How much there is of it, and of how many people. */
export function countOld(
  scope: RetentionScope,
  { stored, ...old }: OldData,
): Promise<{ rows: number; people: number }> {
  return isRecords(stored) ? stored.count(scope, old) : countOldRows(scope, { stored, ...old })
}
