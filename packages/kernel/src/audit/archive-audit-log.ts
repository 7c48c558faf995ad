import type { ClickHouseReader } from '../clickhouse/clickhouse.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Db } from '../postgres/database.ts'
import { type ArchiveCheck, verifyArchive, writeArchivePart } from './audit-archive.ts'
import type { AuditRow, ChainHead } from './audit-chain.ts'
import { listChains } from './audit-chains.global.repository.ts'
import { findHistoryHash, readHistorySegment } from './audit-history.global.repository.ts'
import { getAuditKey, listAuditKeys, listSealedKeys } from './audit-keys.global.repository.ts'
import { listUnarchivedSegments, recordArchive } from './audit-retention.global.repository.ts'

interface ArchiveContext {
  db: Db
  clickhouse: ClickHouseReader
  secrets: SecretBox
  /** Where the archive is. */
  target: FileStore
  now: Date
}

/**
 * Writes the segments in ClickHouse that ended before a time into an archive, each once, reads them
 * back, and records that they are archived when all is as it was written. An interrupted archive is
 * written again.
 */
export async function archiveAuditLog(
  { db, clickhouse, secrets, target, now }: ArchiveContext,
  before: Date,
  onPart: (segment: number) => void = () => {},
): Promise<ArchiveCheck> {
  const segments = await listUnarchivedSegments(db, before)
  if (segments.length === 0) {
    return { parts: 0, rows: 0, damages: [], problems: [], heads: [] }
  }
  const newest = await getAuditKey(db, secrets, now)
  const others = (await listAuditKeys(db, secrets)).filter(({ id }) => id !== newest.id)
  const keys = { keys: [newest, ...others], sealed: await listSealedKeys(db) }
  const chains = new Map((await listChains(db)).map((chain) => [chain.id, chain]))
  const findStart = async ({ chainId, sequence, previousHash }: AuditRow): Promise<ChainHead> => {
    const start = chains.get(chainId)?.start
    if (start?.sequence === sequence - 1) return start
    const hash = await findHistoryHash(clickhouse, { chainId, sequence: sequence - 1 })
    return { sequence: sequence - 1, hash: hash ?? previousHash ?? Buffer.alloc(0) }
  }
  for (const { id, opened_at: openedAt, closed_at: closedAt } of segments) {
    const rows = readHistorySegment(clickhouse, id)
    await writeArchivePart(target, { id, openedAt, closedAt, rows, findStart }, keys)
    onPart(id)
  }
  const ids = segments.map(({ id }) => id)
  const check = await verifyArchive(target, secrets, new Set(ids))
  if (check.damages.length + check.problems.length === 0) await recordArchive(db, ids, now)
  return check
}
