import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import { oxygenOn, pressuresOn, stripsOn, weighingOn } from '../people/body.ts'
import type { Calendar, Span } from '../people/days.ts'
import { offsetText } from '../people/local-time.ts'
import { seedOf, uuidAt } from '../people/noise.ts'
import { STAGE_MS, secondsIn, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { type SyncHabit, syncedUntil } from '../people/sync.ts'

/** Records of iHealth, each a function of the person, the day and the upload time. */

export type Fields = Record<string, unknown>

const TRACKER_SYNC: SyncHabit = { use: 520, everyHours: [1, 4], silentDays: 0.08 }

const [KILOPASCALS, MMOL, KILOMETERS, MILES] = [0.133322387415, 18.0182, 1000, 1609.344]
/** Kilograms of kilograms, pounds and stones, by the number of the unit. */
const MASSES = [1, 0.45359237, 6.35029318]

/** Units by number, as a person chose them in the app. */
export const unitsOf = ({ person: { seed } }: Calendar) => ({
  pressure: seed % 2,
  glucose: seed % 2,
  weight: seed % 3,
  distance: seed % 2,
})

/** A kind of records: its list, and the name and number of the unit of a page. */
export interface Kind {
  readonly list: string
  readonly unit?: readonly [name: string, of: keyof ReturnType<typeof unitsOf>]
  readonly scope: string
  /** Records of a day that were uploaded until then, the oldest first. */
  readonly recordsOn: (calendar: Calendar, day: number, until: number) => Fields[]
}

/** The clock of the place in seconds, as if it were UTC. */
const localSeconds = (calendar: Calendar, at: number, offset = calendar.offsetAt(at)): number =>
  Math.floor((at + offset) / 1000)

/** `-0800`; the vendor leaves out the sign of some that are positive. */
function zoneText(offset: number, hasSign: boolean): string {
  const text = offsetText(offset).replace(':', '')
  return hasSign || text.startsWith('-') ? text : text.slice(1)
}

function recordOf(
  calendar: Calendar,
  {
    at,
    day,
    kind,
    isManual = false,
  }: { at: number; day: number; kind: string; isManual?: boolean },
): Fields {
  const id = uuidAt(seedOf(`${calendar.person.seed}/${kind}`), day)
  return {
    DataID: id.replaceAll('-', ''),
    DataSource: isManual ? 'Manual' : 'FromDevice',
    LastChangeTime: Math.floor(at / 1000) + 8,
    Lat: -1,
    Lon: -1,
    Note: '',
    TimeZone: zoneText(calendar.offsetAt(at), kind !== 'spo2'),
    MDate: localSeconds(calendar, at),
  }
}

const isUploaded = (until: number) => (one: { at: number }) => one.at <= until

function pressures(calendar: Calendar, day: number, until: number): Fields[] {
  const factor = unitsOf(calendar).pressure === 1 ? KILOPASCALS : 1
  return pressuresOn(calendar, day)
    .filter(isUploaded(until))
    .map(({ at, systolic, diastolic, beats }) => ({
      ...recordOf(calendar, { at, day, kind: 'bp' }),
      BPL: 1,
      HP: systolic * factor,
      LP: diastolic * factor,
      HR: beats,
      IsArr: -1,
    }))
}

function strips(calendar: Calendar, day: number, until: number): Fields[] {
  const divisor = unitsOf(calendar).glucose === 1 ? MMOL : 1
  return stripsOn(calendar, day)
    .filter(isUploaded(until))
    .map(({ at, value }, position) => ({
      ...recordOf(calendar, { at, day, kind: `glucose ${position}`, isManual: position === 1 }),
      BG: value / divisor,
      DinnerSituation: position === 0 ? 'Before_breakfast' : 'Before_dinner',
      DrugSituation: 'Before_taking_pills',
    }))
}

function weighings(calendar: Calendar, day: number, until: number): Fields[] {
  const weighing = weighingOn(calendar, day)
  if (weighing === undefined || weighing.at > until) return []
  const unit = MASSES[unitsOf(calendar).weight] ?? 1
  const { at, kilograms, fatPercent, muscleKilograms, boneKilograms } = weighing
  // A scale without electrodes for the rest: 0 means that it was not measured.
  const isPlain = day % 5 === 0
  return [
    {
      ...recordOf(calendar, { at, day, kind: 'weight' }),
      WeightValue: kilograms / unit,
      BMI: kilograms / calendar.person.heightMeters ** 2,
      FatValue: isPlain ? 0 : fatPercent,
      MuscaleValue: isPlain ? 0 : muscleKilograms / unit,
      BoneValue: isPlain ? 0 : boneKilograms / unit,
      WaterValue: isPlain ? 0 : (100 * weighing.waterKilograms) / kilograms,
      DCI: isPlain ? 0 : 1900,
    },
  ]
}

function oxygens(calendar: Calendar, day: number, until: number): Fields[] {
  const oxygen = oxygenOn(calendar, day)
  if (oxygen === undefined || oxygen.at > until) return []
  const { at, value } = oxygen
  return [{ ...recordOf(calendar, { at, day, kind: 'spo2' }), BO: value, HR: 64 }]
}

/** A day is updated until it ends; the time of the record is that of the last update. */
function days(calendar: Calendar, day: number, until: number): Fields[] {
  const { from, to } = calendar.day(day)
  const span: Span = { from, to: Math.min(to, syncedUntil(calendar, until, TRACKER_SYNC)) }
  if (span.to < from + HOUR_MS) return []
  const { weightKilograms } = calendar.person
  const minutes = activeMinutes(calendar, span)
  const worn = minutes.filter(({ isWorn }) => isWorn)
  const meters = worn.reduce((sum, one) => sum + one.meters, 0)
  const calories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
  const at = span.to - MINUTE_MS
  return [
    {
      ...recordOf(calendar, { at, day, kind: 'activity' }),
      // A day that is over has its last second.
      LastChangeTime: Math.floor(span.to / 1000),
      Calories: Math.round(calories),
      DistanceTraveled:
        Math.round(meters) / (unitsOf(calendar).distance === 1 ? MILES : KILOMETERS),
      Steps: worn.reduce((sum, { steps }) => sum + steps, 0),
    },
  ]
}

function sleeps(calendar: Calendar, day: number, until: number): Fields[] {
  const synced = syncedUntil(calendar, until, TRACKER_SYNC)
  return sleepsOn(calendar, day)
    .filter((sleep) => sleep.to <= synced && isWornDuring(calendar, sleep))
    .map((sleep) => {
      const { MDate: EndTime, ...record } = recordOf(calendar, {
        at: sleep.to,
        day,
        kind: `sleep ${sleep.kind}`,
      })
      const asleep = (sleep.to - sleep.from) / 1000 - secondsIn(sleep, 'awake')
      const slots = Math.max(
        0,
        sleep.stages.findIndex((stage) => stage !== 'awake'),
      )
      return {
        ...record,
        StartTime: localSeconds(calendar, sleep.from, calendar.offsetAt(sleep.to)),
        EndTime,
        // In minutes, whatever its name.
        HoursSlept: asleep / 60,
        Awaken: sleep.stages.filter((stage) => stage === 'awake').length,
        FallSleep: (slots * STAGE_MS) / MINUTE_MS,
        SleepEfficiency: Math.round((100_000 * asleep) / (sleep.to - sleep.from)),
      }
    })
}

export const KINDS: Readonly<Record<string, Kind>> = {
  bp: {
    list: 'BPDataList',
    unit: ['BPUnit', 'pressure'],
    scope: 'OpenApiBP',
    recordsOn: pressures,
  },
  glucose: {
    list: 'BGDataList',
    unit: ['BGUnit', 'glucose'],
    scope: 'OpenApiBG',
    recordsOn: strips,
  },
  weight: {
    list: 'WeightDataList',
    unit: ['WeightUnit', 'weight'],
    scope: 'OpenApiWeight',
    recordsOn: weighings,
  },
  spo2: { list: 'BODataList', scope: 'OpenApiSpO2', recordsOn: oxygens },
  activity: {
    list: 'ARDataList',
    unit: ['DistanceUnit', 'distance'],
    scope: 'OpenApiActivity',
    recordsOn: days,
  },
  sleep: { list: 'SRDataList', scope: 'OpenApiSleep', recordsOn: sleeps },
}

/** Local seconds of a record, by which the vendor compares and orders. */
export const localTimeOf = ({ MDate, StartTime }: Fields): number => (MDate ?? StartTime) as number
