import {
  type Publication,
  type SampleOwner,
  versionWrittenAt,
  type WriteCounts,
} from '../../ingest/index.ts'
import type { WorkoutStream } from '../summary.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { isNewer, type KnownSummaries, type KnownVersion } from './known-summaries.ts'
import { cycleText, type StoredSummary, toStoredSummary } from './stored-summary.ts'
import { type PreparedSummary, removalText, rowText } from './summary-row-text.ts'
import type { TouchedSummary } from './touched-times.ts'

/** Summaries, streams and removals of one caller in a batch. */
export interface SummaryOperation {
  owner: SampleOwner
  summaries: readonly PreparedSummary[]
  /** Streams by the ids of their workouts. */
  streams: ReadonlyMap<string, WorkoutStream>
  /** Summaries to remove, after the others are stored. */
  removals: readonly SummaryRemoval[]
  /** Absent for summaries without events. */
  publication: Publication | undefined
}

export interface SummaryRemoval {
  resource: SummaryResource
  ids: readonly string[]
}

/** A summary that an operation created or changed, in its new state. */
export interface SummaryChange {
  resource: SummaryResource
  kind: 'created' | 'updated'
  /** Change of a sleep's cycle; null without one. */
  cycle: 'created' | 'updated' | null
  row: StoredSummary
}

type Outcome = 'inserted' | 'updated' | 'unchanged' | 'nothing'

/**
 * Decides, in order of arrival, which summaries are new, which replace an older version and which
 * change nothing. One instance for the operations that share an insert.
 */
export class SummaryMerge {
  /** Rows to insert, and rows that hide one, one for each summary; the larger version counts. */
  readonly rows = new Map<SummaryResource, Map<string, string>>()
  readonly removals = new Map<SummaryResource, Map<string, string>>()
  readonly touched: TouchedSummary[] = []
  /** The people with rows to insert, also with such as change nothing that is read. */
  readonly people = new Map<string, SampleOwner>()
  readonly #known: KnownSummaries
  readonly #nextVersion: () => number
  /** Epoch milliseconds. */
  readonly #at: number

  /** @param nextVersion Version of a summary whose source does not date it. */
  constructor(known: KnownSummaries, nextVersion: () => number, at: Date) {
    this.#known = known
    this.#nextVersion = nextVersion
    this.#at = at.getTime()
  }

  /** Applies the operation of one caller. */
  applyOperation({ owner, summaries, removals }: SummaryOperation): {
    counts: WriteCounts
    changes: SummaryChange[]
  } {
    const counts: WriteCounts = { inserted: 0, updated: 0, unchanged: 0 }
    const changes = new Map<string, SummaryChange>()
    for (const prepared of summaries) {
      const { summary, id } = prepared
      const known = this.#known.find(owner, summary.resource, id)
      const { outcome, row } = this.#writeOne(owner, prepared, known)
      counts[outcome === 'nothing' ? 'unchanged' : outcome] += 1
      if (outcome !== 'inserted' && outcome !== 'updated') continue
      const cycle = changeOfCycle(summary.resource, row, known)
      addChange(changes, outcome, { resource: summary.resource, cycle, row })
    }
    for (const removal of removals) this.#remove(owner, removal)
    return { counts, changes: [...changes.values()] }
  }

  #writeOne(
    owner: SampleOwner,
    { summary, id, content, hash }: PreparedSummary,
    known: KnownVersion | undefined,
  ): { outcome: Outcome; row: StoredSummary } {
    const { resource, modifiedAt } = summary
    const stored = { id, createdAt: known?.createdAt ?? this.#at, updatedAt: this.#at }
    const row = toStoredSummary(owner, summary, stored)
    const version = this.#versionOf(modifiedAt, known)
    const outcome = compareVersions({ version, hash }, modifiedAt === null, known)
    if (outcome === 'nothing') return { outcome, row }
    if (outcome === 'unchanged' && known !== undefined) stored.updatedAt = known.updatedAt
    else this.#touch(owner, resource, row, known)
    const text = rowText({ owner, content, hash, version, ...stored })
    this.#put(this.rows, owner, resource, id, text)
    this.#known.set(owner, resource, id, {
      version,
      hash,
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt,
      isRemoved: false,
      calendarDate: row.calendar_date,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      cycle: resource === 'sleep' ? cycleText(row as StoredSummary<'sleep'>) : null,
    })
    return { outcome, row }
  }

  /** Hides summaries; missing or hidden ones are skipped. */
  #remove(owner: SampleOwner, { resource, ids }: SummaryRemoval): void {
    for (const id of ids) {
      const known = this.#known.find(owner, resource, id)
      if (known === undefined || known.isRemoved) continue
      // Directly above the hidden version, so that the source's own later version still wins.
      const gone = { ...known, version: known.version + 1, updatedAt: this.#at, isRemoved: true }
      this.#known.set(owner, resource, id, gone)
      this.#put(this.removals, owner, resource, id, removalText({ owner, id, ...gone }))
      this.touched.push({ owner, resource, ...known })
    }
  }

  #versionOf(modifiedAt: number | null, known: KnownVersion | undefined): number {
    const least = (known?.version ?? 0) + 1
    // An arrival wins over all known versions, even when the clock was set back in between.
    if (modifiedAt === null) return Math.max(this.#nextVersion(), least)
    const said = versionWrittenAt(modifiedAt)
    return known?.isRemoved ? Math.max(said, least) : said
  }

  #touch(
    owner: SampleOwner,
    resource: SummaryResource,
    row: StoredSummary,
    known: KnownVersion | undefined,
  ): void {
    const { calendar_date: calendarDate, started_at: startedAt, ended_at: endedAt } = row
    this.touched.push({ owner, resource, calendarDate, startedAt, endedAt })
    if (known !== undefined) this.touched.push({ owner, resource, ...known })
  }

  #put(
    rows: Map<SummaryResource, Map<string, string>>,
    owner: SampleOwner,
    resource: SummaryResource,
    id: string,
    text: string,
  ): void {
    const { environmentId, userId } = owner
    this.people.set(`${environmentId} ${userId}`, owner)
    const key = `${environmentId} ${userId} ${id}`
    const ofResource = rows.get(resource) ?? new Map<string, string>()
    rows.set(resource, ofResource.set(key, text))
  }
}

/** Compares a summary with the known version: write it as new, updated or unchanged, or not. */
function compareVersions(
  candidate: { version: number; hash: string },
  isArrival: boolean,
  known: KnownVersion | undefined,
): Outcome {
  if (known === undefined || known.isRemoved) return 'inserted'
  if (candidate.hash !== known.hash) return isNewer(candidate, known) ? 'updated' : 'nothing'
  // Equal content is not written, unless its source wrote it later: otherwise a version between the
  // two that arrives later could win.
  return !isArrival && candidate.version > known.version ? 'unchanged' : 'nothing'
}

function changeOfCycle(
  resource: SummaryResource,
  row: StoredSummary,
  known: KnownVersion | undefined,
): SummaryChange['cycle'] {
  if (resource !== 'sleep') return null
  const cycle = cycleText(row as StoredSummary<'sleep'>)
  const before = known?.isRemoved ? null : (known?.cycle ?? null)
  if (cycle === null || cycle === before) return null
  return before === null ? 'created' : 'updated'
}

/** Two changes of a summary in one call are one change, in its last state. */
function addChange(
  changes: Map<string, SummaryChange>,
  outcome: 'inserted' | 'updated',
  change: Omit<SummaryChange, 'kind'>,
): void {
  const before = changes.get(change.row.id)
  const isCreated = outcome === 'inserted' || before?.kind === 'created'
  const cycle = before?.cycle === 'created' ? 'created' : (change.cycle ?? before?.cycle ?? null)
  changes.set(change.row.id, { ...change, kind: isCreated ? 'created' : 'updated', cycle })
}
