import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTransaction } from '../postgres/bulk.ts'
import type { Db } from '../postgres/database.ts'
import { prepared } from '../postgres/prepared-statements.ts'
import {
  type ActorKind,
  type AuditEntry,
  type ChainKey,
  type HeadOfChain,
  hashEntry,
} from './audit-chain.ts'
import { findFormerHead } from './audit-chains.global.repository.ts'

declare module '../postgres/database.ts' {
  interface Database {
    audit_log: FormerAuditLogTable
    audit_rows: AuditRowTable
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

/** Columns of a row wherever it is. */
export interface StoredAuditRow extends PendingAuditRowTable {
  sequence: number
  status: number | null
  hash: Buffer
  key_id: string | null
}

interface AuditRowTable extends StoredAuditRow {
  chain_id: number
  slot: number
}

/** The table of before each environment had its chain. */
export interface FormerAuditLogTable extends StoredAuditRow {
  previous_hash: Buffer
}

export interface NewAuditEntry extends AuditEntry {
  /** Id of the pending row that the row replaces. */
  pendingId?: string | undefined
}

const PENDING_AT_ONCE = 5_000
const MOST_ATTEMPTS = 100
const MOST_WAIT_MS = 50
/**
 * Lock that each writer shares. Row locks alone are not fair: writers that overlap would hold up
 * the close of their segment for good.
 */
export const SEGMENT_LOCK = 7_258_716_124

/** Ends of chains that a process knows, by environment. */
export type KnownHeads = Map<string | null, HeadOfChain>

/**
 * Adds entries to the ends of the chains of their environments, in their order; they are durable
 * when this returns. Of two processes that add to one chain at once, the later one reads its end
 * again.
 * @param how.key Key that hashes the rows; null only where there are no secrets, as in a test of
 *   the chain.
 * @param how.heads Ends as the caller last knew them; brought up to date.
 */
export async function appendEntries(
  db: Db,
  entries: readonly NewAuditEntry[],
  { key, heads = new Map() }: { key: ChainKey | null; heads?: KnownHeads },
): Promise<void> {
  let left = entries
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === MOST_ATTEMPTS) throw new Error('No segment of the audit log is open.')
    // Only the close of a segment, which takes moments, makes a second try fail.
    if (attempt > 1) await sleep(Math.min(attempt * 5, MOST_WAIT_MS))
    // The first try relies on the known ends, and skips those that another process moves just now.
    // Those that are left are locked before they are read.
    if (attempt === 0) await tryAppend(db, left, key, { heads, locks: false })
    else await inTransaction(db, (tx) => tryAppend(tx, left, key, { heads, locks: true }))
    left = left.filter(({ environmentId }) => !heads.has(environmentId))
  }
}

/** Adds entries to each chain whose end is the known one; other ends are unknown then. */
async function tryAppend(
  db: Db,
  entries: readonly NewAuditEntry[],
  key: ChainKey | null,
  { heads, locks }: { heads: KnownHeads; locks: boolean },
): Promise<void> {
  const environments = new Set(entries.map(({ environmentId }) => environmentId))
  await findHeads(db, [...environments.difference(heads)], { heads, locks })
  const rows = chainEntries(entries, heads, key)
  const advanced = await insertRows(db, rows)
  for (const { environmentId, ...head } of rows.heads) {
    if (advanced.has(head.chainId)) heads.set(environmentId, head)
    else heads.delete(environmentId)
  }
}

/** Reads the ends of chains into the map, and begins those that do not exist. */
async function findHeads(
  db: Db,
  environments: readonly (string | null)[],
  { heads, locks }: { heads: KnownHeads; locks: boolean },
): Promise<void> {
  if (environments.length === 0) return
  const named = environments.filter((id) => id !== null)
  const isWanted = sql<boolean>`(environment_id = any(${named}::uuid[])
    or (environment_id is null and ${environments.includes(null)}))`
  const read = async () => {
    const found = await db
      .selectFrom('audit_chains')
      .select(['id', 'environment_id', 'sequence', 'hash'])
      .where(isWanted)
      .orderBy('id')
      .$if(locks, (query) => query.forNoKeyUpdate())
      .execute()
    for (const { id: chainId, environment_id, sequence, hash } of found) {
      heads.set(environment_id, { chainId, sequence, hash })
    }
  }
  await read()
  const missing = environments.filter((id) => !heads.has(id))
  if (missing.length === 0) return
  const start = await findFormerHead(db)
  await sql`insert into audit_chains (environment_id, sequence, hash, start_sequence, start_hash)
    select environment_id, 0, ${start.hash}, ${start.sequence}, ${start.hash}
    from unnest(${missing}::uuid[]) as m (environment_id) on conflict do nothing`.execute(db)
  await read()
}

interface ChainedRows {
  /** As JSON has them: bytes are hexadecimal digits. */
  rows: (Omit<AuditRowTable, 'slot' | 'hash'> & { hash: string })[]
  pending: { id: string; chainId: number }[]
  heads: (HeadOfChain & { environmentId: string | null; after: number })[]
}

function chainEntries(
  entries: readonly NewAuditEntry[],
  known: ReadonlyMap<string | null, HeadOfChain>,
  key: ChainKey | null,
): ChainedRows {
  const ends = new Map<string | null, HeadOfChain>()
  const pending: ChainedRows['pending'] = []
  const rows = entries.map((entry) => {
    const { environmentId, pendingId } = entry
    const last = ends.get(environmentId) ?? known.get(environmentId)
    if (last === undefined) throw new Error('Every environment has a chain.')
    const { chainId } = last
    const sequence = last.sequence + 1
    const hash = hashEntry(last.hash, entry, key?.key)
    ends.set(environmentId, { chainId, sequence, hash })
    if (pendingId !== undefined) pending.push({ id: pendingId, chainId })
    return {
      ...toPendingRow(entry),
      chain_id: chainId,
      sequence,
      status: entry.status,
      hash: `\\x${hash.toString('hex')}`,
      key_id: key?.id ?? null,
    }
  })
  const heads = [...ends].map(([environmentId, end]) => {
    const after = known.get(environmentId)?.sequence ?? 0
    return { ...end, environmentId, after }
  })
  return { rows, pending, heads }
}

/**
 * Adds rows to each chain that still ends where they begin, in one statement.
 * @returns the ids of the chains to which rows were added
 */
async function insertRows(db: Db, { rows, pending, heads }: ChainedRows): Promise<Set<number>> {
  const { rows: advanced } = await sql<{ id: number }>`
    with ends as (
      select id, after, sequence, hash from unnest(${heads.map(({ chainId }) => chainId)}::int[],
        ${heads.map(({ after }) => after)}::bigint[], ${heads.map(({ sequence }) => sequence)}::bigint[],
        ${heads.map(({ hash }) => hash)}::bytea[]) as e (id, after, sequence, hash)
    ), open as (
      -- Who closes a segment holds the lock alone; after that, its row is read again.
      select slot from audit_segments
      where closed_at is null and pg_try_advisory_xact_lock_shared(${SEGMENT_LOCK}) for share
    ), locked as (
      select c.id from audit_chains c join ends using (id)
      where c.sequence = ends.after and exists (select from open)
      order by c.id for no key update of c skip locked
    ), advanced as (
      update audit_chains c set sequence = ends.sequence, hash = ends.hash
      from ends join locked using (id) where c.id = ends.id and c.sequence = ends.after
      returning c.id
    ), added as (
      insert into audit_rows (slot, chain_id, sequence, at, status, environment_id, actor_id, user_id,
        object_id, key_id, actor_kind, method, route, hash)
      select open.slot, r.chain_id, r.sequence, r.at, r.status, r.environment_id, r.actor_id, r.user_id,
        r.object_id, r.key_id, r.actor_kind, r.method, r.route, r.hash
      from json_populate_recordset(null::audit_rows, ${JSON.stringify(rows)}::json) as r
      join advanced on advanced.id = r.chain_id cross join open
    ), settled as (
      delete from pending_audit_rows p
      using unnest(${pending.map(({ id }) => id)}::uuid[],
        ${pending.map(({ chainId }) => chainId)}::int[]) as s (id, chain_id)
      where p.id = s.id and s.chain_id in (select id from advanced)
    )
    select id from advanced`.execute(prepared(db))
  return new Set(advanced.map(({ id }) => id))
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
    .limit(PENDING_AT_ONCE)
    .execute()
  return rows.map((row) => ({ ...toEntry(row), status: null, pendingId: row.id }))
}

/** Counts the changes that are recorded outside the chains so far. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('pending_audit_rows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
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

/** Returns the fields of an entry from the columns of its row. */
export function toEntry(row: PendingAuditRowTable): Omit<AuditEntry, 'status'> {
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
