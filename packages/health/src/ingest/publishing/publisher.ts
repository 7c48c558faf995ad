import { findEnvironment } from '@salus/accounts/teams'
import { findUser } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import { isShardDown, isStoreTrouble } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { Stores } from '@salus/kernel/scope'
import { Gauge, type Registry } from 'prom-client'
import { listOnlyDevices } from '../../connections/index.ts'
import type { Publication } from '../sample.ts'
import * as repository from './pending-publications.global.repository.ts'
import { PublicationEvents } from './publication-events.ts'

export type PendingPublication = repository.PendingPublication

/** What is about to be stored, and will have to be published then. */
export type NewPublication = Omit<PendingPublication, 'id' | 'created_at'>

/** Writes the events of what is stored now, in the place of what was pending. */
type Publish = (events: PublicationEvents) => Promise<void>

export interface RecoveryOptions {
  olderThanMs?: number
  /** How long what is in quarantine waits to be tried again. */
  retryMs?: number
  signal?: AbortSignal
}

/** How old what another process has pending must be to count as left over. */
const LEFT_OVER_MS = 30_000
const QUARANTINE_RETRY_MS = HOUR_MS
/** Looked into at a time. */
const MOST_PENDING = 100

export interface PublisherOptions extends Stores {
  /** No other process stores anything, so what is not pending here was left over. */
  isAlone: boolean
  /**
   * Events of what is stored of a pending publication; whether it was new is not known any more.
   */
  findEvents: (
    stores: Stores,
    pending: PendingPublication,
    publication: Publication,
  ) => Promise<PublicationEvents>
}

/** Publishes what is stored, so that no crash between the two stores can lose the events of it. */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #openIds = new Set<string>()

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  /**
   * Stores something in the other store, and then its events. What an earlier crash left of the
   * same resources of the same people is published first, so that what was created is told before
   * its update, and before whoever sends it again is answered.
   * @param at Not after the time that stored rows bear.
   * @param work Stores when `opened` has resolved, and publishes when that is durable. When it
   *   fails, what
   * was pending stays, since it may or may not have been stored.
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
    const opened = this.#open(pending)
    // Where the work fails before it waits for it, its own failure is told.
    opened.catch(() => undefined)
    try {
      return await work(opened, (events) => repository.publish(db, pending, events))
    } finally {
      this.#openIds.delete(id)
    }
  }

  /** Publishes what was left for longer than a time. */
  async recover({
    olderThanMs = LEFT_OVER_MS,
    retryMs = QUARANTINE_RETRY_MS,
    signal,
  }: RecoveryOptions = {}): Promise<void> {
    const { db, clock } = this.#options
    // Of now, so that one that fails again is not tried for ever.
    const quarantinedBefore = new Date(clock.now().getTime() - retryMs)
    let settled: number
    do {
      settled = 0
      const before = new Date(clock.now().getTime() - olderThanMs)
      const list = repository.listPendingBefore(db, before, quarantinedBefore, MOST_PENDING)
      for (const pending of await list) {
        if (signal?.aborted) return
        if (await this.#settle(pending, false)) settled += 1
      }
    } while (settled > 0)
  }

  async #open(pending: readonly PendingPublication[]): Promise<void> {
    const { db, clock, isAlone } = this.#options
    // Of before the query: what ends during it is no less open in what the query finds.
    const openHere = new Set(this.#openIds)
    for (const older of await repository.insertPending(db, pending)) {
      const ageMs = clock.now().getTime() - older.created_at.getTime()
      const isLeftOver = !openHere.has(older.id) && (isAlone || ageMs > LEFT_OVER_MS)
      if (isLeftOver) await this.#settle(older, true)
    }
  }

  /**
   * Publishes one, or puts it into quarantine when it fails again and again.
   * @param throws Whether a failure before that is the caller's.
   * @returns false when it is in someone else's hands, or failed
   */
  async #settle(pending: PendingPublication, throws: boolean): Promise<boolean> {
    const { db, clock, log } = this.#options
    try {
      return await db
        .transaction()
        .execute((transaction) => recoverOne({ ...this.#options, db: transaction }, pending))
    } catch (error) {
      // Those of people on other shards need not wait.
      if (!throws && isShardDown(error)) return false
      // That will pass by itself, and says nothing of what is pending.
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

/** Publishes what is stored of one, in a transaction; false when it is in someone else's hands. */
async function recoverOne(
  options: PublisherOptions,
  pending: PendingPublication,
): Promise<boolean> {
  const { db } = options
  if (!(await repository.lockPending(db, pending))) return false
  const publication = await findPublication(db, pending)
  // The person or the team is gone, and so is the wish to hear of it.
  const events =
    publication === undefined
      ? new PublicationEvents(pending.created_at)
      : await options.findEvents(options, pending, publication)
  await repository.publish(db, [pending], events)
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

/** What can be told of an error without quoting data. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}

/** Tells the operator how much is in quarantine, counted when the metrics are read. */
export function registerPublicationMetric(registry: Registry, db: Db): void {
  const gauge = new Gauge({
    name: 'salus_quarantined_publications',
    help: 'What is stored and could not be published as events; tried again every hour.',
    registers: [registry],
    async collect() {
      // Without the database the other metrics are still told, and this one not at all.
      const count = await repository.countQuarantined(db).catch(() => undefined)
      if (count === undefined) gauge.remove()
      else gauge.set(count)
    },
  })
}
