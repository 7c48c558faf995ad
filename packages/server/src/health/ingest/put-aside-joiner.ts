import { bisect } from '../../platform/bisect.ts'
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import { isStoreTrouble } from '../../platform/http/error-handler.ts'
import { insertPutAside } from './put-aside.repository.ts'

/** How long the first caller waits for others: rarely is a whole upload put aside. */
const JOIN_MS = 25

/**
 * Joins the items that concurrent callers put aside into one insert. Without it a few bad items in
 * each upload would make as many inserts as there are uploads, and hold up those of the good ones.
 */
export class PutAsideJoiner {
  readonly #clickhouse: ClickHouse
  #callers: string[][] = []
  #next: Promise<PromiseSettledResult<undefined>[]> | undefined

  constructor(clickhouse: ClickHouse) {
    this.#clickhouse = clickhouse
  }

  /** Durable when it returns. */
  async insert(rows: readonly string[]): Promise<void> {
    if (rows.length === 0) return
    const place = this.#callers.push([...rows]) - 1
    this.#next ??= this.#insertSoon()
    const result = (await this.#next)[place]
    if (result?.status === 'rejected') throw result.reason
  }

  async #insertSoon(): Promise<PromiseSettledResult<undefined>[]> {
    await new Promise((resolve) => setTimeout(resolve, JOIN_MS))
    const callers = this.#callers
    this.#callers = []
    this.#next = undefined
    const insert = async (group: readonly string[][]): Promise<undefined[]> => {
      await insertPutAside(this.#clickhouse, group.map((rows) => rows.join('')).join(''))
      return group.map(() => undefined)
    }
    return bisect(callers, insert, isStoreTrouble)
  }
}
