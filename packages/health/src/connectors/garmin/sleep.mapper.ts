import { DAY_SECONDS } from '@salus/contracts/time-units'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorStage, type VendorStageSpan } from '../vendor-records.ts'
import {
  dayOf,
  type Fields,
  forEachSummary,
  offsetOf,
  pointsOf,
  recordsOf,
  type Summary,
  WATCH,
} from './garmin-records.ts'

const STAGES: Readonly<Record<string, VendorStage>> = {
  deep: 'deep',
  light: 'light',
  rem: 'rem',
  awake: 'awake',
  unmeasurable: 'unknown',
}

/** Of the others the vendor says that they may change, or does not say how sure they are. */
const STATES: ReadonlyMap<unknown, string> = new Map([
  ...['MANUAL', 'DEVICE', 'AUTO_FINAL', 'AUTO_MANUAL', 'ENHANCED_FINAL'].map(
    (validation) => [validation, 'confirmed'] as const,
  ),
  ...['AUTO_TENTATIVE', 'ENHANCED_TENTATIVE', 'OFF_WRIST'].map(
    (validation) => [validation, 'tentative'] as const,
  ),
])

const MOST_SECONDS = 7 * DAY_SECONDS

/**
 * Maps nights and the naps of their day. A night is sent again with new ids, so its day identifies
 * it; a tentative one never replaces a confirmed one.
 */
export function mapSleeps(answer: unknown, data: PageData): void {
  const kind = { data, resource: 'sleep', times: 'startTime' }
  forEachSummary(recordsOf(answer, ['sleeps']), kind, (summary) => {
    const { naps } = summary.record
    if (Array.isArray(naps)) for (const nap of naps) addNap(data, nap, summary)
    addNight(data, summary)
  })
}

function addNight(data: PageData, summary: Summary): void {
  const { record, reader, start } = summary
  const seconds = (...names: string[]): number | null =>
    names.reduce<number | null>(
      (known, name) => known ?? reader.integer(name, 0, MOST_SECONDS),
      null,
    )
  const asleep = [
    seconds('deepSleepDurationInSeconds'),
    seconds('lightSleepDurationInSeconds'),
    seconds('remSleepInSeconds'),
  ] as const
  const awake = seconds('awakeDurationInSeconds')
  const unmeasured = seconds('unmeasurableSleepInSeconds', 'unmeasurableSleepDurationInSeconds')
  const score = scoreOf(data, record.overallSleepScore)
  if (!data.isValid('sleep', reader, record)) return
  if (score === undefined) return
  const stages = stagesOf(data, summary)
  const [deep, light, rem] = asleep
  const parts = sumOf([...asleep, awake, unmeasured])
  const end = { at: endOf(summary, stages, parts ?? 0), offset: start.offset }
  const day = dayOf(data, 'sleep', record, end)
  // A day with naps only has a night without a duration.
  if (day === undefined || end.at <= start.at) return
  const { timeOffsetSleepRespiration: breaths, timeOffsetSleepSpo2: _oxygen, ...raw } = record
  // Spellings of the vendor differ in case.
  const state = STATES.get(String(record.validation).toUpperCase()) ?? null
  data.addSleep({
    ...WATCH,
    recordId: day,
    calendarDate: day,
    start,
    end,
    values: {
      state,
      stage_asleep_second: sumOf(asleep),
      stage_deep_second: deep,
      stage_light_second: light,
      stage_rem_second: rem,
      stage_awake_second: awake,
      stage_unknown_second: unmeasured,
      score: score.value,
    },
    stages,
    readings: {
      respiratoryRates: pointsOf(data, 'sleep', summary, breaths, Number.MIN_VALUE).flatMap(
        ({ at, value }) =>
          typeof value === 'number' ? [{ startedAt: at, endedAt: at, value }] : [],
      ),
    },
    raw,
    ...(state !== 'confirmed' && { modifiedAt: end.at }),
  })
}

/** Returns undefined for an invalid score, whose record is quarantined. */
function scoreOf(data: PageData, score: unknown): { value: number | null } | undefined {
  if ((score ?? null) === null) return { value: null }
  const reader = data.read('sleep', score)
  const value = reader?.integer('value', 0, 100) ?? null
  return reader && data.isValid('sleep', reader, score) ? { value } : undefined
}

const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/**
 * Returns the end of the last stage. Without stages the vendor's duration may or may not include
 * the time awake, so the longer one of it and the sum of its parts counts.
 */
function endOf(
  { start, end }: Summary,
  stages: readonly VendorStageSpan[],
  partSeconds: number,
): number {
  const last = Math.max(0, ...stages.map(({ to }) => to))
  return last > 0
    ? start.at + last * 1000
    : Math.max(end.at, start.at + Math.min(partSeconds, MOST_SECONDS) * 1000)
}

/** Reads `{deep: [{startTimeInSeconds, endTimeInSeconds}], …}`; invalid spans are quarantined. */
function stagesOf(data: PageData, { record, start }: Summary): VendorStageSpan[] {
  const { sleepLevelsMap: map, summaryId } = record
  if ((map ?? null) === null) return []
  const levels = isFields(map) ? Object.entries(map) : []
  if (!isFields(map)) data.quarantine('sleep_cycle', 'invalid_field', { summaryId, map })
  return levels.flatMap(([level, spans]) => {
    const stage = Object.hasOwn(STAGES, level) ? STAGES[level] : undefined
    if (stage === undefined) return []
    return (Array.isArray(spans) ? spans : []).flatMap((span) => {
      const { startTimeInSeconds: from, endTimeInSeconds: to }: Fields = isFields(span) ? span : {}
      const begin = start.at / 1000
      const isSound =
        typeof from === 'number' &&
        typeof to === 'number' &&
        from <= to &&
        from >= begin - DAY_SECONDS &&
        to <= begin + MOST_SECONDS
      if (isSound) return [{ stage, from: from - begin, to: to - begin }]
      data.quarantine('sleep_cycle', 'invalid_field', { summaryId, level, span })
      return []
    })
  })
}

function addNap(data: PageData, nap: unknown, { start: ofNight }: Summary): void {
  const reader = data.read('sleep', nap)
  if (reader === undefined || !isFields(nap)) return
  const offset = offsetOf(reader, 'napOffsetInSeconds') ?? ofNight.offset
  const epoch = { unit: 's', offset } as const
  const start = data.epochInstant('sleep', nap.napStartTimeInSeconds, epoch, nap)
  const seconds = reader.number('napDurationInSeconds', 0, MOST_SECONDS)
  if (start === undefined || !data.isValid('sleep', reader, nap) || !seconds) return
  data.addSleep({
    ...WATCH,
    sourceType: nap.napValidation === 'MANUAL' ? 'app' : 'watch',
    recordId: `nap-${start.at / 1000}`,
    start,
    end: { at: start.at + seconds * 1000, offset },
    values: { type: 'acknowledged_nap', state: 'confirmed' },
    raw: nap,
  })
}
