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

/** Row of the log, at its place in the chain. */
export interface AuditRow extends AuditEntry {
  sequence: number
  /** Id of the key of the hash; null for a row from before there were keys. */
  keyId: string | null
  previousHash: Buffer
  hash: Buffer
}

/** Hash that the first row follows. */
export const CHAIN_START = Buffer.alloc(32)

/**
 * Returns the HMAC-SHA-256, or without a key the SHA-256, of the previous hash and the entry, one
 * line for each field. No field can contain a line break. The place is not hashed, because it
 * follows from the previous hash: so a check can distinguish a row that was moved from one that was
 * changed.
 */
export function hashEntry(previousHash: Buffer, entry: AuditEntry, key?: Buffer): Buffer {
  const { at, environmentId, actorKind, actorId, method, route, status, userId, objectId } = entry
  const fields = [at.toISOString(), environmentId, actorKind, actorId, method, route, status]
  const text = [...fields, userId, objectId].map((field) => field ?? '').join('\n')
  const hashed = Buffer.concat([previousHash, Buffer.from(text)])
  if (key !== undefined) return createHmac('sha256', key).update(hashed).digest()
  return hash('sha256', hashed, 'buffer')
}

/** A problem in the log, and its place. */
export interface AuditDamage {
  kind: 'changed' | 'missing' | 'reordered'
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

/**
 * Checks a chain from its beginning, row by row in the order of their places. Only servers create
 * rows with a key, and no row without a key follows one. Someone who may write to the database can
 * still remove rows from its end, or write a new chain without keys: heads that are stored
 * elsewhere reveal that.
 */
export class ChainCheck {
  readonly damages: AuditDamage[] = []
  readonly #kept: ReadonlyMap<number, Buffer>
  readonly #keys: ReadonlyMap<string, Buffer>
  #isKeyed = false
  rows = 0
  /** Last place and hash so far, which a later check can be compared with. */
  head: ChainHead = { sequence: 0, hash: CHAIN_START }

  constructor({
    kept = [],
    keys = [],
  }: { kept?: readonly ChainHead[]; keys?: readonly ChainKey[] } = {}) {
    this.#kept = new Map(kept.map(({ sequence, hash }) => [sequence, hash]))
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
  }

  add(row: AuditRow): void {
    const { sequence, previousHash, hash } = row
    const expected = this.head.sequence + 1
    if (sequence > expected) this.#report('missing', expected, sequence - 1)
    else if (!previousHash.equals(this.head.hash)) this.#report('reordered', sequence)
    const isKept = this.#kept.get(sequence)?.equals(hash) ?? true
    if (!isKept || !this.#isHashRight(row)) this.#report('changed', sequence)
    this.head = { sequence, hash }
    this.rows += 1
  }

  /** Ends the check; called after the last row. */
  end(): void {
    const { sequence } = this.head
    const kept = Math.max(0, ...this.#kept.keys())
    if (kept > sequence) this.#report('missing', sequence + 1, kept)
  }

  #isHashRight(row: AuditRow): boolean {
    const { keyId, previousHash, hash } = row
    if (keyId === null) return !this.#isKeyed && hashEntry(previousHash, row).equals(hash)
    this.#isKeyed = true
    const key = this.#keys.get(keyId)
    return key !== undefined && hashEntry(previousHash, row, key).equals(hash)
  }

  #report(kind: AuditDamage['kind'], sequence: number, lastSequence = sequence): void {
    this.damages.push({ kind, sequence, lastSequence })
  }
}
