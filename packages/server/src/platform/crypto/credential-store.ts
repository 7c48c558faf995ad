import { inspect } from 'node:util'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import type { SecretBox } from './secret-box.ts'

declare module '../postgres/database.ts' {
  interface Database {
    credentials: CredentialsTable
  }
}

interface CredentialsTable {
  environment_id: string
  user_id: string | null
  name: string
  sealed: Buffer
  expires_at: Date | null
  version: number
  updated_at: Date
}

/** Whose a credential is: a person's, or, with `userId` null, the environment's own. */
export interface CredentialKey {
  environmentId: string
  userId: string | null
  name: string
}

export interface Credential {
  secret: Secret
  expiresAt: Date | null
  version: number
}

/** A text that shows itself only when it is asked to: not in logs, JSON, messages or a debugger. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

/** Credentials of other services. They go with the person they belong to. */
export interface CredentialStore {
  /** Keeps a credential, in place of an earlier one. */
  put(key: CredentialKey, secret: Secret, expiresAt: Date | null): Promise<void>
  /** @throws Error when it was sealed with a key that is not given any more */
  find(key: CredentialKey): Promise<Credential | undefined>
  /** Replaces the credential that was found; false when another process was first, or it is gone. */
  refresh(
    key: CredentialKey,
    found: Credential,
    secret: Secret,
    expiresAt: Date | null,
  ): Promise<boolean>
  remove(key: CredentialKey): Promise<void>
}

const RESEALED_AT_ONCE = 500

/** Another's sealed text put into a row does not open. */
const contextOf = ({ environmentId, userId, name }: CredentialKey): string =>
  `credentials ${environmentId} ${userId ?? ''} ${name}`

const isOf = ({ environmentId, userId, name }: CredentialKey): Expression<SqlBool> =>
  sql`environment_id = ${environmentId} and user_id is not distinct from ${userId} and name = ${name}`

/** The store on a database or in a transaction. */
export function createCredentialStore(
  db: Db,
  { secrets, clock }: { secrets: SecretBox; clock: Clock },
): CredentialStore {
  const seal = (key: CredentialKey, secret: Secret): Buffer =>
    secrets.seal(secret.reveal(), contextOf(key))

  return {
    async put(key, secret, expiresAt) {
      const { environmentId, userId, name } = key
      const owner = { environment_id: environmentId, user_id: userId, name }
      const content = { sealed: seal(key, secret), expires_at: expiresAt, updated_at: clock.now() }
      await db
        .insertInto('credentials')
        .values({ ...owner, ...content, version: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['environment_id', 'user_id', 'name'])
            .doUpdateSet({ ...content, version: sql`credentials.version + 1` }),
        )
        .execute()
    },
    async find(key) {
      const row = await db
        .selectFrom('credentials')
        .select(['sealed', 'expires_at', 'version'])
        .where(isOf(key))
        .executeTakeFirst()
      if (row === undefined) return undefined
      const secret = new Secret(secrets.open(row.sealed, contextOf(key)))
      return { secret, expiresAt: row.expires_at, version: row.version }
    },
    async refresh(key, { version }, secret, expiresAt) {
      const { numUpdatedRows } = await db
        .updateTable('credentials')
        .set({ sealed: seal(key, secret), expires_at: expiresAt, updated_at: clock.now() })
        .set({ version: version + 1 })
        .where(isOf(key))
        .where('version', '=', version)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    async remove(key) {
      await db.deleteFrom('credentials').where(isOf(key)).execute()
    },
  }
}

/**
 * Seals what a former key sealed with the present one, so that the former can be given up.
 * @returns how many
 */
export async function resealCredentials(db: Db, secrets: SecretBox): Promise<number> {
  let resealed = 0
  for (;;) {
    const rows = await db
      .selectFrom('credentials')
      .select(['environment_id', 'user_id', 'name', 'sealed'])
      .where(sql<SqlBool>`substring(sealed from 1 for ${secrets.keyId.length}) <> ${secrets.keyId}`)
      .limit(RESEALED_AT_ONCE)
      .execute()
    for (const { environment_id: environmentId, user_id: userId, name, sealed } of rows) {
      const key = { environmentId, userId, name }
      const context = contextOf(key)
      await db
        .updateTable('credentials')
        .set({ sealed: secrets.seal(secrets.open(sealed, context), context) })
        .where(isOf(key))
        // One that was refreshed meanwhile is sealed by the present key already.
        .where('sealed', '=', sealed)
        .execute()
    }
    resealed += rows.length
    if (rows.length < RESEALED_AT_ONCE) return resealed
  }
}
