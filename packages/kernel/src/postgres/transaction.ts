import { CompiledQuery, type DatabaseConnection, Kysely, Transaction } from 'kysely'
import type { Database, Db } from './database.ts'

/** What Kysely asks of the parts of a database that a transaction does not use. */
const UNUSED = { config: {}, driver: {}, dialect: {} } as never as Pick<
  ConstructorParameters<typeof Transaction<Database>>[0],
  'config' | 'driver' | 'dialect'
>

/** Sequences of open transactions by their handles. */
const sequences = new WeakMap<Db, StatementSequence>()

/** PostgreSQL's code for a statement in a transaction that has failed. */
const FAILED_BEFORE = '25P02'

/**
 * Does work in one transaction. Unlike Kysely's own, it sends a statement without waiting for those
 * before it, so that statements that are begun together, and BEGIN with the first of them, share a
 * round trip. PostgreSQL runs them in the order in which they were begun.
 * @param last Begins one more statement, whose answer is awaited together with the commit.
 */
export function inOneTransaction<Result>(
  db: Db,
  work: (transaction: Db) => Promise<Result>,
  last?: (transaction: Db, result: Result) => Promise<unknown>,
): Promise<Result> {
  const executor = db.getExecutor()
  return executor.provideConnection(async (connection) => {
    const sequence = new StatementSequence(connection)
    const transaction = new Transaction<Database>({
      ...UNUSED,
      executor: executor.withConnectionProvider(sequence),
    })
    sequences.set(transaction, sequence)
    sequence.begin()
    try {
      const result = await work(transaction)
      await sequence.commit(last && (() => last(transaction, result)))
      return result
    } catch (error) {
      await sequence.rollback()
      throw await sequence.causeOf(error)
    }
  })
}

/**
 * Lets a transaction go on while statements run that were all begun: they are awaited with the
 * commit, so that they share its round trip, and undo the transaction when they fail. For
 * statements whose answers nothing needs. Elsewhere than in `inOneTransaction` they are awaited
 * here.
 */
export async function awaitWithCommit(
  transaction: Db,
  statements: Promise<unknown>,
): Promise<void> {
  const sequence = sequences.get(transaction)
  if (sequence === undefined) await statements
  else sequence.awaitWithCommit(statements)
}

/**
 * Does work on one connection without a transaction. Statements that are begun together share a
 * round trip, unlike those of a pool, which take a connection each.
 */
export function onOneConnection<Result>(
  db: Db,
  work: (connection: Db) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db)
  const executor = db.getExecutor()
  return executor.provideConnection((connection) =>
    work(
      new Kysely<Database>({
        ...UNUSED,
        executor: executor.withConnectionProvider({ provideConnection: (use) => use(connection) }),
      } as never),
    ),
  )
}

/** Sends the statements of one transaction, and none after its end. */
class StatementSequence {
  readonly #connection: DatabaseConnection
  readonly #awaited: Promise<unknown>[] = []
  #sent = 0
  #hasEnded = false

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async provideConnection<Result>(
    use: (connection: DatabaseConnection) => Promise<Result>,
  ): Promise<Result> {
    if (this.#hasEnded) throw new Error('The transaction has ended.')
    this.#sent += 1
    return use(this.#connection)
  }

  begin(): void {
    this.awaitWithCommit(this.#send('begin'))
  }

  awaitWithCommit(statements: Promise<unknown>): void {
    // Without this handler a failure before the commit would end the process as an unhandled
    // rejection.
    statements.catch(() => undefined)
    this.#awaited.push(statements)
  }

  async commit(last?: () => Promise<unknown>): Promise<void> {
    const before = this.#sent
    const trailing = last?.()
    // COMMIT must not overtake it.
    if (this.#sent === before) await trailing
    this.#hasEnded = true
    // PostgreSQL rolls back instead of committing when a statement before failed.
    const all = [...this.#awaited, Promise.resolve(trailing), this.#send('commit')]
    const failures = await listFailures(all)
    if (failures.length > 0) throw firstCause(failures)
  }

  async rollback(): Promise<void> {
    this.#hasEnded = true
    await this.#send('rollback').catch(() => undefined)
  }

  /** Returns what failed first, for an error that may only follow from it. */
  async causeOf(error: unknown): Promise<unknown> {
    return isOfFailedTransaction(error)
      ? firstCause([...(await listFailures(this.#awaited)), error])
      : error
  }

  #send(text: string): Promise<unknown> {
    return this.#connection.executeQuery(CompiledQuery.raw(text))
  }
}

async function listFailures(work: readonly Promise<unknown>[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(work)
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
}

const firstCause = (failures: readonly unknown[]): unknown =>
  failures.find((failure) => !isOfFailedTransaction(failure)) ?? failures[0]

/** Returns whether PostgreSQL refused a statement only because one before it had failed. */
export const isOfFailedTransaction = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === FAILED_BEFORE
