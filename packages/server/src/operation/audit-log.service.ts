import type {
  AuditListFilter,
  AuditListRow,
} from '@salus/kernel/audit/audit-listing.global.repository'
import { listAuditRows } from '@salus/kernel/audit/list-audit-rows'
import type { AuditStores } from '@salus/kernel/audit/read-audit-log'
import { badRequest } from '@salus/kernel/errors'
import { INSTANT_KEY, integerKey, KeysetPages } from '@salus/kernel/http/keyset-pages'
import type { DescribeAction } from '@salus/kernel/http/route-actions'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant, parseEndBound, parseStartBound } from '@salus/kernel/time/instants'
import type { AuditList, AuditQuery, EnvironmentAuditQuery } from './audit-log.schema.ts'
import { toTeam } from './jobs.service.ts'
import {
  listEnvironmentsOfTeam,
  listEnvironmentTeams,
  listKeyLabels,
} from './operation.global.repository.ts'

/**
 * Returns a page of the log of the whole installation, the newest rows first.
 * @throws AppError 400
 */
export async function listAuditLog(
  stores: AuditStores,
  query: AuditQuery,
  describe: DescribeAction,
): Promise<AuditList> {
  const { team_id: teamId } = query
  const filter = readFilter(query)
  if (teamId !== undefined) {
    filter.team = { teamId, environmentIds: await listEnvironmentsOfTeam(stores.db, teamId) }
  }
  return readPage(stores, filter, ['audit log', teamId], { query, describe })
}

/** Returns a page of the log of one environment, the newest rows first. @throws AppError 400 */
export function listEnvironmentAuditLog(
  { db, clickhouse, environment }: Scope,
  query: EnvironmentAuditQuery,
  describe: DescribeAction,
): Promise<AuditList> {
  const filter = { ...readFilter(query), environmentId: environment.id }
  return readPage({ db, clickhouse }, filter, ['audit log of', environment.id], { query, describe })
}

function readFilter(query: EnvironmentAuditQuery): AuditListFilter {
  const since = query.since === undefined ? undefined : parseStartBound(query.since)
  const until = query.until === undefined ? undefined : parseEndBound(query.until)
  if (since !== undefined && until !== undefined && since > until) {
    throw badRequest('invalid_date_range', 'since is later than until.')
  }
  return {
    actorKind: query.actor_kind,
    actorId: query.actor_id,
    route: query.route,
    method: query.method,
    outcome: query.outcome,
    userId: query.user_id,
    changesOnly: !query.reads,
    hidesConsoleTokens: !query.console_tokens,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  }
}

const MOST_CHAINS = 2 ** 31 - 1
const PAGES = new KeysetPages({
  at: INSTANT_KEY,
  sequence: integerKey(),
  chainId: integerKey(-1, MOST_CHAINS),
})

async function readPage(
  stores: AuditStores,
  filter: AuditListFilter,
  list: readonly unknown[],
  asked: { query: EnvironmentAuditQuery; describe: DescribeAction },
): Promise<AuditList> {
  const { limit, next_cursor: cursor, ...query } = asked.query
  const cursorScope = [...list, Object.entries(query).sort()]
  const before = PAGES.read(cursorScope, cursor)
  const { rows, next } = await listAuditRows(stores, filter, { before, limit })
  return {
    data: await describeRows(stores.db, rows, asked.describe),
    next_cursor: PAGES.write(cursorScope, next),
    searched_back_to: next && formatInstant(next.at),
  }
}

async function describeRows(
  db: Db,
  rows: readonly AuditListRow[],
  describe: DescribeAction,
): Promise<AuditList['data']> {
  const idsOf = (read: (row: AuditListRow) => string | null) => [
    ...new Set(rows.flatMap((row) => read(row) ?? [])),
  ]
  const [teams, labels] = await Promise.all([
    listEnvironmentTeams(
      db,
      idsOf((row) => row.environment_id),
    ),
    listKeyLabels(
      db,
      idsOf((row) => row.actor_id),
    ),
  ])
  return rows.map(({ environment_id: environmentId, chain_id: _, at, ...row }) => ({
    ...row,
    at: formatInstant(at),
    action: describe(row.method, row.route),
    actor_label: labels.get(row.actor_id ?? '') ?? null,
    team: toTeam(teams.get(environmentId ?? '')),
  }))
}
