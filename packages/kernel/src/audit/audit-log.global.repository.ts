import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import { recordsOf } from '../postgres/bulk.ts'
import type { Db } from '../postgres/database.ts'
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

/** What a row tells that is known before the answer. */
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
  /** Of the pending row that it takes the place of. */
  pendingId?: string | undefined
}

const ROWS_AT_ONCE = 5_000

/** PostgreSQL's code of a key that is there already. */
const UNIQUE_VIOLATION = '23505'

/**
 * Adds entries to the end of the chain, in their order; they are durable when this returns.
 * @param how.key Hashes the rows; null only where there are no secrets, as in a test of the chain.
 * @param how.after Where the chain ended when the caller last knew.
 * @returns Where it ends now.
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

/** Where the chain ends. */
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
 * Adds all, when the chain still ends there; the primary key tells who of two at once was first.
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
 * Tells of a change in the transaction of it, before its answer is known. One of the id that is
 * there already stays.
 */
export async function insertPending(db: Db, id: string, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('pending_audit_rows')
    .values({ id, ...toPendingRow(entry) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** What was pending already before a time, oldest first, as entries without a status. */
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

/** How many changes are told of outside the chain yet. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('pending_audit_rows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Every row, in the order of the chain. */
export async function* readAuditLog(db: Db): AsyncGenerator<AuditRow> {
  for await (const row of readRows(db)) yield fromTableRow(row)
}

/**
 * Lines of JSON with the columns of the table, bytes as hexadecimal text; at last those of changes
 * that are not in the chain yet, which have neither a place nor hashes nor a status.
 */
export async function* exportAuditLog(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  // Before the chain is read, so that what is added to it meanwhile is told twice and not never.
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
 * Some rows at a time, so that a log of any length is read; what is added meanwhile is read too.
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
