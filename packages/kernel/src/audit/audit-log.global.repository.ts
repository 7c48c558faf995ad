import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import { recordsOf } from '../postgres/bulk.ts'
import type { Db } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared-statements.ts'
import {
  type ActorKind,
  type AuditEntry,
  type AuditRow,
  CHAIN_START,
  type ChainHead,
  type ChainKey,
  hashEntry,
} from './audit-chain.ts'

declare module '../postgres/database.ts' {
  interface Database {
    audit_log: AuditLogTable
    pending_audit_rows: PendingAuditRowTable & { id: string }
  }
}

/** Columns of a row that are known before the answer. */
interface PendingAuditRowTable {
  at: Date
  environment_id: string | null
  actor_kind: ActorKind
  actor_id: string | null
  method: string
  route: string
  user_id: string | null
  object_id: string | null
}

interface AuditLogTable extends PendingAuditRowTable {
  sequence: number
  status: number | null
  previous_hash: Buffer
  hash: Buffer
  key_id: string | null
}

export interface NewAuditEntry extends AuditEntry {
  /** Id of the pending row that the row replaces. */
  pendingId?: string | undefined
}

const ROWS_AT_ONCE = 5_000

/** PostgreSQL's code of a key that already exists. */
const UNIQUE_VIOLATION = '23505'

/**
 * Adds entries to the end of the chain, in their order; they are durable when this returns.
 * @param how.key Key that hashes the rows; null only where there are no secrets, as in a test of
 *   the chain.
 * @param how.after End of the chain that the caller last knew.
 * @returns The new end of the chain.
 */
export async function appendEntries(
  db: Db,
  entries: readonly NewAuditEntry[],
  { key, after }: { key: ChainKey | null; after?: ChainHead | undefined },
): Promise<ChainHead> {
  for (let known = after; ; known = undefined) {
    const head = await tryAppend(db, entries, key, known ?? (await findHead(db)))
    // Another process was faster: its rows come first.
    if (head !== undefined) return head
  }
}

/** Returns the end of the chain. */
export async function findHead(db: Db): Promise<ChainHead> {
  const last = await db
    .selectFrom('audit_log')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { sequence: 0, hash: CHAIN_START }
}

/**
 * Adds all entries if the chain still has this end. Of two processes at once, the primary key
 * decides which one was first.
 */
async function tryAppend(
  db: Db,
  entries: readonly NewAuditEntry[],
  key: ChainKey | null,
  after: ChainHead,
): Promise<ChainHead | undefined> {
  if (entries.length === 0) return after
  let { sequence, hash } = after
  const rows = entries.map((entry): Insertable<AuditLogTable> => {
    const previousHash = hash
    sequence += 1
    hash = hashEntry(previousHash, entry, key?.key)
    return toTableRow({ ...entry, sequence, previousHash, hash, keyId: key?.id ?? null })
  })
  const pendingIds = entries.flatMap(({ pendingId }) => pendingId ?? [])
  const { columns, records } = recordsOf('audit_log', rows)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  try {
    const { numAffectedRows } = await sql`
      with head as (
        select coalesce(max(sequence), 0) = ${after.sequence} as is_there from audit_log
      ), settled as (
        delete from pending_audit_rows
        where id = any(${pendingIds}::uuid[]) and (select is_there from head)
      )
      insert into audit_log (${names}) ${records} where (select is_there from head)`.execute(db)
    return numAffectedRows === 0n ? undefined : { sequence, hash }
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return undefined
    throw error
  }
}

/**
 * Records a change in its own transaction, before its answer is known. A row with the same id that
 * already exists stays.
 */
export async function insertPending(db: Db, id: string, entry: AuditEntry): Promise<void> {
  await prepared(db)
    .insertInto('pending_audit_rows')
    .values({ id, ...toPendingRow(entry) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Returns what was already pending before a time, the oldest first, as entries without a status.
 */
export async function listPendingBefore(db: Db, before: Date): Promise<NewAuditEntry[]> {
  const rows = await db
    .selectFrom('pending_audit_rows')
    .selectAll()
    .where('at', '<', before)
    .orderBy('at')
    .limit(ROWS_AT_ONCE)
    .execute()
  return rows.map((row) => ({ ...fromPendingRow(row), status: null, pendingId: row.id }))
}

/** Counts the changes that are recorded outside the chain so far. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('pending_audit_rows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Reads every row in the order of the chain. */
export async function* readAuditLog(db: Db): AsyncGenerator<AuditRow> {
  for await (const row of readRows(db)) yield fromTableRow(row)
}

/**
 * Returns lines of JSON with the columns of the table, with bytes as hexadecimal text. The last
 * lines are changes that are not in the chain yet; they have no place, no hashes and no status.
 */
export async function* exportAuditLog(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  // This is read before the chain, so that a row that is added to the chain meanwhile appears twice
  // and never gets lost.
  const pending = await db
    .selectFrom('pending_audit_rows')
    .selectAll()
    .where(isWanted(filter))
    .orderBy('at')
    .execute()
  for await (const row of readRows(db, filter)) {
    const hashes = {
      previous_hash: row.previous_hash.toString('hex'),
      hash: row.hash.toString('hex'),
    }
    yield `${JSON.stringify({ ...row, ...hashes })}\n`
  }
  for (const { id: _id, ...row } of pending) yield `${JSON.stringify(row)}\n`
}

export interface AuditFilter {
  userId?: string
  environmentId?: string
}

/**
 * Reads some rows at a time, so that a log of any length can be read; rows that are added meanwhile
 * are read too.
 */
async function* readRows(db: Db, filter: AuditFilter = {}): AsyncGenerator<AuditLogTable> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('sequence', '>', after)
      .where(isWanted(filter))
      .orderBy('sequence')
      .limit(ROWS_AT_ONCE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = last.sequence
  }
}

const isWanted = ({ userId, environmentId }: AuditFilter): RawBuilder<SqlBool> => {
  const ofUser = userId === undefined ? sql`true` : sql`user_id = ${userId}`
  return environmentId === undefined
    ? sql`${ofUser}`
    : sql`${ofUser} and environment_id = ${environmentId}`
}

function toTableRow(row: AuditRow): AuditLogTable {
  const { sequence, status, previousHash: previous_hash, hash, keyId: key_id } = row
  return { ...toPendingRow(row), sequence, status, previous_hash, hash, key_id }
}

function toPendingRow(entry: AuditEntry): PendingAuditRowTable {
  return {
    at: entry.at,
    environment_id: entry.environmentId,
    actor_kind: entry.actorKind,
    actor_id: entry.actorId,
    method: entry.method,
    route: entry.route,
    user_id: entry.userId,
    object_id: entry.objectId,
  }
}

function fromTableRow(row: AuditLogTable): AuditRow {
  const { sequence, status, previous_hash: previousHash, hash, key_id: keyId } = row
  return { ...fromPendingRow(row), sequence, status, previousHash, hash, keyId }
}

function fromPendingRow(row: PendingAuditRowTable): Omit<AuditEntry, 'status'> {
  return {
    at: row.at,
    environmentId: row.environment_id,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    method: row.method,
    route: row.route,
    userId: row.user_id,
    objectId: row.object_id,
  }
}
