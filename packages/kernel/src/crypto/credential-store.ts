import { inspect } from 'node:util'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import type { SealedColumn } from './reseal.ts'
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

/** Owner of a credential: a user or, with `userId` null, the environment itself. */
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

/** A text that is only shown on request: not in logs, JSON, messages or a debugger. */
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

/** Credentials for other services. They are removed with the user to whom they belong. */
export interface CredentialStore {
  /** Stores a credential in place of an earlier one. */
  put(key: CredentialKey, secret: Secret, expiresAt: Date | null): Promise<void>
  /** @throws Error when it was sealed with a key that is no longer given */
  find(key: CredentialKey): Promise<Credential | undefined>
  /**
   * Finds credentials of users by one statement.
   * @returns a function for each key, in their order, which opens the credential as `find` does
   */
  findAll(keys: readonly CredentialKey[]): Promise<(() => Credential | undefined)[]>
  /**
   * Replaces the credential that was found; returns false when another process was first, or it no
   * longer exists.
   */
  refresh(
    key: CredentialKey,
    found: Credential,
    secret: Secret,
    expiresAt: Date | null,
  ): Promise<boolean>
  remove(key: CredentialKey): Promise<void>
}

/** Binds a sealed text to its row: in another row it does not open. */
const contextOf = ({ environmentId, userId, name }: CredentialKey): string =>
  `credentials ${environmentId} ${userId ?? ''} ${name}`

const isOf = ({ environmentId, userId, name }: CredentialKey): Expression<SqlBool> =>
  sql`environment_id = ${environmentId} and user_id is not distinct from ${userId} and name = ${name}`

type SealedRow = Pick<CredentialsTable, 'sealed' | 'expires_at' | 'version'>

/** Returns the rows of credentials of users, by the positions of their keys. */
async function findSealed(db: Db, keys: readonly CredentialKey[]): Promise<Map<number, SealedRow>> {
  const environmentIds = keys.map(({ environmentId }) => environmentId)
  const userIds = keys.map(({ userId }) => userId)
  const names = keys.map(({ name }) => name)
  const { rows } = await sql<SealedRow & { position: number }>`
    select position::int, sealed, expires_at, version
    from unnest(${environmentIds}::uuid[], ${userIds}::uuid[], ${names}::text[])
      with ordinality as wanted (environment_id, user_id, name, position)
    join credentials using (environment_id, user_id, name)`.execute(db)
  return new Map(rows.map((row) => [row.position - 1, row]))
}

/** Creates the store on a database or in a transaction. */
export function createCredentialStore(
  db: Db,
  { secrets, clock }: { secrets: SecretBox; clock: Clock },
): CredentialStore {
  const seal = (key: CredentialKey, secret: Secret): Buffer =>
    secrets.seal(secret.reveal(), contextOf(key))
  const open = (key: CredentialKey, row: SealedRow | undefined): Credential | undefined => {
    if (row === undefined) return undefined
    const secret = new Secret(secrets.open(row.sealed, contextOf(key)))
    return { secret, expiresAt: row.expires_at, version: row.version }
  }

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
      return open(key, row)
    },
    async findAll(keys) {
      const rows = await findSealed(db, keys)
      return keys.map((key, index) => () => open(key, rows.get(index)))
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

/** Column for a change of the sealing key. */
export const SEALED_CREDENTIALS: SealedColumn = {
  table: 'credentials',
  column: 'sealed',
  key: ['environment_id', 'user_id', 'name'],
  contextOf: ({ environment_id: environmentId = '', user_id: userId = null, name = '' }) =>
    contextOf({ environmentId, userId, name }),
}
