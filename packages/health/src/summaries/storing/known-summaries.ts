import type { SampleOwner } from '../../ingest/index.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import type { CycleColumns, PeopleIds, StoredVersionRow } from './stored-summaries.repository.ts'
import { cycleText } from './stored-summary.ts'

/** A known version of a summary: stored already, or about to be. Times are epoch milliseconds. */
export interface KnownVersion {
  version: number
  /** contentHash of its content; meaningless for a removed one. */
  hash: string
  createdAt: number
  updatedAt: number
  isRemoved: boolean
  calendarDate: string | null
  startedAt: number
  endedAt: number
  /** cycleText of a sleep, otherwise null. */
  cycle: string | null
}

/** Whether `a` replaces `b`. Content breaks ties. */
export function isNewer(
  a: Pick<KnownVersion, 'version' | 'hash'>,
  b: Pick<KnownVersion, 'version' | 'hash'>,
): boolean {
  if (a.version !== b.version) return a.version > b.version
  return BigInt(a.hash) > BigInt(b.hash)
}

const keyOf = (
  { environmentId, userId }: Pick<SampleOwner, 'environmentId' | 'userId'>,
  resource: SummaryResource,
  id: string,
): string => `${environmentId} ${userId} ${resource} ${id}`

/** The newest versions by summary, those that the present flush writes included. */
export class KnownSummaries {
  readonly #versions = new Map<string, KnownVersion>()

  find(owner: SampleOwner, resource: SummaryResource, id: string): KnownVersion | undefined {
    return this.#versions.get(keyOf(owner, resource, id))
  }

  set(owner: SampleOwner, resource: SummaryResource, id: string, version: KnownVersion): void {
    this.#versions.set(keyOf(owner, resource, id), version)
  }

  /** Adds the results of a look-up; of several versions the newest counts. */
  add(
    resource: SummaryResource,
    rows: readonly (StoredVersionRow & Partial<CycleColumns>)[],
  ): void {
    for (const row of rows) {
      const key = keyOf(
        { environmentId: row.environment_id, userId: row.user_id },
        resource,
        row.id,
      )
      const version = toKnown(row)
      const other = this.#versions.get(key)
      if (other === undefined || isNewer(version, other)) this.#versions.set(key, version)
    }
  }
}

function toKnown(row: StoredVersionRow & Partial<CycleColumns>): KnownVersion {
  return {
    version: row.version,
    hash: row.content_hash,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isRemoved: row.is_removed === 1,
    calendarDate: row.calendar_date,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    cycle: row.stage_type === undefined ? null : cycleText(row as StoredVersionRow & CycleColumns),
  }
}

/** Returns the users whose rows are looked up. */
export function peopleOf(owned: readonly { owner: SampleOwner }[]): PeopleIds {
  return {
    environmentIds: new Set(owned.map(({ owner }) => owner.environmentId)),
    userIds: new Set(owned.map(({ owner }) => owner.userId)),
  }
}
