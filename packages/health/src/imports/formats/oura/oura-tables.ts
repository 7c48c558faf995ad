import type { PageData } from '../../../connectors/index.ts'
import {
  mapOuraActivity,
  mapOuraBloodOxygen,
  mapOuraHeartRates,
  mapOuraOxygenUptake,
  mapOuraRings,
  mapOuraSleep,
  mapOuraStress,
  mapOuraWorkouts,
} from '../../../connectors/index.ts'

/** Maps an answer of the vendor's interface; a sleep with the scores of its day. */
type Mapper = (answer: unknown, data: PageData, details: readonly unknown[]) => void

/** A family of records: a table of the export, or a list of its JSON. */
export interface OuraTable {
  /** Name in reports. */
  name: string
  resource: string | null
  /** Name of the list in JSON. */
  list: string
  /** Columns that no other table has together. */
  own: readonly string[]
  /** Columns that make it another table. */
  not?: readonly string[]
  /** Columns that are read, by the kind of their cells. */
  texts: readonly string[]
  numbers: readonly string[]
  json: readonly string[]
  /** Undefined for the scores of days, which are parts of sleeps. */
  map: Mapper | undefined
}

const words = (text: string): string[] => (text === '' ? [] : text.split(' '))

interface Columns {
  own: string
  not?: string
  texts: string
  numbers?: string
  json?: string
}

function table(
  [name, resource, list]: readonly [name: string, resource: string | null, list: string],
  { own, not = '', texts, numbers = '', json = '' }: Columns,
  map: Mapper | undefined,
): OuraTable {
  const columns = { texts: words(texts), numbers: words(numbers), json: words(json) }
  return { name, resource, list, own: words(own), not: words(not), ...columns, map }
}

/** The columns have the names of the vendor's interface, and are mapped as its answers are. */
export const OURA_TABLES: readonly OuraTable[] = [
  table(
    ['sleep', 'sleep', 'sleep'],
    {
      own: 'bedtime_start bedtime_end day',
      texts: 'id bedtime_start bedtime_end day type sleep_phase_5_min sleep_phase_30_sec',
      numbers:
        'total_sleep_duration awake_time light_sleep_duration rem_sleep_duration deep_sleep_duration latency average_heart_rate lowest_heart_rate average_hrv average_breath efficiency time_in_bed',
      json: 'heart_rate hrv readiness',
    },
    mapOuraSleep,
  ),
  table(
    ['daily activity', 'activity', 'daily_activity'],
    {
      own: 'active_calories steps day equivalent_walking_distance',
      texts: 'id day timestamp',
      numbers:
        'total_calories active_calories steps equivalent_walking_distance sedentary_time low_activity_time medium_activity_time high_activity_time score',
    },
    mapOuraActivity,
  ),
  table(
    ['daily readiness', 'sleep', 'daily_readiness'],
    {
      own: 'temperature_deviation score day',
      texts: 'id day timestamp',
      numbers: 'score temperature_deviation temperature_trend_deviation',
    },
    undefined,
  ),
  table(
    ['daily sleep', 'sleep', 'daily_sleep'],
    {
      own: 'contributors score day timestamp',
      not: 'temperature_deviation active_calories steps',
      texts: 'id day timestamp',
      numbers: 'score',
    },
    undefined,
  ),
  table(
    ['daily spo2', 'blood_oxygen', 'daily_spo2'],
    { own: 'spo2_percentage day', texts: 'id day', json: 'spo2_percentage' },
    mapOuraBloodOxygen,
  ),
  table(
    ['daily stress', 'stress_level', 'daily_stress'],
    { own: 'stress_high day', texts: 'id day', numbers: 'stress_high recovery_high' },
    mapOuraStress,
  ),
  table(
    ['vo2 max', 'vo2_max', 'vo2_max'],
    { own: 'id day vo2_max timestamp', texts: 'id day timestamp', numbers: 'vo2_max' },
    mapOuraOxygenUptake,
  ),
  table(
    ['workout', 'workouts', 'workout'],
    {
      own: 'activity start_datetime end_datetime intensity day',
      texts: 'id activity day start_datetime end_datetime intensity label source',
      numbers: 'calories distance',
    },
    mapOuraWorkouts,
  ),
  table(
    ['heart rate', 'heartrate', 'heartrate'],
    { own: 'bpm source timestamp', texts: 'source timestamp', numbers: 'bpm' },
    mapOuraHeartRates,
  ),
  table(
    ['ring configuration', 'device', 'ring_configuration'],
    {
      own: 'hardware_type firmware_version',
      texts: 'id hardware_type firmware_version set_up_at',
    },
    mapOuraRings,
  ),
]

/** Letters and digits of a column: older exports write `SleepPhase5Min`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns the table that some columns belong to. */
export function tableOf(head: readonly string[]): OuraTable | undefined {
  const plain = new Set(head.map(plainName))
  const has = (column: string) => plain.has(plainName(column))
  return OURA_TABLES.find(({ own, not = [] }) => own.every(has) && !not.some(has))
}
