import { notFound } from '../../../platform/errors.ts'
import { listDevices } from '../../connections/index.ts'
import { type RawResource, toRaw, toRawDevice, toRawProfile } from '../objects/raw-object.ts'
import { toSleepCycleObject, toSummaryObject } from '../objects/summary-objects.ts'
import type { SummaryRow } from '../summary.ts'
import { loadObjectContext, type ReadingContext } from './reading-context.ts'
import * as repository from './summaries.repository.ts'
import { type DatedResource, dateFilterOf, dateRulesOf } from './summary-dates.ts'
import { type PeriodQuery, periodOf } from './summary-period.ts'

export interface SummaryQuery extends PeriodQuery {
  /** Provider slug, or empty for all. */
  provider: string
}

/** Which rows a query means. */
function filterOf(resource: DatedResource, query: SummaryQuery, now: Date) {
  const period = periodOf(query, dateRulesOf(resource), now)
  return dateFilterOf(resource, period, now)
}

/**
 * Summaries of one resource over a range of dates, of all sources side by side.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function readSummaries(
  context: ReadingContext,
  resource: DatedResource,
  userId: string,
  query: SummaryQuery,
): Promise<object[]> {
  const { clickhouse, clock, environment } = context
  const dates = filterOf(resource, query, clock.now())
  const of = await loadObjectContext(context, userId)
  const { id: environmentId } = environment
  const { provider } = query
  const rows = await repository.listSummaries(
    clickhouse,
    environmentId,
    resource,
    of,
    provider,
    dates,
  )
  if (resource !== 'sleep_cycle') return rows.map((row) => toSummaryObject(resource, row, of))
  const sleeps = rows as SummaryRow<'sleep'>[]
  return sleeps.map((row) => toSleepCycleObject(row, of)).filter((cycle) => cycle !== null)
}

/**
 * As readSummaries, the items as they came.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function readRawSummaries(
  context: ReadingContext,
  resource: RawResource,
  userId: string,
  query: SummaryQuery,
): Promise<object[]> {
  const { clickhouse, clock, environment } = context
  const dates = filterOf(resource, query, clock.now())
  const of = await loadObjectContext(context, userId)
  const rows = await repository.listRawSummaries(
    clickhouse,
    environment.id,
    resource,
    of,
    query.provider,
    dates,
  )
  return rows.map((row) => toRaw(resource, row, of))
}

/** The profile that was last changed. @throws AppError 404 for the user or without a profile. */
export async function readProfile(
  context: ReadingContext,
  userId: string,
  provider: string,
): Promise<object> {
  const { row, of } = await getNewestProfile(context, userId, provider)
  return toSummaryObject('profile', row, of)
}

/** As readProfile, the item as it came. */
export async function readRawProfile(
  context: ReadingContext,
  userId: string,
  provider: string,
): Promise<object> {
  const { row, of } = await getNewestProfile(context, userId, provider)
  return toRawProfile(row, of)
}

async function getNewestProfile(context: ReadingContext, userId: string, provider: string) {
  const { clickhouse, environment } = context
  const of = await loadObjectContext(context, userId)
  const { id: environmentId } = environment
  const row = await repository.findNewestProfile(clickhouse, environmentId, of, provider)
  if (row === undefined) throw notFound('Profile')
  return { row, of }
}

/** The devices that data of a person named, oldest first. @throws AppError 404 for the user. */
export async function readRawDevices(
  context: ReadingContext,
  userId: string,
  provider: string,
): Promise<object[]> {
  const of = await loadObjectContext(context, userId)
  const devices = await listDevices(context.db, context.environment.id, userId)
  return devices
    .filter((device) => provider === '' || device.provider === provider)
    .map((device) => toRawDevice(device, of))
}
