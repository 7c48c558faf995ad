import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Db } from './database.ts'

declare module './database.ts' {
  interface Database {
    sandbox_providers: SandboxProvidersTable
  }
}

interface SandboxProvidersTable {
  key: string
  value: unknown
  version: number
  expires_at: Date | null
}

interface Entry {
  key: string
  value: unknown
  version: number
}

/**
 * An entry that replaces the one with this version, or none where it is null; undefined removes it.
 */
interface Change {
  key: string
  version: number | null
  value: unknown
  expiresAt: Date | null
  now: Date
}

/**
 * State of the emulated providers of sandboxes that must survive a restart; expired entries do not
 * exist.
 */
export interface EmulatorState {
  read(keys: readonly string[], now: Date): Promise<Entry[]>
  /** @returns false, and changes nothing, when the entry is at another version */
  compareAndSet(change: Change): Promise<boolean>
  /** Lists entries by key, beginning with `prefix` and after `after`. */
  list(prefix: string, after: string, limit: number, now: Date): Promise<Entry[]>
  /** Removes expired entries. */
  sweep(now: Date): Promise<void>
}

const isAlive =
  (now: Date) =>
  (where: ExpressionBuilder<Database, 'sandbox_providers'>): Expression<SqlBool> =>
    where.or([where('expires_at', 'is', null), where('expires_at', '>', now)])

/** Sorts after every text that begins with a prefix, in the order of bytes. */
const LAST = '\u{10FFFF}'

/** Creates the state of emulated providers in a table of PostgreSQL, which all processes share. */
export function createEmulatorState(db: Db): EmulatorState {
  const entries = () => db.selectFrom('sandbox_providers').select(['key', 'value', 'version'])
  return {
    read: (keys, now) =>
      entries().where(sql<SqlBool>`key = any(${keys}::text[])`).where(isAlive(now)).execute(),
    list: (prefix, after, limit, now) =>
      entries()
        .where('key', '>', after > prefix ? after : prefix)
        .where('key', '<', prefix + LAST)
        .where(isAlive(now))
        .orderBy('key')
        .limit(limit)
        .execute(),
    compareAndSet: (change) => compareAndSet(db, change),
    async sweep(now) {
      await db.deleteFrom('sandbox_providers').where('expires_at', '<=', now).execute()
    },
  }
}

/** Uses one statement for each change. */
async function compareAndSet(db: Db, change: Change): Promise<boolean> {
  const { key, version, value, expiresAt: expires_at, now } = change
  if (value === undefined) {
    if (version === null) return true
    const removed = await db
      .deleteFrom('sandbox_providers')
      .where('key', '=', key)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
    return removed.numDeletedRows > 0n
  }
  const row = { value: JSON.stringify(value), version: (version ?? 0) + 1, expires_at }
  if (version === null) {
    const added = await db
      .insertInto('sandbox_providers')
      .values({ key, ...row })
      // An expired entry counts as none.
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet(row).where('sandbox_providers.expires_at', '<=', now),
      )
      .executeTakeFirstOrThrow()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const changed = await db
    .updateTable('sandbox_providers')
    .set(row)
    .where('key', '=', key)
    .where('version', '=', version)
    .where(isAlive(now))
    .executeTakeFirstOrThrow()
  return changed.numUpdatedRows > 0n
}
