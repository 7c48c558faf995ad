import { learnTimeZone } from '@salus/accounts/users'
import type { Series } from '@salus/contracts/series'
import { badRequest, notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { isTimeZone, parseInstant } from '@salus/kernel/time/instants'
import { findUserToUpload, type UserToUpload } from '../connections/index.ts'
import type { HistorySubject } from './history.service.ts'
import type { UploadBody, UploadEnvelope, UploadResult } from './ingest.schema.ts'
import type { Ingest } from './ingest.service.ts'
import { type ParsedUpload, parseUpload } from './upload-parser.ts'

/** The port that uploads use, and the public address of the deployment, for logos. */
export interface UploadPort {
  ingest: Ingest
  baseUrl: string
}

/** Number of problems in an answer; the list of quarantined items has all of them. */
const MOST_PROBLEMS = 20

/** An accepted upload. */
interface OpenUpload {
  scope: Scope
  user: Omit<UserToUpload, 'connected_status' | 'connected_at'>
  provider: string
  /** A valid IANA zone of the device, or null. */
  timeZone: string | null
  envelope: UploadEnvelope
  receivedAt: Date
  /** Creation time of the connection of the upload. */
  connectedAt: Date
}

/**
 * Stores an upload of samples. Bad items are quarantined with a reason and do not affect the good
 * ones; everything is durable when it returns.
 * @throws AppError 404 for the user, 400 `not_connected` when the user has no live connection to
 *   the provider.
 */
export async function uploadSamples(
  scope: Scope,
  port: UploadPort,
  userId: string,
  series: Series,
  body: UploadBody,
): Promise<UploadResult> {
  const upload = await openUpload(scope, userId, body)
  return storeUpload(port, upload, [series], await parseUpload(body, series, upload.timeZone))
}

/**
 * Checks and accepts an upload.
 * @throws AppError 404 for the user, 400 `not_connected` when the user has no live connection to
 *   the provider, 400 `invalid_date_range`.
 */
export async function openUpload(
  scope: Scope,
  userId: string,
  envelope: UploadEnvelope,
): Promise<OpenUpload> {
  const receivedAt = scope.clock.now()
  refuseTurnedRange(envelope)
  const { provider, time_zone: zone } = envelope
  const found = await findUserToUpload(scope, userId, provider)
  if (found === undefined) throw notFound('User')
  const { connected_status: status, connected_at: connectedAt, ...user } = found
  if (status !== 'connected' || connectedAt === null) {
    throw badRequest('not_connected', 'The user is not connected to this provider.')
  }
  const timeZone = zone && isTimeZone(zone) ? zone : null
  return { scope, user, provider, timeZone, envelope, receivedAt, connectedAt }
}

const toInstant = (text: string | null | undefined): Date | null =>
  text ? new Date(parseInstant(text)?.epochMilliseconds ?? Number.NaN) : null

/** Only history has a range; otherwise the fields are ignored. */
function refuseTurnedRange({ stage, start_date, end_date }: UploadEnvelope): void {
  const [start, end] = [toInstant(start_date), toInstant(end_date)]
  if (stage === 'historical' && start !== null && end !== null && start > end) {
    throw badRequest('invalid_date_range', 'start_date is later than end_date.')
  }
}

/**
 * Stores a parsed upload with its history. Everything is durable when it returns.
 * @param subjects The resource of the upload first, then what else it may contain.
 */
export async function storeUpload(
  { ingest, baseUrl }: UploadPort,
  upload: OpenUpload,
  subjects: readonly (Series | HistorySubject)[],
  { problems, ...data }: ParsedUpload,
): Promise<UploadResult> {
  const { scope, user, provider, envelope, receivedAt, connectedAt } = upload
  const { stage, start_date, end_date, is_final_chunk: isFinal } = envelope
  const chunk = {
    from: toInstant(start_date),
    to: toInstant(end_date),
    // Android sends one chunk and does not mark it as the last.
    isFinal: isFinal ?? true,
    upload: { receivedAt, connectedAt },
  }
  const attempted = subjects[0]?.resource
  const [{ samples, summaries }] = await Promise.all([
    ingest.store({
      ...{ scope, user, provider, baseUrl, ...data },
      isPublished: stage === 'daily' || scope.environment.settings.push_historical_data,
      history: stage === 'daily' ? [] : subjects.map((subject) => ({ ...chunk, subject })),
      ...(attempted !== undefined && { attempted }),
    }),
    learnFromDevice(upload),
  ])
  return {
    success: true,
    inserted: samples.inserted + summaries.inserted,
    updated: samples.updated + summaries.updated,
    unchanged: samples.unchanged + summaries.unchanged,
    out_of_bounds: samples.outOfBounds + summaries.outOfBounds,
    put_aside: data.quarantined.length,
    problems: problems.slice(0, MOST_PROBLEMS),
  }
}

async function learnFromDevice({ scope, user, timeZone, provider }: OpenUpload): Promise<void> {
  if (timeZone === null || timeZone === user.fallback_time_zone) return
  if (user.fallback_time_zone_source === 'manual') return
  const learned = { timeZone, source: provider, at: scope.clock.now() }
  await learnTimeZone(scope, user.id, learned)
}
