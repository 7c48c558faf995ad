import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import { type AuditRow, FORMER_CHAIN } from './audit-chain.ts'
import {
  type FormerAuditLogTable,
  type StoredAuditRow,
  toEntry,
} from './audit-log.global.repository.ts'

/** How far rows have moved out of PostgreSQL. */
export interface AuditProgress {
  /** Rows in ClickHouse count when their segment is not later than this one, */
  movedSegment: number
  /** or, in the former chain, when their sequence is not. */
  movedSequence: number
  /** Rows in ClickHouse of segments that were opened before this date are removed. */
  removedBefore: string
}

/** Place in the log of a row, or of the end of what was read. */
export interface AuditPlace {
  chainId: number
  sequence: number
}

export interface AuditFilter {
  userId?: string
  environmentId?: string
}

const PROGRESS = sql`moved_segment, moved_sequence, removed_before::text as removed_before`

interface ProgressRow {
  moved_segment: number
  moved_sequence: number
  removed_before: string
}

/** Returns the progress from its columns. */
export const toProgress = (row: ProgressRow): AuditProgress => ({
  movedSegment: row.moved_segment,
  movedSequence: row.moved_sequence,
  removedBefore: row.removed_before,
})

/** Returns how far rows have moved. */
export async function findProgress(db: Db): Promise<AuditProgress> {
  const { rows } = await sql<ProgressRow>`select ${PROGRESS} from audit_progress`.execute(db)
  return toProgress(rows[0] as ProgressRow)
}

/**
 * Returns rows of PostgreSQL behind a place, in the order of the chains and of their sequences.
 * @returns no rows where the progress is no longer the given one
 */
export async function readRecentRows(
  db: Db,
  options: { after: AuditPlace; limit: number; filter?: AuditFilter; progress: AuditProgress },
): Promise<{ isCurrent: boolean; rows: AuditRow[] }> {
  const { after, limit, filter = {}, progress } = options
  const isWanted = isOf(filter)
  const columns = sql`sequence, at, status, environment_id, actor_id, user_id, object_id, key_id,
    actor_kind, method, route, hash`
  // One statement, because its locks come before its snapshot: no partition is emptied between.
  const { rows } = await sql<ReadRow>`
    with former as (
      select ${FORMER_CHAIN}::int as chain_id, ${columns}, previous_hash from audit_log
      where ${after.chainId === FORMER_CHAIN} and sequence > ${after.sequence}
        and sequence > (select moved_sequence from audit_progress) and ${isWanted}
      order by sequence limit ${limit}
    ), own as (
      select chain_id, ${columns}, null::bytea as previous_hash from audit_rows
      where (chain_id, sequence) > (${after.chainId}::int, ${after.sequence}::bigint) and ${isWanted}
      order by chain_id, sequence limit ${limit}
    ), found as (
      select * from former union all select * from own order by chain_id, sequence limit ${limit}
    )
    select ${PROGRESS}, found.* from audit_progress left join found on true
    order by chain_id, sequence`.execute(db)
  const [first] = rows
  const now = first && toProgress(first)
  const isCurrent =
    now?.movedSegment === progress.movedSegment && now.movedSequence === progress.movedSequence
  if (!isCurrent || first?.sequence === null) return { isCurrent, rows: [] }
  return { isCurrent, rows: rows.map(toAuditRow) }
}

type ReadRow = ProgressRow &
  StoredAuditRow &
  Pick<FormerAuditLogTable, never> & { chain_id: number; previous_hash: Buffer | null }

/** Returns a row of the log from its columns. */
export function toAuditRow(
  row: StoredAuditRow & { chain_id: number; previous_hash: Buffer | null },
): AuditRow {
  const { chain_id: chainId, sequence, status, previous_hash: previousHash, hash } = row
  return { ...toEntry(row), chainId, sequence, status, previousHash, hash, keyId: row.key_id }
}

/** Returns the changes that are not in a chain yet, the oldest first, as the table has them. */
export async function listPendingRows(db: Db, filter: AuditFilter): Promise<object[]> {
  const rows = await db
    .selectFrom('pending_audit_rows')
    .selectAll()
    .where(isOf(filter))
    .orderBy('at')
    .execute()
  return rows.map(({ id: _id, ...row }) => row)
}

const isOf = ({ userId, environmentId }: AuditFilter): RawBuilder<SqlBool> => {
  const ofUser = userId === undefined ? sql`true` : sql`user_id = ${userId}`
  return environmentId === undefined
    ? sql`${ofUser}`
    : sql`${ofUser} and environment_id = ${environmentId}`
}
