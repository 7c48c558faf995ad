import { toSource } from '@salus/contracts/providers'
import type { Series, Source } from '@salus/contracts/series'
import { badRequest, notFound } from '@salus/kernel/errors'
import { integerKey, KeysetPages, textKey, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { parseEndBound, parseStartBound } from '@salus/kernel/time/instants'
import {
  findReadPerson,
  isNarrow,
  type OrderedSamples,
  readDays,
  type TagAnswer,
} from '../day-cache/index.ts'
import { flatOfDays, pageOfDays } from './day-page.ts'
import type { SampleGroup } from './sample-page.ts'
import type { SampleFilter } from './timeseries.repository.ts'
import * as repository from './timeseries.repository.ts'
import type { FlatQuery, GroupedQuery } from './timeseries.schema.ts'

/**
 * Maximum number of samples of one flat read, which has no pages
 * (docs/contract/05-timeseries.md#grouped-read).
 */
const MOST_FLAT_SAMPLES = 100_000

const COMMA = Buffer.from(',')

const PAGES = new KeysetPages({
  startedAt: integerKey(),
  provider: textKey(),
  sourceType: textKey(),
  appId: textKey(),
  sampleType: textKey(),
  workoutId: UUID_KEY,
})

/**
 * Returns one page of a series, grouped by provider and source, as the finished JSON body.
 * @throws AppError 400 `invalid_date_range` or `invalid_cursor`, 404 for the user.
 */
export async function readGrouped(
  scope: Scope,
  userId: string,
  series: Series,
  query: GroupedQuery,
  options: { baseUrl: string; pageSize: number; tagAnswer: TagAnswer | undefined },
): Promise<Buffer> {
  const { baseUrl, pageSize, tagAnswer } = options
  const { from, to } = periodOf(scope, query)
  const dates = [query.start_date, query.end_date ?? null]
  // The same user under an upper-case id must be able to continue.
  const list = ['grouped', userId.toLowerCase(), series.name, ...dates, query.provider]
  const after = PAGES.read(list, query.next_cursor || query.cursor)
  const { provider } = query
  const filter = { userId, series, from, to, provider, sampleType: '' }
  const { devices, result: page } = await readForUser(scope, filter, {
    ofDays: (samples, withDevices) => pageOfDays(samples, withDevices, after, pageSize),
    stored: (withDevices) => repository.readGroupedSamples(scope, withDevices, after, pageSize),
    tagAnswer,
  })
  return writeGroups(page.groups, PAGES.write(list, page.last), (group) =>
    toSource(group, devices.get(group.provider) ?? null, baseUrl),
  )
}

/** The two ways to answer a read. */
interface Answer<Result> {
  /** Selects from the samples of whole days. */
  ofDays(samples: OrderedSamples, filter: SampleFilter): Result
  /** Asks ClickHouse. */
  stored(filter: SampleFilter): Promise<Result>
  /** Undefined when the version of the data is not wanted. */
  tagAnswer: TagAnswer | undefined
}

/**
 * Answers a narrow read from days, and any other from ClickHouse.
 * @throws AppError 404 for the user.
 */
async function readForUser<Result>(
  scope: Scope,
  filter: Omit<SampleFilter, 'devices'>,
  answer: Answer<Result>,
): Promise<{ devices: Map<string, string>; result: Result }> {
  const { tagAnswer } = answer
  const isVersioned = tagAnswer !== undefined
  if (isNarrow(scope.clickhouse, filter)) {
    const found = await readDays(scope, { ...filter, series: [filter.series] }, { isVersioned })
    if (found === undefined) throw notFound('User')
    const { devices } = found
    tagAnswer?.(found.version)
    const samples = found.samples.get(filter.series)
    const withDevices = { ...filter, devices }
    const result =
      samples === undefined ? await answer.stored(withDevices) : answer.ofDays(samples, withDevices)
    return { devices, result }
  }
  const find = async (): Promise<Map<string, string>> => {
    const person = await findReadPerson(scope, filter.userId, { isVersioned })
    if (person === undefined) throw notFound('User')
    tagAnswer?.(person.version)
    return person.devices
  }
  // The version comes before the data, and a blood pressure names its device within the sample. All
  // others are read while the user is looked up, since nearly every read is of a user that exists.
  if (isVersioned || filter.series.shape === 'blood_pressure') {
    const devices = await find()
    return { devices, result: await answer.stored({ ...filter, devices }) }
  }
  // The longer of the two starts first.
  const reading = answer.stored({ ...filter, devices: new Map() })
  const [devices, result] = await Promise.all([find(), reading])
  return { devices, result }
}

function periodOf({ clock }: Scope, query: FlatQuery): { from: number; to: number } {
  // The schema has validated both texts already.
  const from = parseStartBound(query.start_date) as number
  const to = query.end_date ? (parseEndBound(query.end_date) as number) : clock.now().getTime()
  if (from > to) throw badRequest('invalid_date_range', 'start_date is later than end_date.')
  return { from, to }
}

/** Assembles the page without touching the samples, which are JSON already. */
function writeGroups(
  groups: readonly SampleGroup[],
  nextCursor: string | null,
  sourceOfGroup: (group: SampleGroup) => Source,
): Buffer {
  const byProvider = Map.groupBy(groups, (group) => group.provider)
  const parts: Buffer[] = [Buffer.from('{"groups":{')]
  for (const [index, [provider, entries]] of [...byProvider].entries()) {
    if (index > 0) parts.push(COMMA)
    parts.push(Buffer.from(`${JSON.stringify(provider)}:[`))
    for (const [position, group] of entries.entries()) {
      const source = JSON.stringify(sourceOfGroup(group))
      parts.push(Buffer.from(`${position > 0 ? ',' : ''}{"source":${source},"data":[`))
      for (const [index, piece] of group.data.entries()) {
        if (index > 0) parts.push(COMMA)
        parts.push(piece)
      }
      parts.push(Buffer.from(']}'))
    }
    parts.push(Buffer.from(']'))
  }
  const cursor = JSON.stringify(nextCursor)
  parts.push(Buffer.from(`},"next":${cursor},"next_cursor":${cursor}}`))
  return Buffer.concat(parts)
}

/**
 * Returns the deprecated flat form: samples in order of time without their sources.
 * @throws AppError 400 `range_too_large` for more than 100,000 samples.
 */
export async function readFlat(
  scope: Scope,
  userId: string,
  series: Series,
  sampleType: string,
  query: FlatQuery,
  tagAnswer: TagAnswer | undefined,
): Promise<Buffer> {
  const { from, to } = periodOf(scope, query)
  const { provider } = query
  const filter = { userId, series, from, to, provider, sampleType }
  const { result: samples } = await readForUser(scope, filter, {
    ofDays: (days, withDevices) => flatOfDays(days, withDevices, MOST_FLAT_SAMPLES),
    stored: (withDevices) => repository.readFlatSamples(scope, withDevices, MOST_FLAT_SAMPLES),
    tagAnswer,
  })
  if (samples === undefined) {
    throw badRequest(
      'range_too_large',
      'The range has more than 100,000 samples. Request a shorter range, or use the grouped read.',
    )
  }
  return Buffer.concat([Buffer.from('['), samples, Buffer.from(']')])
}

/** Time range of a sleep, epoch milliseconds, both ends included. */
interface RecordedSession {
  userId: string
  provider: string
  from: number
  to: number
}

/**
 * Returns samples of series within a session as in the flat read: JSON objects with commas between
 * them, undefined for a series with more than `most`.
 */
export async function readSessionSamples(
  scope: Scope,
  session: RecordedSession,
  list: readonly Series[],
  most: number,
): Promise<Map<Series, Buffer | undefined>> {
  const days = isNarrow(scope.clickhouse, session)
    ? await readDays(scope, { ...session, series: list }, { isVersioned: false })
    : undefined
  const read = async (series: Series): Promise<[Series, Buffer | undefined]> => {
    const filter = { ...session, series, sampleType: '', devices: new Map() }
    const samples = days?.samples.get(series)
    const text =
      samples === undefined
        ? await repository.readFlatSamples(scope, filter, most)
        : flatOfDays(samples, filter, most)
    return [series, text]
  }
  return new Map(await Promise.all(list.map(read)))
}
