import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import type { ActorKind, AuditOutcome } from './audit-chain.ts'

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
}

export interface AuditListRow extends AuditPosition {
  environment_id: string | null
  actor_kind: ActorKind
  actor_id: string | null
  method: string
  route: string
  status: number | null
  user_id: string | null
  object_id: string | null
}

/**
 * Numbers of rows read for one page, until it is full: most are full soon, and a filter with few
 * matches does not read the whole log at once.
 */
const ROWS_READ = [500, 4_000, 20_000]

const COLUMNS = sql`sequence, at, environment_id, actor_kind, actor_id, method, route, status, user_id, object_id`

/**
 * Returns rows of the log, the newest first.
 * @returns the rows, and the position of the next page: null at the beginning of the log. A page
 *   may hold fewer rows than the limit, or none, although more pages follow.
 */
export async function listAuditRows(
  db: Db,
  filter: AuditListFilter,
  page: AuditPage,
): Promise<AuditRows> {
  let found: AuditRows = { rows: [], next: null }
  for (const most of ROWS_READ) {
    found = await findAuditRows(db, filter, page, most)
    if (found.rows.length === page.limit || found.next === null) break
  }
  return found
}

interface AuditPage {
  /** End of the page before, null on the first one. */
  before: AuditPosition | null
  limit: number
}

interface AuditRows {
  rows: AuditListRow[]
  next: AuditPosition | null
}

async function findAuditRows(
  db: Db,
  filter: AuditListFilter,
  { before, limit }: AuditPage,
  most: number,
): Promise<AuditRows> {
  const { rows } = await sql<
    AuditListRow & { is_found: boolean; read: number; last_at: Date; last_sequence: number }
  >`
    with latest as materialized (
      select ${COLUMNS} from audit_log
      where ${isInRange(filter, before)}
      order by at desc, sequence desc
      limit ${most}
    ), last as (
      select count(*) as read, min(at) as last_at,
        (select sequence from latest order by at, sequence limit 1) as last_sequence
      from latest
    ), found as (
      select ${COLUMNS}, true as is_found from latest where ${isWanted(filter)}
      order by at desc, sequence desc limit ${limit}
    )
    select found.*, last.* from last left join found on true
    order by at desc, sequence desc`.execute(db)
  const found = rows.filter(({ is_found }) => is_found)
  const [{ read, last_at: at, last_sequence: sequence } = NOTHING_READ] = rows
  const lastFound = found.at(-1)
  if (found.length === limit && lastFound) return { rows: found, next: lastFound }
  return { rows: found, next: read < most ? null : { at, sequence } }
}

const NOTHING_READ = { read: 0, last_at: new Date(0), last_sequence: 0 }

/** Whether a row matches the conditions that an index supports. */
function isInRange(
  { userId, since, until }: AuditListFilter,
  before: AuditPosition | null,
): RawBuilder<SqlBool> {
  return all([
    userId !== undefined && sql`user_id = ${userId}`,
    since !== undefined && sql`at >= ${since}`,
    until !== undefined && sql`at <= ${until}`,
    before !== null &&
      sql`(at, sequence) < (${before.at}::timestamptz, ${before.sequence}::bigint)`,
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
