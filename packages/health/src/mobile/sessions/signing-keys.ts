import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { DAY_MS } from '@salus/contracts/time-units'
import {
  type KeyPair,
  KeyPairs,
  type KeyPairTable,
  sealedPrivateKeys,
} from '@salus/kernel/crypto/key-pairs'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Log } from '@salus/kernel/log'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'

/** A key pair signs for this long; its tokens live an hour at most. */
const SIGNING_DAYS = 90
const KEPT_DAYS = SIGNING_DAYS + 1
/** How late a process may notice that another one changed the pair. */
const FRESH_MS = 60_000

const SIGNING_KEYS: KeyPairTable = {
  name: 'mobile_signing_keys',
  hasPublicKeys: false,
  generate: () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 }),
}

export const SEALED_SIGNING_KEYS = sealedPrivateKeys(SIGNING_KEYS)

export interface SigningKeysOptions {
  db: Db
  secrets: SecretBox
  clock: Clock
  log: Log
}

/**
 * The RSA key pairs that sign the tokens of apps. They are created on demand and changed every 90
 * days; tokens name their pair. One that cannot be decrypted is lost: another is created, and apps
 * refresh their tokens.
 */
export class SigningKeys {
  readonly #db: Db
  readonly #clock: Clock
  readonly #pairs: KeyPairs
  #keys: KeyPair[] = []
  #loadedAt = Number.NEGATIVE_INFINITY

  constructor({ db, secrets, clock, log }: SigningKeysOptions) {
    this.#db = db
    this.#clock = clock
    this.#pairs = new KeyPairs(SIGNING_KEYS, secrets, (id) =>
      log.warn({ key: id }, 'a signing key of app tokens cannot be decrypted'),
    )
  }

  /** Returns the pair that signs now. */
  async getCurrent(): Promise<KeyPair> {
    const now = this.#clock.now()
    const since = now.getTime() - SIGNING_DAYS * DAY_MS
    const isCurrent = ({ createdAt }: KeyPair): boolean => createdAt.getTime() > since
    const isFresh = now.getTime() - this.#loadedAt < FRESH_MS
    if (!isFresh || !this.#keys.some(isCurrent)) await this.#load()
    return this.#keys.find(isCurrent) ?? this.#pairs.findOrMake(this.#db, now, isCurrent)
  }

  /**
   * Returns the pair of a token, which any process may have just created; undefined for an unknown
   * one.
   */
  async find(id: string): Promise<KeyPair | undefined> {
    const isNamed = (key: KeyPair): boolean => key.id === id
    const known = this.#keys.find(isNamed)
    if (known !== undefined) return known
    await this.#load()
    return this.#keys.find(isNamed)
  }

  /** Removes pairs whose tokens have all expired. */
  async removeExpiredKeys(): Promise<void> {
    const before = new Date(this.#clock.now().getTime() - KEPT_DAYS * DAY_MS)
    await this.#pairs.removeBefore(this.#db, before)
  }

  async #load(): Promise<void> {
    this.#keys = await this.#pairs.list(this.#db)
    this.#loadedAt = this.#clock.now().getTime()
  }
}
