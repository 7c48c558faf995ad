import { getUserRow, learnTimeZone, type UserRow } from '../../accounts/users/index.ts'
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import { badRequest } from '../../platform/errors.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { dateAtOffset, isTimeZone, parseInstant } from '../../platform/time/instants.ts'
import { WorkSlice } from '../../platform/time-slices.ts'
import { type NewDevice, noteAttempts, rememberDevices } from '../connections/index.ts'
import type { Series } from '../series/index.ts'
import { type HistorySubject, noteHistory, rangeOf } from './history.service.ts'
import type { UploadEnvelope, UploadResult } from './ingest.schema.ts'
import type { PutAsideItem } from './put-aside.repository.ts'
import type { Announcement, Sample, SampleOwner, WriteCounts } from './sample.ts'
import type { SampleWriter } from './sample-writer.ts'

export interface IngestContext {
  db: Db
  clickhouse: ClickHouse
  writer: SampleWriter
  clock: Clock
  environment: Environment
  /** Public address of the deployment, for logos. */
  baseUrl: string
}

/** Problems told in the answer; all of them are in the list of items put aside. */
const MOST_PROBLEMS = 20

/** An upload that was let in. */
export interface OpenUpload {
  user: UserRow
  owner: SampleOwner
  /** A valid IANA zone of the device, or null. */
  timeZone: string | null
  envelope: UploadEnvelope
  receivedAt: Date
  /** When the connection was made that it came through. */
  connectedAt: Date
}

/**
 * Lets an upload in.
 * @throws AppError 404 for the user, 400 `not_connected` when the user has no live connection to the
 * provider, 400 `invalid_date_range`.
 */
export async function openUpload(
  { db, clock, environment }: IngestContext,
  userId: string,
  envelope: UploadEnvelope,
): Promise<OpenUpload> {
  const receivedAt = clock.now()
  refuseTurnedRange(envelope)
  const user = await getUserRow(db, environment.id, userId)
  const { provider, time_zone: zone } = envelope
  const connection = user.connections.find((candidate) => candidate.provider === provider)
  if (connection?.status !== 'connected') {
    throw badRequest('not_connected', 'The user is not connected to this provider.')
  }
  const timeZone = zone && isTimeZone(zone) ? zone : null
  const owner = { environmentId: environment.id, userId: user.id, provider }
  const connectedAt = new Date(connection.created_at)
  return { user, owner, timeZone, envelope, receivedAt, connectedAt }
}

const toInstant = (text: string | null | undefined): Date | null =>
  text ? new Date(parseInstant(text)?.epochMilliseconds ?? Number.NaN) : null

/** Only history has a range; otherwise what stands there means nothing. */
function refuseTurnedRange({ stage, start_date, end_date }: UploadEnvelope): void {
  const [start, end] = [toInstant(start_date), toInstant(end_date)]
  if (stage === 'historical' && start !== null && end !== null && start > end) {
    throw badRequest('invalid_date_range', 'start_date is later than end_date.')
  }
}

/** What the items of an upload were parsed into. */
export interface ParsedUpload {
  samples: readonly Sample[]
  putAside: readonly PutAsideItem[]
  /** What is wrong with which item. */
  problems: readonly { index: number; reason: string }[]
  devices: readonly NewDevice[]
}

/** What an upload stores beside samples. */
export interface OtherRecords {
  /** When those within the ingestion bounds begin and end. */
  times: readonly Pick<Sample, 'startedAt' | 'endedAt'>[]
  /** How many lie outside the bounds. */
  outOfBounds: number
  /** Stores them; durable when it returns. */
  write(announcement: Announcement | undefined): Promise<WriteCounts>
}

const NO_RECORDS: OtherRecords = {
  times: [],
  outOfBounds: 0,
  write: async () => ({ inserted: 0, updated: 0, unchanged: 0 }),
}

/**
 * Stores what an upload was parsed into, and all that it says besides: devices, the zone, how far the
 * history of its subjects has come. Everything is durable when it returns.
 * @param subjects The resource of the upload first, then what else may come with it.
 */
export async function storeUpload(
  context: IngestContext,
  upload: OpenUpload,
  subjects: readonly (Series | HistorySubject)[],
  parsed: ParsedUpload,
  records: OtherRecords = NO_RECORDS,
): Promise<UploadResult> {
  const { user, owner, envelope } = upload
  const samples = await samplesWithinBounds(user, parsed.samples)
  const announcement = await announcementOf(context, upload, parsed.devices)
  const [ofSamples, ofRecords] = await Promise.all([
    context.writer.write(owner, samples, announcement),
    records.write(announcement),
    context.writer.putAside(owner, parsed.putAside),
    learnFromDevice(context, upload),
  ])
  const inserted = ofSamples.inserted + ofRecords.inserted
  const updated = ofSamples.updated + ofRecords.updated
  if (envelope.stage === 'historical') {
    const times = records.times.length > 0 ? records.times : samples
    await noteChunk(context, upload, subjects, { times, hasNews: inserted + updated > 0 })
  }
  const unchanged = ofSamples.unchanged + ofRecords.unchanged
  // What stores something takes note of the attempt with its events, history with how far it came.
  const isNoted = envelope.stage === 'historical' || inserted + updated + unchanged > 0
  if (!isNoted) await noteEmptyAttempt(context, upload, subjects.slice(0, 1))
  return {
    success: true,
    inserted,
    updated,
    unchanged,
    out_of_bounds: parsed.samples.length - samples.length + records.outOfBounds,
    put_aside: parsed.putAside.length,
    problems: parsed.problems.slice(0, MOST_PROBLEMS),
  }
}

/**
 * Takes note of the devices, and says what the events need to know. History is told by one event when
 * all of it is there; its data have events only for a team that wants them (contract 08, section 3).
 */
async function announcementOf(
  context: IngestContext,
  { user, envelope: { stage, provider } }: OpenUpload,
  devices: readonly NewDevice[],
): Promise<Announcement | undefined> {
  const { environment: scope, baseUrl } = context
  const isAnnounced = stage === 'daily' || scope.settings.push_historical_data
  // Without news of devices they are looked up for all uploads that share an insert.
  const deviceId =
    devices.length === 0 ? undefined : await rememberDevices(context, user, provider, devices)
  return isAnnounced ? { scope, user, deviceId, baseUrl } : undefined
}

/** Takes note of an upload of which nothing could be stored. */
async function noteEmptyAttempt(
  { db, clock }: IngestContext,
  { owner: { environmentId, userId, provider } }: OpenUpload,
  subjects: readonly (Series | HistorySubject)[],
): Promise<void> {
  const attempts = subjects.map(({ resource }) => ({
    user_id: userId,
    provider,
    resource,
    last_attempt_at: clock.now(),
    last_attempt_status: 'success' as const,
    sent_count: 0,
  }))
  await noteAttempts(db, environmentId, attempts)
}

/** Notes how far the history has come, after its data are stored. */
async function noteChunk(
  context: IngestContext,
  { user, envelope, receivedAt, connectedAt }: OpenUpload,
  subjects: readonly (Series | HistorySubject)[],
  { times, hasNews }: { times: OtherRecords['times']; hasNews: boolean },
): Promise<void> {
  const { provider, start_date: start, end_date: end, is_final_chunk: isFinal } = envelope
  const range = rangeOf(times)
  const chunk = {
    provider,
    from: toInstant(start) ?? range?.from ?? null,
    to: toInstant(end) ?? range?.to ?? null,
    // Android sends one chunk and does not say that it is the last.
    isFinal: isFinal ?? true,
    upload: { receivedAt, hasNews, connectedAt },
  }
  for (const subject of subjects) await noteHistory(context, user, subject, chunk)
}

async function samplesWithinBounds(
  user: UserRow,
  samples: readonly Sample[],
): Promise<readonly Sample[]> {
  if (user.ingestion_start === null && user.ingestion_end === null) return samples
  const slice = new WorkSlice()
  const within: Sample[] = []
  for (const sample of samples) {
    if (isWithinBounds(user, sample)) within.push(sample)
    if (slice.isOver()) await slice.rest()
  }
  return within
}

/**
 * True when a sample lies within the user's ingestion bounds: its local date where the offset is
 * known, else its UTC date, both boundary days included (contract 02).
 */
export function isWithinBounds(
  user: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>,
  sample: Pick<Sample, 'startedAt' | 'timezoneOffset'>,
): boolean {
  if (user.ingestion_start === null && user.ingestion_end === null) return true
  return isDateWithinBounds(user, dateAtOffset(sample.startedAt, sample.timezoneOffset ?? 0))
}

/** The same for what has a calendar date. */
export function isDateWithinBounds(
  {
    ingestion_start: start,
    ingestion_end: end,
  }: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>,
  date: string,
): boolean {
  return (start === null || date >= start) && (end === null || date <= end)
}

async function learnFromDevice(
  { db, clock, environment }: IngestContext,
  { user, timeZone, owner }: OpenUpload,
): Promise<void> {
  if (timeZone === null || timeZone === user.fallback_time_zone) return
  if (user.fallback_time_zone_source === 'manual') return
  const learned = { timeZone, source: owner.provider, at: clock.now() }
  await learnTimeZone(db, environment.id, user.id, learned)
}
