import { dateAtOffset } from '@salus/kernel/time/instants'
import {
  mapFitbitSleeps,
  type VendorStage,
  type VendorStageSpan,
} from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import { type CsvRow, openCsv } from '../../files/csv.ts'
import { readJsonItems } from '../../files/json.ts'
import { zoneOf } from '../../import-options.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import { localText, readOffset, readUtc } from './fitbit-times.ts'
import type { Member } from './members.ts'
import type { ListTarget } from './minute-lists.ts'

type Fields = Record<string, unknown>

const STAGES: Readonly<Record<string, VendorStage>> = {
  AWAKE: 'awake',
  LIGHT: 'light',
  DEEP: 'deep',
  REM: 'rem',
  ASLEEP: 'asleep',
  RESTLESS: 'awake',
}
/** A night has some dozens of stages. */
const MOST_STAGES = 2000
const KEPT = [
  'sleep_id',
  'sleep_type',
  'sleep_start',
  'start_utc_offset',
  'sleep_end',
  'end_utc_offset',
  'minutes_asleep',
  'minutes_awake',
  'minutes_to_fall_asleep',
  'data_source',
]

interface Stage {
  stage: VendorStage
  from: number
  to: number
}
/** Stages of all sleeps by their id: a row of some numbers for each. */
export type StagesOfSleeps = Map<string, Stage[]>

/** Reads stages; invalid ones are quarantined. */
export async function readStages(
  { file }: Member,
  data: TypeData,
  stages: StagesOfSleeps,
): Promise<void> {
  for await (const rows of (await openCsv(file)).batches()) {
    for (const row of rows) {
      const id = row.get('sleep_id')
      const [from, to] = [
        readUtc(row.get('sleep_stage_start')),
        readUtc(row.get('sleep_stage_end')),
      ]
      const list = stages.get(id) ?? []
      stages.set(id, list)
      if (from === undefined || to === undefined || from > to || list.length >= MOST_STAGES) {
        data.count()
        const raw = row.pick([
          'sleep_id',
          'sleep_stage_type',
          'sleep_stage_start',
          'sleep_stage_end',
        ])
        data.quarantine('sleep_cycle', 'invalid_field', raw)
        continue
      }
      list.push({ stage: STAGES[row.get('sleep_stage_type')] ?? 'unknown', from, to })
      data.countMerged()
    }
  }
}

/** Scores of sleeps by the id of the sleep. */
export type SleepScores = Map<string, number>

/** Reads scores from 1 to 100; invalid ones are quarantined. */
export async function readScores(
  { file, head }: Member,
  data: TypeData,
  scores: SleepScores,
): Promise<void> {
  const id = head.includes('sleep_id') ? 'sleep_id' : 'sleep_log_entry_id'
  for await (const rows of (await openCsv(file)).batches()) {
    for (const row of rows) {
      const score = Number(row.get('overall_score') || 'none')
      if (score >= 1 && score <= 100) {
        scores.set(row.get(id), Math.round(score))
        data.countMerged()
      } else {
        data.count()
        data.quarantine('sleep', 'out_of_range', row.pick([id, 'overall_score']))
      }
    }
  }
}

/** What other files have about sleeps. */
interface KnownSleeps {
  stages: StagesOfSleeps
  scores: SleepScores
  /** Local starts of the sleeps that were added. */
  starts: Set<string>
}

/** Adds the sleeps of the newer export, and keeps their local starts. */
export async function addUserSleeps(
  { file }: Member,
  { data, context, settle }: ListTarget,
  known: KnownSleeps,
): Promise<void> {
  for await (const rows of (await openCsv(file)).batches()) {
    for (const row of rows) {
      data.count()
      addUserSleep(row, data, context, known)
    }
    await settle()
  }
}

function addUserSleep(
  row: CsvRow,
  data: TypeData,
  { now }: ImportContext,
  { stages, scores, starts }: KnownSleeps,
): void {
  const raw = row.pick(KEPT)
  const [from, to] = [readUtc(row.get('sleep_start')), readUtc(row.get('sleep_end'))]
  const recordId = row.get('sleep_id')
  if (from === undefined || !isPossibleTime(from, now)) {
    data.quarantine('sleep', 'invalid_start_date', raw)
  } else if (to === undefined || !isPossibleTime(to, now)) {
    data.quarantine('sleep', 'invalid_end_date', raw)
  } else if (recordId === '') data.quarantine('sleep', 'invalid_field', raw)
  else {
    const start = { at: from, offset: readOffset(row.get('start_utc_offset')) }
    const end = { at: to, offset: readOffset(row.get('end_utc_offset')) }
    const minutes = (name: string) => (row.get(name) === '' ? null : Number(row.get(name)) * 60)
    const reader = data.read('sleep', {
      asleep: minutes('minutes_asleep'),
      awake: minutes('minutes_awake'),
      latency: minutes('minutes_to_fall_asleep'),
    })
    if (reader === undefined) return
    const values = {
      stage_asleep_second: reader.integer('asleep', 0, 604_800),
      stage_awake_second: reader.integer('awake', 0, 604_800),
      latency_second: reader.integer('latency', 0, 604_800),
      score: scores.get(recordId) ?? null,
    }
    if (!data.isValid('sleep', reader, raw)) return
    starts.add(localText(start))
    data.addSleep({
      recordId,
      ...(end.offset !== null && { calendarDate: dateAtOffset(to, end.offset) }),
      start,
      end,
      sourceType: row.get('data_source') === 'MANUAL' ? 'app' : 'watch',
      values,
      stages: (stages.get(recordId) ?? []).map(
        (stage): VendorStageSpan => ({
          stage: stage.stage,
          from: Math.round((stage.from - from) / 1000),
          to: Math.round((stage.to - from) / 1000),
        }),
      ),
      raw,
    })
  }
}

/**
 * Adds the sleeps of the older export as the connector does, but those that the newer tables have.
 */
export async function addSleepList(
  { file }: Member,
  { data, context, settle }: ListTarget,
  { scores, starts }: KnownSleeps,
): Promise<void> {
  const zone = zoneOf(context.options)
  const profile = zone === null ? [] : [{ user: { timezone: zone } }]
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items) {
      const start = isFields(item) ? String(item.startTime).slice(0, 19) : ''
      if (starts.has(start)) {
        data.countMerged()
        continue
      }
      data.count()
      const known = isFields(item) ? apiSleep(item) : item
      const at = context.clock.local(start)?.at
      if (at !== undefined && !isPossibleTime(at, context.now)) {
        data.quarantine('sleep', 'invalid_start_date', known)
        continue
      }
      mapFitbitSleeps({ sleep: [known] }, data, profile)
      setScore(data, isFields(item) ? String(item.logId) : '', scores)
    }
    await settle()
  }
}

/** The interface has no scores, so the connector reads none. */
function setScore(data: TypeData, id: string, scores: SleepScores): void {
  const added = data.summaries.at(-1)
  const score = scores.get(id)
  if (added?.recordId !== id || score === undefined) return
  data.summaries[data.summaries.length - 1] = { ...added, values: { ...added.values, score } }
}

/** Returns a sleep with the names of the interface. */
function apiSleep({ mainSleep, ...record }: Fields): Fields {
  return { ...record, isMainSleep: record.isMainSleep ?? mainSleep }
}
