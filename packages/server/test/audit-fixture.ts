import { randomUUID } from 'node:crypto'
import {
  type AuditEntry,
  CHAIN_START,
  type ChainKey,
  hashEntry,
} from '@salus/kernel/audit/audit-chain'
import type { AuditStores } from '@salus/kernel/audit/read-audit-log'
import type { Db } from '@salus/kernel/postgres/database'
import type pg from 'pg'

/** What whoever owns the database can do, in spite of the triggers of the audit log. */
export async function overrideTriggers(pool: pg.Pool, ...statements: string[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const statement of statements) await client.query(statement)
  } finally {
    client.release(true)
  }
}

/** Statements that empty the log of a database. */
export const EMPTY_AUDIT_LOG = [
  'truncate audit_log, audit_rows, pending_audit_rows',
  'delete from audit_chains where id > 0',
]

/** A log of which nothing has moved out of PostgreSQL. */
export function onlyRecent(db: Db): AuditStores {
  const clickhouse = {
    command: async () => {},
    queryRows: async () => [],
    async *queryStream() {},
  }
  return { db, clickhouse }
}

/** Adds entries to the table of before each environment had its chain, as servers of then did. */
export async function appendFormerEntries(
  db: Db,
  entries: readonly AuditEntry[],
  key: ChainKey | null,
): Promise<void> {
  for (const entry of entries) {
    const last = await db
      .selectFrom('audit_log')
      .select(['sequence', 'hash'])
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst()
    const previous_hash = last?.hash ?? CHAIN_START
    const row = {
      sequence: (last?.sequence ?? 0) + 1,
      at: entry.at,
      environment_id: entry.environmentId,
      actor_kind: entry.actorKind,
      actor_id: entry.actorId,
      method: entry.method,
      route: entry.route,
      status: entry.status,
      user_id: entry.userId,
      object_id: entry.objectId,
      previous_hash,
      hash: hashEntry(previous_hash, entry, key?.key),
      key_id: key?.id ?? null,
    }
    await db.insertInto('audit_log').values(row).execute()
  }
}

export function auditEntry(change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: new Date('2026-03-01T12:00:00.250Z'),
    environmentId: randomUUID(),
    actorKind: 'api_key',
    actorId: randomUUID(),
    method: 'GET',
    route: '/v2/user/:user_id',
    status: 200,
    userId: randomUUID(),
    objectId: null,
    ...change,
  }
}
