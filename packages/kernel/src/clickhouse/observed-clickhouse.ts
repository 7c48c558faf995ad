import type { StatementObserver } from '../telemetry/statement-observer.ts'
import type { ClickHouse } from './clickhouse.ts'

/** Returns the same store, of which the observer sees every statement. */
export function observeClickHouse(
  clickhouse: ClickHouse,
  statements: StatementObserver,
): ClickHouse {
  const store = 'clickhouse'

  async function observed<Result>(sql: string, work: () => Promise<Result>): Promise<Result> {
    const span = statements.startSpan(store, sql)
    const startedAt = performance.now()
    let error: unknown
    try {
      return await work()
    } catch (caught) {
      error = caught
      throw caught
    } finally {
      const milliseconds = performance.now() - startedAt
      statements.finish({ store, sql, milliseconds, error }, span)
    }
  }

  /** Observes a stream until its reader has all of it, so the reader's pace counts. */
  async function* observedStream(sql: string, chunks: AsyncIterable<Uint8Array>) {
    const span = statements.startSpan(store, sql)
    const startedAt = performance.now()
    let error: unknown
    try {
      yield* chunks
    } catch (caught) {
      error = caught
      throw caught
    } finally {
      const milliseconds = performance.now() - startedAt
      statements.finish({ store, sql, milliseconds, error }, span)
    }
  }

  return {
    get cluster() {
      return clickhouse.cluster
    },
    command: (sql, parameters) => observed(sql, () => clickhouse.command(sql, parameters)),
    queryBytes: (sql, parameters, format, sent) =>
      observed(sql, () => clickhouse.queryBytes(sql, parameters, format, sent)),
    queryRows: (sql, parameters) => observed(sql, () => clickhouse.queryRows(sql, parameters)),
    queryStream: (sql, parameters, format, sent) =>
      observedStream(sql, clickhouse.queryStream(sql, parameters, format, sent)),
    insert: (table, columns, payload) =>
      observed(`INSERT INTO ${table}`, () => clickhouse.insert(table, columns, payload)),
    ping: () => clickhouse.ping(),
    close: () => clickhouse.close(),
    ...(clickhouse.cluster && { cluster: clickhouse.cluster }),
  }
}
