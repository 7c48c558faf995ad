import type { UserRow } from '@salus/accounts/users'
import { findProvider } from '@salus/contracts/providers'
import { type Series, type SeriesName, series } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import {
  type HistorySubject,
  openUpload,
  storeUpload,
  type UploadPort,
  type UploadResult,
} from '../../ingest/index.ts'
import { joinStoredBodies } from '../body/stored-bodies.ts'
import { findBirthDate } from '../reading/summaries.repository.ts'
import { type PublishedResource, summaryHistory } from '../summaries.events.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import type { SummaryUploadBody } from './summary-uploads.schema.ts'
import { parseSummaryUpload } from './upload-parser.ts'

/**
 * Stores an upload of summaries, and the samples that come with them. Bad items are quarantined
 * with a reason and do not affect the good ones; everything is durable when it returns.
 * @throws AppError 404 for the user, 400 `not_connected` when the user has no live connection to
 *   the provider.
 */
export async function uploadSummaries(
  scope: Scope,
  port: UploadPort,
  userId: string,
  resource: SummaryResource,
  body: SummaryUploadBody,
): Promise<UploadResult> {
  const upload = await openUpload(scope, userId, body)
  const { user, provider, timeZone } = upload
  const owner = { environmentId: scope.environment.id, userId: user.id, provider }
  const items = Array.isArray(body.data) ? body.data : [body.data]
  const birthDate = resource === 'workouts' ? await birthDateOf(scope, user) : null
  const context = { ...owner, timeZone, birthDate }
  const parsed = await parseSummaryUpload(resource, context, items)
  const summaries = await joinStoredBodies(scope.clickhouse, owner, parsed.summaries)
  return storeUpload(port, upload, historiesOf(resource, provider), { ...parsed, summaries })
}

/**
 * Returns the birth date for heart rate zones: that of the newest profile, otherwise the user's
 * fallback.
 */
async function birthDateOf(
  scope: Scope,
  user: Pick<UserRow, 'id' | 'fallback_birth_date'>,
): Promise<string | null> {
  return (await findBirthDate(scope, user.id)) ?? user.fallback_birth_date
}

/** Resources that clients never upload by themselves: they come with a summary. */
const FED_SUMMARIES: Partial<Record<SummaryResource, readonly PublishedResource[]>> = {
  sleep: ['sleep_cycle'],
  workouts: ['workout_stream'],
}
const FED_SERIES: Partial<Record<SummaryResource, readonly SeriesName[]>> = {
  workouts: ['workout_distance', 'workout_swimming_stroke'],
  body: ['body_weight', 'body_fat', 'body_mass_index', 'lean_body_mass', 'waist_circumference'],
  electrocardiogram: ['electrocardiogram_voltage'],
}

/**
 * Returns everything whose history an upload of a resource brings: the resource, and what only
 * comes with it.
 */
function historiesOf(resource: SummaryResource, provider: string): (Series | HistorySubject)[] {
  const offered = findProvider(provider)?.resources ?? []
  const fed = [
    ...(FED_SUMMARIES[resource] ?? []).map(summaryHistory),
    ...(FED_SERIES[resource] ?? []).map(series),
  ]
  return [summaryHistory(resource), ...fed.filter((subject) => offered.includes(subject.resource))]
}
