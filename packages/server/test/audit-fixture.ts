import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '@salus/kernel/audit/audit-chain'
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
