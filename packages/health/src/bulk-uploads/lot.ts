import type { Scope } from '@salus/kernel/scope'
import type { QuarantineReason } from '../ingest/index.ts'
import type { Refusal } from './bulk-uploads.schema.ts'
import { type BodyState, type LotGroup, LotParser } from './lot-parser.ts'
import { LotUsers } from './lot-users.ts'
import type { Rows } from './rows.ts'

/** Rows that are stored together: enough for whole inserts, few enough for memory. */
const ROWS_OF_A_LOT = 32_000
/** Rows may have long texts. */
const BYTES_OF_A_LOT = 8 * 1024 ** 2

export interface RowProblem {
  line: number
  reason: Refusal | QuarantineReason
}

/**
 * Parses rows as uploads of JSON would, until they are enough to be stored. Each row is parsed when
 * it arrives: kept until the lot is full, the rows would take more memory than their samples.
 */
export class Lot {
  readonly #users: LotUsers
  readonly #parser: LotParser
  readonly #state: BodyState
  #bytes = 0
  rows = 0
  rejected = 0
  /** By line. */
  readonly problems: RowProblem[] = []

  constructor(scope: Scope, provider: string, state: BodyState) {
    this.#users = new LotUsers(scope, provider)
    this.#parser = new LotParser(provider, this.#users, state)
    this.#state = state
  }

  get isFull(): boolean {
    return this.rows >= ROWS_OF_A_LOT || this.#bytes >= BYTES_OF_A_LOT
  }

  async add({ firstLine, items, bytes }: Rows): Promise<void> {
    await this.#users.find(items)
    for (const [index, item] of items.entries()) {
      if (item === undefined) continue
      this.rows++
      const problem = this.#parser.add(item)
      if (problem === undefined) continue
      if (problem.isRejected) this.rejected++
      this.problems.push({ line: firstLine + index, reason: problem.reason })
    }
    this.#bytes += bytes
  }

  /** Ends the lot; returns what each user and series has of it. */
  end(): Iterable<LotGroup> {
    this.#state.endLot(this.#parser.userIds)
    return this.#parser.groups.values()
  }
}
