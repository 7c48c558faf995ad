import type { UserRow } from '@salus/accounts/users'
import type { Scope } from '@salus/kernel/scope'
import { findOnlyDevices } from '../../connections/index.ts'
import type { QueryTarget } from '../../queries/index.ts'
import {
  type DataType,
  describePriorities,
  findProviderPriorities,
} from '../../source-priorities/index.ts'
import type { QueryRow } from '../managing/queries.repository.ts'
import { isMerged, readsTable } from './query-shape.ts'

/** A query and the user for whom it is evaluated. */
export interface EvaluationSubject {
  query: QueryRow
  user: UserRow
  scope: Scope
}

/**
 * Tables that depend on a team's priorities (docs/contract/09-aggregate.md#data-prioritisation).
 */
export const DATA_TYPES: readonly [table: string, dataType: DataType][] = [
  ['workout', 'workouts'],
  ['activity', 'activity'],
  ['sleep', 'sleep'],
  ['derived_readiness', 'sleep'],
  ['body', 'body'],
  ['timeseries', 'timeseries'],
  ['merged', 'timeseries'],
]

const dataTypeOf = ({ query }: QueryRow): DataType | undefined =>
  DATA_TYPES.find(([table]) => readsTable(query, table))?.[1]

/** Returns the user and the source rules with which a query is evaluated. */
export async function findQueryTarget(
  { query, user, scope }: EvaluationSubject,
  now: Date,
): Promise<QueryTarget> {
  const { query_config: config } = query
  const { environment } = scope
  const dataType = dataTypeOf(query)
  const [devices, providerPriorities] = await Promise.all([
    findOnlyDevices(scope, user.id),
    dataType && findProviderPriorities(scope, dataType),
  ])
  const overrides = config?.provider_priority_overrides as readonly string[] | null | undefined
  return {
    environmentId: environment.id,
    userId: user.id,
    fallbackZone: user.fallback_time_zone,
    devices: devices ?? new Map(),
    providerPriorities: providerPriorities ?? new Map(),
    overrides: overrides ?? [],
    now,
  }
}

/** Returns the source rankings of the user as a text; null for a query that merges nothing. */
export async function describeRankings({
  query,
  user,
  scope,
}: EvaluationSubject): Promise<string | null> {
  const dataType = dataTypeOf(query)
  if (dataType === undefined || !isMerged(query.query)) return null
  return describePriorities(scope, user.id, dataType)
}

/** Returns everything beside data and time that a result depends on, as a text. */
export function evaluationBasisOf(
  { fallbackZone, devices, providerPriorities }: QueryTarget,
  days: number,
  rankings: string | null,
): string {
  const inOrder = (map: ReadonlyMap<string, unknown>) =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const basis = [fallbackZone, days, inOrder(devices), inOrder(providerPriorities)]
  return JSON.stringify(rankings === null ? basis : [...basis, rankings])
}
