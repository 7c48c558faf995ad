import type { ClickHouse } from './clickhouse/clickhouse.ts'
import type { Log } from './log.ts'
import type { Db } from './postgres/database.ts'
import { inOneTransaction } from './postgres/transaction.ts'
import type { Clock } from './time/clock.ts'

/**
 * Settings of a team for an environment. The domain that stores them declares their fields, by
 * `declare module '@salus/kernel/scope' { interface EnvironmentSettings … }`.
 */
export interface EnvironmentSettings {
  /** Prefixes of the events that are written at all; null means every event is. */
  event_type_prefixes: string[] | null
}

export const ENVIRONMENTS = ['sandbox', 'production'] as const
export type EnvironmentKind = (typeof ENVIRONMENTS)[number]

/** A team's sandbox or production, to which every row belongs. The two share nothing. */
export interface Environment {
  id: string
  kind: EnvironmentKind
  organizationId: string
  teamId: string
  region: string
  settings: EnvironmentSettings
  /**
   * Seconds by which the environment's own time is ahead; more than 0 only in a sandbox whose time
   * was advanced.
   */
  clockOffsetSeconds: number
}

/** The stores, the time and the log, for work across environments. */
export interface Stores {
  readonly db: Db
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  readonly log: Log
}

/**
 * Context of a request, a job or a message: the stores, and the environment whose rows it may use.
 * Repositories take it first, so that the environment cannot be forgotten and an open transaction
 * cannot be mistaken.
 */
export interface Scope extends Stores {
  readonly environment: Environment
  /**
   * Does work as a whole or not at all. Inside a transaction it joins the open one. Functions that
   * need a transaction take a `TransactionScope`: the outer scope is refused by its type.
   */
  transaction<Result>(work: (tx: TransactionScope) => Promise<Result>): Promise<Result>
}

declare const isOpen: unique symbol

/**
 * The part of a scope that one row determines: code that looks across environments has an id, and
 * needs no more.
 */
export interface RowScope {
  readonly db: Db
  readonly environment: Pick<Environment, 'id'>
}

/** Returns the scope of a row, of whose environment only the id is known. */
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

const transactPlainly: Transact = (db, work) => inOneTransaction(db, work)

/**
 * Creates the scope of an environment.
 * @param transact Runs further work in every transaction of the scope.
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

/** Returns the same environment inside a transaction that is already open. */
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

/** Returns the present time of the environment, which dates orders and their appointments. */
export function environmentNow({
  clock,
  environment,
}: Pick<Stores, 'clock'> & { environment: Pick<Environment, 'clockOffsetSeconds'> }): Date {
  return new Date(clock.now().getTime() + environment.clockOffsetSeconds * 1000)
}
