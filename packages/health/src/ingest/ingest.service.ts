import { type DataChangeListener, NO_LISTENER } from '@salus/kernel/data-changes'
import type { Stores } from '@salus/kernel/scope'
import { currentTraceParent } from '@salus/kernel/telemetry/tracing'
import { recordAttempts, recordDevices } from '../connections/index.ts'
import { beginWriteOfAll } from '../day-cache/index.ts'
import type {
  ArrivalSource,
  ArrivedData,
  ArrivedSummaries,
  Stored,
  StoredSummaries,
} from './arrival.ts'
import type { IngestionBounds } from './bounds.ts'
import { rangeOf, recordHistory } from './history.service.ts'
import { Publisher, type PublisherOptions, type RecoveryOptions } from './publishing/publisher.ts'
import { eventsOfPending } from './publishing/sample-events.ts'
import { Quarantine } from './quarantine.service.ts'
import type { Publication, SampleOwner } from './sample.ts'
import { SampleStore, type SampleStoreOptions, type StoreContext } from './sample-store.ts'
import type { SourceSeriesKey } from './samples.repository.ts'

/** The only port for data: uploads, imports and connectors store through it. */
export interface Ingest {
  /**
   * Stores data of one source within the user's bounds: the newest version of samples and summaries
   * wins, and repeated data change nothing. Everything, events included, is durable when it
   * returns. Data of concurrent callers are stored together, and a fault in one caller's data fails
   * no other.
   * @throws AppError 503 when too much is waiting already.
   */
  store(arrival: ArrivalSource & ArrivedData): Promise<Stored>
  /** Removes samples of one source series for good, by their starts. It raises no event. */
  removeSamples(owner: SampleOwner, key: SourceSeriesKey, starts: readonly number[]): Promise<void>
  /**
   * Does work that changes stored data of a person in another way. When it fails, no copies and no
   * versions of the data are used until it has been given up.
   */
  changeStored(owner: SampleOwner, work: () => Promise<void>): Promise<void>
  /** Publishes what a crash left between the stores; repeated failures are quarantined. */
  recover(options?: RecoveryOptions): Promise<void>
  /** Waits until nothing is waiting or being stored. */
  idle(): Promise<void>
}

/** Stores summaries, as SampleStore does samples. */
export interface SummaryStore {
  store(
    owner: SampleOwner,
    arrived: ArrivedSummaries,
    bounds: IngestionBounds,
    publication: Publication | undefined,
  ): Promise<StoredSummaries>
  idle(): Promise<void>
}

/** Store and publisher of summaries. Their domain is above this one and passes them in. */
export interface SummaryKind {
  createStore(context: StoreContext): SummaryStore
  findEvents: PublisherOptions['findEvents']
}

export interface IngestOptions
  extends Stores,
    Pick<SampleStoreOptions, 'maxBatchRows' | 'maxWaitingRows'> {
  summaries: SummaryKind
  /** Whether no other process writes to the stores, so that cached state stays valid. */
  isAlone: boolean
  /** Called with what may change, before it is stored. */
  listener?: DataChangeListener
  /** How long the first of several callers waits for others to share its insert. */
  batchWaitMs?: number
}

const BATCH_WAIT_MS = 10

/**
 * Creates the port with its stores. Callers share inserts, so a process makes one and passes it on.
 */
export function createIngest(options: IngestOptions): Ingest {
  const { summaries: kind, listener = NO_LISTENER, batchWaitMs = BATCH_WAIT_MS } = options
  const publisher = new Publisher({
    ...options,
    findEvents: (stores, pending, publication) => {
      const find = pending.summary_ids === null ? eventsOfPending : kind.findEvents
      return find(stores, pending, publication)
    },
  })
  const context = { ...options, publisher, listener, batchWaitMs }
  const samples = new SampleStore(context)
  const summaries = kind.createStore(context)
  const quarantine = new Quarantine(options)

  return {
    async store(arrival) {
      const { scope, user, provider } = arrival
      const owner = { environmentId: scope.environment.id, userId: user.id, provider }
      const publication = await publicationOf(arrival)
      const [ofSamples, ofSummaries] = await Promise.all([
        samples.store(owner, arrival.samples ?? [], user, publication),
        summaries.store(owner, arrival, user, publication),
        quarantine.add(owner, arrival.quarantined ?? []),
      ])
      const stored = { samples: ofSamples, summaries: ofSummaries }
      await recordOutcome(arrival, stored)
      return stored
    },
    removeSamples: (owner, key, starts) => samples.remove(owner, key, starts),
    async changeStored(owner, work) {
      const write = await beginWriteOfAll(options, owner)
      await work()
      await write.end([])
    },
    recover: (recovery) => publisher.recover(recovery),
    async idle() {
      await Promise.all([samples.idle(), summaries.idle(), quarantine.idle()])
    },
  }
}

/** Stores the devices and returns what the events need. */
async function publicationOf({
  scope,
  user,
  provider,
  baseUrl,
  isPublished,
  devices = [],
}: ArrivalSource & ArrivedData): Promise<Publication | undefined> {
  // Devices that the data do not name are looked up for all callers of an insert together.
  const deviceId =
    devices.length === 0 ? undefined : await recordDevices(scope, user, provider, devices)
  const traceParent = currentTraceParent()
  return isPublished
    ? { environment: scope.environment, user, deviceId, baseUrl, traceParent }
    : undefined
}

/** Records the progress of the history, or an attempt, after the data are stored. */
async function recordOutcome(
  { scope, user, provider, history = [], attempted }: ArrivalSource & ArrivedData,
  { samples, summaries }: Stored,
): Promise<void> {
  const changed = samples.inserted + samples.updated + summaries.inserted + summaries.updated
  if (history.length > 0) {
    const range = rangeOf(summaries.times.length > 0 ? summaries.times : samples.kept)
    for (const chunk of history) {
      const from = chunk.from ?? range?.from ?? null
      const to = chunk.to ?? range?.to ?? null
      await recordHistory(scope, user, provider, { ...chunk, from, to }, changed > 0)
    }
  }
  // Stored data are counted as an attempt with their events, history with its progress.
  const isCounted = history.length > 0 || changed + samples.unchanged + summaries.unchanged > 0
  if (attempted === undefined || isCounted) return
  await recordAttempts(scope, [
    {
      user_id: user.id,
      provider,
      resource: attempted,
      last_attempt_at: scope.clock.now(),
      last_attempt_status: 'success',
      sent_count: 0,
    },
  ])
}
