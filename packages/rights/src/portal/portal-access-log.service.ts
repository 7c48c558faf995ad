import { findUserZone } from '@salus/accounts/users'
import type { ActorKind } from '@salus/kernel/audit/audit-chain'
import type { AuditListRow } from '@salus/kernel/audit/audit-listing.global.repository'
import { listAuditRows } from '@salus/kernel/audit/list-audit-rows'
import type { DescribeAccess } from '@salus/kernel/http/route-actions'
import type { Scope } from '@salus/kernel/scope'
import { dateInZone, formatInstant } from '@salus/kernel/time/instants'
import type { AccessActor, PortalAccessLog } from './portal.schema.ts'
import { listShares } from './portal-shares.repository.ts'

/** Number of rows of the audit log that are read: weeks, for most people. */
const MOST_ROWS = 1_000

/** Who a person sees behind each kind of sender. */
const ACTORS: Readonly<Record<ActorKind, AccessActor>> = {
  api_key: 'team',
  access_token: 'team',
  management_key: 'team',
  console_session: 'team',
  smart_client: 'app',
  mobile_session: 'app',
  import_address: 'app',
  link_token: 'you',
  link_code: 'you',
  portal_session: 'you',
  portal_share: 'share',
  export_link: 'link',
  system: 'system',
  unknown: 'unknown',
}

type Entry = PortalAccessLog['data'][number]

/**
 * Returns who read or changed data of a person, from the audit log, the newest day first. Requests
 * of one sender about one subject are joined for each local day of the person.
 * @param describe Returns what a route is about.
 */
export async function readPortalAccessLog(
  scope: Scope,
  userId: string,
  describe: DescribeAccess,
): Promise<PortalAccessLog> {
  const { db, clickhouse, environment } = scope
  const filter = {
    ...{ userId, environmentId: environment.id },
    ...{ changesOnly: false, hidesConsoleTokens: true },
  }
  const [{ rows, next }, shares, user] = await Promise.all([
    listAuditRows({ db, clickhouse }, filter, { before: null, limit: MOST_ROWS }),
    listShares(scope, userId),
    findUserZone(scope, userId),
  ])
  const labels = new Map(shares.map(({ id, label }) => [id, label]))
  const zone = user?.fallback_time_zone ?? 'UTC'
  const entries = new Map<string, Entry>()
  for (const row of rows) {
    const entry = toEntry(row, { zone, labels, describe })
    if (entry === undefined) continue
    const { date, actor, label, action, about } = entry
    const key = JSON.stringify([date, actor, label, row.actor_id, action, about])
    const known = entries.get(key)
    if (known === undefined) entries.set(key, entry)
    else known.count += 1
  }
  return { data: [...entries.values()], is_complete: next === null }
}

interface Words {
  zone: string
  labels: ReadonlyMap<string, string>
  describe: DescribeAccess
}

/** Refused requests, and opening and closing the page, read and changed nothing. */
function toEntry(row: AuditListRow, { zone, labels, describe }: Words): Entry | undefined {
  if (row.route === '/me/session' || (row.status !== null && row.status >= 400)) return undefined
  const { resource, isRead } = describe(row.method, row.route) ?? { resource: null, isRead: false }
  return {
    date: dateInZone(row.at, zone),
    last_at: formatInstant(row.at),
    actor: ACTORS[row.actor_kind] ?? 'unknown',
    label: labels.get(row.actor_id ?? '') ?? null,
    action: isRead ? 'read' : 'changed',
    about: resource ?? 'people',
    count: 1,
  }
}
