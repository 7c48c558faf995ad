import { DAY_MS } from '@salus/contracts/time-units'
import type { Scope, Stores } from '@salus/kernel/scope'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { findOnlyDevices } from '../connections/index.ts'
import { type AnalyzedQuery, type QueryTarget, readQueryRows } from '../queries/index.ts'
import { type DataType, findProviderPriorities } from '../source-priorities/index.ts'
import { queryOf, type ValuePlan } from './rule-plan.ts'
import type { RuleFunction } from './rules.schema.ts'
import type { Bucket, Buckets, LocalRange } from './timeline.ts'

export interface RuleContext extends Stores {
  /** Maximum number of rows that one statement may read. */
  queryMaxSourceRows: number
}

/** A person with their zone, for whom rules are judged. */
export interface RulePerson {
  id: string
  client_user_id: string
  fallback_time_zone: string | null
}

/** Values of a plan that are read in a range. */
export interface ValueRequest {
  plan: ValuePlan
  range: LocalRange
}

/** What the values of all people of an environment are read with. */
export interface ValueReader {
  scope: Scope
  /** Maximum number of rows that one statement may read. */
  queryMaxSourceRows: number
  /** Priorities of the team by data type, read once. */
  priorities: Map<DataType, Promise<ReadonlyMap<string, number>>>
}

/** Returns the local time of a person, in milliseconds as if it were UTC. */
export function localNow({ fallback_time_zone: zone }: RulePerson, now: Date): number {
  const offset = zone === null ? 0 : (zoneOffsetSeconds(zone, now.getTime()) ?? 0)
  return now.getTime() + offset * 1000
}

/**
 * Requests of about the same length share a statement, so that their number depends on the tables
 * and windows that rules name, and not on the number of rules.
 */
const LENGTHS_DAYS = [4, 11, 36, 200]

const lengthClass = ({ from, to }: LocalRange): number =>
  LENGTHS_DAYS.findIndex((days) => to - from <= days * DAY_MS)

/** Returns the values of each request by steps, as queries have them. */
export async function readValues(
  reader: ValueReader,
  person: RulePerson,
  requests: readonly ValueRequest[],
): Promise<Map<ValueRequest, Buckets>> {
  const found = new Map<ValueRequest, Buckets>()
  if (requests.length === 0) return found
  const devices = (await findOnlyDevices(reader.scope, person.id)) ?? new Map<string, string>()
  const groups = Map.groupBy(requests, ({ plan: { table, stepMs }, range }) =>
    [table, stepMs, lengthClass(range)].join(' '),
  )
  for (const group of groups.values()) await readGroup(reader, person, devices, group, found)
  return found
}

/** Runs one statement for requests of the same table and step. */
async function readGroup(
  reader: ValueReader,
  person: RulePerson,
  devices: ReadonlyMap<string, string>,
  group: readonly ValueRequest[],
  found: Map<ValueRequest, Buckets>,
): Promise<void> {
  const [{ plan }] = group as [ValueRequest]
  const columns = new Map<string, { func: RuleFunction; arg: ValuePlan['arg'] }>()
  for (const { plan: each } of group) {
    for (const func of each.parts) columns.set(keyOf(func, each), { func, arg: each.arg })
  }
  const analyzed = queryOf(plan.table, plan.stepMs, [...columns.values()])
  const window = {
    from: Math.min(...group.map(({ range }) => range.from)),
    to: Math.max(...group.map(({ range }) => range.to)),
  }
  const rows = await readRows(reader, person, devices, analyzed, window)
  const positions = new Map([...columns.keys()].map((key, at) => [key, at + 1]))
  for (const request of group) found.set(request, bucketsOf(request, rows, positions))
}

/** Returns the rows of a query of a person. */
export async function readRows(
  { scope, queryMaxSourceRows, priorities }: ValueReader,
  person: RulePerson,
  devices: ReadonlyMap<string, string>,
  analyzed: AnalyzedQuery,
  window: LocalRange,
): Promise<unknown[][]> {
  const target: QueryTarget = {
    environmentId: scope.environment.id,
    userId: person.id,
    fallbackZone: person.fallback_time_zone,
    devices,
    providerPriorities: await prioritiesOf(scope, priorities, analyzed.sources[0]?.dataType),
    overrides: [],
    now: scope.clock.now(),
  }
  return readQueryRows(scope, analyzed, window, target, queryMaxSourceRows)
}

const keyOf = (func: RuleFunction, { arg }: ValuePlan): string => `${func} ${JSON.stringify(arg)}`

async function prioritiesOf(
  scope: Scope,
  known: ValueReader['priorities'],
  dataType: DataType | null | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (dataType == null) return new Map()
  const found = known.get(dataType) ?? findProviderPriorities(scope, dataType)
  known.set(dataType, found)
  return found
}

/** Parses a local date or time of a row, in milliseconds as if it were UTC. */
export const parseLocal = (text: unknown): number =>
  Date.parse(`${text}${String(text).length === 10 ? '' : 'Z'}`)

function bucketsOf(
  { plan, range }: ValueRequest,
  rows: readonly unknown[][],
  positions: ReadonlyMap<string, number>,
): Buckets {
  const buckets = new Map<number, Bucket>()
  for (const row of rows) {
    const start = parseLocal(row[0])
    if (!(start >= range.from && start < range.to)) continue
    const bucket: Partial<Record<RuleFunction, number>> = {}
    for (const func of plan.parts) {
      const value = row[positions.get(keyOf(func, plan)) ?? -1]
      if (value !== null && value !== undefined) bucket[func] = Number(value)
    }
    buckets.set(start, bucket)
  }
  return buckets
}
