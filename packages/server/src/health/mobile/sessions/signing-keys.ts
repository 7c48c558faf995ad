import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { SealedColumn } from '../../../platform/crypto/reseal.ts'
import type { SecretBox } from '../../../platform/crypto/secret-box.ts'
import { newId } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import * as repository from './signing-keys.global.repository.ts'

const DAY_MS = 86_400_000
/** A pair signs for so long; what it signed lives an hour at most. */
const SIGNING_DAYS = 90
const KEPT_DAYS = SIGNING_DAYS + 1
/** How late a process may notice that another one changed the pair. */
const FRESH_MS = 60_000
const MODULUS_BITS = 2048

const contextOf = (id: string): string => `mobile_signing_keys ${id}`

/** For a change of the key that seals. */
export const SEALED_SIGNING_KEYS: SealedColumn = {
  table: 'mobile_signing_keys',
  column: 'sealed',
  key: ['id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

export interface SigningKey {
  id: string
  privateKey: KeyObject
  publicKey: KeyObject
  createdAt: Date
}

export interface SigningKeysOptions {
  db: Db
  secrets: SecretBox
  clock: Clock
  log: Log
}

/**
 * The RSA pairs that sign the tokens of apps. They are made when they are first needed, sealed in the database,
 * and changed every 90 days; tokens name the pair that signed them.
 */
export class SigningKeys {
  readonly #options: SigningKeysOptions
  #keys: SigningKey[] = []
  #loadedAt = Number.NEGATIVE_INFINITY

  constructor(options: SigningKeysOptions) {
    this.#options = options
  }

  /** The pair that signs now. */
  async getCurrent(): Promise<SigningKey> {
    const now = this.#options.clock.now().getTime()
    if (now - this.#loadedAt >= FRESH_MS || !this.#findCurrent()) await this.#load()
    return this.#findCurrent() ?? this.#make()
  }

  /** The pair of a token, which any process may have made a moment ago; undefined when nobody made it. */
  async find(id: string): Promise<SigningKey | undefined> {
    const isNamed = (key: SigningKey): boolean => key.id === id
    const known = this.#keys.find(isNamed)
    if (known !== undefined) return known
    await this.#load()
    return this.#keys.find(isNamed)
  }

  /** Removes pairs whose tokens have all ended. */
  async sweep(): Promise<void> {
    const { db, clock } = this.#options
    const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS)
    await repository.deleteSigningKeysBefore(db, before)
  }

  #findCurrent(): SigningKey | undefined {
    const since = this.#options.clock.now().getTime() - SIGNING_DAYS * DAY_MS
    return this.#keys.find(({ createdAt }) => createdAt.getTime() > since)
  }

  async #load(db: Db = this.#options.db): Promise<void> {
    const rows = await repository.listSigningKeys(db)
    this.#keys = rows.flatMap((row) => this.#open(row) ?? [])
    this.#loadedAt = this.#options.clock.now().getTime()
  }

  #make(): Promise<SigningKey> {
    const { db, secrets, clock } = this.#options
    return db.transaction().execute(async (tx) => {
      await repository.lockSigningKeys(tx)
      await this.#load(tx)
      const made = this.#findCurrent()
      if (made !== undefined) return made
      const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
        modulusLength: MODULUS_BITS,
      })
      const key = { id: newId(), privateKey, publicKey, createdAt: clock.now() }
      const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      await repository.insertSigningKey(tx, {
        id: key.id,
        sealed: secrets.seal(text, contextOf(key.id)),
        created_at: key.createdAt,
      })
      return key
    })
  }

  /** One that was sealed with a key that is given up is lost: another is made, and apps refresh their tokens. */
  #open({ id, sealed, created_at: createdAt }: repository.SigningKeyRow): SigningKey | undefined {
    const { secrets, log } = this.#options
    try {
      const privateKey = createPrivateKey(secrets.open(sealed, contextOf(id)))
      return { id, privateKey, publicKey: createPublicKey(privateKey), createdAt }
    } catch {
      log.warn({ key: id }, 'a signing key of the tokens of apps cannot be opened')
      return undefined
    }
  }
}
