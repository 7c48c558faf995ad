import { createHmac } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { Db } from '../postgres/database.ts'
import { boolean, integer, setting } from '../settings.ts'
import type { Clock } from '../time/clock.ts'
import { type ChainKey, type HeadOfChain, systemEntry } from './audit-chain.ts'
import { type ListedChain, recordRemoval } from './audit-chains.global.repository.ts'
import {
  dropHistory,
  listHistoryHeads,
  listHistoryMonths,
} from './audit-history.global.repository.ts'
import { getAuditKey } from './audit-keys.global.repository.ts'
import type { AuditLog } from './audit-log.ts'
import { findRemovableDate, removeSegments } from './audit-retention.global.repository.ts'
import { findProgress } from './audit-rows.global.repository.ts'

/** Settings of how long rows of the audit log are kept. */
export const AUDIT_SETTINGS = {
  auditRetentionDays: setting(
    'SALUS_AUDIT_RETENTION_DAYS',
    'Number of days for which rows of the audit log are kept; 0 keeps them forever. Only whole months are removed, and only what "salus audit archive" has archived.',
    '0',
    integer('SALUS_AUDIT_RETENTION_DAYS', 0, 0, 36_500),
  ),
  auditRemovesUnarchived: setting(
    'SALUS_AUDIT_REMOVES_UNARCHIVED',
    'Removes rows of the audit log after SALUS_AUDIT_RETENTION_DAYS even if no archive has them.',
    'false',
    boolean('SALUS_AUDIT_REMOVES_UNARCHIVED', false),
  ),
}

export interface AuditRetention {
  auditRetentionDays: number
  auditRemovesUnarchived: boolean
}

interface RetentionContext {
  db: Db
  clickhouse: ClickHouse
  secrets: SecretBox
  clock: Clock
  audit: AuditLog
}

/**
 * Removes whole months of rows that are older than the time of retention. The last removed row of
 * each chain stays as a record, from which the rest of the chain is verified. ClickHouse drops the
 * rows an hour later, so that no backup that began before misses them.
 */
export async function applyAuditRetention(
  { db, clickhouse, secrets, clock, audit }: RetentionContext,
  { auditRetentionDays: days, auditRemovesUnarchived }: AuditRetention,
): Promise<void> {
  const progress = await findProgress(db)
  const firstKept = Number(progress.removedBefore.slice(0, 7).replace('-', ''))
  for (const month of await listHistoryMonths(clickhouse)) {
    if (month < firstKept) await dropHistory(clickhouse, month)
  }
  if (days === 0) return
  const now = clock.now()
  const before = new Date(now.getTime() - days * DAY_MS)
  const needsArchive = !auditRemovesUnarchived
  const removedBefore = await findRemovableDate(db, { before, needsArchive })
  if (removedBefore === undefined) return
  await audit.append(systemEntry(now, ['JOB', 'remove_audit_rows']))
  const key = await getAuditKey(db, secrets, now)
  const heads = await listHistoryHeads(clickhouse, removedBefore, progress)
  const removed = heads.map((head) => ({ ...head, mac: macOf(key, head) }))
  await db.transaction().execute(async (tx) => {
    await recordRemoval(tx, removed, key.id)
    await removeSegments(tx, removedBefore, now)
  })
}

function macOf({ key }: ChainKey, { chainId, sequence, hash }: HeadOfChain): Buffer {
  const text = `removed\n${chainId}\n${sequence}\n${hash.toString('hex')}`
  return createHmac('sha256', key).update(text).digest()
}

/** Whether the record of the removed rows of a chain is one that a server made. */
export function isRemovalRight(
  { id, start, row }: ListedChain,
  keys: readonly ChainKey[],
): boolean {
  if (row.removed_sequence === null) return true
  const key = keys.find((one) => one.id === row.removed_key_id)
  const expected = key && macOf(key, { chainId: id, ...start })
  return expected !== undefined && row.removed_mac?.equals(expected) === true
}
