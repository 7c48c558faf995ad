import { mapInSlices } from '@salus/kernel/time-slices'
import { InsertedRows } from './inserted-rows.ts'
import {
  type Sample,
  type SampleBatch,
  type SampleChanges,
  versionWrittenAt,
  type WriteCounts,
} from './sample.ts'
import { withoutLocalTime } from './sample-rows.ts'
import {
  contentOf,
  createSourceSeriesFinder,
  isNewer,
  readSourceSeries,
  type SourceSeries,
  type SourceSeriesByName,
  type Version,
} from './source-series.ts'

/** Outcome of merging a flush. */
export interface MergedSamples {
  rows: InsertedRows
  /** Counts of each batch. */
  counts: WriteCounts[]
  /** Changes of each batch; empty where nothing is published. */
  changes: SampleChanges[]
  /** The state after it, for later flushes that start before the rows are stored. */
  sourceSeries: SourceSeriesByName
  /** Indexes of the earlier flushes on whose rows the outcome depends. */
  reliedOn: Set<number>
}

/**
 * Decides, sample by sample in order of arrival, what is new, what replaces an older version and
 * what changes nothing. Yields to other work between two batches.
 * @param stored Stored samples of the ranges, as findStoredSamples returns them.
 * @param earlier Source series of flushes whose rows may not be in `stored` yet, oldest first.
 * @param nextVersion Version of a sample whose source does not date it.
 */
export async function mergeSamples(
  batches: readonly SampleBatch[],
  stored: string,
  earlier: readonly SourceSeriesByName[],
  nextVersion: () => number,
): Promise<MergedSamples> {
  const sourceSeries = await readSourceSeries(stored)
  const rows = new InsertedRows()
  const reliedOn = new Set<number>()

  const findKnown = (series: SourceSeries, startedAt: number): Version | undefined => {
    const known = series.find(startedAt)
    if (known !== undefined && known.row !== -1) return known
    for (let index = earlier.length - 1; index >= 0; index--) {
      const pending = earlier[index]?.get(series.name)?.find(startedAt)
      if (pending === undefined || pending.row === -1) continue
      reliedOn.add(index)
      // Treated as stored: its row does not belong to this flush.
      return { ...pending, row: -1 }
    }
    return known
  }

  const tracked: ChangeTracker[] = []
  const mergeBatch = ({ owner, samples, publication }: SampleBatch): WriteCounts => {
    const changes = publication === undefined ? undefined : new ChangeTracker()
    tracked.push(changes ?? NOTHING_TRACKED)
    const count: WriteCounts = { inserted: 0, updated: 0, unchanged: 0 }
    const findSourceSeries = createSourceSeriesFinder(sourceSeries, owner)
    const writeRow = rows.createWriter(owner)
    for (const sample of samples) {
      const series = findSourceSeries(sample)
      const known = findKnown(series, sample.startedAt)
      const version = versionOf(sample, known, nextVersion)
      const entry: Version = { value: sample.value, version, row: -1, sample, content: '' }
      const outcome = known === undefined ? 'inserted' : compareVersions(entry, sample, known)
      if (outcome === 'nothing') {
        count.unchanged++
        continue
      }
      count[outcome]++
      // A repeated key in one insert keeps its place, so that the insert has one row of it.
      entry.row = known !== undefined && known.row !== -1 ? known.row : rows.count
      writeRow(sample, entry)
      series.set(sample.startedAt, entry)
      changes?.add(entry.row, entry.row !== rows.count - 1, outcome, sample)
    }
    return count
  }
  const counts = await mapInSlices(batches, mergeBatch)
  return { rows, counts, changes: tracked, sourceSeries, reliedOn }
}

function versionOf(
  { modifiedAt }: Sample,
  known: Version | undefined,
  nextVersion: () => number,
): number {
  if (modifiedAt !== null) return versionWrittenAt(modifiedAt)
  // An arrival wins over all known versions, even when the clock was set back in between.
  return Math.max(nextVersion(), (known?.version ?? 0) + 1)
}

/** Tracks what one batch changed: two changes of a key count as one. */
class ChangeTracker implements SampleChanges {
  readonly created: Sample[] = []
  readonly updated: Sample[] = []
  /** Rows of the samples with the same index. */
  readonly #createdRows: number[] = []
  readonly #updatedRows: number[] = []

  /** @param isAgain Whether the row was written before, by this batch or another one. */
  add(
    row: number,
    isAgain: boolean,
    outcome: 'inserted' | 'updated' | 'unchanged',
    sample: Sample,
  ): void {
    if (isAgain && this.#replace(row, sample)) return
    if (outcome === 'inserted') {
      this.created.push(sample)
      this.#createdRows.push(row)
    } else if (outcome === 'updated') {
      this.updated.push(sample)
      this.#updatedRows.push(row)
    }
  }

  #replace(row: number, sample: Sample): boolean {
    const created = this.#createdRows.lastIndexOf(row)
    if (created !== -1) this.created[created] = sample
    const updated = this.#updatedRows.lastIndexOf(row)
    if (updated !== -1) this.updated[updated] = sample
    return created !== -1 || updated !== -1
  }
}

const NOTHING_TRACKED = new ChangeTracker()

type Outcome = 'updated' | 'unchanged' | 'nothing'

/** Revisions of a local time are counted in the microseconds, which no source uses. */
const MICROSECONDS = 1000

/**
 * Returns the outcome for a sample that differs from the known version of its key, written at the
 * same millisecond, only in offset and zone; undefined for any other.
 */
function settleLocalTime(
  candidate: Version,
  { localTimeOfEqual, modifiedAt }: Sample,
  known: Version,
): Outcome | undefined {
  if (localTimeOfEqual === undefined || modifiedAt === null) return undefined
  const writtenAt = Math.floor(versionWrittenAt(modifiedAt) / MICROSECONDS)
  if (Math.floor(known.version / MICROSECONDS) !== writtenAt) return undefined
  if (candidate.value !== known.value) return undefined
  const [content, other] = [contentOf(candidate), contentOf(known)]
  if (content === other || withoutLocalTime(content) !== withoutLocalTime(other)) return undefined
  if (localTimeOfEqual === 'kept') return 'nothing'
  candidate.version = known.version + 1
  return 'updated'
}

/**
 * Compares a sample with the known version of its key: write it as updated or unchanged, or not.
 */
function compareVersions(candidate: Version, sample: Sample, known: Version): Outcome {
  const settled = settleLocalTime(candidate, sample, known)
  if (settled !== undefined) return settled
  const isArrival = sample.modifiedAt === null
  const isSame = candidate.value === known.value && contentOf(candidate) === contentOf(known)
  if (!isSame) return isNewer(candidate, known) ? 'updated' : 'nothing'
  // Equal content is not written, with one exception that makes the outcome independent of the
  // order of arrival: a source's own later time of writing must be kept, or a version in between
  // could still win.
  return !isArrival && candidate.version > known.version ? 'unchanged' : 'nothing'
}
