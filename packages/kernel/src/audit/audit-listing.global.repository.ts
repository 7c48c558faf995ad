import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import { type ActorKind, type AuditOutcome, FORMER_CHAIN } from './audit-chain.ts'
import { type AuditProgress, toProgress } from './audit-rows.global.repository.ts'

export interface AuditListFilter {
  actorKind?: string | undefined
  actorId?: string | undefined
  /** Pattern of the route, exact or with a trailing star. */
  route?: string | undefined
  method?: string | undefined
  outcome?: AuditOutcome | undefined
  userId?: string | undefined
  /** Rows in one of these environments, or about this team or environment itself. */
  team?: { environmentIds: readonly string[]; teamId: string } | undefined
  environmentId?: string | undefined
  /** Leaves out reads. */
  changesOnly: boolean
  /** Leaves out the access tokens that the console creates for itself. */
  hidesConsoleTokens: boolean
  /** Beginning of the time range; both ends are inclusive. */
  since?: Date | undefined
  until?: Date | undefined
}

/** A row in the order of the list, newest first. */
export interface AuditPosition {
  at: Date
  sequence: number
  chainId: number
}

export interface AuditListRow {
  at: Date
  sequence: number
  chain_id: number
  environment_id: string | null
  actor_kind: ActorKind
  actor_id: string | null
  method: string
  route: string
  status: number | null
  user_id: string | null
  object_id: string | null
}

const COLUMNS = sql`sequence, at, environment_id, actor_kind, actor_id, method, route, status, user_id, object_id`

export interface AuditPage {
  /** End of the page before, null on the first one. */
  before: AuditPosition | null
  limit: number
}

export interface AuditRows {
  rows: AuditListRow[]
  /** The log was read back to here; null is its beginning. */
  next: AuditPosition | null
}

/** Returns the position of a row. */
export const positionOf = ({ at, sequence, chain_id: chainId }: AuditListRow): AuditPosition => ({
  at,
  sequence,
  chainId,
})

/**
 * Returns rows of PostgreSQL, the newest first, and how far rows had moved then.
 * @param most Number of rows that are read in search of those of the filter.
 */
export async function listRecentRows(
  db: Db,
  filter: AuditListFilter,
  { before, limit }: AuditPage,
  most: number,
): Promise<AuditRows & { progress: AuditProgress }> {
  const isIn = isInRange(filter, before)
  const newest = sql`order by at desc, sequence desc, chain_id desc limit ${most}`
  const { rows } = await sql<
    AuditListRow &
      Parameters<typeof toProgress>[0] & { is_found: boolean; read: number } & {
        last_at: Date
        last_sequence: number
        last_chain_id: number
      }
  >`
    with latest as materialized (
      select * from (
        (select chain_id, ${COLUMNS} from audit_rows where ${isIn} ${newest})
        union all
        (select chain_id, ${COLUMNS} from (select ${FORMER_CHAIN}::int as chain_id, * from audit_log) former
          where ${isIn} and sequence > (select moved_sequence from audit_progress) ${newest})
      ) both_tables ${newest}
    ), last as (
      select count(*) as read, min(at) as last_at,
        (select sequence from latest order by at, sequence, chain_id limit 1) as last_sequence,
        (select chain_id from latest order by at, sequence, chain_id limit 1) as last_chain_id
      from latest
    ), found as (
      select chain_id, ${COLUMNS}, true as is_found from latest where ${isWanted(filter)}
      order by at desc, sequence desc, chain_id desc limit ${limit}
    )
    select found.*, last.*, moved_segment, moved_sequence, removed_before::text as removed_before
    from audit_progress cross join last left join found on true
    order by at desc, sequence desc, chain_id desc`.execute(db)
  const found = rows.filter(({ is_found }) => is_found)
  const [first] = rows
  if (first === undefined) throw new Error('audit_progress has one row.')
  const progress = toProgress(first)
  const lastFound = found.at(-1)
  if (found.length === limit && lastFound) {
    return { rows: found, next: positionOf(lastFound), progress }
  }
  const end = { at: first.last_at, sequence: first.last_sequence, chainId: first.last_chain_id }
  return { rows: found, next: first.read < most ? null : end, progress }
}

/** Whether a row matches the conditions that an index supports. */
function isInRange(
  { userId, since, until }: AuditListFilter,
  before: AuditPosition | null,
): RawBuilder<SqlBool> {
  return all([
    userId !== undefined && sql`user_id = ${userId}`,
    since !== undefined && sql`at >= ${since}`,
    until !== undefined && sql`at <= ${until}`,
    // The first condition is the one for which an index is read.
    before !== null &&
      sql`at <= ${before.at}::timestamptz and (at, sequence, chain_id) <
        (${before.at}::timestamptz, ${before.sequence}::bigint, ${before.chainId}::int)`,
  ])
}

const OUTCOMES: Record<AuditOutcome, RawBuilder<unknown>> = {
  done: sql`(status is null or status < 400)`,
  refused: sql`status between 400 and 499`,
  failed: sql`status >= 500`,
}

function isWanted(filter: AuditListFilter): RawBuilder<SqlBool> {
  const { actorKind, actorId, route, method, outcome, team, environmentId } = filter
  return all([
    actorKind !== undefined && sql`actor_kind = ${actorKind}`,
    actorId !== undefined && sql`actor_id = ${actorId}`,
    method !== undefined && sql`method = ${method}`,
    outcome !== undefined && OUTCOMES[outcome],
    environmentId !== undefined && sql`environment_id = ${environmentId}`,
    team !== undefined &&
      sql`(environment_id = any(${[...team.environmentIds]}::uuid[]) or object_id = ${team.teamId})`,
    filter.hidesConsoleTokens &&
      sql`not (actor_kind = 'console_session' and route like '%/create_api_access_token')`,
    filter.changesOnly && sql`method not in ('GET', 'HEAD')`,
    route !== undefined &&
      (route.endsWith('*')
        ? sql`starts_with(route, ${route.slice(0, -1)})`
        : sql`route = ${route}`),
  ])
}

/** True where every condition holds; a condition of false is ignored. */
function all(conditions: readonly (RawBuilder<unknown> | false)[]): RawBuilder<SqlBool> {
  const given = conditions.filter((condition) => condition !== false)
  return given.length === 0 ? sql`true` : sql`${sql.join(given, sql` and `)}`
}
