import { SOURCE_TYPES_BY_RANK, type SourceType } from '@salus/contracts/series'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { SleepRecord, SleepSession, SleepSource, StagedRecord } from './sleep-record.ts'
import { sweepStages } from './stage-sweep.ts'

/** A gap as long as this separates two sessions. */
const SESSION_GAP_MS = HOUR_MS

/**
 * Combines the sleep records of a user from all devices and apps into sessions.
 *
 * 1. The records are a set: order, repetitions and cutting a record in two change nothing. A record
 *    without a duration is ignored.
 * 2. All stages, sleep or awake, of all sources together are covered time. Covered intervals less
 *    than an hour apart are one session; an hour or more separates two. So an interrupted night is
 *    one session, while a nap in the afternoon stays a nap. An interval without any sleep is not a
 *    session.
 * 3. At each instant of a session one source determines the stage, so that two devices never add
 *    up: those with stages (light, deep, REM) in this session precede those without, then by type
 *    of source (docs/contract/09-aggregate.md#data-prioritisation: watch, ring, …, phone), then by
 *    app id. Where the best one has no record, the next one counts.
 * 4. Of two stages of a source at one instant the most specific counts: deep, REM, light, awake,
 *    asleep. Stages therefore never overlap and never add up to more than the covered time.
 * 5. Time in bed is not a stage and joins no sessions. Intervals in bed that overlap a session, or
 *    end less than an hour before it or before each other, move its start back to lying down; those
 *    that overlap it, or begin less than an hour after it or after each other, its end to getting
 *    up. An interval between two sessions and near to both begins the later one. Time in bed that
 *    extends into several begins the first and ends the last. Latency lasts from lying down to the
 *    first sleep.
 * 6. The place of a session is that of its last record, which determines the day on which the user
 *    woke up.
 *
 * @returns Sessions in order of time, never overlapping.
 */
export function reconcileSleep(records: readonly SleepRecord[]): SleepSession[] {
  const lasting = records.filter(({ startedAt, endedAt }) => endedAt > startedAt)
  const staged = lasting.filter(isStaged).sort(compareRecords)
  const nights = splitAtGaps(staged).filter((night) => night.some(({ stage }) => stage !== 'awake'))
  const inBed = joinStretches(lasting.filter(({ stage }) => stage === 'in_bed'))
  const cores = nights.map((night) => ({ from: startOf(night), to: endOf(night) }))
  const newestFirst = inBed.toReversed()
  const layDown = cores.map((_core, index) => layDownAt(newestFirst, cores, index))
  return nights.map((night, index) => {
    const next = layDown[index + 1] ?? cores[index + 1]?.from ?? Number.POSITIVE_INFINITY
    return toSession(night, layDown[index], gotUpAt(inBed, cores[index] as Stretch, next))
  })
}

/** Epoch milliseconds. */
interface Stretch {
  from: number
  to: number
}

const isStaged = (record: SleepRecord): record is StagedRecord => record.stage !== 'in_bed'

/** A total order, so that equal sets of records are sorted equally. */
function compareRecords(a: SleepRecord, b: SleepRecord): number {
  return (
    a.startedAt - b.startedAt ||
    a.endedAt - b.endedAt ||
    compareTexts(a.sourceType, b.sourceType) ||
    compareTexts(a.appId, b.appId) ||
    compareTexts(a.stage, b.stage)
  )
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function splitAtGaps(sorted: readonly StagedRecord[]): StagedRecord[][] {
  const nights: StagedRecord[][] = []
  let coveredTo = Number.NEGATIVE_INFINITY
  for (const record of sorted) {
    if (record.startedAt - coveredTo < SESSION_GAP_MS) nights.at(-1)?.push(record)
    else nights.push([record])
    coveredTo = Math.max(coveredTo, record.endedAt)
  }
  return nights
}

const startOf = (night: readonly SleepRecord[]): number => night[0]?.startedAt ?? Number.NaN
const endOf = (night: readonly SleepRecord[]): number =>
  night.reduce((end, { endedAt }) => Math.max(end, endedAt), Number.NEGATIVE_INFINITY)

/** Joins intervals that overlap or touch. */
function joinStretches(records: readonly SleepRecord[]): Stretch[] {
  const joined: Stretch[] = []
  for (const { startedAt, endedAt } of records.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const last = joined.at(-1)
    if (last !== undefined && startedAt <= last.to) last.to = Math.max(last.to, endedAt)
    else joined.push({ from: startedAt, to: endedAt })
  }
  return joined
}

/** Returns when the user lay down for a session; undefined where no time in bed reaches it. */
function layDownAt(
  newestFirst: readonly Stretch[],
  cores: readonly Stretch[],
  index: number,
): number | undefined {
  const core = cores[index] as Stretch
  const earliest = cores[index - 1]?.to ?? Number.NEGATIVE_INFINITY
  let from = core.from
  let isKnown = false
  for (const stretch of newestFirst) {
    if (stretch.from >= core.to || stretch.from < earliest) continue
    if (from - stretch.to >= SESSION_GAP_MS) break
    isKnown = true
    from = Math.min(from, stretch.from)
  }
  return isKnown ? from : undefined
}

/** Returns when the user got up after a session. @param latest Start of the next session. */
function gotUpAt(inBed: readonly Stretch[], core: Stretch, latest: number): number {
  let { to } = core
  for (const stretch of inBed) {
    if (stretch.to <= to) continue
    if (stretch.from - to >= SESSION_GAP_MS || stretch.to > latest) break
    to = stretch.to
  }
  return to
}

/** @param layDown Undefined where no record has it. */
function toSession(
  night: readonly StagedRecord[],
  layDown: number | undefined,
  endedAt: number,
): SleepSession {
  const ranked = rankSources(night)
  const { segments, winners } = sweepStages(night, ranked)
  const main = mainSourceOf(winners, ranked)
  const [firstStageAt, lastStageAt] = [startOf(night), endOf(night)]
  const startedAt = layDown ?? firstStageAt
  const asleepAt = segments.find(({ stage }) => stage !== 'awake')?.startedAt ?? firstStageAt
  const last = night.reduce((latest, record) => (isLater(record, latest) ? record : latest))
  return {
    sourceType: main.sourceType,
    appId: main.appId,
    startedAt,
    endedAt,
    firstStageAt,
    lastStageAt,
    timezoneOffset: last.timezoneOffset,
    timeZone: last.timeZone,
    stages: segments,
    latencySeconds: layDown === undefined ? null : Math.round((asleepAt - startedAt) / 1000),
  }
}

/** Orders records with the same end independently of their order and of cuts. */
function isLater(a: SleepRecord, b: SleepRecord): boolean {
  if (a.endedAt !== b.endedAt) return a.endedAt > b.endedAt
  const [offsetA, offsetB] = [a.timezoneOffset ?? -1e9, b.timezoneOffset ?? -1e9]
  if (offsetA !== offsetB) return offsetA > offsetB
  return a.timeZone > b.timeZone
}

const sourceKey = ({ sourceType, appId }: SleepSource): string => `${sourceType}\n${appId}`

/** Returns the sources of a session, the most trusted first. */
function rankSources(night: readonly StagedRecord[]): SleepSource[] {
  const sources = new Map<string, { source: SleepSource; knowsStages: boolean }>()
  for (const record of night) {
    const key = sourceKey(record)
    const { sourceType, appId } = record
    const known = sources.get(key) ?? { source: { sourceType, appId }, knowsStages: false }
    known.knowsStages ||= record.stage !== 'asleep' && record.stage !== 'awake'
    sources.set(key, known)
  }
  return [...sources.values()]
    .sort(
      (a, b) =>
        Number(b.knowsStages) - Number(a.knowsStages) ||
        rankOf(a.source) - rankOf(b.source) ||
        compareTexts(a.source.appId, b.source.appId) ||
        compareTexts(a.source.sourceType, b.source.sourceType),
    )
    .map(({ source }) => source)
}

function rankOf({ sourceType }: SleepSource): number {
  const rank = SOURCE_TYPES_BY_RANK.indexOf(sourceType as SourceType)
  return rank === -1 ? SOURCE_TYPES_BY_RANK.length : rank
}

/** Returns the source with the longest time; of equal ones the most trusted. */
function mainSourceOf(winners: readonly number[], ranked: readonly SleepSource[]): SleepSource {
  const longest = Math.max(...winners)
  return ranked[winners.indexOf(longest)] as SleepSource
}
