import type { UserRow } from '../../../accounts/users/index.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import { WorkSlice } from '../../../platform/time-slices.ts'
import {
  type HistorySubject,
  type IngestContext,
  isDateWithinBounds,
  openUpload,
  storeUpload,
  type UploadResult,
} from '../../ingest/index.ts'
import { findProvider } from '../../providers/index.ts'
import { type Series, type SeriesName, series } from '../../series/index.ts'
import { joinStoredBodies } from '../body/stored-bodies.ts'
import { findBirthDate } from '../reading/summaries.repository.ts'
import type { SummaryWriter } from '../storing/summary-writer.ts'
import { type AnnouncedResource, summaryHistory } from '../summaries.events.ts'
import type { NewSummary, WorkoutStream } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import type { SummaryUploadBody } from './summary-uploads.schema.ts'
import { parseSummaryUpload } from './upload-parser.ts'

export interface SummaryUploadContext extends IngestContext {
  summaryWriter: SummaryWriter
}

/**
 * Stores an upload of summaries, and the samples that come with them. Bad items are quarantined with a
 * reason and do not fail the good ones; everything is durable when it returns.
 * @throws AppError 404 for the user, 400 `not_connected` when the user has no live connection to the
 * provider.
 */
export async function uploadSummaries(
  context: SummaryUploadContext,
  userId: string,
  resource: SummaryResource,
  body: SummaryUploadBody,
): Promise<UploadResult> {
  const { clickhouse, summaryWriter } = context
  const upload = await openUpload(context, userId, body)
  const { user, owner, timeZone } = upload
  const items = Array.isArray(body.data) ? body.data : [body.data]
  const birthDate = resource === 'workouts' ? await birthDateOf(context, user) : null
  const parsed = await parseSummaryUpload(resource, { ...owner, timeZone, birthDate }, items)
  const slice = new WorkSlice()
  const kept: NewSummary[] = []
  const streams = new Map<string, WorkoutStream>()
  for (const summary of parsed.summaries) {
    if (slice.isOver()) await slice.rest()
    const date = boundingDate(summary)
    if (date !== null && !isDateWithinBounds(user, date)) continue
    kept.push(summary)
    if (parsed.streams.size === 0) continue
    const id = summaryId(owner, summary)
    const stream = parsed.streams.get(id)
    if (stream !== undefined) streams.set(id, stream)
  }
  return storeUpload(context, upload, historiesOf(resource, owner.provider), parsed, {
    // A profile has no time.
    times: resource === 'profile' ? [] : kept,
    outOfBounds: parsed.summaries.length - kept.length,
    write: async (announcement) => {
      const summaries = await joinStoredBodies(clickhouse, owner, kept)
      const counts = await summaryWriter.write(owner, summaries, announcement)
      // An event about a stream says what its workout is.
      await summaryWriter.writeStreams(owner, streams, announcement)
      return counts
    },
  })
}

/** What zones of heart rate are told by: the birth date of the newest profile, else the user's fallback. */
async function birthDateOf(context: SummaryUploadContext, user: UserRow): Promise<string | null> {
  return (await findBirthDate(context, user.id)) ?? user.fallback_birth_date
}

/** The day by which ingestion bounds are told, null for a profile, which has none. */
function boundingDate(summary: NewSummary): string | null {
  if (summary.resource === 'profile') return null
  const { calendarDate, startedAt, endedAt, timezoneOffset } = summary
  const at = summary.resource === 'sleep' ? endedAt : startedAt
  return calendarDate ?? dateAtOffset(at, timezoneOffset ?? 0)
}

/** Resources that clients never upload by themselves: they come with a summary. */
const FED_SUMMARIES: Partial<Record<SummaryResource, readonly AnnouncedResource[]>> = {
  sleep: ['sleep_cycle'],
  workouts: ['workout_stream'],
}
const FED_SERIES: Partial<Record<SummaryResource, readonly SeriesName[]>> = {
  workouts: ['workout_distance', 'workout_swimming_stroke'],
  body: ['body_weight', 'body_fat', 'body_mass_index', 'lean_body_mass', 'waist_circumference'],
  electrocardiogram: ['electrocardiogram_voltage'],
}

/**
 * All whose history an upload of a resource brings: the resource, and what else the provider has that
 * comes with it alone.
 */
function historiesOf(resource: SummaryResource, provider: string): (Series | HistorySubject)[] {
  const offered = findProvider(provider)?.resources ?? []
  const fed = [
    ...(FED_SUMMARIES[resource] ?? []).map(summaryHistory),
    ...(FED_SERIES[resource] ?? []).map(series),
  ]
  return [summaryHistory(resource), ...fed.filter((subject) => offered.includes(subject.resource))]
}
