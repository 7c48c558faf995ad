import { type Insertable, sql } from 'kysely'
import { recordsOf } from '../postgres/bulk.ts'
import type { Db } from '../postgres/database.ts'
import {
  type ActorKind,
  type AuditEntry,
  type AuditRow,
  CHAIN_START,
  hashEntry,
} from './audit-chain.ts'

declare module '../postgres/database.ts' {
  interface Database {
    audit_log: AuditLogTable
  }
}

interface AuditLogTable {
  sequence: number
  at: Date
  environment_id: string | null
  actor_kind: ActorKind
  actor_id: string | null
  method: string
  route: string
  status: number
  user_id: string | null
  object_id: string | null
  previous_hash: Buffer
  hash: Buffer
}

/** Any constant: who adds to the chain does so alone, until the commit. */
const CHAIN_LOCK = 7_258_716_003

const ROWS_AT_ONCE = 5_000

/** Adds entries to the end of the chain, in their order; they are durable when this returns. */
export function appendEntries(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(transaction)
    // A statement of its own, that sees what was committed before the lock was had.
    const last = await transaction
      .selectFrom('audit_log')
      .select(['sequence', 'hash'])
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst()
    let { sequence, hash } = last ?? { sequence: 0, hash: CHAIN_START }
    const rows = entries.map((entry): Insertable<AuditLogTable> => {
      const previousHash = hash
      sequence += 1
      hash = hashEntry(previousHash, entry)
      return toTableRow({ ...entry, sequence, previousHash, hash })
    })
    const { columns, records } = recordsOf('audit_log', rows)
    await transaction.insertInto('audit_log').columns(columns).expression(records).execute()
  })
}

/** Every row, in the order of the chain. */
export async function* readAuditLog(db: Db): AsyncGenerator<AuditRow> {
  for await (const row of readRows(db)) yield fromTableRow(row)
}

/** Lines of JSON with the columns of the table, bytes as hexadecimal text. */
export async function* exportAuditLog(db: Db, filter: AuditFilter): AsyncGenerator<string> {
  for await (const row of readRows(db, filter)) {
    const hashes = {
      previous_hash: row.previous_hash.toString('hex'),
      hash: row.hash.toString('hex'),
    }
    yield `${JSON.stringify({ ...row, ...hashes })}\n`
  }
}

export interface AuditFilter {
  userId?: string
  environmentId?: string
}

/** Some rows at a time, so that a log of any length is read; what is added meanwhile is read too. */
async function* readRows(
  db: Db,
  { userId, environmentId }: AuditFilter = {},
): AsyncGenerator<AuditLogTable> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('sequence', '>', after)
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? null))
      .$if(environmentId !== undefined, (query) =>
        query.where('environment_id', '=', environmentId ?? null),
      )
      .orderBy('sequence')
      .limit(ROWS_AT_ONCE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = last.sequence
  }
}

function toTableRow(row: AuditRow): AuditLogTable {
  return {
    sequence: row.sequence,
    at: row.at,
    environment_id: row.environmentId,
    actor_kind: row.actorKind,
    actor_id: row.actorId,
    method: row.method,
    route: row.route,
    status: row.status,
    user_id: row.userId,
    object_id: row.objectId,
    previous_hash: row.previousHash,
    hash: row.hash,
  }
}

function fromTableRow(row: AuditLogTable): AuditRow {
  return {
    sequence: row.sequence,
    at: row.at,
    environmentId: row.environment_id,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    method: row.method,
    route: row.route,
    status: row.status,
    userId: row.user_id,
    objectId: row.object_id,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}
