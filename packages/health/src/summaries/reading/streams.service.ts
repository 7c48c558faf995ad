import { findUser } from '@salus/accounts/users'
import { series } from '@salus/contracts/series'
import { badRequest, notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { readSessionSamples } from '../../timeseries/index.ts'
import { WORKOUT_STREAM_CHANNELS } from '../summary.ts'
import { findSession } from './short-reads.repository.ts'
import type { SessionRow } from './stored-rows.ts'
import { SLEEP_STREAM_SERIES, type WorkoutStream } from './streams.schema.ts'
import * as repository from './summaries.repository.ts'

/** Maximum number of samples of one series of a sleep, as in a flat read. */
const MOST_SAMPLES = 100_000

/** Returns a summary by its id alone. @throws AppError 404 */
async function getSession<R extends 'workouts' | 'sleep'>(
  scope: Scope,
  resource: R,
  id: string,
): Promise<{ userId: string; row: SessionRow<R> }> {
  const missing = notFound(resource === 'sleep' ? 'Sleep' : 'Workout')
  const userId = await repository.findSummaryOwner(scope, resource, id)
  if (userId === undefined) throw missing
  const user = await findUser(scope, userId)
  if (user === undefined) throw missing
  const person = { userId, fallbackZone: user.fallback_time_zone }
  const row = await findSession(scope, resource, person, id)
  if (row === undefined) throw missing
  return { userId, row }
}

/**
 * Returns the stream of a workout; without one all lists are empty.
 * @throws AppError 404 for the workout.
 */
export async function readWorkoutStream(scope: Scope, workoutId: string): Promise<WorkoutStream> {
  const { userId } = await getSession(scope, 'workouts', workoutId)
  const row = await repository.findWorkoutStream(scope, userId, workoutId)
  const channels = WORKOUT_STREAM_CHANNELS.map((name) => [name, row?.[name] ?? []])
  const stream = { time: row?.time ?? [], ...Object.fromEntries(channels) } as WorkoutStream
  const heartrate = stream.heartrate.map((rate) => (rate === null ? null : Math.round(rate)))
  return { ...stream, heartrate }
}

/** @throws AppError 404 unless the workout exists and is the user's */
export async function requireWorkoutOf(scope: Scope, id: string, userId: string): Promise<void> {
  if ((await getSession(scope, 'workouts', id)).userId !== userId) throw notFound('Workout')
}

/** @throws AppError 404 unless the sleep exists and is the user's */
export async function requireSleepOf(scope: Scope, id: string, userId: string): Promise<void> {
  if ((await getSession(scope, 'sleep', id)).userId !== userId) throw notFound('Sleep')
}

/**
 * Returns samples that the provider of a sleep recorded during it, as the finished JSON body.
 * @throws AppError 404 for the sleep, 400 `range_too_large` for more than 100,000 samples of a
 *   series.
 */
export async function readSleepStream(scope: Scope, sleepId: string): Promise<Buffer> {
  const { userId, row } = await getSession(scope, 'sleep', sleepId)
  const { provider, started_at: from, ended_at: to } = row
  const session = { userId, provider, from, to }
  const list = SLEEP_STREAM_SERIES.map(series)
  const samples = await readSessionSamples(scope, session, list, MOST_SAMPLES)
  const lists = [...samples].map(([{ name }, text]) => {
    if (text === undefined) {
      throw badRequest('range_too_large', 'The sleep holds more than 100,000 samples of a series.')
    }
    const isMissing = name === 'hypnogram' && text.length === 0
    return [Buffer.from(`"${name}":[`), isMissing ? hypnogramOf(row) : text, Buffer.from(']')]
  })
  const parts = lists.flatMap((list, index) => (index === 0 ? list : [Buffer.from(','), ...list]))
  return Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('}')])
}

/**
 * Returns the stages of a sleep as samples, because clients send stages with the sleep and not
 * separately.
 */
function hypnogramOf(row: SessionRow<'sleep'>): Buffer {
  const at = (offsetSeconds: number | undefined) =>
    formatInstant(row.started_at + (offsetSeconds ?? 0) * 1000)
  const samples = row.stage_type.map((value, index) => {
    const start = at(row.stage_start_offset_second[index])
    const sample = {
      id: null,
      timezone_offset: row.timezone_offset,
      type: null,
      unit: series('hypnogram').unit,
      timestamp: start,
      start,
      end: at(row.stage_end_offset_second[index]),
      value,
    }
    return JSON.stringify(sample)
  })
  return Buffer.from(samples.join(','))
}
