import { FORMER_CHAIN } from './audit-chain.ts'
import { listHistoryRows } from './audit-history-listing.global.repository.ts'
import {
  type AuditListFilter,
  type AuditListRow,
  type AuditPage,
  type AuditPosition,
  type AuditRows,
  listRecentRows,
  positionOf,
} from './audit-listing.global.repository.ts'
import { findHistoryWindow } from './audit-segments.global.repository.ts'
import type { AuditStores } from './read-audit-log.ts'

/**
 * Numbers of rows of PostgreSQL, and of ClickHouse, that are searched for one page, until it is
 * full: most are full soon, and a filter with few matches does not read the whole log at once.
 */
const RECENT_ROWS = [500, 4_000, 20_000]
const HISTORY_ROWS = [100_000, 2_000_000, 40_000_000]

/**
 * Returns rows of the log, the newest first, wherever they are; rows may move meanwhile.
 * @returns the rows, and the position of the next page: null at the beginning of the log. A page
 *   may hold fewer rows than the limit, or none, although more pages follow.
 */
export async function listAuditRows(
  stores: AuditStores,
  filter: AuditListFilter,
  page: AuditPage,
): Promise<AuditRows> {
  const { db } = stores
  let recent = await listRecentRows(db, filter, page, RECENT_ROWS[0] as number)
  for (const most of RECENT_ROWS.slice(1)) {
    if (recent.rows.length === page.limit || recent.next === null) break
    recent = await listRecentRows(db, filter, page, most)
  }
  const options = { filter, page, progress: recent.progress }
  const before = earlier(page.before?.at, filter.until)
  if (recent.next !== null) {
    // Rows of requests that took long, or of a clock that was wrong, may be among newer ones.
    const end = recent.next
    const window = await findHistoryWindow(db, { before, rows: 0 })
    if (window === undefined || window.last < end.at) return recent
    const older = await listHistoryRows(stores.clickhouse, { ...options, since: end.at })
    const rows = older.filter((row) => compare(row, end) >= 0)
    return mergeRows(recent, { rows, next: end }, page.limit)
  }
  let found: AuditRows = recent
  for (const rows of HISTORY_ROWS) {
    const window = await findHistoryWindow(db, { before, rows })
    if (window === undefined) return recent
    const { since } = window
    const isWhole = window.isWhole || (filter.since !== undefined && since <= filter.since)
    const old = await listHistoryRows(stores.clickhouse, { ...options, since })
    const next = isWhole ? null : { at: since, sequence: 0, chainId: FORMER_CHAIN - 1 }
    found = mergeRows(recent, { rows: old, next }, page.limit)
    if (found.rows.length === page.limit || found.next === null) break
  }
  return found
}

/** Returns the earlier one of the times that are given. */
function earlier(one: Date | undefined, other: Date | undefined): Date | null {
  if (one === undefined || other === undefined) return one ?? other ?? null
  return one < other ? one : other
}

/** Joins two lists that are whole back to `old.next`, or that are cut at the limit. */
function mergeRows(recent: AuditRows, old: AuditRows, limit: number): AuditRows {
  const all = [...recent.rows, ...old.rows].sort((a, b) => -compare(a, positionOf(b)))
  const rows = all.slice(0, limit)
  const last = rows.at(-1)
  if (rows.length === limit && last !== undefined) return { rows, next: positionOf(last) }
  return { rows, next: old.next }
}

const compare = (row: AuditListRow, position: AuditPosition): number =>
  row.at.getTime() - position.at.getTime() ||
  row.sequence - position.sequence ||
  row.chain_id - position.chainId
