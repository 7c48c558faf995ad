import type { EventRemoval } from '@salus/kernel/events/events'
import type { RowScope } from '@salus/kernel/scope'

/** Records from before a cutoff, without those of people under a legal hold. */
export interface OldRecords {
  cutoff: Date
  held: readonly string[]
}

export interface RemovedRecord {
  id: string
  /** Null for a record without a known person. */
  userId: string | null
}

/** Scope for deleting records together with the events about them. */
export interface RemovalScope extends RowScope {
  readonly eventRemoval: EventRemoval
}

/** Records of laboratories whose retention an environment can limit. */
export interface RetainedRecords {
  name: string
  meaning: string
  /** A rule with fewer days is refused. */
  minimumDays: number
  /**
   * Whether the age is computed from the environment's own time, which in a sandbox may be ahead.
   */
  isOfOwnTime: boolean
  /** Returns the number of records, and of their people. */
  count(scope: RowScope, old: OldRecords): Promise<{ rows: number; people: number }>
  /**
   * Deletes some records as a whole in the open transaction; a job of it deletes their files.
   * @returns the deleted records; none when nothing is left
   */
  removeSome(tx: RemovalScope, old: OldRecords, limit: number): Promise<RemovedRecord[]>
}
