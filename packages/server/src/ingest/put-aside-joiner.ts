import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { insertPutAside } from './put-aside.repository.ts'

/** How long the first caller waits for others: rarely is a whole upload put aside. */
const JOIN_MS = 25

/**
 * Joins the items that concurrent callers put aside into one insert. Without it a few bad items in
 * each upload would make as many inserts as there are uploads, and hold up those of the good ones.
 */
export class PutAsideJoiner {
  readonly #clickhouse: ClickHouse
  #rows: string[] = []
  #next: Promise<void> | undefined

  constructor(clickhouse: ClickHouse) {
    this.#clickhouse = clickhouse
  }

  /** Durable when it returns. */
  async insert(rows: readonly string[]): Promise<void> {
    if (rows.length === 0) return
    for (const row of rows) this.#rows.push(row)
    this.#next ??= this.#insertSoon()
    await this.#next
  }

  async #insertSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, JOIN_MS))
    const rows = this.#rows
    this.#rows = []
    this.#next = undefined
    await insertPutAside(this.#clickhouse, rows.join(''))
  }
}
