import { Counter, Histogram, type Registry } from 'prom-client'
import type { Log } from '../log.ts'
import { systemClock } from '../time/clock.ts'
import { describeStatement, withoutLiterals } from './describe-statement.ts'
import { errorTypeOf, type Span, startInnerSpan } from './tracing.ts'

const SYSTEMS = { postgres: 'postgresql', clickhouse: 'clickhouse' } as const
type Store = keyof typeof SYSTEMS

/** A statement that has ended. */
export interface ObservedStatement {
  store: Store
  sql: string
  milliseconds: number
  /** Error of the statement, if it failed. */
  error?: unknown
}

const MOST_TEXT = 1_000
/** A statement that waits for a lock may take long: processes that start together do. */
const WAIT = /^\s*select pg_advisory_(?:xact_)?lock\b/i

/**
 * Observes every statement of both stores: counts it, adds it to traces, and logs it when it takes
 * long. Values are bound and not in the text; literals are left out all the same.
 */
export class StatementObserver {
  readonly #log: Log
  readonly #slowMs: number
  readonly #duration = new Histogram({
    name: 'salus_statement_duration_seconds',
    help: 'Time of statements by store and operation, with the wait for a session of an embedded ClickHouse.',
    labelNames: ['store', 'operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [],
  })
  readonly #failures = new Counter({
    name: 'salus_statement_failures_total',
    help: 'Statements that failed, by store.',
    labelNames: ['store'],
    registers: [],
  })
  readonly #slow = new Counter({
    name: 'salus_slow_statements_total',
    help: 'Statements that took SALUS_SLOW_QUERY_MS or longer, by store.',
    labelNames: ['store'],
    registers: [],
  })

  constructor({ log, slowMs }: { log: Log; slowMs: number }) {
    this.#log = log
    this.#slowMs = slowMs
    for (const store of ['postgres', 'clickhouse']) {
      this.#failures.inc({ store }, 0)
      this.#slow.inc({ store }, 0)
    }
  }

  register(registry: Registry): void {
    for (const metric of [this.#duration, this.#failures, this.#slow]) {
      registry.registerMetric(metric)
    }
  }

  /** Records a statement that has no open span. */
  observe(statement: ObservedStatement): void {
    const span = this.startSpan(statement.store, statement.sql, statement.milliseconds)
    this.finish(statement, span)
  }

  /** Starts the span of a statement inside a request or job; undefined where none is traced. */
  startSpan(store: Store, sql: string, milliseconds = 0): Span | undefined {
    const { name, operation, table } = describeStatement(sql)
    return startInnerSpan(name, {
      kind: 'client',
      startedAt: systemClock.now().getTime() - milliseconds,
      attributes: {
        'db.system.name': SYSTEMS[store],
        'db.operation.name': operation,
        'db.query.summary': name,
        ...(table !== undefined && { 'db.collection.name': table }),
      },
    })
  }

  finish({ store, sql, milliseconds, error }: ObservedStatement, span: Span | undefined): void {
    const { name, operation } = describeStatement(sql)
    this.#duration.observe({ store, operation: operation.toLowerCase() }, milliseconds / 1000)
    if (error !== undefined) {
      this.#failures.inc({ store })
      span?.fail(errorTypeOf(error))
    }
    if (this.#slowMs > 0 && milliseconds >= this.#slowMs && !WAIT.test(sql)) {
      this.#slow.inc({ store })
      const text = withoutLiterals(sql).slice(0, MOST_TEXT)
      const ms = Math.round(milliseconds)
      this.#log.warn({ store, statement: name, ms, text }, 'a slow statement')
    }
    span?.end()
  }
}
