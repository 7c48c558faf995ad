import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { printColumns, thousands } from '../measure.ts'
import { groupByStatement, isFlagged, type PlanLog, type StatementFigures } from './plans.ts'

/** More than this is no page any more: a fourth of a day of ten million events. */
const MOST_ROWS_READ = 250_000
const SHOWN_SQL = 1_500

/** A statement of ClickHouse, as medians of its executions. */
interface QueryFigures {
  sql: string
  ms: number
  rows: number
  bytes: number
}

/** A request, with all statements that it and its jobs made. */
interface Measured {
  name: string
  postgres: StatementFigures[]
  clickhouse: QueryFigures[]
}

/** Statements of both stores by the request that they belong to. */
export class Statements {
  readonly #log: PlanLog
  readonly #clickhouse: ClickHouse
  readonly #measured: Measured[] = []
  /** What an idle server does anyway. */
  readonly #idle = new Map<string, StatementFigures>()

  constructor(log: PlanLog, clickhouse: ClickHouse) {
    this.#log = log
    this.#clickhouse = clickhouse
  }

  /** Runs work before measuring; its statements are listed only if they are flagged. */
  async ignore(work: () => Promise<unknown>): Promise<void> {
    this.#log.take()
    await work()
    if (this.#idle.size > 0) return void this.#log.take()
    const idle = groupByStatement(this.#log.take())
    for (const figures of idle) this.#idle.set(figures.sql, figures)
    this.#measured.push({ name: 'an idle server', postgres: idle, clickhouse: [] })
  }

  async measure(name: string, work: () => Promise<unknown>): Promise<void> {
    this.#log.take()
    const from = Date.now()
    await work()
    const executions = this.#log.take().filter(({ sql }) => !this.#idle.has(sql))
    const clickhouse = await this.#readQueries(from, Date.now())
    this.#measured.push({ name, postgres: groupByStatement(executions), clickhouse })
  }

  async #readQueries(from: number, to: number): Promise<QueryFigures[]> {
    await this.#clickhouse.command('system flush logs')
    return this.#clickhouse.queryRows<QueryFigures>(
      `select any(query) as sql, toFloat64(median(query_duration_ms)) as ms,
        toFloat64(median(read_rows)) as rows, toFloat64(median(read_bytes)) as bytes
      from system.query_log
      where type = 'QueryFinish' and current_database = currentDatabase()
        and toUnixTimestamp64Milli(query_start_time_microseconds) between {from:Int64} and {to:Int64}
        and query not ilike '%system.%' and query not ilike '%flush logs%'
      group by normalized_query_hash order by rows desc`,
      { from, to },
    )
  }

  print(): void {
    printColumns(
      [
        'request',
        'statements',
        'most buffers',
        'of all',
        'ms',
        'rows left out',
        'plan',
        'flag',
      ].concat('statements of ClickHouse', 'most rows read', 'MB', 'ms', 'flag'),
      this.#measured.map(({ name, postgres, clickhouse }) => {
        const [most] = postgres
        const [query] = clickhouse
        const all = postgres.reduce((sum, { buffers, count }) => sum + buffers * count, 0)
        const calls = Math.max(1, ...postgres.map(({ count }) => count))
        return [
          name,
          String(postgres.length),
          thousands(most?.buffers ?? 0),
          thousands(all / calls),
          (most?.ms ?? 0).toFixed(2),
          thousands(most?.removed ?? 0),
          most?.plan ?? '',
          postgres.some(isFlagged) ? '!' : '',
          String(clickhouse.length),
          thousands(query?.rows ?? 0),
          ((query?.bytes ?? 0) / 1e6).toFixed(2),
          (query?.ms ?? 0).toFixed(0),
          isWide(query) ? '!' : '',
        ]
      }),
    )
    for (const { name, postgres, clickhouse } of this.#measured) {
      for (const each of postgres.filter(isFlagged)) {
        const { buffers, scanned, removed, ms, count, plan } = each
        const figures = `${thousands(buffers)} buffers, ${thousands(scanned)} rows scanned, ${thousands(removed)} left out, ${ms.toFixed(1)} ms, ${count} times`
        console.log(`\n! ${name}: ${each.name}: ${figures}; ${plan}\n${shorten(each.sql)}`)
      }
      for (const each of clickhouse.filter(isWide)) {
        const figures = `${thousands(each.rows)} rows, ${(each.bytes / 1e6).toFixed(1)} MB, ${each.ms.toFixed(0)} ms`
        console.log(`\n! ${name}: ClickHouse: ${figures}\n${shorten(each.sql)}`)
      }
    }
    console.log(`\n${this.#log.unreadable} plans could not be read`)
  }
}

const isWide = (query: QueryFigures | undefined): boolean =>
  (query?.rows ?? 0) > MOST_ROWS_READ && !/^\s*insert/i.test(query?.sql ?? '')

const shorten = (sql: string): string => sql.replace(/\s+/g, ' ').trim().slice(0, SHOWN_SQL)
