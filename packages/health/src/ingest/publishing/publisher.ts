import { findEnvironment } from '@salus/accounts/teams'
import { findUser } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import { isHeld, isShardDown, isStoreTrouble } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { Stores } from '@salus/kernel/scope'
import { Gauge, type Registry } from 'prom-client'
import { listOnlyDevices } from '../../connections/index.ts'
import type { Publication } from '../sample.ts'
import * as repository from './pending-publications.global.repository.ts'
import { PublicationEvents } from './publication-events.ts'

export type PendingPublication = repository.PendingPublication

/** Data that are about to be stored, and then published. */
export type NewPublication = Omit<PendingPublication, 'id' | 'created_at'>

/** Writes the events of stored data in place of their pending publications. */
type Publish = (events: PublicationEvents) => Promise<void>

export interface RecoveryOptions {
  olderThanMs?: number
  /** How long quarantined publications wait to be retried. */
  retryMs?: number
  signal?: AbortSignal
}

/** Age at which pending publications of another process count as left over. */
const LEFT_OVER_MS = 30_000
const QUARANTINE_RETRY_MS = HOUR_MS
/** Number processed at a time. */
const MOST_PENDING = 100

export interface PublisherOptions extends Stores {
  /**
   * Whether no other process stores anything, so that everything not pending here was left over.
   */
  isAlone: boolean
  /**
   * Returns events for the stored part of a pending publication; whether it was new is no longer
   * known.
   */
  findEvents: (
    stores: Stores,
    pending: PendingPublication,
    publication: Publication,
  ) => Promise<PublicationEvents>
}

/** Publishes stored data, so that no crash between the two stores can lose their events. */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #openIds = new Set<string>()

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  /**
   * Stores something in the other store, and then its events. Leftovers of a crash for the same
   * resources and users are published first, so that an event for a creation precedes that for its
   * update, and the response to a repeated upload.
   * @param at Not after the time of the stored rows.
   * @param work Stores after `opened` has resolved, and publishes when that is durable. When it
   *   fails, the pending publication stays, since the data may or may not have been stored.
   */
  async run<Result>(
    drafts: readonly NewPublication[],
    at: Date,
    work: (opened: Promise<void>, publish: Publish) => Promise<Result>,
  ): Promise<Result> {
    if (drafts.length === 0) return work(Promise.resolve(), async () => {})
    const { db } = this.#options
    const id = newId()
    const pending = drafts.map((draft) => ({ ...draft, id, created_at: at }))
    this.#openIds.add(id)
    const opened = this.#insertPending(pending)
    // When the work fails before it awaits this, the work's own failure is reported.
    opened.catch(() => undefined)
    try {
      return await work(opened, (events) => repository.publishEvents(db, pending, events))
    } catch (error) {
      if (isHeld(error)) await this.#forget(opened, pending)
      throw error
    } finally {
      this.#openIds.delete(id)
    }
  }

  /** Removes publications of a write that was refused before it began, and is tried again. */
  async #forget(opened: Promise<void>, pending: readonly PendingPublication[]): Promise<void> {
    await opened.catch(() => undefined)
    const none = new PublicationEvents(new Date(0))
    await repository.publishEvents(this.#options.db, pending, none)
  }

  /** Publishes what has been pending for longer than a time. */
  async recover({
    olderThanMs = LEFT_OVER_MS,
    retryMs = QUARANTINE_RETRY_MS,
    signal,
  }: RecoveryOptions = {}): Promise<void> {
    const { db, clock } = this.#options
    // From the present time, so that one that fails again is not retried forever.
    const quarantinedBefore = new Date(clock.now().getTime() - retryMs)
    let settled: number
    do {
      settled = 0
      const before = new Date(clock.now().getTime() - olderThanMs)
      const list = repository.listPendingBefore(db, before, quarantinedBefore, MOST_PENDING)
      for (const pending of await list) {
        if (signal?.aborted) return
        if (await this.#recoverPending(pending, false)) settled += 1
      }
    } while (settled > 0)
  }

  async #insertPending(pending: readonly PendingPublication[]): Promise<void> {
    const { db, clock, isAlone } = this.#options
    // Taken before the query: what ends during it may still appear in its result.
    const openHere = new Set(this.#openIds)
    for (const older of await repository.insertPending(db, pending)) {
      const ageMs = clock.now().getTime() - older.created_at.getTime()
      const isLeftOver = !openHere.has(older.id) && (isAlone || ageMs > LEFT_OVER_MS)
      if (isLeftOver) await this.#recoverPending(older, true)
    }
  }

  /**
   * Publishes one, or quarantines it after repeated failures.
   * @param throws Whether an earlier failure is rethrown to the caller.
   * @returns false when another process has it, or it failed
   */
  async #recoverPending(pending: PendingPublication, throws: boolean): Promise<boolean> {
    const { db, clock, log } = this.#options
    try {
      return await db
        .transaction()
        .execute((transaction) => recoverOne({ ...this.#options, db: transaction }, pending))
    } catch (error) {
      // Users on other shards need not wait.
      if (!throws && isShardDown(error)) return false
      // A passing trouble that is independent of what is pending.
      if (isStoreTrouble(error)) throw error
      const failure = failureOf(error)
      const isQuarantined = await repository.countFailure(db, pending, failure, clock.now())
      const { id: publication, environment_id, resource } = pending
      log.error(
        { publication, environment_id, resource, failure, is_quarantined: isQuarantined },
        'data that are stored could not be published',
      )
      if (throws && !isQuarantined) throw error
      return isQuarantined
    }
  }
}

/**
 * Publishes the stored part of one, in a transaction; returns false when another process has it.
 */
async function recoverOne(
  options: PublisherOptions,
  pending: PendingPublication,
): Promise<boolean> {
  const { db } = options
  if (!(await repository.lockPending(db, pending))) return false
  const publication = await findPublication(db, pending)
  // The user or the team is gone, so no events are needed.
  const events =
    publication === undefined
      ? new PublicationEvents(pending.created_at)
      : await options.findEvents(options, pending, publication)
  await repository.publishEvents(db, [pending], events)
  return true
}

async function findPublication(
  db: Db,
  {
    environment_id: environmentId,
    user_id: userId,
    provider,
    base_url: baseUrl,
  }: PendingPublication,
): Promise<Publication | undefined> {
  const environment = await findEnvironment(db, environmentId)
  const user = await findUser({ db, environment: { id: environmentId } }, userId)
  if (environment === undefined || user === undefined) return undefined
  const devices = await listOnlyDevices(db, [environmentId], [userId])
  const device = devices.find((one) => one.provider === provider)
  return { environment, user, deviceId: device?.id ?? null, baseUrl }
}

/** Describes an error without quoting data. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}

/**
 * Registers the metric of quarantined publications, which are counted when the metrics are read.
 */
export function registerPublicationMetric(registry: Registry, db: Db): void {
  const gauge = new Gauge({
    name: 'salus_quarantined_publications',
    help: 'Stored data that could not be published as events; publishing is retried every hour.',
    registers: [registry],
    async collect() {
      // Without the database the other metrics are still reported, but not this one.
      const count = await repository.countQuarantined(db).catch(() => undefined)
      if (count === undefined) gauge.remove()
      else gauge.set(count)
    },
  })
}
