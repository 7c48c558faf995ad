import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { SampleOwner, WriteCounts } from '../../ingest/index.ts'
import { type SummaryRow, WORKOUT_STREAM_CHANNELS, type WorkoutStream } from '../summary.ts'
import { peopleOf } from './known-summaries.ts'
import { listStoredSummaries } from './stored-summaries.repository.ts'
import { withLocalDay } from './stored-summary.ts'
import type { WorkoutStreamChange } from './summary-events.ts'
import type { SummaryOperation } from './summary-merge.ts'
import { findStoredWorkoutStreams, insertWorkoutStreams } from './workout-streams.repository.ts'

export interface ChangedWorkoutStream {
  workoutId: string
  kind: 'created' | 'updated'
}

/**
 * Streams compared and written at a time: each has some thousand points in each of ten channels.
 */
const MOST_AT_ONCE = 50

/** A stream of one of the callers. */
interface Incoming {
  index: number
  owner: SampleOwner
  workoutId: string
  stream: WorkoutStream
}

/**
 * Stores the streams of concurrent callers, in their order; returns one outcome for each caller.
 */
export async function storeWorkoutStreams(
  clickhouse: ClickHouse,
  operations: readonly Pick<SummaryOperation, 'owner' | 'streams'>[],
  nextVersion: () => number,
): Promise<{ counts: WriteCounts[]; changes: ChangedWorkoutStream[][] }> {
  const changes: ChangedWorkoutStream[][] = operations.map(() => [])
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
      if (before !== undefined && isSameWorkoutStream(stream, before)) {
        count.unchanged += 1
        continue
      }
      const version = Math.max(nextVersion(), (before?.version ?? 0) + 1)
      known.set(key, { ...stream, version })
      rows.set(key, streamRowText(owner, workoutId, stream, version))
      count[before === undefined ? 'inserted' : 'updated'] += 1
      changes[index]?.push({ workoutId, kind: before === undefined ? 'created' : 'updated' })
    }
    if (rows.size > 0) await insertWorkoutStreams(clickhouse, [...rows.values()])
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
  const stored = await findStoredWorkoutStreams(clickhouse, peopleOf(part), ids)
  return new Map(
    stored.map((row) => [`${row.environment_id} ${row.user_id} ${row.workout_id}`, row]),
  )
}

/** Finds the workouts of changed streams; a stream without one has no event. */
export async function findWorkouts(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  changes: readonly ChangedWorkoutStream[],
  fallbackZone: string | null,
): Promise<WorkoutStreamChange[]> {
  const { environmentId, userId } = owner
  const ids = changes.map(({ workoutId }) => workoutId)
  const rows = await listStoredSummaries(clickhouse, environmentId, userId, 'workouts', ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return changes.flatMap(({ workoutId, kind }) => {
    const row = byId.get(workoutId)
    if (row === undefined) return []
    const workout = withLocalDay('workouts', row, fallbackZone) as SummaryRow<'workouts'>
    return [{ kind, workout }]
  })
}

const finite = (value: number | null): value is number => Number.isFinite(value)

/** Formats a channel as TabSeparated; a point without a finite number is null. */
function channelText(values: readonly (number | null)[]): string {
  return `[${values.map((value) => (finite(value) ? String(value) : 'NULL')).join(',')}]`
}

/** Formats a row in the order of STREAM_COLUMNS. */
function streamRowText(
  { environmentId, userId }: SampleOwner,
  workoutId: string,
  stream: WorkoutStream,
  version: number,
): string {
  const channels = WORKOUT_STREAM_CHANNELS.map((channel) => channelText(stream[channel] ?? []))
  const time = `[${stream.time.join(',')}]`
  return `${[environmentId, userId, workoutId, time, ...channels, version].join('\t')}\n`
}

/** Whether two streams are equal; a missing channel equals an empty one. */
function isSameWorkoutStream(a: WorkoutStream, b: WorkoutStream): boolean {
  return (
    isSameList(a.time, b.time) &&
    WORKOUT_STREAM_CHANNELS.every((channel) => isSameList(a[channel] ?? [], b[channel] ?? []))
  )
}

const finiteOrNull = (value: number | null | undefined): number | null =>
  finite(value ?? null) ? (value as number) : null

function isSameList(a: readonly (number | null)[], b: readonly (number | null)[]): boolean {
  return (
    a.length === b.length &&
    a.every((value, index) => finiteOrNull(value) === finiteOrNull(b[index]))
  )
}
