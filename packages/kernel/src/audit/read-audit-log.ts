import type { ClickHouseReader } from '../clickhouse/clickhouse.ts'
import type { Db } from '../postgres/database.ts'
import { type AuditEntry, type AuditRow, FORMER_CHAIN } from './audit-chain.ts'
import { readHistory } from './audit-history.global.repository.ts'
import {
  type AuditFilter,
  type AuditPlace,
  type AuditProgress,
  findProgress,
  listPendingRows,
  readRecentRows,
} from './audit-rows.global.repository.ts'

/** Both stores of the audit log. */
export interface AuditStores {
  db: Db
  clickhouse: ClickHouseReader
}

const ROWS_AT_ONCE = 5_000

const START: AuditPlace = { chainId: FORMER_CHAIN, sequence: 0 }

/**
 * Reads every row, one chain after the other, each in its order, wherever a row is; rows may move
 * meanwhile.
 */
export async function* readAuditLog(
  stores: AuditStores,
  filter: AuditFilter = {},
): AsyncGenerator<AuditRow> {
  let last = START
  for (;;) {
    const progress = await findProgress(stores.db)
    let hasMoved = false
    for await (const row of mergeStores(stores, { after: last, filter, progress })) {
      hasMoved = row === 'moved'
      if (row === 'moved') break
      last = row
      yield row
    }
    if (!hasMoved) return
  }
}

/** Yields rows of both stores, and 'moved' at the end when some have moved meanwhile. */
async function* mergeStores(
  { db, clickhouse }: AuditStores,
  options: { after: AuditPlace; filter: AuditFilter; progress: AuditProgress },
): AsyncGenerator<AuditRow | 'moved'> {
  const history = readHistory(clickhouse, options)
  let old: AuditRow[] = []
  let recent: AuditRow[] = []
  let [oldAt, recentAt] = [0, 0]
  let after = options.after
  let [hasOld, hasRecent] = [true, true]
  try {
    for (;;) {
      while (hasOld && oldAt === old.length) {
        const next = await history.next()
        hasOld = next.done !== true
        ;[old, oldAt] = [next.done ? [] : next.value, 0]
      }
      if (hasRecent && recentAt === recent.length) {
        const read = await readRecentRows(db, { ...options, after, limit: ROWS_AT_ONCE })
        if (!read.isCurrent) return yield 'moved'
        ;[recent, recentAt] = [read.rows, 0]
        hasRecent = recent.length > 0
        after = recent.at(-1) ?? after
      }
      const [one, other] = [old[oldAt], recent[recentAt]]
      if (one === undefined && other === undefined) return
      const isOld = one !== undefined && (other === undefined || compare(one, other) <= 0)
      if (isOld) oldAt += 1
      else recentAt += 1
      yield (isOld ? one : other) as AuditRow
    }
  } finally {
    await history.return(undefined)
  }
}

const compare = (a: AuditPlace, b: AuditPlace): number =>
  a.chainId - b.chainId || a.sequence - b.sequence

/**
 * Returns lines of JSON with the columns of the table, with bytes as hexadecimal text. The last
 * lines are changes that are not in a chain yet; they have no place, no hashes and no status.
 */
export async function* exportAuditLog(
  stores: AuditStores,
  filter: AuditFilter,
): AsyncGenerator<string> {
  // This is read before the chains, so that a row that is added to one meanwhile appears twice and
  // never gets lost.
  const pending = await listPendingRows(stores.db, filter)
  for await (const row of readAuditLog(stores, filter)) yield `${JSON.stringify(toJson(row))}\n`
  for (const row of pending) yield `${JSON.stringify(row)}\n`
}

/** Returns a row by its columns; a row of the former chain has the hash before it. */
export function toJson(row: AuditRow): Record<string, unknown> {
  return {
    chain_id: row.chainId,
    sequence: row.sequence,
    at: row.at.toISOString(),
    environment_id: row.environmentId,
    actor_kind: row.actorKind,
    actor_id: row.actorId,
    method: row.method,
    route: row.route,
    status: row.status,
    user_id: row.userId,
    object_id: row.objectId,
    ...(row.previousHash && { previous_hash: row.previousHash.toString('hex') }),
    hash: row.hash.toString('hex'),
    key_id: row.keyId,
  }
}

type JsonRow = Record<string, string | null> & {
  chain_id: number
  sequence: number
  status: number | null
}

/** Returns the row of what `toJson` returned. */
export function fromJson(row: JsonRow): AuditRow {
  const { previous_hash: previous = null, at = '', hash = '' } = row
  return {
    chainId: row.chain_id,
    sequence: row.sequence,
    at: new Date(at ?? ''),
    environmentId: row.environment_id ?? null,
    actorKind: row.actor_kind as AuditEntry['actorKind'],
    actorId: row.actor_id ?? null,
    method: row.method ?? '',
    route: row.route ?? '',
    status: row.status,
    userId: row.user_id ?? null,
    objectId: row.object_id ?? null,
    previousHash: previous === null ? null : Buffer.from(previous, 'hex'),
    hash: Buffer.from(hash ?? '', 'hex'),
    keyId: row.key_id ?? null,
  }
}
