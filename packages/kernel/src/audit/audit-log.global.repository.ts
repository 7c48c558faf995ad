import { type Insertable, sql } from 'kysely'
import { recordsOf } from '../postgres/bulk.ts'
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
    if (attempt === MOST_ATTEMPTS)
      throw new Error('The audit log changes faster than it is written.')
    const environments = new Set(left.map(({ environmentId }) => environmentId))
    await findHeads(db, [...environments.difference(heads)], heads)
    const rows = chainEntries(left, heads, key)
    // At first, a chain that another process is adding to holds up none of the others.
    const advanced = await insertRows(db, rows, { waits: attempt > 0 })
    for (const { environmentId, ...head } of rows.heads) {
      if (advanced.has(head.chainId)) heads.set(environmentId, head)
      else heads.delete(environmentId)
    }
    left = left.filter(({ environmentId }) => !heads.has(environmentId))
  }
}

/** Reads the ends of chains into the map, and begins those that do not exist. */
async function findHeads(
  db: Db,
  environments: readonly (string | null)[],
  heads: KnownHeads,
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
  rows: Insertable<AuditRowTable>[]
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
    const { status } = entry
    const chained = { sequence, status, hash, key_id: key?.id ?? null, chain_id: chainId }
    return { ...toPendingRow(entry), ...chained, slot: 0 }
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
async function insertRows(
  db: Db,
  { rows, pending, heads }: ChainedRows,
  { waits }: { waits: boolean },
): Promise<Set<number>> {
  const { columns, records } = recordsOf('audit_rows', rows)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const ofSegment = columns.map((column) =>
    sql.ref(column === 'slot' ? 'open.slot' : `r.${column}`),
  )
  const { rows: advanced } = await sql<{ id: number }>`
    with ends as (
      select id, after, sequence, hash from unnest(${heads.map(({ chainId }) => chainId)}::int[],
        ${heads.map(({ after }) => after)}::bigint[], ${heads.map(({ sequence }) => sequence)}::bigint[],
        ${heads.map(({ hash }) => hash)}::bytea[]) as e (id, after, sequence, hash)
    ), open as (
      -- A segment is closed when no statement adds to it any more.
      select slot from audit_segments where closed_at is null for share
    ), locked as (
      select c.id from audit_chains c join ends using (id)
      where c.sequence = ends.after and exists (select from open)
      order by c.id for no key update of c ${sql.raw(waits ? '' : 'skip locked')}
    ), advanced as (
      update audit_chains c set sequence = ends.sequence, hash = ends.hash
      from ends join locked using (id) where c.id = ends.id and c.sequence = ends.after
      returning c.id
    ), added as (
      insert into audit_rows (${names}) select ${sql.join(ofSegment)}
      from (${records}) r join advanced on advanced.id = r.chain_id cross join open
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
