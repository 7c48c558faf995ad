/** A value that emulators store: what was granted, used, subscribed, or a fault. */
export interface StateEntry {
  readonly key: string
  /** JSON. */
  readonly value: unknown
  /** Counts its changes. */
  readonly version: number
}

export interface StateChange {
  readonly key: string
  /** Version that is replaced; null means there is none. */
  readonly version: number | null
  /** undefined removes the entry. */
  readonly value: unknown
  /** null means never. */
  readonly expiresAt: Date | null
  readonly now: Date
}

/**
 * State of emulators that must survive a restart and be the same in every process. Entries that
 * have expired at `now` do not exist.
 */
export interface StateStore {
  read(keys: readonly string[], now: Date): Promise<StateEntry[]>
  /**
   * Changes an entry atomically.
   * @returns false, and changes nothing, when the entry has another version
   */
  compareAndSet(change: StateChange): Promise<boolean>
  /** Returns entries whose key begins with `prefix` and comes after `after`, by key. */
  list(prefix: string, after: string, limit: number, now: Date): Promise<StateEntry[]>
}

interface MemoryEntry {
  text: string
  version: number
  expiresAt: Date | null
}

/** Creates a store for one process and for its lifetime. */
export function createMemoryStore(): StateStore {
  const entries = new Map<string, MemoryEntry>()
  const find = (key: string, now: Date): StateEntry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || (entry.expiresAt !== null && entry.expiresAt <= now))
      return undefined
    return { key, value: JSON.parse(entry.text), version: entry.version }
  }
  return {
    async read(keys, now) {
      return keys.flatMap((key) => find(key, now) ?? [])
    },
    async compareAndSet({ key, version, value, expiresAt, now }) {
      const current = find(key, now)
      if ((current?.version ?? null) !== version) return false
      if (value === undefined) entries.delete(key)
      else entries.set(key, { text: JSON.stringify(value), version: (version ?? 0) + 1, expiresAt })
      return true
    },
    async list(prefix, after, limit, now) {
      const keys = [...entries.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
      return keys.flatMap((key) => find(key, now) ?? []).slice(0, limit)
    },
  }
}
