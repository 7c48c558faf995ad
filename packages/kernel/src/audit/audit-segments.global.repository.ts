import { sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import { type AuditRow, FORMER_CHAIN } from './audit-chain.ts'
import { SEGMENT_LOCK } from './audit-log.global.repository.ts'
import { type AuditPlace, toAuditRow } from './audit-rows.global.repository.ts'

declare module '../postgres/database.ts' {
  interface Database {
    audit_segments: AuditSegmentTable
    audit_progress: AuditProgressTable
  }
}

interface AuditProgressTable {
  moved_segment: number
  moved_sequence: number
  removed_before: string
  lease_id: string | null
  leased_until: Date
}

interface AuditSegmentTable {
  id: number
  slot: number | null
  opened_at: Date
  closed_at: Date | null
  moved_at: Date | null
  archived_at: Date | null
  removed_at: Date | null
  row_count: number | null
  first_at: Date | null
  last_at: Date | null
}

export type AuditSegment = AuditSegmentTable

/** What was copied of a segment. */
export interface CopiedRows {
  rows: number
  firstAt: Date | null
  lastAt: Date | null
}

/** Number of partitions, which segments take in turn. */
const SLOTS = 4
const LEASE_SECONDS = 30
/** PostgreSQL's code of a lock that was not available in time. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Takes or renews the right to move rows, for some seconds; of several processes one has it.
 * @returns false when another process has it
 */
export async function takeLease(db: Db, leaseId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update audit_progress
    set lease_id = ${leaseId}, leased_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 s'
    where lease_id = ${leaseId} or leased_until < clock_timestamp()`.execute(db)
  return numAffectedRows === 1n
}

/** Gives the right up. */
export async function releaseLease(db: Db, leaseId: string): Promise<void> {
  await sql`update audit_progress set lease_id = null, leased_until = '1970-01-01'
    where lease_id = ${leaseId}`.execute(db)
}

/** Returns the open segment, and the size of its partition in bytes. */
export async function findOpenSegment(db: Db): Promise<AuditSegment & { bytes: number }> {
  const { rows } = await sql<AuditSegment & { bytes: number }>`select *,
    pg_relation_size(('salus_audit.audit_rows_' || slot)::regclass) as bytes
    from audit_segments where closed_at is null`.execute(db)
  const [open] = rows
  if (open === undefined) throw new Error('One segment of the audit log is open.')
  return open
}

/**
 * Closes the open segment and opens the next one, when a partition is free for it. Returns when
 * no statement adds to the former any more.
 */
export async function closeSegment(
  db: Db,
  { id, slot, opened_at: openedAt }: AuditSegment,
  now: Date,
): Promise<void> {
  const next = ((slot ?? 0) + 1) % SLOTS
  const at = now < openedAt ? openedAt : now
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SEGMENT_LOCK})`.execute(tx)
    const { rows } = await sql`select 1 from audit_segments
      where slot = ${next} and moved_at is null`.execute(tx)
    if (rows.length > 0) return
    const { numAffectedRows } = await sql`update audit_segments set closed_at = ${at}
      where id = ${id} and closed_at is null`.execute(tx)
    if (numAffectedRows !== 1n) return
    await sql`insert into audit_segments (slot, opened_at) values (${next}, ${at})`.execute(tx)
  })
}

/** Returns the closed segments that are still in PostgreSQL, in their order. */
export function listUnmovedSegments(db: Db): Promise<AuditSegment[]> {
  return db
    .selectFrom('audit_segments')
    .selectAll()
    .where('closed_at', 'is not', null)
    .where('moved_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Returns rows of a closed segment behind a place, in the order of the chains. */
export async function readSegmentRows(
  db: Db,
  slot: number,
  after: AuditPlace,
  limit: number,
): Promise<AuditRow[]> {
  const { rows } = await sql<
    Parameters<typeof toAuditRow>[0]
  >`select *, null::bytea as previous_hash
    from audit_rows where slot = ${slot}
      and (chain_id, sequence) > (${after.chainId}::int, ${after.sequence}::bigint)
    order by chain_id, sequence limit ${limit}`.execute(db)
  return rows.map(toAuditRow)
}

/** Returns rows of the former table behind a place. */
export async function readFormerRows(db: Db, after: number, limit: number): Promise<AuditRow[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map((row) => toAuditRow({ ...row, chain_id: FORMER_CHAIN }))
}

/** Records that ClickHouse has all rows of a segment. */
export async function recordCopy(db: Db, id: number, copied: CopiedRows): Promise<void> {
  const { rows: row_count, firstAt: first_at, lastAt: last_at } = copied
  await db
    .updateTable('audit_segments')
    .set({ row_count, first_at, last_at })
    .where('id', '=', id)
    .execute()
}

/**
 * Empties the partition of a copied segment, in the transaction that makes its rows of ClickHouse
 * count.
 * @returns false when a reader, such as a backup, holds the partition
 */
export function finishSegment(
  db: Db,
  { id, slot }: AuditSegment,
  options: { leaseId: string; now: Date },
): Promise<boolean> {
  const table = sql.table(`salus_audit.audit_rows_${slot}`)
  return withTableLocks(db, async (tx) => {
    await sql`alter table ${table} disable trigger audit_rows_are_append_only`.execute(tx)
    await sql`truncate ${table}`.execute(tx)
    await sql`alter table ${table} enable trigger audit_rows_are_append_only`.execute(tx)
    await sql`update audit_segments set moved_at = ${options.now} where id = ${id}`.execute(tx)
    const { numAffectedRows } = await sql`update audit_progress set moved_segment = ${id}
      where lease_id = ${options.leaseId} and moved_segment < ${id}`.execute(tx)
    if (numAffectedRows !== 1n) throw new Error('Another process moves rows of the audit log.')
  })
}

/** Returns the id of a segment that is recorded when its rows are copied. */
export async function nextSegmentId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('audit_segments', 'id'))::int as id`.execute(db)
  return rows[0]?.id as number
}

/** Makes copied rows of the former chain count in ClickHouse, and no longer in PostgreSQL. */
export async function finishFormerRows(
  db: Db,
  segment: Omit<AuditSegment, 'slot' | 'archived_at' | 'removed_at'>,
  options: { leaseId: string; lastSequence: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('audit_segments')
      .values({ ...segment, slot: null, archived_at: null, removed_at: null })
      .execute()
    const { numAffectedRows } = await sql`update audit_progress
      set moved_sequence = ${options.lastSequence}
      where lease_id = ${options.leaseId} and moved_sequence < ${options.lastSequence}`.execute(tx)
    if (numAffectedRows !== 1n) throw new Error('Another process moves rows of the audit log.')
  })
}

/**
 * Empties the former table when all of its rows are copied, except for its last row: servers of the
 * version before go on behind it.
 * @returns false when a reader holds the table
 */
export function emptyFormerTable(db: Db): Promise<boolean> {
  return withTableLocks(db, async (tx) => {
    await sql`lock table audit_log in access exclusive mode`.execute(tx)
    const { rows } = await sql<{ is_copied: boolean }>`select count(*) > 1
      and max(sequence) = (select moved_sequence from audit_progress) as is_copied
      from (select sequence from audit_log order by sequence desc limit 2) last`.execute(tx)
    if (rows[0]?.is_copied !== true) return
    await sql`create temporary table last_of_audit_log on commit drop as
      select * from audit_log order by sequence desc limit 1`.execute(tx)
    await sql`alter table audit_log disable trigger audit_log_is_append_only`.execute(tx)
    await sql`truncate audit_log`.execute(tx)
    await sql`insert into audit_log select * from last_of_audit_log`.execute(tx)
    await sql`alter table audit_log enable trigger audit_log_is_append_only`.execute(tx)
  })
}

/**
 * Does work that locks a table, unless it would wait long: statements that come later would wait
 * behind it.
 */
async function withTableLocks(db: Db, work: (tx: Db) => Promise<void>): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '500ms'`.execute(tx)
      await work(tx)
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

/** A range of time of rows in ClickHouse, back from a time. */
interface HistoryWindow {
  since: Date
  /** Time of the newest row. */
  last: Date
  /** Whether no row is older. */
  isWhole: boolean
}

/**
 * Returns the range in which at least so many rows of ClickHouse are, or all that there are.
 * Undefined where there are none before that time.
 */
export async function findHistoryWindow(
  db: Db,
  { before, rows: most }: { before: Date | null; rows: number },
): Promise<HistoryWindow | undefined> {
  // A segment that begins at that very time is not counted, so that each window begins earlier.
  const { rows } = await sql<{ since: Date | null; last: Date; is_whole: boolean }>`
    with moved as (
      select first_at, sum(case when first_at = ${before} then 0 else row_count end)
          over (order by last_at desc, id desc)
        - case when first_at = ${before} then 0 else row_count end as newer, last_at
      from audit_segments
      where moved_at is not null and removed_at is null and row_count > 0
        and first_at <= coalesce(${before}::timestamptz, 'infinity')
    )
    select min(first_at) filter (where newer <= ${most}) as since, max(last_at) as last,
      coalesce(bool_and(newer <= ${most}), true) as is_whole
    from moved`.execute(db)
  const [window] = rows
  if (window === undefined || window.since === null) return undefined
  return { since: window.since, last: window.last, isWhole: window.is_whole }
}
