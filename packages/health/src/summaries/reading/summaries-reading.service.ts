import { notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { listDevices } from '../../connections/index.ts'
import { findReadPerson, type TagAnswer } from '../../day-cache/index.ts'
import type { SummaryRow } from '../summary.ts'
import { type PresenterContext, presentSummary, toSleepCycle } from '../summary-presenters.ts'
import { type RawResource, toRaw, toRawDevice, toRawProfile } from './raw-summary.presenter.ts'
import * as repository from './summaries.repository.ts'
import { type DatedResource, dateFilterOf, dateRulesOf } from './summary-dates.ts'
import { type PeriodQuery, periodOf } from './summary-period.ts'

export interface SummaryQuery extends PeriodQuery {
  /** Provider slug, or empty for all. */
  provider: string
}

/**
 * Loads the context of presenters for a user.
 * @throws AppError 404 for the user.
 */
export async function loadPresenterContext(
  scope: Scope,
  userId: string,
  baseUrl: string,
  tagAnswer?: TagAnswer,
): Promise<PresenterContext> {
  const person = await findReadPerson(scope, userId, { isVersioned: tagAnswer !== undefined })
  if (person === undefined) throw notFound('User')
  tagAnswer?.(person.version)
  return { ...person, baseUrl }
}

interface AnswerOptions {
  baseUrl: string
  tagAnswer: TagAnswer | undefined
}

/** Returns the filter of rows of a query. */
function filterOf(resource: DatedResource, query: SummaryQuery, now: Date) {
  const period = periodOf(query, dateRulesOf(resource), now)
  return dateFilterOf(resource, period, now)
}

/**
 * Yields summaries of one resource over a range of dates, of all sources separately, a chunk at a
 * time.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function* readSummaries(
  scope: Scope,
  resource: DatedResource,
  userId: string,
  query: SummaryQuery,
  answer: AnswerOptions,
): AsyncGenerator<object[], void, undefined> {
  const dates = filterOf(resource, query, scope.clock.now())
  const of = await loadPresenterContext(scope, userId, answer.baseUrl, answer.tagAnswer)
  for await (const rows of repository.readSummaryRows(scope, resource, of, query.provider, dates)) {
    if (resource !== 'sleep_cycle') {
      yield rows.map((row) => presentSummary(resource, row, of))
      continue
    }
    const sleeps = rows as SummaryRow<'sleep'>[]
    yield sleeps.map((row) => toSleepCycle(row, of)).filter((cycle) => cycle !== null)
  }
}

/**
 * Like readSummaries, with the raw items.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function* readRawSummaries(
  scope: Scope,
  resource: RawResource,
  userId: string,
  query: SummaryQuery,
  answer: AnswerOptions,
): AsyncGenerator<object[], void, undefined> {
  const dates = filterOf(resource, query, scope.clock.now())
  const of = await loadPresenterContext(scope, userId, answer.baseUrl, answer.tagAnswer)
  const pages = repository.readRawSummaryRows(scope, resource, of, query.provider, dates)
  for await (const rows of pages) yield rows.map((row) => toRaw(resource, row, of))
}

/**
 * Returns the profile with the latest change. @throws AppError 404 for the user or without a
 * profile.
 */
export async function readProfile(
  scope: Scope,
  userId: string,
  provider: string,
  baseUrl: string,
): Promise<object> {
  const { row, of } = await getNewestProfile(scope, userId, provider, baseUrl)
  return presentSummary('profile', row, of)
}

/** Like readProfile, with the raw item. */
export async function readRawProfile(
  scope: Scope,
  userId: string,
  provider: string,
  baseUrl: string,
): Promise<object> {
  const { row, of } = await getNewestProfile(scope, userId, provider, baseUrl)
  return toRawProfile(row, of)
}

async function getNewestProfile(scope: Scope, userId: string, provider: string, baseUrl: string) {
  const of = await loadPresenterContext(scope, userId, baseUrl)
  const row = await repository.findNewestProfile(scope, of, provider)
  if (row === undefined) throw notFound('Profile')
  return { row, of }
}

/**
 * Returns the devices that data of a user named, oldest first. @throws AppError 404 for the user.
 */
export async function readRawDevices(
  scope: Scope,
  userId: string,
  provider: string,
  baseUrl: string,
): Promise<object[]> {
  const of = await loadPresenterContext(scope, userId, baseUrl)
  const devices = await listDevices(scope, userId)
  return devices
    .filter((device) => provider === '' || device.provider === provider)
    .map((device) => toRawDevice(device, of))
}
