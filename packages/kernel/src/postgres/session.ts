import type pg from 'pg'

/** A dedicated connection: its notifications and locks end with it. */
export interface DatabaseSession {
  /**
   * Takes a lock that only this session can have, until it unlocks or ends; returns false when
   * another has it.
   */
  tryLock(key: string): Promise<boolean>
  unlock(key: string): Promise<void>
  close(): void
}

export interface SessionOptions {
  channels: readonly string[]
  onNotification: (channel: string, payload: string) => void
  /** Called once when the connection breaks; its locks are lost then. */
  onLost: () => void
}

/** Locks are numbers in PostgreSQL; the second argument separates these from other uses. */
const LOCK_SEED = 3

/**
 * Takes a connection out of the pool until it is closed, and listens on the channels.
 * @throws when the database cannot be reached; later losses call `onLost`
 */
export async function openSession(
  pool: pg.Pool,
  options: SessionOptions,
): Promise<DatabaseSession> {
  const client = await pool.connect()
  let isOpen = true
  const lose = (): void => {
    if (!isOpen) return
    isOpen = false
    client.release(true)
    options.onLost()
  }
  // Further errors may follow the first; without a listener they would end the process.
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', ({ channel, payload }) => {
    options.onNotification(channel, payload ?? '')
  })
  try {
    for (const channel of options.channels) await client.query(`listen ${channel}`)
  } catch (error) {
    isOpen = false
    client.release(true)
    throw error
  }
  // A connection runs one statement at a time.
  let last: Promise<unknown> = Promise.resolve()
  const query = (text: string, key: string): Promise<pg.QueryResult<{ is_mine: boolean }>> => {
    const next = last.then(() => client.query(text, [key, LOCK_SEED]))
    last = next.catch(() => undefined)
    return next
  }
  return {
    async tryLock(key) {
      const text = 'select pg_try_advisory_lock(hashtextextended($1, $2)) as is_mine'
      const { rows } = await query(text, key)
      return rows[0]?.is_mine ?? false
    },
    async unlock(key) {
      if (!isOpen) return
      await query('select pg_advisory_unlock(hashtextextended($1, $2))', key)
    },
    close() {
      isOpen = false
      // It does not return to the pool, because the next user must not inherit its locks.
      client.release(true)
    },
  }
}
