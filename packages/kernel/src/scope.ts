import type { ClickHouse } from './clickhouse/clickhouse.ts'
import type { Log } from './log.ts'
import type { Db } from './postgres/database.ts'
import type { Clock } from './time/clock.ts'

/**
 * What a team chose for an environment. The domain that stores it says what it holds, by
 * `declare module '@salus/kernel/scope' { interface EnvironmentSettings … }`.
 */
export interface EnvironmentSettings {
  /** Of the events that are written at all; null: every event is. */
  event_type_prefixes: string[] | null
}

export const ENVIRONMENTS = ['sandbox', 'production'] as const
export type EnvironmentKind = (typeof ENVIRONMENTS)[number]

/** A team's sandbox or production: whose everything is. The two share nothing. */
export interface Environment {
  id: string
  kind: EnvironmentKind
  organizationId: string
  teamId: string
  region: string
  settings: EnvironmentSettings
  /** How far the environment's own time is ahead; more than 0 only where a sandbox was moved. */
  clockOffsetSeconds: number
}

/** What work across environments has at hand: the stores, the time, the log. */
export interface Stores {
  readonly db: Db
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  readonly log: Log
}

/**
 * What a request, a job or a message works in: the stores, and whose rows it may touch.
 * Repositories take it first, so that the environment cannot be forgotten and an open transaction
 * cannot be mistaken.
 */
export interface Scope extends Stores {
  readonly environment: Environment
  /**
   * Work that happens as a whole or not at all. Inside a transaction it joins the open one.
   * Functions that need a transaction take a `TransactionScope`: the scope outside is refused by
   * its type.
   */
  transaction<Result>(work: (tx: TransactionScope) => Promise<Result>): Promise<Result>
}

declare const isOpen: unique symbol

/**
 * As much of a scope as one row tells: what looks across environments finds an id, and asks for no
 * more.
 */
export interface RowScope {
  readonly db: Db
  readonly environment: Pick<Environment, 'id'>
}

/** The scope of a row, where the id is all that is known of its environment. */
export function rowScope(db: Db, environmentId: string): RowScope {
  return { db, environment: { id: environmentId } }
}

/** A scope whose `db` is an open transaction. */
export interface TransactionScope extends Scope {
  readonly [isOpen]: true
}

/** Runs work in a transaction of its own. */
export type Transact = <Result>(
  db: Db,
  work: (transaction: Db) => Promise<Result>,
) => Promise<Result>

const transactPlainly: Transact = (db, work) => db.transaction().execute(work)

/**
 * The scope of an environment.
 * @param transact For what more is to be done in every transaction of the scope.
 */
export function createScope(
  stores: Stores,
  environment: Environment,
  transact = transactPlainly,
): Scope {
  const { db, clickhouse, clock, log } = stores
  return {
    db,
    clickhouse,
    clock,
    log,
    environment,
    transaction: (work) =>
      transact(db, (transaction) => work(joinTransaction(stores, environment, transaction))),
  }
}

/** The same environment inside a transaction that is open already. */
export function joinTransaction(
  { clickhouse, clock, log }: Stores,
  environment: Environment,
  transaction: Db,
): TransactionScope {
  const tx = {
    db: transaction,
    clickhouse,
    clock,
    log,
    environment,
    transaction: (work) => work(tx),
  } as Omit<TransactionScope, typeof isOpen> as TransactionScope
  return tx
}

/** Now, as the environment sees it: what orders and their appointments are dated by. */
export function environmentNow({
  clock,
  environment,
}: Pick<Stores, 'clock'> & { environment: Pick<Environment, 'clockOffsetSeconds'> }): Date {
  return new Date(clock.now().getTime() + environment.clockOffsetSeconds * 1000)
}
