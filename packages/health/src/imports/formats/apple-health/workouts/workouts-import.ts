import { DAY_MS } from '@salus/contracts/time-units'
import { type NewSummary, summaryId, type WorkoutStream } from '../../../../summaries/index.ts'
import {
  listReadingsWithin,
  type StoredReading,
  toReading,
} from '../../../imported-data.repository.ts'
import { mergeByDay } from '../merged-amounts.ts'
import { readRoutes } from '../routes/workout-routes.ts'
import { type SummaryImport, storeSummaries } from '../summary-import.ts'
import { splitByTime } from '../time-batches.ts'
import type { WorkoutElement } from './workout-element.ts'
import { toWorkoutStream, toWorkoutSummary } from './workout-summary.ts'

/** Workouts whose readings are in memory together, and the time that they may be apart. */
const MOST = 25
const SPAN_MS = 60 * DAY_MS
/** Points of streams that wait to be written together. */
const MOST_POINTS = 50_000

/** Creates summaries and streams of the workouts of an export, oldest first. */
export async function importWorkouts(context: SummaryImport): Promise<void> {
  const { clickhouse, owner, intake, signal } = context
  const elements = intake.workouts.toSorted((a, b) => a.startedAt - b.startedAt)
  for (const batch of splitByTime(elements, ({ startedAt }) => startedAt, MOST, SPAN_MS)) {
    signal.throwIfAborted()
    const ranges = batch.map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt }))
    const series = ['heartrate', 'steps']
    const readings = await listReadingsWithin(clickhouse, owner, series, ranges)
    await importBatch(context, batch, readings)
  }
}

interface Workout {
  summary: NewSummary<'workouts'>
  stream: WorkoutStream | undefined
}

async function importBatch(
  context: SummaryImport,
  elements: readonly WorkoutElement[],
  readings: readonly StoredReading[],
): Promise<void> {
  let waiting: Workout[] = []
  let points = 0
  for (const element of elements) {
    const workout = await toWorkout(context, element, readings)
    waiting.push(workout)
    points += workout.stream?.time.length ?? 0
    if (points < MOST_POINTS) continue
    await storeWorkouts(context, waiting)
    waiting = []
    points = 0
  }
  await storeWorkouts(context, waiting)
}

async function toWorkout(
  context: SummaryImport,
  element: WorkoutElement,
  readings: readonly StoredReading[],
): Promise<Workout> {
  const { intake, user, owner } = context
  const { startedAt, endedAt } = element
  const heartRates = readings
    .filter(
      ({ series, started_at: at }) => series === 'heartrate' && at >= startedAt && at <= endedAt,
    )
    .map(toReading)
  const steps = readings.filter(({ series }) => series === 'steps')
  const route = await readRoutes(context, element)
  const summary = toWorkoutSummary(element, {
    heartRates,
    steps: stepsWithin(owner.provider, steps, startedAt, endedAt),
    route,
    birthDate: intake.profile.birthDate ?? user.fallback_birth_date,
    modifiedAt: context.modifiedAt,
  })
  return { summary, stream: toWorkoutStream(heartRates, route) }
}

async function storeWorkouts(context: SummaryImport, workouts: readonly Workout[]): Promise<void> {
  const summaries = workouts.map(({ summary }) => summary)
  const streams = workouts.flatMap(({ summary, stream }) =>
    stream === undefined ? [] : [[summaryId(context.owner, summary), stream] as const],
  )
  await storeSummaries(context, 'workouts', summaries, 'Workout', { streams: new Map(streams) })
}

/**
 * Counts steps between two instants, each instant once; a sample that extends beyond counts in
 * proportion.
 */
function stepsWithin(
  provider: string,
  readings: readonly StoredReading[],
  from: number,
  to: number,
): number | null {
  const parts = readings.flatMap((reading) => {
    const { started_at: start, ended_at: end, value } = reading
    if (start >= to || end < from) return []
    const [first, last] = [Math.max(start, from), Math.min(end, to)]
    const share = end > start ? (last - first) / (end - start) : 1
    return [{ ...reading, started_at: first, ended_at: last, value: value * share }]
  })
  if (parts.length === 0) return null
  const days = mergeByDay(provider, 'steps', parts, 'UTC')
  return Math.round(days.reduce((sum, { amount }) => sum + amount, 0))
}
