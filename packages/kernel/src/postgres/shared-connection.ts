import type pg from 'pg'

/** Part of a connection that is no transaction's: notifications and locks. */
export interface DatabaseSession {
  /**
   * Takes a lock that only this session can have, until it unlocks or ends; returns false when
   * another has it. A number is the lock itself, a text stands for one.
   */
  tryLock(key: string | number): Promise<boolean>
  unlock(key: string | number): Promise<void>
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

type Key = string | number

/** The connection of all sessions of a process. It runs one statement at a time. */
export class SharedConnection {
  readonly #client: pg.PoolClient
  readonly #onEnd: () => void
  readonly #sessions = new Set<SessionOptions>()
  /** PostgreSQL gives a lock to a connection, so the sessions on it are distinguished here. */
  readonly #owners = new Map<Key, { session: SessionOptions; count: number }>()
  #last: Promise<unknown> = Promise.resolve()
  #isOpen = true

  private constructor(client: pg.PoolClient, onEnd: () => void) {
    this.#client = client
    this.#onEnd = onEnd
    const lose = (): void => this.#lose()
    // Further errors may follow the first; without a listener they would end the process.
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', ({ channel, payload }) => {
      for (const { channels, onNotification } of this.#sessions) {
        if (channels.includes(channel)) onNotification(channel, payload ?? '')
      }
    })
  }

  /** @param onEnd Called when it ends, before its sessions know. */
  static async open(pool: pg.Pool, onEnd: () => void): Promise<SharedConnection> {
    return new SharedConnection(await pool.connect(), onEnd)
  }

  /** Adds a session; undefined when the connection has ended. */
  async join(options: SessionOptions): Promise<DatabaseSession | undefined> {
    if (!this.#isOpen) return undefined
    const heard = this.#heard()
    const session = { ...options }
    this.#sessions.add(session)
    try {
      await Promise.all(
        options.channels
          .filter((channel) => !heard.has(channel))
          .map((channel) => this.#query(`listen "${channel}"`)),
      )
      // Another session may have begun to listen on the same channels just before.
      await this.#last
    } catch (error) {
      this.#sessions.delete(session)
      this.#lose()
      throw error
    }
    if (!this.#isOpen) throw new Error('The connection of sessions broke.')
    return {
      tryLock: (key) => this.#tryLock(session, key),
      unlock: (key) => this.#unlock(session, key),
      close: () => this.#leave(session),
    }
  }

  async #tryLock(session: SessionOptions, key: Key): Promise<boolean> {
    if (!this.#sessions.has(session)) throw new Error('The session has ended.')
    const owner = this.#owners.get(key) ?? { session, count: 0 }
    if (owner.session !== session) return false
    owner.count += 1
    this.#owners.set(key, owner)
    let isMine = false
    try {
      const { rows } = await this.#query(...lockStatement('pg_try_advisory_lock', key))
      isMine = rows[0]?.result ?? false
    } finally {
      if (!isMine) this.#disown(key)
    }
    return isMine
  }

  async #unlock(session: SessionOptions, key: Key): Promise<void> {
    if (!this.#isOpen || this.#owners.get(key)?.session !== session) return
    await this.#query(...lockStatement('pg_advisory_unlock', key))
    this.#disown(key)
  }

  #disown(key: Key): void {
    const owner = this.#owners.get(key)
    if (owner === undefined) return
    owner.count -= 1
    if (owner.count === 0) this.#owners.delete(key)
  }

  #leave(session: SessionOptions): void {
    if (!this.#sessions.delete(session)) return
    if (this.#sessions.size === 0) return void this.#end()
    const heard = this.#heard()
    const unheard = session.channels.filter((channel) => !heard.has(channel))
    const work: Promise<unknown>[] = unheard.map((channel) => this.#query(`unlisten "${channel}"`))
    for (const [key, owner] of this.#owners) {
      if (owner.session !== session) continue
      for (let left = owner.count; left > 0; left -= 1) work.push(this.#unlock(session, key))
    }
    // Where one fails, the connection broke.
    Promise.all(work).catch(() => undefined)
  }

  #heard(): Set<string> {
    return new Set([...this.#sessions].flatMap(({ channels }) => channels))
  }

  #lose(): void {
    for (const { onLost } of this.#end()) onLost()
  }

  /** Ends the connection with its locks; returns the sessions that were still on it. */
  #end(): SessionOptions[] {
    const sessions = [...this.#sessions]
    this.#sessions.clear()
    this.#owners.clear()
    if (!this.#isOpen) return []
    this.#isOpen = false
    this.#onEnd()
    // It does not return to the pool, because the next user must not inherit its locks.
    this.#client.release(true)
    return sessions
  }

  #query(text: string, values: unknown[] = []): Promise<pg.QueryResult<{ result: boolean }>> {
    const next = this.#last.then(() => this.#client.query(text, values))
    this.#last = next.catch(() => undefined)
    return next
  }
}

function lockStatement(name: string, key: Key): [string, unknown[]] {
  return typeof key === 'number'
    ? [`select ${name}($1::bigint) as result`, [key]]
    : [`select ${name}(hashtextextended($1, $2)) as result`, [key, LOCK_SEED]]
}
