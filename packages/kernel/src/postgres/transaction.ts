import { CompiledQuery, type DatabaseConnection, Transaction } from 'kysely'
import type { Database, Db } from './database.ts'

/** What Kysely asks of the parts of a database that a transaction does not use. */
const UNUSED = { config: {}, driver: {}, dialect: {} } as never as Pick<
  ConstructorParameters<typeof Transaction<Database>>[0],
  'config' | 'driver' | 'dialect'
>

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
    const begun = sequence.send('begin')
    try {
      const result = await work(transaction)
      await begun
      await sequence.commit(last && (() => last(transaction, result)))
      return result
    } catch (error) {
      await sequence.rollback()
      throw error
    }
  })
}

/** Sends the statements of one transaction, and none after its end. */
class StatementSequence {
  readonly #connection: DatabaseConnection
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

  send(text: string): Promise<unknown> {
    const sent = this.#connection.executeQuery(CompiledQuery.raw(text))
    // The caller awaits the promise later and receives its failure there. Without this handler a
    // failure before that would end the process as an unhandled rejection.
    sent.catch(() => undefined)
    return sent
  }

  async commit(last?: () => Promise<unknown>): Promise<void> {
    const before = this.#sent
    const trailing = last?.()
    // COMMIT must not overtake it.
    if (this.#sent === before) await trailing
    this.#hasEnded = true
    // PostgreSQL rolls back instead of committing when the statement before failed.
    const [outcome, committed] = await Promise.allSettled([trailing, this.send('commit')])
    if (outcome.status === 'rejected') throw outcome.reason
    if (committed.status === 'rejected') throw committed.reason
  }

  async rollback(): Promise<void> {
    this.#hasEnded = true
    await this.send('rollback').catch(() => undefined)
  }
}
