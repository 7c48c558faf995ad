import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../ids.ts'
import type { Db } from '../postgres/database.ts'
import type { SealedColumn } from './reseal.ts'
import type { SecretBox } from './secret-box.ts'

export interface KeyPair {
  id: string
  privateKey: KeyObject
  publicKey: KeyObject
  createdAt: Date
}

/**
 * Table of key pairs that all environments share, with the columns `id`, `sealed` and `created_at`.
 */
export interface KeyPairTable {
  name: string
  /**
   * Whether `public_key` stores the public halves too, for the day on which a private one can no
   * longer be opened.
   */
  hasPublicKeys: boolean
  generate: () => Promise<Pick<KeyPair, 'privateKey' | 'publicKey'>>
}

interface KeyPairRow {
  id: string
  sealed: Buffer
  created_at: Date
}

const contextOf = (table: string, id: string): string => `${table} ${id}`

/** Column for a change of the sealing key. */
export const sealedPrivateKeys = ({ name }: KeyPairTable): SealedColumn => ({
  table: name,
  column: 'sealed',
  key: ['id'],
  contextOf: ({ id = '' }) => contextOf(name, id),
})

/**
 * Key pairs of the deployment. They are created when they are first needed, and their private
 * halves are sealed in the database.
 */
export class KeyPairs {
  readonly #table: KeyPairTable
  readonly #secrets: SecretBox
  readonly #onUnopened: (id: string) => void

  /**
   * @param onUnopened Called with a pair that is left out because its sealing key is no longer
   *   given.
   */
  constructor(
    table: KeyPairTable,
    secrets: SecretBox,
    onUnopened: (id: string) => void = () => {},
  ) {
    this.#table = table
    this.#secrets = secrets
    this.#onUnopened = onUnopened
  }

  /** Returns the pairs, the newest first, without those that cannot be opened. */
  async list(db: Db): Promise<KeyPair[]> {
    const { rows } = await sql<KeyPairRow>`select id, sealed, created_at
      from ${sql.table(this.#table.name)} order by created_at desc, id`.execute(db)
    return rows.flatMap((row) => this.#open(row) ?? [])
  }

  /**
   * Returns the newest pair for which `isMeant` is true, or else a new one. Of processes that
   * request it at once, one creates it.
   */
  findOrMake(db: Db, now: Date, isMeant: (pair: KeyPair) => boolean): Promise<KeyPair> {
    return db.transaction().execute(async (tx) => {
      const { name } = this.#table
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`.execute(tx)
      return (await this.list(tx)).find(isMeant) ?? this.#make(tx, now)
    })
  }

  async removeBefore(db: Db, createdBefore: Date): Promise<void> {
    await sql`delete from ${sql.table(this.#table.name)} where created_at < ${createdBefore}`.execute(
      db,
    )
  }

  #open({ id, sealed, created_at: createdAt }: KeyPairRow): KeyPair | undefined {
    try {
      const text = this.#secrets.open(sealed, contextOf(this.#table.name, id))
      const privateKey = createPrivateKey(text)
      return { id, privateKey, publicKey: createPublicKey(privateKey), createdAt }
    } catch {
      this.#onUnopened(id)
      return undefined
    }
  }

  async #make(tx: Db, now: Date): Promise<KeyPair> {
    const { name, hasPublicKeys, generate } = this.#table
    const pair = { id: newId(), ...(await generate()), createdAt: now }
    const text = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const publicText = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const row = {
      id: pair.id,
      sealed: this.#secrets.seal(text, contextOf(name, pair.id)),
      created_at: now,
      ...(hasPublicKeys && { public_key: publicText }),
    }
    const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
    const values = sql.join(Object.values(row))
    await sql`insert into ${sql.table(name)} (${columns}) values (${values})`.execute(tx)
    return pair
  }
}
