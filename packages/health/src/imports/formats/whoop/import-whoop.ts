import { dayOfWhoopCycle, type VendorInstant, whoopSportOf } from '../../../connectors/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { WhoopKind } from './whoop-columns.ts'
import type { WhoopRow } from './whoop-row.ts'

/** Yields the rows of a kind of tables. */
type Rows = (kind: WhoopKind) => AsyncGenerator<WhoopRow[]>

/**
 * A strap, as a watch is worn. The app separates the records from those of a connection, which have
 * other ids (docs/decisions/0090-exports-of-watches-and-phones.md).
 */
const FRAME = { sourceType: 'watch', appId: 'my_whoop_data' } as const
/** Cycles of a hundred years. */
const MOST_CYCLES = 60_000

/** What a cycle says about its night, by the instant at which the person fell asleep. */
interface Recovery {
  row: WhoopRow
  values: Record<string, number | null>
}

/** Reads all tables; cycles first, because a night has the recovery of its cycle. */
export async function importWhoop(rows: Rows, out: ImportWriter): Promise<void> {
  const recoveries = new Map<number, Recovery>()
  await importCycles(rows, out, recoveries)
  const data = out.type('sleeps', 'sleep')
  for await (const batch of rows('sleeps')) {
    for (const row of batch) {
      data.count()
      const onset = row.instant('onset')?.at ?? Number.NaN
      const recovery = recoveries.get(onset)
      recoveries.delete(onset)
      addSleep(data, row, recovery)
      if (recovery === undefined) addBreaths(data, row)
    }
    await out.settle()
  }
  // An export of cycles alone has its nights in them.
  const nights = out.type('nights of cycles', 'sleep')
  for (const recovery of recoveries.values()) addSleep(nights, recovery.row, recovery)
  await importWorkouts(rows, out)
  for await (const batch of rows('journal')) {
    for (const _row of batch) out.type('journal entries', null).countNotSupported()
  }
}

async function importCycles(
  rows: Rows,
  out: ImportWriter,
  recoveries: Map<number, Recovery>,
): Promise<void> {
  const data = out.type('physiological cycles', 'activity')
  for await (const batch of rows('cycles')) {
    for (const row of batch) {
      data.count()
      const recovery = addCycle(data, row)
      const onset = row.instant('onset')?.at
      if (recovery === undefined || onset === undefined || row.get('wake') === '') continue
      recoveries.set(onset, recovery)
      if (recoveries.size > MOST_CYCLES) throw new ImportFileError('file_too_large')
    }
    await out.settle()
  }
}

/** @returns the recovery of the night; undefined for a row that is quarantined */
function addCycle(data: TypeData, row: WhoopRow): Recovery | undefined {
  const raw = row.raw()
  const times = timesOf(data, 'activity', row, ['cycleStart', 'cycleEnd'])
  const reader = data.read('activity', {
    ...row.numbers('recovery', 'resting', 'variability', 'oxygen', 'breaths', 'skinCelsius'),
    ...row.numbers('energy', 'maximumRate', 'meanRate'),
    skinFahrenheit: toCelsius(row.numbers('skinFahrenheit').skinFahrenheit ?? null),
  })
  if (times === undefined || reader === undefined) return undefined
  const [resting, variability] = [
    reader.measured('resting', 350),
    reader.measured('variability', 1000),
  ]
  const [oxygen, breaths] = [reader.measured('oxygen', 100), reader.measured('breaths', 120)]
  const values = {
    // The vendor writes kilocalories as `cal`.
    calories_total: reader.number('energy'),
    heart_rate_mean: reader.measured('meanRate', 350),
    heart_rate_maximum: reader.measured('maximumRate', 350),
    heart_rate_resting: resting,
  }
  const recovered = {
    recovery_readiness_score: reader.integer('recovery', 0, 100),
    heart_rate_resting: resting === null ? null : Math.round(resting),
    hrv_mean_rmssd: variability,
    skin_temperature: reader.measured('skinCelsius', 60) ?? reader.measured('skinFahrenheit', 60),
  }
  if (!data.isValid('activity', reader, raw)) return undefined
  const { start, end } = times
  const added = data.addSummary('activity', {
    ...{ ...FRAME, recordId: `cycle ${isoOf(start)}`, calendarDate: dayOfWhoopCycle(start) },
    ...{ start, ...(end && { end }), values, raw },
  })
  if (added === undefined) return undefined
  const woken = row.instant('wake') ?? start
  const point = { ...FRAME, start: woken }
  if (resting) data.addSample('heartrate', { ...point, value: resting, unit: 'bpm' }, raw)
  if (variability) {
    const extra = { method: 'rmssd' }
    data.addSample('hrv', { ...point, value: variability, unit: 'ms', extra }, raw)
  }
  if (oxygen) data.addSample('blood_oxygen', { ...point, value: oxygen, unit: '%' }, raw)
  if (breaths) data.addSample('respiratory_rate', { ...point, value: breaths, unit: 'bpm' }, raw)
  return { row, values: recovered }
}

/** Adds the breaths of a sleep without a cycle, such as a nap. */
function addBreaths(data: TypeData, row: WhoopRow): void {
  const start = row.instant('wake')
  const { breaths } = row.numbers('breaths')
  if (start === undefined || !breaths) return
  data.addSample('respiratory_rate', { ...FRAME, start, value: breaths, unit: 'bpm' }, row.raw())
}

const MOST_MINUTES = 10_080

function addSleep(data: TypeData, row: WhoopRow, recovery: Recovery | undefined): void {
  const raw = row.raw()
  const times = timesOf(data, 'sleep', row, ['onset', 'wake'])
  const reader = data.read('sleep', {
    ...row.numbers('asleep', 'light', 'deep', 'rem', 'awake'),
    ...row.numbers('breaths', 'performance', 'efficiency'),
  })
  if (times === undefined || reader === undefined) return
  if (times.end === undefined) {
    data.quarantine('sleep', 'invalid_end_date', raw)
    return
  }
  const seconds = (name: string): number | null => {
    const minutes = reader.number(name, 0, MOST_MINUTES)
    return minutes === null ? null : Math.round(minutes * 60)
  }
  const values = {
    type: /^(true|1|yes)$/i.test(row.get('nap')) ? 'acknowledged_nap' : null,
    stage_asleep_second: seconds('asleep'),
    stage_awake_second: seconds('awake'),
    stage_light_second: seconds('light'),
    stage_rem_second: seconds('rem'),
    stage_deep_second: seconds('deep'),
    respiratory_rate: reader.measured('breaths', 120),
    efficiency: reader.measured('efficiency', 100),
    score: reader.integer('performance', 0, 100),
    ...recovery?.values,
  }
  if (!data.isValid('sleep', reader, raw)) return
  const { start, end } = times
  data.addSleep({ ...FRAME, recordId: `sleep ${isoOf(start)}`, start, end, values, raw })
}

async function importWorkouts(rows: Rows, out: ImportWriter): Promise<void> {
  const data = out.type('workouts', 'workouts')
  for await (const batch of rows('workouts')) {
    for (const row of batch) {
      data.count()
      addWorkout(data, row)
    }
    await out.settle()
  }
}

const ZONES = ['zone1', 'zone2', 'zone3', 'zone4', 'zone5'] as const

function addWorkout(data: TypeData, row: WhoopRow): void {
  const raw = row.raw()
  const times = timesOf(data, 'workouts', row, ['workoutStart', 'workoutEnd'])
  const reader = data.read('workouts', {
    ...row.numbers('energy', 'maximumRate', 'meanRate', 'meters', 'gain'),
    ...row.numbers(...ZONES),
  })
  if (times === undefined || reader === undefined) return
  const { start, end } = times
  if (end === undefined) {
    data.quarantine('workouts', 'invalid_end_date', raw)
    return
  }
  const values = {
    calories: reader.number('energy'),
    heart_rate_mean: reader.heartRate('meanRate'),
    heart_rate_maximum: reader.heartRate('maximumRate'),
    distance_meter: reader.number('meters'),
    elevation_gain_meter: reader.number('gain'),
    ...zonesOf(
      ZONES.map((zone) => reader.number(zone, 0, 100)),
      (end.at - start.at) / 1000,
    ),
  }
  if (!data.isValid('workouts', reader, raw)) return
  data.addWorkout({
    ...{ ...FRAME, recordId: `workout ${isoOf(start)}`, start, end, values, raw },
    sport: whoopSportOf({ sport_name: row.get('activity') }),
  })
}

/** Rounding of five percentages. */
const TOLERANCE_PERCENT = 3

/**
 * Returns the seconds in each zone. The vendor's first zone begins at half of the highest heart
 * rate, which is our second; the rest of the time was below.
 */
function zonesOf(percents: readonly (number | null)[], seconds: number): Record<string, number> {
  const known = percents.filter((percent) => percent !== null)
  const sum = known.reduce((total, percent) => total + percent, 0)
  if (known.length < percents.length || sum > 100 + TOLERANCE_PERCENT || sum === 0) return {}
  const all = [Math.max(0, 100 - sum), ...known]
  return Object.fromEntries(
    all.map((percent, index) => [
      `heart_rate_zone_${index + 1}`,
      Math.round(percent * seconds) / 100,
    ]),
  )
}

type TimeColumns = readonly [
  'cycleStart' | 'onset' | 'workoutStart',
  'cycleEnd' | 'wake' | 'workoutEnd',
]

/** Returns the times of a row; undefined where they are none, and the row is quarantined. */
function timesOf(
  data: TypeData,
  resource: string,
  row: WhoopRow,
  [from, to]: TimeColumns,
): { start: VendorInstant; end: VendorInstant | undefined } | undefined {
  const start = row.instant(from)
  const end = row.instant(to)
  const isWrongEnd = end === undefined && row.get(to) !== ''
  if (start !== undefined && !isWrongEnd) return { start, end }
  const problem = start === undefined ? 'invalid_start_date' : 'invalid_end_date'
  data.quarantine(resource, problem, row.raw())
  return undefined
}

const isoOf = ({ at }: VendorInstant): string => new Date(at).toISOString()

const toCelsius = (fahrenheit: number | null): number | null =>
  fahrenheit === null ? null : ((fahrenheit - 32) * 5) / 9
