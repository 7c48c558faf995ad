import type { EventRemoval } from '@salus/kernel/events/events'
import type { RowScope } from '@salus/kernel/scope'

/** What is older than a time, of everybody but those who are held. */
export interface OldRecords {
  cutoff: Date
  held: readonly string[]
}

export interface RemovedRecord {
  id: string
  /** Null of what is nobody's that is known here. */
  userId: string | null
}

/** Where records are removed with the events about them. */
export interface RemovalScope extends RowScope {
  readonly eventRemoval: EventRemoval
}

/** Records of laboratories that an environment can keep for a while only. */
export interface RetainedRecords {
  name: string
  meaning: string
  /** A rule of fewer days is refused. */
  minimumDays: number
  /**
   * Whether their age is counted by the environment's own time, which in a sandbox may be ahead.
   */
  isOfOwnTime: boolean
  /** How many there are, and of how many people. */
  count(scope: RowScope, old: OldRecords): Promise<{ rows: number; people: number }>
  /**
   * Removes some, each as a whole, in the open transaction; their files go by a job of it.
   * @returns what was removed; nothing when there is nothing any more
   */
  removeSome(tx: RemovalScope, old: OldRecords, limit: number): Promise<RemovedRecord[]>
}
