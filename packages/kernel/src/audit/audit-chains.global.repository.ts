import { sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import {
  CHAIN_START,
  type ChainHead,
  FORMER_CHAIN,
  type HeadOfChain,
  type RecordedChain,
} from './audit-chain.ts'

declare module '../postgres/database.ts' {
  interface Database {
    audit_chains: AuditChainTable
  }
}

interface AuditChainTable {
  id: number
  environment_id: string | null
  sequence: number
  hash: Buffer
  start_sequence: number
  start_hash: Buffer
  removed_sequence: number | null
  removed_hash: Buffer | null
  removed_key_id: string | null
  removed_mac: Buffer | null
}

/** Returns the end of the chain that all environments shared. */
export async function findFormerHead(db: Db): Promise<ChainHead> {
  const last = await db
    .selectFrom('audit_log')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { sequence: 0, hash: CHAIN_START }
}

/** Records the last row of each chain that is removed, with a code by a key of the chains. */
export async function recordRemoval(
  db: Db,
  removed: readonly (HeadOfChain & { mac: Buffer })[],
  keyId: string,
): Promise<void> {
  await sql`update audit_chains c
    set removed_sequence = r.sequence, removed_hash = r.hash, removed_mac = r.mac,
      removed_key_id = ${keyId}
    from unnest(${removed.map(({ chainId }) => chainId)}::int[],
      ${removed.map(({ sequence }) => sequence)}::bigint[],
      ${removed.map(({ hash }) => hash)}::bytea[], ${removed.map(({ mac }) => mac)}::bytea[])
      as r (id, sequence, hash, mac)
    where c.id = r.id`.execute(db)
}

/** A chain with the record of its removed rows. */
export type ListedChain = RecordedChain & { environmentId: string | null; row: AuditChainTable }

/** Lists all chains in the order of their ids, with what their first remaining row follows. */
export async function listChains(db: Db): Promise<ListedChain[]> {
  const [former, rows] = await Promise.all([
    findFormerHead(db),
    db.selectFrom('audit_chains').selectAll().orderBy('id').execute(),
  ])
  return rows.map((row) => {
    const { id, environment_id: environmentId, removed_sequence, removed_hash } = row
    const isRemoved = removed_sequence !== null && removed_hash !== null
    const first = { sequence: 0, hash: row.start_hash }
    const start = isRemoved ? { sequence: removed_sequence, hash: removed_hash } : first
    const own = { sequence: row.sequence, hash: row.hash }
    const end = id === FORMER_CHAIN ? former : own
    return { id, start, end: end.sequence === 0 ? null : end, environmentId, row }
  })
}
