import { createHmac, hash } from 'node:crypto'

/** One action: the actor, the route, the user and the outcome. It never holds content. */
export interface AuditEntry {
  at: Date
  /** Null for an action that belongs to no environment. */
  environmentId: string | null
  actorKind: ActorKind
  /** Id of the key, or of the management key that created the token; never the key itself. */
  actorId: string | null
  method: string
  /**
   * Pattern of the route, such as `/v2/user/:user_id`, because addresses hold a customer's own ids.
   */
  route: string
  /**
   * Status of the HTTP answer; null for a committed change whose process crashed before it
   * answered.
   */
  status: number | null
  /** Id of the user. */
  userId: string | null
  /** Other id in the path, or subject of a job, such as an order. */
  objectId: string | null
}

export type ActorKind =
  | 'api_key'
  | 'access_token'
  | 'management_key'
  | 'mobile_session'
  | 'link_token'
  | 'link_code'
  | 'export_link'
  | 'import_address'
  | 'smart_client'
  | 'console_session'
  | 'portal_session'
  | 'portal_share'
  | 'system'
  /** A sign-in that failed. */
  | 'unknown'

/** Outcome of an action: done, refused with a status of 4xx, or failed with one of 5xx. */
export const AUDIT_OUTCOMES = ['done', 'refused', 'failed'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

/** An action of the installation itself, such as a job or a command on its machine. */
export function systemEntry(
  at: Date,
  [method, route]: readonly ['JOB' | 'CLI', string],
  {
    environmentId = null,
    userId = null,
    objectId = null,
  }: Partial<Pick<AuditEntry, 'environmentId' | 'userId' | 'objectId'>> = {},
): AuditEntry {
  const actor = { actorKind: 'system', actorId: null } as const
  return { ...actor, at, environmentId, method, route, status: 200, userId, objectId }
}

/** Key with which rows are hashed; only the servers know it. */
export interface ChainKey {
  id: string
  key: Buffer
}

/** Id of the chain that all environments shared until each had its own. */
export const FORMER_CHAIN = 0

/** Row of the log, at its place in its chain. */
export interface AuditRow extends AuditEntry {
  chainId: number
  sequence: number
  /** Id of the key of the hash; null for a row from before there were keys. */
  keyId: string | null
  /** Only a row of the former chain names it; elsewhere it is the hash of the row before. */
  previousHash: Buffer | null
  hash: Buffer
}

/** Hash that the first row follows. */
export const CHAIN_START = Buffer.alloc(32)

/**
 * Returns the HMAC-SHA-256, or without a key the SHA-256, of the previous hash and the entry, one
 * line for each field. No field can contain a line break. The place is not hashed, because it
 * follows from the previous hash; the environment is, so no row fits into the chain of another one.
 */
export function hashEntry(previousHash: Buffer, entry: AuditEntry, key?: Buffer): Buffer {
  const hashed = Buffer.concat([previousHash, Buffer.from(textOfEntry(entry))])
  if (key !== undefined) return createHmac('sha256', key).update(hashed).digest()
  return hash('sha256', hashed, 'buffer')
}

/** Returns the fields of an entry, one line for each. */
export function textOfEntry(entry: AuditEntry): string {
  const { at, environmentId, actorKind, actorId, method, route, status, userId, objectId } = entry
  const fields = [at.toISOString(), environmentId, actorKind, actorId, method, route, status]
  return [...fields, userId, objectId].map((field) => field ?? '').join('\n')
}

/** A problem in the log, and its place. */
export interface AuditDamage {
  kind: 'changed' | 'missing' | 'reordered' | 'added'
  chainId: number
  /** The damaged row, or the first one that is missing. */
  sequence: number
  /** The last row that is missing; otherwise the damaged row. */
  lastSequence: number
}

/** Place and hash of a row. Stored elsewhere, it proves later that no row before it was changed. */
export interface ChainHead {
  sequence: number
  hash: Buffer
}

/** Place and hash of a row of one of the chains. */
export interface HeadOfChain extends ChainHead {
  chainId: number
}

/** A chain as the database records it. */
export interface RecordedChain {
  id: number
  /** What its first row that is still there follows: a removed row, or the start of the chain. */
  start: ChainHead
  /** Its end; null where the rows alone say it. */
  end: ChainHead | null
}

const DAMAGE_LIMIT = 1_000

/**
 * Checks chains from their beginnings, row by row: one chain after the other, in the order of their
 * ids, each in the order of its places. Only servers create rows with a key, and no row without a
 * key follows one. Someone who may write to the database can still remove rows from the end of a
 * chain: heads that are stored elsewhere reveal that.
 */
export class ChainCheck {
  /** The first ones; a log that was overwritten has as many as rows. */
  readonly damages: AuditDamage[] = []
  readonly #heads = new Map<number, Map<number, Buffer>>()
  readonly #keys: ReadonlyMap<string, Buffer>
  readonly #chains: ReadonlyMap<number, RecordedChain>
  readonly #seen = new Set<number>()
  #chainId: number | undefined
  #isKeyed = false
  /** Last place of the present chain so far, and its hash, which is unknown after a gap. */
  #head: ChainHead = { sequence: 0, hash: CHAIN_START }
  rows = 0
  /** Ends of all chains that have rows, which a later check can be compared with. */
  readonly heads: HeadOfChain[] = []

  constructor({
    kept = [],
    keys = [],
    chains = [],
  }: {
    kept?: readonly HeadOfChain[]
    keys?: readonly ChainKey[]
    chains?: readonly RecordedChain[]
  } = {}) {
    const ends = chains.flatMap(({ id, end }) => (end === null ? [] : { chainId: id, ...end }))
    for (const { chainId, sequence, hash } of [...ends, ...kept]) {
      const heads = this.#heads.get(chainId) ?? new Map<number, Buffer>()
      this.#heads.set(chainId, heads.set(sequence, hash))
    }
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
    this.#chains = new Map(chains.map((chain) => [chain.id, chain]))
  }

  add(row: AuditRow): void {
    const { chainId, sequence, hash } = row
    if (chainId !== this.#chainId) this.#begin(chainId)
    this.rows += 1
    const expected = this.#head.sequence + 1
    if (sequence < expected) {
      this.#report('added', sequence)
      return
    }
    const isGap = sequence > expected
    if (isGap) this.#report('missing', expected, sequence - 1)
    const previous = isGap ? null : this.#head.hash
    const named = row.previousHash
    if (named !== null && previous !== null && !named.equals(previous)) {
      this.#report('reordered', sequence)
    }
    const isKept = this.#heads.get(chainId)?.get(sequence)?.equals(hash) ?? true
    if (!isKept || !this.#isHashRight(row, named ?? previous)) this.#report('changed', sequence)
    this.#head = { sequence, hash }
  }

  /** Ends the check; called after the last row. */
  end(): void {
    this.#endChain()
    this.#chainId = undefined
    // Chains of which no row is left.
    for (const id of new Set([...this.#heads.keys(), ...this.#chains.keys()])) {
      if (this.#seen.has(id)) continue
      this.#begin(id)
      this.#endChain()
      this.#chainId = undefined
    }
  }

  #begin(chainId: number): void {
    this.#endChain()
    this.#seen.add(chainId)
    this.#chainId = chainId
    this.#isKeyed = chainId !== FORMER_CHAIN && this.#keys.size > 0
    this.#head = this.#chains.get(chainId)?.start ?? { sequence: 0, hash: CHAIN_START }
  }

  #endChain(): void {
    const chainId = this.#chainId
    if (chainId === undefined) return
    const { sequence, hash } = this.#head
    const kept = Math.max(0, ...(this.#heads.get(chainId)?.keys() ?? []))
    if (kept > sequence) this.#report('missing', sequence + 1, kept)
    if (sequence > 0) this.heads.push({ chainId, sequence, hash })
  }

  #isHashRight(row: AuditRow, previousHash: Buffer | null): boolean {
    const { keyId, hash } = row
    if (keyId !== null) this.#isKeyed = true
    else if (this.#isKeyed) return false
    // What a row behind a gap follows is not known.
    if (previousHash === null) return true
    if (keyId === null) return hashEntry(previousHash, row).equals(hash)
    const key = this.#keys.get(keyId)
    return key !== undefined && hashEntry(previousHash, row, key).equals(hash)
  }

  #report(kind: AuditDamage['kind'], sequence: number, lastSequence = sequence): void {
    if (this.damages.length >= DAMAGE_LIMIT) return
    const chainId = this.#chainId ?? FORMER_CHAIN
    this.damages.push({ kind, chainId, sequence, lastSequence })
  }
}
