import type pg from 'pg'
import { type DatabaseSession, type SessionOptions, SharedConnection } from './shared-connection.ts'

export type { DatabaseSession, SessionOptions } from './shared-connection.ts'

/** Pools whose sessions are on connections of another one. */
const sessionPools = new WeakMap<pg.Pool, pg.Pool>()
const connections = new WeakMap<pg.Pool, Promise<SharedConnection>>()

/** Makes sessions of a pool use connections of another, whose address keeps sessions. */
export function useForSessions(pool: pg.Pool, sessionPool: pg.Pool): void {
  sessionPools.set(pool, sessionPool)
}

/** Returns the pool for what needs a session of its own: it keeps connections as they are left. */
export const sessionPoolOf = (pool: pg.Pool): pg.Pool => sessionPools.get(pool) ?? pool

/**
 * Opens a session on the one connection that all sessions of a pool share, and listens on the
 * channels. The connection is taken by the first session and closed by the last one.
 * @throws when the database cannot be reached; later losses call `onLost`
 */
export async function openSession(
  pool: pg.Pool,
  options: SessionOptions,
): Promise<DatabaseSession> {
  const from = sessionPoolOf(pool)
  for (;;) {
    let connection = connections.get(from)
    if (connection === undefined) {
      connection = SharedConnection.open(from, () => connections.delete(from))
      connections.set(from, connection)
      connection.catch(() => connections.delete(from))
    }
    const session = await (await connection).join(options)
    // The last session before this one closed it meanwhile.
    if (session !== undefined) return session
  }
}
