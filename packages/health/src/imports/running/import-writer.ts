import type { ArrivedData, Sample, Stored } from '../../ingest/index.ts'
import type { NewSummary } from '../../summaries/index.ts'
import { type ImportProgress, NO_LOCAL_TIME_COUNTS } from '../imports.schema.ts'
import { exportVersion } from './export-version.ts'
import { HistoryRanges } from './history-ranges.ts'
import { ImportCounts } from './import-counts.ts'
import { TypeData } from './type-data.ts'

/** Stores the data of a lot. */
export type StoreData = (data: ArrivedData) => Promise<Stored>

interface ImportWriterOptions {
  owner: { userId: string; provider: string }
  store: StoreData
  /** Bytes of the files that were read so far, and of all. */
  bytesRead: () => number
  bytesTotal: number
  onProgress: (progress: ImportProgress) => void
  signal: AbortSignal
  now: Date
}

/** Rows collected before they are written: enough for large parts, few enough for memory. */
const ROWS_OF_A_LOT = 50_000

/**
 * Takes what a format reads, counts it by type, and stores it in lots, each while the next is read:
 * at most two lots are in memory.
 */
export class ImportWriter {
  readonly counts = new ImportCounts({ ...NO_LOCAL_TIME_COUNTS })
  readonly history = new HistoryRanges()
  /** Stores data that a format counts itself. */
  readonly store: StoreData
  readonly #options: ImportWriterOptions
  readonly #types = new Map<string, TypeData>()
  #storing: Promise<void> = Promise.resolve()
  #progress: ImportProgress | undefined

  constructor(options: ImportWriterOptions) {
    this.#options = options
    this.store = options.store
  }

  /**
   * Time of the export, epoch milliseconds, where the file says it. Set it before records are
   * added: of two exports with the same record the newer wins.
   */
  set exportedAt(at: number | null) {
    this.counts.exportedAt = at
  }

  /**
   * Returns the collector of one type of records, the same one for the same type.
   * @param type Name in the report, such as `UserSleeps` or `EGV`; never a text of the file.
   * @param resource Series or summary resource that the records become, null for several or none.
   */
  type(type: string, resource: string | null): TypeData {
    let data = this.#types.get(type)
    if (data === undefined) {
      const { owner, now } = this.#options
      data = new TypeData(owner, { type, resource }, this.counts, now)
      this.#types.set(type, data)
    }
    return data
  }

  /** Stores a lot when enough is waiting. Formats await it after some thousand records. */
  async settle(): Promise<void> {
    this.#options.signal.throwIfAborted()
    let waiting = 0
    for (const data of this.#types.values()) waiting += data.waiting
    if (waiting >= ROWS_OF_A_LOT) await this.#storeNextLot()
    this.#options.onProgress(this.progress())
  }

  /** Stores the rest. */
  async finish(): Promise<void> {
    await this.#storeNextLot()
    await this.#storing
    this.#options.onProgress(this.progress())
  }

  /** Replaces the progress that is computed, for a format that counts itself. */
  report(progress: ImportProgress): void {
    this.#progress = progress
    this.#options.onProgress(progress)
  }

  /** Returns the progress so far. */
  progress(isComplete = false): ImportProgress {
    if (this.#progress !== undefined) return this.#progress
    const { bytesRead, bytesTotal } = this.#options
    const read = isComplete ? bytesTotal : Math.min(bytesRead(), bytesTotal)
    return this.counts.toProgress(read, bytesTotal)
  }

  async #storeNextLot(): Promise<void> {
    await this.#storing
    const lot = [...this.#types.values()]
      .filter(({ waiting }) => waiting > 0)
      .map((data) => ({ type: data.type, arrived: data.takeArrivedData() }))
    this.#storing = this.#storeLot(lot)
    // The next wait rethrows the failure; without this the process would end before.
    this.#storing.catch(() => undefined)
  }

  async #storeLot(lot: readonly { type: string; arrived: ArrivedData }[]): Promise<void> {
    await Promise.all(lot.map(({ type, arrived }) => this.#storeType(type, arrived)))
  }

  async #storeType(type: string, arrived: ArrivedData): Promise<void> {
    const { summaries = [], streams, removals = [], samples = [], ...rest } = arrived
    const { exportedAt } = this.counts
    const dated = samples.map((sample) => dateRecord(sample, exportedAt))
    const { samples: stored } = await this.store({ ...rest, samples: dated })
    this.counts.addStored(type, stored)
    this.history.add(stored.kept)
    const resources = new Set([...summaries, ...removals].map(({ resource }) => resource))
    for (const resource of resources) {
      const ofResource = summaries
        .filter((summary) => summary.resource === resource)
        .map((summary) => dateRecord(summary, exportedAt))
      const outcome = await this.store({
        summaries: ofResource,
        removals: removals.filter((removal) => removal.resource === resource),
        ...(resource === 'workouts' && streams !== undefined && { streams }),
      })
      this.counts.addStored(type, outcome.summaries)
      this.counts.addSummaries(resource, outcome.summaries)
      if (resource === 'profile') this.history.addTimeless(resource)
      else this.history.addRange(resource, outcome.summaries.keptSummaries)
    }
  }
}

/** Dates a record that the file does not date itself. */
function dateRecord<Item extends Sample | NewSummary>(item: Item, exportedAt: number | null): Item {
  if (item.modifiedAt !== null) return item
  return { ...item, modifiedAt: exportVersion(item.endedAt, exportedAt) }
}
