import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@salus/kernel/errors'
import { compressionFault } from '@salus/kernel/http/error-handler'
import type { Scope } from '@salus/kernel/scope'
import type { ArrivedData, UploadPort } from '../ingest/index.ts'
import { BulkHistory } from './bulk-history.ts'
import type { BulkQuery, BulkResult } from './bulk-uploads.schema.ts'
import { Lot } from './lot.ts'
import { BodyState, type LotGroup } from './lot-parser.ts'
import type { ProcessingTurns } from './processing-turns.ts'
import type { Rows } from './rows.ts'

/** Number of problems in an answer. */
const MOST_PROBLEMS = 100

export interface BulkPort extends UploadPort {
  turns: ProcessingTurns
}

/**
 * Stores samples of many users from a stream of rows by the rules of uploads, a lot at a time: at
 * most two lots are in memory. Everything is durable when it returns; sending a body again changes
 * nothing.
 * @throws AppError what reading the body throws, with the counts of what is stored as `stored`: all
 *   rows before the fault are.
 */
export async function uploadInBulk(
  scope: Scope,
  port: BulkPort,
  query: BulkQuery,
  rows: AsyncGenerator<Rows>,
): Promise<BulkResult> {
  const upload = new BulkUpload(scope, port, query)
  try {
    for (;;) {
      const next = await rows.next().catch((fault: unknown) => upload.interrupt(fault))
      if (next.done) return await upload.finish(true)
      await upload.add(next.value)
    }
  } finally {
    // Ends the stream when storing has failed.
    await rows.return(undefined)
  }
}

class BulkUpload {
  readonly #scope: Scope
  readonly #port: BulkPort
  readonly #query: BulkQuery
  readonly #state = new BodyState()
  readonly #history: BulkHistory
  readonly #result: BulkResult
  #lot: Lot
  #storing: Promise<void> = Promise.resolve()

  constructor(scope: Scope, port: BulkPort, query: BulkQuery) {
    this.#scope = scope
    this.#port = port
    this.#query = query
    this.#lot = this.#openLot()
    this.#history = new BulkHistory(query.provider, scope.clock.now())
    const counts = { inserted: 0, updated: 0, unchanged: 0, out_of_bounds: 0 }
    this.#result = { success: true, lines: 0, ...counts, put_aside: 0, rejected: 0, problems: [] }
  }

  async add(rows: Rows): Promise<void> {
    await this.#lot.add(rows)
    if (this.#lot.isFull) await this.#storeLot()
  }

  /** Stores the rest, and records the history when the samples are history. */
  async finish(isWhole: boolean): Promise<BulkResult> {
    if (this.#lot.rows > 0) await this.#storeLot()
    await this.#storing
    if (this.#query.stage === 'historical') await this.#history.record(this.#scope, isWhole)
    return this.#result
  }

  /** Stores what was read before a fault. @throws the fault, with what is stored */
  async interrupt(fault: unknown): Promise<never> {
    const { success: _, problems: __, ...stored } = await this.finish(false)
    const known =
      fault instanceof AppError ? fault : compressionFault((fault as { code?: unknown })?.code)
    if (known === undefined) throw fault
    const { status, errorType, message, extra } = known
    throw new AppError(status, errorType, message, { ...extra, stored })
  }

  async #storeLot(): Promise<void> {
    const lot = this.#lot
    this.#lot = this.#openLot()
    const groups = lot.end()
    await this.#storing
    this.#storing = this.#port.turns.take(() => this.#process(lot, groups))
    // The next wait rethrows the failure; without this the process would end before.
    this.#storing.catch(() => undefined)
  }

  #openLot(): Lot {
    return new Lot(this.#scope, this.#query.provider, this.#state)
  }

  async #process({ rows, rejected, problems }: Lot, groups: Iterable<LotGroup>): Promise<void> {
    await Promise.all([...groups].map((group) => this.#storeGroup(group)))
    const result = this.#result
    result.lines += rows
    result.rejected += rejected
    result.put_aside += problems.length - rejected
    const room = MOST_PROBLEMS - result.problems.length
    result.problems.push(...problems.slice(0, room))
  }

  async #storeGroup({ user, series, samples, quarantined, devices }: LotGroup): Promise<void> {
    const data = {
      ...{ samples, quarantined, devices: [...devices.devices.values()] },
      attempted: series.resource,
    }
    const { samples: stored } = await this.#storeWhenThereIsRoom(user, data)
    this.#history.add(user, series, stored)
    const result = this.#result
    result.inserted += stored.inserted
    result.updated += stored.updated
    result.unchanged += stored.unchanged
    result.out_of_bounds += stored.outOfBounds
  }

  /** Waits while others have too much waiting to be stored: the body is read no further then. */
  async #storeWhenThereIsRoom(user: LotGroup['user'], data: ArrivedData) {
    const { ingest, baseUrl } = this.#port
    const scope = this.#scope
    const { stage, provider } = this.#query
    const isPublished = stage === 'daily' || scope.environment.settings.push_historical_data
    for (let tries = 1; ; tries++) {
      try {
        return await ingest.store({ scope, user, provider, baseUrl, isPublished, ...data })
      } catch (error) {
        const isOverloaded = error instanceof AppError && error.errorType === 'overloaded'
        if (!isOverloaded || tries === MOST_TRIES) throw error
        await sleep(RETRY_MS)
      }
    }
  }
}

const MOST_TRIES = 30
const RETRY_MS = 1_000
