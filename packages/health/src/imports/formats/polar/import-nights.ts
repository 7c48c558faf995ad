import {
  polarDurationMs,
  type VendorStage,
  type VendorStageSpan,
} from '../../../connectors/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonItems } from '../../files/json.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import { entriesOf, type Fields, fieldsOf, firstOf, isoText } from './polar-fields.ts'

/** More nights than a long life has. */
const MOST_NIGHTS = 60_000
/** Breaths per minute of a person asleep; the unit of the field is not documented. */
const BREATHS = [5, 40] as const

const STAGES: Readonly<Record<string, VendorStage>> = {
  WAKE: 'awake',
  REM: 'rem',
  NONREM1: 'light',
  NONREM2: 'light',
  NONREM12: 'light',
  NONREM3: 'deep',
}

interface NightFiles {
  results: readonly ImportFile[]
  scores: readonly ImportFile[]
  recoveries: readonly ImportFile[]
}

/** Reads nights with the score and the recovery of the same date. */
export async function importNights(
  files: NightFiles,
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  const scores = await readByNight(files.scores)
  const recoveries = await readByNight(files.recoveries)
  const data = out.type('sleep result', 'sleep')
  const nights = new Set<string>()
  for (const file of files.results) {
    for await (const records of readJsonItems(file, '$.*')) {
      for (const record of records) {
        data.count()
        const fields = fieldsOf(record)
        const night = String(fields?.night ?? '')
        nights.add(night)
        if (fields === undefined) data.quarantine('sleep', 'not_an_object', record)
        else addNight(data, fields, context, [scores.get(night), recoveries.get(night)])
      }
      await out.settle()
    }
  }
  countParts(out.type('sleep score', 'sleep'), scores, nights)
  countParts(out.type('nightly recovery', 'sleep'), recoveries, nights)
}

async function readByNight(files: readonly ImportFile[]): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>()
  for (const file of files) {
    for await (const records of readJsonItems(file, '$.*')) {
      for (const record of entriesOf(records)) {
        found.set(String(record.night ?? record.date ?? ''), record)
        if (found.size > MOST_NIGHTS) throw new ImportFileError('file_too_large')
      }
    }
  }
  return found
}

/** Counts records as parts of a night, or of none. */
function countParts(
  data: TypeData,
  records: ReadonlyMap<string, Fields>,
  nights: ReadonlySet<string>,
): void {
  for (const night of records.keys()) {
    if (nights.has(night)) data.countMerged()
    else data.countNotSupported()
  }
}

function addNight(
  data: TypeData,
  record: Fields,
  { clock }: ImportContext,
  [score, recovery]: readonly [Fields | undefined, Fields | undefined],
): void {
  const { night } = record
  const result = fieldsOf(fieldsOf(record.sleepResult)?.hypnogram) ?? {}
  const { sleepStart, sleepEnd, sleepStateChanges: changes } = result
  const steps = entriesOf(changes)
  const raw = {
    ...{ night, sleepStart, sleepEnd },
    sleepStateChanges: steps.map(({ offsetFromStart, state }) => ({ offsetFromStart, state })),
  }
  const date = data.date('sleep', night, raw)
  const instantAt = (text: unknown, problem: 'invalid_start_date' | 'invalid_end_date') =>
    // Times of nights have their offset; one without it is in the zone of the options.
    (typeof text === 'string' ? clock.local(isoText(text)) : undefined) ??
    data.instant('sleep', text, raw, problem)
  const start = date && instantAt(sleepStart, 'invalid_start_date')
  const end = start && instantAt(sleepEnd, 'invalid_end_date')
  if (!date || !start || !end) return
  const values = valuesOf(data, score, recovery, raw)
  if (values === undefined) return
  data.addSleep({
    ...{ recordId: date, calendarDate: date, start, end, sourceType: 'watch', values, raw },
    stages: spansOf(steps, (end.at - start.at) / 1000),
  })
}

function valuesOf(
  data: TypeData,
  score: Fields | undefined,
  recovery: Fields | undefined,
  raw: unknown,
) {
  const breaths = firstOf(recovery ?? {}, ['breathingRateAvg'])
  const isRate = typeof breaths === 'number' && breaths >= BREATHS[0] && breaths <= BREATHS[1]
  const reader = data.read('sleep', {
    score: fieldsOf(score?.sleepScoreResult)?.sleepScore ?? score?.sleepScore,
    variability: firstOf(recovery ?? {}, ['meanNightlyRecoveryRmssd', 'heartRateVariabilityAvg']),
  })
  if (reader === undefined) return undefined
  const values = {
    // The scale begins at 1.
    score: reader.integer('score', 0, 100) || null,
    hrv_mean_rmssd: reader.measured('variability', 1000),
    respiratory_rate: isRate ? breaths : null,
  }
  return data.isValid('sleep', reader, raw) ? values : undefined
}

/** Each stage lasts until the next one; what is after the end is left out. */
function spansOf(steps: readonly Fields[], seconds: number): VendorStageSpan[] {
  const timed = steps
    .map(({ offsetFromStart, state }) => ({
      from: polarDurationMs(offsetFromStart) / 1000,
      stage: STAGES[String(state)] ?? ('unknown' as const),
    }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from)
  return timed.map(({ from, stage }, index) => ({
    ...{ stage, from: Math.round(from) },
    to: Math.round(timed[index + 1]?.from ?? seconds),
  }))
}
