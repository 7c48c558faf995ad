import { createHmac, hash } from 'node:crypto'

/** One action: who, by which route, on whom, and what came of it. Never its content. */
export interface AuditEntry {
  at: Date
  /** Null for what belongs to no environment. */
  environmentId: string | null
  actorKind: ActorKind
  /** Of the key, or of the management key that made the token; never the key itself. */
  actorId: string | null
  method: string
  /** The pattern, `/v2/user/:user_id`: addresses hold a customer's own ids. */
  route: string
  /**
   * Of the HTTP answer; null for a change that was committed, and whose answer a crash came before.
   */
  status: number | null
  /** The person. */
  userId: string | null
  /** What else the path names, or a job is about, such as an order. */
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
  | 'console_session'
  | 'system'
  /** A sign-in that failed. */
  | 'unknown'

/** What came of an action: done, refused with a status of 4xx, or failed with one of 5xx. */
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

/** What rows are hashed with, which only the servers know. */
export interface ChainKey {
  id: string
  key: Buffer
}

/** A row of the log, in a place of its chain. */
export interface AuditRow extends AuditEntry {
  sequence: number
  /** Of the key of its hash; null for a row of before there were keys. */
  keyId: string | null
  previousHash: Buffer
  hash: Buffer
}

/** What the first row follows. */
export const CHAIN_START = Buffer.alloc(32)

/**
 * HMAC-SHA-256, or without a key SHA-256, of the hash before and the entry, a line a field. No
 * field can hold a line break. The place is not in it: it follows from the hash before, so that a
 * row that was moved can be told from one that was changed.
 */
export function hashEntry(previousHash: Buffer, entry: AuditEntry, key?: Buffer): Buffer {
  const { at, environmentId, actorKind, actorId, method, route, status, userId, objectId } = entry
  const fields = [at.toISOString(), environmentId, actorKind, actorId, method, route, status]
  const text = [...fields, userId, objectId].map((field) => field ?? '').join('\n')
  const hashed = Buffer.concat([previousHash, Buffer.from(text)])
  if (key !== undefined) return createHmac('sha256', key).update(hashed).digest()
  return hash('sha256', hashed, 'buffer')
}

/** What is wrong with the log, and where. */
export interface AuditDamage {
  kind: 'changed' | 'missing' | 'reordered'
  /** The row, or the first that is missing. */
  sequence: number
  /** The last that is missing; else the row. */
  lastSequence: number
}

/**
 * The place and hash of a row. Kept elsewhere, it proves later that nothing before it was changed.
 */
export interface ChainHead {
  sequence: number
  hash: Buffer
}

/**
 * Follows a chain from its beginning, row by row in the order of their places. Rows with a key are
 * made by servers only, and none without a key comes behind one. Whoever may write to the database
 * can still take rows off its end, or write a chain without keys anew: heads that were kept
 * elsewhere show that.
 */
export class ChainCheck {
  readonly damages: AuditDamage[] = []
  readonly #kept: ReadonlyMap<number, Buffer>
  readonly #keys: ReadonlyMap<string, Buffer>
  #isKeyed = false
  rows = 0
  /** The last place and hash so far: what a later check can be held against. */
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

  /** Called behind the last row. */
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
