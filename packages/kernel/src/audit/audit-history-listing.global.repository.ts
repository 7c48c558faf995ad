import type { ClickHouseReader } from '../clickhouse/clickhouse.ts'
import type { ActorKind, AuditOutcome } from './audit-chain.ts'
import { countedSql } from './audit-history.global.repository.ts'
import type { AuditListFilter, AuditListRow, AuditPage } from './audit-listing.global.repository.ts'
import type { AuditProgress } from './audit-rows.global.repository.ts'

/** Parameters by name, and the conditions that use them. */
interface Conditions {
  sql: string[]
  parameters: Record<string, string | readonly string[]>
}

interface ListedHistoryRow extends Omit<AuditListRow, 'at' | 'status' | 'user_id'> {
  ms: number
  status: number
  user_id: string
  has_user: number
}

/** Returns the newest rows of ClickHouse that match, from a page's beginning back to a time. */
export async function listHistoryRows(
  clickhouse: ClickHouseReader,
  options: { filter: AuditListFilter; page: AuditPage; progress: AuditProgress; since: Date },
): Promise<AuditListRow[]> {
  const { filter, page, progress, since } = options
  const { sql, parameters } = conditionsOf(filter)
  const instant = (at: Date) => `fromUnixTimestamp64Milli(${at.getTime()}, 'UTC')`
  const all = [countedSql(progress), `at >= ${instant(since)}`, ...sql]
  if (filter.since !== undefined) all.push(`at >= ${instant(filter.since)}`)
  if (filter.until !== undefined) all.push(`at <= ${instant(filter.until)}`)
  if (page.before !== null) {
    const { at, sequence, chainId } = page.before
    all.push(`at <= ${instant(at)}`)
    all.push(`(at, sequence, toInt64(chain_id)) < (${instant(at)}, ${sequence}, ${chainId})`)
  }
  const rows = await clickhouse.queryRows<ListedHistoryRow>(
    `select chain_id, sequence, toUnixTimestamp64Milli(at) as ms, environment_id, actor_kind, actor_id,
      method, route, status, user_id, has_user, object_id
    from audit_history where ${all.map((condition) => `(${condition})`).join(' and ')}
    order by at desc, sequence desc, chain_id desc limit ${page.limit}`,
    parameters,
  )
  return rows.map(({ ms, has_user: hasUser, ...row }) => ({
    ...row,
    at: new Date(ms),
    actor_kind: row.actor_kind as ActorKind,
    status: row.status === 0 ? null : row.status,
    user_id: hasUser === 1 ? row.user_id : null,
  }))
}

const OUTCOMES: Record<AuditOutcome, string> = {
  done: 'status < 400',
  refused: 'status between 400 and 499',
  failed: 'status >= 500',
}

/** As the conditions of PostgreSQL. */
function conditionsOf(filter: AuditListFilter): Conditions {
  const sql: string[] = []
  const parameters: Conditions['parameters'] = {}
  const add = (condition: string, values: Conditions['parameters']): void => {
    sql.push(condition)
    Object.assign(parameters, values)
  }
  const { actorKind, actorId, route, method, outcome, userId, team, environmentId } = filter
  if (userId !== undefined) add('user_id = {userId:UUID} and has_user = 1', { userId })
  if (actorKind !== undefined) add('actor_kind = {actorKind:String}', { actorKind })
  if (actorId !== undefined) add('actor_id = {actorId:UUID}', { actorId })
  if (method !== undefined) add('method = {method:String}', { method })
  if (outcome !== undefined) sql.push(OUTCOMES[outcome])
  if (environmentId !== undefined) {
    add('environment_id = {environmentId:UUID}', { environmentId })
  }
  if (team !== undefined) {
    const { environmentIds, teamId } = team
    const ofTeam = 'has({environmentIds:Array(UUID)}, environment_id) or object_id = {teamId:UUID}'
    add(ofTeam, { environmentIds, teamId })
  }
  if (filter.hidesConsoleTokens) {
    sql.push("not (actor_kind = 'console_session' and endsWith(route, '/create_api_access_token'))")
  }
  if (filter.changesOnly) sql.push("method not in ('GET', 'HEAD')")
  if (route?.endsWith('*')) add('startsWith(route, {route:String})', { route: route.slice(0, -1) })
  else if (route !== undefined) add('route = {route:String}', { route })
  return { sql, parameters }
}
