import { sql } from 'kysely'

/**
 * Environments are cut into shares by a hash. A share is dispatched by one process at a time, so
 * that the events of an environment keep their order, and different shares by different processes.
 * The lock of a share ends with its transaction: when a process dies, any other one takes it.
 */
export const ALL_SHARES: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7]
/** With a backlog a process takes this many at a time, and leaves the others to others. */
const SHARES_OF_A_BACKLOG = 2

/** True for rows of the environments of these shares. */
export const isOfShares = (shares: readonly number[]) =>
  shares.length === ALL_SHARES.length
    ? sql<boolean>`true`
    : sql<boolean>`(uuid_hash(environment_id) & ${sql.lit(ALL_SHARES.length - 1)}) = any(${[...shares]}::integer[])`

/**
 * Takes the locks of those shares that no other process dispatches now. Processes of versions
 * before the shares hold a lock for all of them.
 */
export const takeShares = (shares: readonly number[]) => sql<{ shares: number[] }>`
  select array(select share from unnest(${[...shares]}::integer[]) as share
    where (select pg_try_advisory_xact_lock_shared(hashtextextended('salus:dispatch', 0)))
      and pg_try_advisory_xact_lock(hashtextextended('salus:dispatch ' || share, 0))) as shares`

/** Chooses the shares of a process, one round after the other. */
export class ShareTurns {
  #first: number
  #hasBacklog = false

  /** @param random From 0 to 1: processes that start together begin at different shares. */
  constructor(random: number) {
    this.#first = Math.floor(random * ALL_SHARES.length)
  }

  /** Returns the shares to try: all of them, or some while more wait than one statement takes. */
  next(): readonly number[] {
    if (!this.#hasBacklog) return ALL_SHARES
    const shares = Array.from(
      { length: SHARES_OF_A_BACKLOG },
      (_, index) => (this.#first + index) % ALL_SHARES.length,
    )
    this.#first = (this.#first + SHARES_OF_A_BACKLOG) % ALL_SHARES.length
    return shares
  }

  /**
   * Records the outcome of a round.
   * @returns whether another round has to follow at once
   */
  end(tried: readonly number[], isFull: boolean): boolean {
    const wasPartial = tried.length < ALL_SHARES.length
    this.#hasBacklog = isFull
    return isFull || wasPartial
  }
}
