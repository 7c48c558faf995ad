import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Announcement, SampleOwner, WriteCounts } from '../../ingest/index.ts'
import type { SummaryRow, WorkoutStream } from '../summary.ts'
import { peopleOf } from './people-ids.ts'
import { listStoredSummaries } from './stored-summaries.repository.ts'
import { tellLocalDay } from './stored-summary.ts'
import type { SummaryAnnouncer } from './summary-announcer.ts'
import {
  type AnnouncedChanges,
  findContexts,
  type StreamChange,
  SummaryEventWriter,
} from './summary-events.ts'
import { isSameStream, streamRowText } from './workout-stream-row.ts'
import { findStoredStreams, insertStreams } from './workout-streams.repository.ts'

/** Streams of workouts, by the ids of the workouts. */
export interface StreamOperation {
  owner: SampleOwner
  streams: ReadonlyMap<string, WorkoutStream>
  announcement: Announcement | undefined
}

export interface FlushContext {
  clickhouse: ClickHouse
  db: Db
  clock: Clock
  announcer: SummaryAnnouncer
}

/** Versions of arrivals: microseconds since 1970, always rising, also when the clock stands. */
export type Versions = () => number

interface ChangedStream {
  workoutId: string
  kind: 'created' | 'updated'
}

/** Stores the streams of callers that came together; one outcome a caller. */
export async function flushStreams(
  context: FlushContext,
  operations: readonly StreamOperation[],
  nextVersion: Versions,
): Promise<WriteCounts[]> {
  const at = context.clock.now()
  const noted = operations.flatMap(({ owner, streams, announcement }) =>
    announcement === undefined
      ? []
      : [{ owner, resource: 'workout_stream' as const, ids: [...streams.keys()], announcement }],
  )
  const announcement = await context.announcer.open(noted, at)
  try {
    const { counts, changes } = await storeStreams(context.clickhouse, operations, nextVersion)
    await announcement.close(await eventsOf(context, operations, changes, at))
    return counts
  } catch (error) {
    announcement.abandon()
    throw error
  }
}

/** Streams compared and written at a time: each has some thousand points in each of ten channels. */
const MOST_AT_ONCE = 50

/** A stream of one of the callers. */
interface Incoming {
  index: number
  owner: SampleOwner
  workoutId: string
  stream: WorkoutStream
}

async function storeStreams(
  clickhouse: ClickHouse,
  operations: readonly StreamOperation[],
  nextVersion: Versions,
): Promise<{ counts: WriteCounts[]; changes: ChangedStream[][] }> {
  const changes: ChangedStream[][] = operations.map(() => [])
  const counts: WriteCounts[] = operations.map(() => ({ inserted: 0, updated: 0, unchanged: 0 }))
  const incoming = operations.flatMap(({ owner, streams }, index) =>
    [...streams].map(([workoutId, stream]): Incoming => ({ index, owner, workoutId, stream })),
  )
  for (let from = 0; from < incoming.length; from += MOST_AT_ONCE) {
    const part = incoming.slice(from, from + MOST_AT_ONCE)
    const known = await findKnown(clickhouse, part)
    const rows = new Map<string, string>()
    for (const { index, owner, workoutId, stream } of part) {
      const key = keyOf(owner, workoutId)
      const before = known.get(key)
      const count = counts[index] as WriteCounts
      if (before !== undefined && isSameStream(stream, before)) {
        count.unchanged += 1
        continue
      }
      const version = Math.max(nextVersion(), (before?.version ?? 0) + 1)
      known.set(key, { ...stream, version })
      rows.set(key, streamRowText(owner, workoutId, stream, version))
      count[before === undefined ? 'inserted' : 'updated'] += 1
      changes[index]?.push({ workoutId, kind: before === undefined ? 'created' : 'updated' })
    }
    if (rows.size > 0) await insertStreams(clickhouse, [...rows.values()])
  }
  return { counts, changes }
}

const keyOf = ({ environmentId, userId }: SampleOwner, workoutId: string): string =>
  `${environmentId} ${userId} ${workoutId}`

async function findKnown(
  clickhouse: ClickHouse,
  part: readonly Incoming[],
): Promise<Map<string, WorkoutStream & { version: number }>> {
  const ids = part.map(({ workoutId }) => workoutId)
  const stored = await findStoredStreams(clickhouse, peopleOf(part), ids)
  return new Map(
    stored.map((row) => [`${row.environment_id} ${row.user_id} ${row.workout_id}`, row]),
  )
}

async function eventsOf(
  { clickhouse, db }: FlushContext,
  operations: readonly StreamOperation[],
  changes: readonly ChangedStream[][],
  at: Date,
) {
  const writer = new SummaryEventWriter(at)
  for (const { owner, announcement } of operations) {
    if (announcement !== undefined) writer.rows.attempts.add(owner, 'workout_stream')
  }
  const callers = operations.flatMap(({ owner, announcement }, index) =>
    announcement === undefined || changes[index]?.length === 0
      ? []
      : [{ owner, announcement, changes: changes[index] as ChangedStream[] }],
  )
  const contexts = await findContexts(db, callers)
  for (const [index, caller] of callers.entries()) {
    const context = contexts[index]
    if (context === undefined) continue
    writer.addStreams(
      { ...caller, changes: await findWorkouts(clickhouse, caller, context.fallbackZone) },
      context,
    )
  }
  return writer.rows
}

/** The workouts of changed streams; of a stream without one nothing can be told. */
async function findWorkouts(
  clickhouse: ClickHouse,
  { owner, changes }: AnnouncedChanges<ChangedStream>,
  fallbackZone: string | null,
): Promise<StreamChange[]> {
  const { environmentId, userId } = owner
  const ids = changes.map(({ workoutId }) => workoutId)
  const rows = await listStoredSummaries(clickhouse, environmentId, userId, 'workouts', ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return changes.flatMap(({ workoutId, kind }) => {
    const row = byId.get(workoutId)
    if (row === undefined) return []
    const workout = tellLocalDay('workouts', row, fallbackZone) as SummaryRow<'workouts'>
    return [{ kind, workout }]
  })
}
