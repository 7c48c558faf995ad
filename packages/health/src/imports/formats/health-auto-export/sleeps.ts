import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  isFields,
  reconcileSleep,
  type SleepRecord,
  type SleepSession,
} from '../../../summaries/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { listReadingsWithin, listStoredSleeps } from '../../imported-data.repository.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { ImportStores } from '../import-format.ts'
import { readPhoneDate } from './auto-export-dates.ts'
import { ALL_DEVICES, knownOf, type PointSettings, sourceOfSample } from './metric-points.ts'

type Fields = Record<string, unknown>
type Stage = SleepRecord['stage']

/** Values of single samples, in English; the app translates none. */
const STAGES: Readonly<Record<string, Stage>> = {
  core: 'light',
  deep: 'deep',
  rem: 'rem',
  awake: 'awake',
  'in bed': 'in_bed',
  inbed: 'in_bed',
  asleep: 'asleep',
  unspecified: 'asleep',
  'asleep unspecified': 'asleep',
}
/** Codes of the series of stages. */
const CODES = { asleep: -1, deep: 1, light: 2, rem: 3, awake: 4 } as const
const BY_CODE: Readonly<Record<number, Stage>> = { 1: 'deep', 2: 'light', 3: 'rem', 4: 'awake' }
const LONGEST_MS = DAY_MS
/** Some dozen a night. */
const MOST_RECORDS = 3_000_000

/** Collects nights: the app sends them as sums, or as the samples of their stages. */
export class Sleeps {
  readonly #out: ImportWriter
  readonly #settings: PointSettings
  readonly #records: SleepRecord[] = []

  constructor(out: ImportWriter, settings: PointSettings) {
    this.#out = out
    this.#settings = settings
  }

  add(units: unknown, point: unknown): void {
    const data = this.#out.type('sleep_analysis', 'sleep')
    data.count()
    if (!isFields(point)) data.quarantine('sleep', 'not_an_object', null)
    else if (point.startDate !== undefined) this.#addSample(point)
    else this.#addNight(units, point)
  }

  #addSample(point: Fields): void {
    const data = this.#out.type('sleep_analysis', 'sleep')
    const { now, modifiedAt } = this.#settings
    const name = typeof point.value === 'string' ? point.value.toLowerCase() : ''
    const stage = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined
    const [start, end] = [readPhoneDate(point.startDate), readPhoneDate(point.endDate)]
    if (start === undefined || !isPossibleTime(start.at, now)) {
      data.quarantine('sleep', 'invalid_start_date', knownOf(point))
    } else if (end === undefined || !isPossibleTime(end.at, now)) {
      data.quarantine('sleep', 'invalid_end_date', knownOf(point))
    } else if (end.at < start.at) data.quarantine('sleep', 'end_before_start', knownOf(point))
    else if (stage === undefined) data.quarantine('sleep', 'unknown_type', knownOf(point))
    else if (end.at - start.at > LONGEST_MS) {
      data.quarantine('sleep', 'out_of_range', knownOf(point))
    } else {
      const source = sourceOfSample(point.source)
      if (stage !== 'in_bed') {
        const times = { start, end, ...(modifiedAt !== undefined && { modifiedAt }) }
        data.addSample('hypnogram', { ...source, ...times, value: CODES[stage], unit: 'stage' })
      } else data.countAsMerged()
      this.#records.push({
        ...source,
        stage,
        startedAt: start.at,
        endedAt: end.at,
        timezoneOffset: end.offset,
        timeZone: '',
      })
      if (this.#records.length > MOST_RECORDS) throw new ImportFileError('file_too_large')
    }
  }

  /** Adds a night that the app summed up, in hours. One night a day. */
  #addNight(units: unknown, point: Fields): void {
    const data = this.#out.type('sleep_analysis', 'sleep')
    const { now, modifiedAt } = this.#settings
    const dates = ['sleepStart', 'inBedStart', 'sleepEnd', 'inBedEnd'].map((name) =>
      readPhoneDate(point[name]),
    )
    const [asleepFrom, inBedFrom, asleepTo, inBedTo] = dates
    const date = readPhoneDate(point.date)
    const start = earlier(asleepFrom, inBedFrom)
    const end = later(asleepTo, inBedTo)
    if (start === undefined || !isPossibleTime(start.at, now)) {
      data.quarantine('sleep', 'invalid_start_date', knownOf(point))
      return
    }
    if (end === undefined || !isPossibleTime(end.at, now)) {
      data.quarantine('sleep', 'invalid_end_date', knownOf(point))
      return
    }
    const isHours = units === undefined || units === null || /^(hr|h|hours?|)$/.test(String(units))
    const seconds = (name: string): number | null => {
      const hours = point[name]
      return typeof hours === 'number' && hours >= 0 ? Math.round(hours * 3600) : null
    }
    const stages = { light: seconds('core'), deep: seconds('deep'), rem: seconds('rem') }
    const staged = (stages.light ?? 0) + (stages.deep ?? 0) + (stages.rem ?? 0)
    // `asleep` is 0 or repeats the stages where there are some; newer versions have the total, too.
    const asleep = staged || seconds('asleep') || (seconds('totalSleep') ?? 0)
    const duration = Math.round((end.at - start.at) / 1000)
    const awake = seconds('awake')
    const isLonger = asleep > duration + 60 || (awake ?? 0) > duration + 60
    if (!isHours || end.at < start.at || isLonger) {
      const reason = !isHours
        ? 'unknown_unit'
        : end.at < start.at
          ? 'end_before_start'
          : 'out_of_range'
      data.quarantine('sleep', reason, knownOf(point))
      return
    }
    const { at, offset } = end
    data.addSleep({
      ...ALL_DEVICES,
      recordId: `day ${date?.day ?? readDayOf(at, offset)}`,
      start: { at: start.at, offset: start.offset },
      end: { at, offset },
      values: {
        stage_asleep_second: asleep,
        stage_light_second: stages.light,
        stage_deep_second: stages.deep,
        stage_rem_second: stages.rem,
        stage_awake_second: awake,
      },
      raw: knownOf(point),
      ...(modifiedAt !== undefined && { modifiedAt }),
    })
  }

  /**
   * Stores the nights of samples. A posting may begin or end within a night: the stages that were
   * stored before complete it, and the part that was stored as a night is removed.
   */
  async store(stores: ImportStores | undefined): Promise<void> {
    const data = this.#out.type('sleep_analysis', 'sleep')
    const { modifiedAt } = this.#settings
    for (const cluster of clustersOf(this.#records)) {
      const stored = stores === undefined ? [] : await this.#storedRecords(stores, cluster)
      const sessions = reconcileSleep([...stored, ...cluster]).filter((session) =>
        cluster.some((record) => overlaps(record, session)),
      )
      const ids = sessions.flatMap((session) => {
        const added = data.addSleep(sleepOf(session, modifiedAt))
        return added === undefined ? [] : [added.id]
      })
      if (stores !== undefined) await this.#removeParts(stores, sessions, ids)
      await this.#out.settle()
    }
  }

  async #storedRecords(
    { clickhouse, owner }: ImportStores,
    cluster: readonly SleepRecord[],
  ): Promise<SleepRecord[]> {
    const span = spanOf(cluster)
    const range = { from: span.startedAt - DAY_MS, to: span.endedAt + DAY_MS }
    const readings = await listReadingsWithin(clickhouse, owner, ['hypnogram'], [range])
    const known = new Set(cluster.map(({ appId, startedAt }) => `${appId} ${startedAt}`))
    return readings
      .filter(({ app_id: appId, started_at: at }) => {
        return appId.startsWith(ALL_DEVICES.appId) && !known.has(`${appId} ${at}`)
      })
      .map((reading) => ({
        sourceType: reading.source_type,
        appId: reading.app_id,
        stage: BY_CODE[reading.value] ?? 'asleep',
        startedAt: reading.started_at,
        endedAt: reading.ended_at,
        timezoneOffset: reading.timezone_offset,
        timeZone: '',
      }))
  }

  async #removeParts(
    { clickhouse, owner }: ImportStores,
    sessions: readonly SleepSession[],
    ids: readonly string[],
  ): Promise<void> {
    if (sessions.length === 0) return
    const { startedAt: from, endedAt: to } = spanOf(sessions)
    const stored = await listStoredSleeps(clickhouse, owner, { from, to })
    const parts = stored.filter(
      ({ id, app_id: appId, started_at: startedAt, ended_at: endedAt }) =>
        appId.startsWith(`${ALL_DEVICES.appId}`) &&
        !ids.includes(id) &&
        sessions.some((session) => overlaps(session, { startedAt, endedAt })),
    )
    if (parts.length === 0) return
    await this.#out.store({ removals: [{ resource: 'sleep', ids: parts.map(({ id }) => id) }] })
  }
}

const earlier = <Instant extends { at: number }>(a: Instant | undefined, b: Instant | undefined) =>
  a === undefined || (b !== undefined && b.at < a.at) ? b : a
const later = <Instant extends { at: number }>(a: Instant | undefined, b: Instant | undefined) =>
  a === undefined || (b !== undefined && b.at > a.at) ? b : a

const readDayOf = (at: number, offset: number | null): string =>
  formatInstant(at + (offset ?? 0) * 1000).slice(0, 10)

interface Span {
  startedAt: number
  endedAt: number
}

const overlaps = (a: Span, b: Span): boolean => a.startedAt < b.endedAt && a.endedAt > b.startedAt

const spanOf = (items: readonly Span[]): Span => ({
  startedAt: items.reduce((least, item) => Math.min(least, item.startedAt), Infinity),
  endedAt: items.reduce((most, item) => Math.max(most, item.endedAt), -Infinity),
})

/** Splits records where nothing was recorded for six hours, which is between nights. */
function clustersOf(records: readonly SleepRecord[]): SleepRecord[][] {
  const clusters: SleepRecord[][] = []
  let coveredTo = Number.NEGATIVE_INFINITY
  for (const record of records.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (record.startedAt - coveredTo > 6 * HOUR_MS) clusters.push([])
    clusters.at(-1)?.push(record)
    coveredTo = Math.max(coveredTo, record.endedAt)
  }
  return clusters
}

function sleepOf(session: SleepSession, modifiedAt: number | undefined) {
  const { startedAt, endedAt, timezoneOffset: offset, appId, stages } = session
  const second = (at: number) => Math.round((at - startedAt) / 1000)
  return {
    appId,
    sourceType: session.sourceType as 'watch',
    recordId: formatInstant(startedAt),
    start: { at: startedAt, offset },
    end: { at: endedAt, offset },
    values: { latency_second: session.latencySeconds },
    stages: stages.map((segment) => ({
      stage: segment.stage,
      from: second(segment.startedAt),
      to: second(segment.endedAt),
    })),
    raw: { start: formatInstant(startedAt), end: formatInstant(endedAt) },
    ...(modifiedAt !== undefined && { modifiedAt }),
  }
}
