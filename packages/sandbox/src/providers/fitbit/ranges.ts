import type { Calendar } from '../people/days.ts'
import { dateText } from '../people/local-time.ts'
import { deriveSeed, isAt } from '../people/noise.ts'
import { localOf } from './frame.ts'
import { temperaturesOn, weighingsOn } from './logs.ts'
import {
  breathsOf,
  measuredNight,
  nightMinutes,
  skinOf,
  sleepRecord,
  sleepsOfDay,
} from './sleeps.ts'

/** Collections of Fitbit's Web API that are requested by days. */

export type RangeName =
  | 'sleep'
  | 'weight'
  | 'fat'
  | 'hrv'
  | 'hrv_all'
  | 'spo2'
  | 'br'
  | 'br_all'
  | 'temp_skin'
  | 'temp_core'
  | 'cardioscore'
  | 'irn'

interface Range {
  readonly path: string
  readonly scope: string
  readonly mostDays: number
  /** Records of a day that the vendor has when the tracker synchronized until then. */
  readonly on: (calendar: Calendar, day: number, until: number) => unknown[]
  readonly answer: (records: readonly unknown[]) => unknown
}

type Night = NonNullable<ReturnType<typeof measuredNight>>

/** A record of each day with a night that was measured. */
const nightly =
  (make: (calendar: Calendar, night: Night) => object): Range['on'] =>
  (calendar, day, until) => {
    const night = measuredNight(calendar, day, until)
    return night === undefined ? [] : [{ dateTime: dateText(day), ...make(calendar, night) }]
  }

const listed = (name: string) => (records: readonly unknown[]) => ({ [name]: records })
const by = (path: string) => `/1/user/-/${path}/date/:from/:to`

/** Returns the cardio fitness score of a person: a range, or one number after outdoor runs. */
export function fitnessOf({ person }: Calendar): string {
  const score = Math.round((person.sex === 'male' ? 48 : 42) - 0.3 * (person.age - 25))
  return person.seed % 4 === 0 ? String(score) : `${score - 2}-${score + 2}`
}

/** Whether a person was notified of an irregular rhythm in the night of a day. */
export const isIrregular = ({ person }: Calendar, day: number): boolean =>
  isAt(deriveSeed(person.seed, 850), day, 0.02)

export const RANGES: Readonly<Record<RangeName, Range>> = {
  sleep: {
    path: '/1.2/user/-/sleep/date/:from/:to.json',
    scope: 'sleep',
    mostDays: 100,
    on: (calendar, day, until) =>
      sleepsOfDay(calendar, day, until).map((slept) => sleepRecord(calendar, slept)),
    answer: (sleep) => ({ sleep, pagination: { next: '' } }),
  },
  weight: {
    path: `${by('body/log/weight')}.json`,
    scope: 'weight',
    mostDays: 31,
    on: (calendar, day, until) =>
      weighingsOn(calendar, day, until).map(({ at, kilograms, fat, logId }) => ({
        bmi: Number((kilograms / calendar.person.heightMeters ** 2).toFixed(2)),
        date: dateText(day),
        fat,
        logId,
        source: 'Aria',
        time: localOf(calendar, at).slice(11, 19),
        weight: kilograms,
      })),
    answer: listed('weight'),
  },
  fat: {
    path: `${by('body/log/fat')}.json`,
    scope: 'weight',
    mostDays: 31,
    on: (calendar, day, until) =>
      weighingsOn(calendar, day, until).map(({ at, fat, logId }) => ({
        date: dateText(day),
        fat,
        logId,
        source: 'Aria',
        time: localOf(calendar, at).slice(11, 19),
      })),
    answer: listed('fat'),
  },
  hrv: {
    path: `${by('hrv')}.json`,
    scope: 'heartrate',
    mostDays: 30,
    on: nightly((calendar, night) => {
      const values = nightMinutes(calendar, night).map(({ rmssd }) => rmssd)
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      return { value: { dailyRmssd: Number(mean.toFixed(3)), deepRmssd: Number(mean.toFixed(3)) } }
    }),
    answer: listed('hrv'),
  },
  hrv_all: {
    path: `${by('hrv')}/all.json`,
    scope: 'heartrate',
    mostDays: 30,
    on: nightly((calendar, night) => ({
      minutes: nightMinutes(calendar, night).map(({ at, rmssd }) => ({
        minute: localOf(calendar, at),
        value: { rmssd, coverage: 0.95, hf: 400, lf: 500 },
      })),
    })),
    answer: listed('hrv'),
  },
  spo2: {
    path: `${by('spo2')}/all.json`,
    scope: 'oxygen_saturation',
    mostDays: 30,
    on: nightly((calendar, night) => ({
      minutes: nightMinutes(calendar, night).map(({ at, oxygen }) => ({
        minute: localOf(calendar, at).slice(0, 19),
        value: oxygen,
      })),
    })),
    answer: (records) => records,
  },
  br: {
    path: `${by('br')}.json`,
    scope: 'respiratory_rate',
    mostDays: 30,
    on: nightly((calendar, night) => ({
      value: { breathingRate: breathsOf(calendar, night).full },
    })),
    answer: listed('br'),
  },
  br_all: {
    path: `${by('br')}/all.json`,
    scope: 'respiratory_rate',
    mostDays: 30,
    on: nightly((calendar, night) => {
      const { deep, light, rem, full } = breathsOf(calendar, night)
      const rate = (breathingRate: number) => ({ breathingRate })
      return {
        value: {
          deepSleepSummary: rate(deep),
          remSleepSummary: rate(rem),
          fullSleepSummary: rate(full),
          lightSleepSummary: rate(light),
        },
      }
    }),
    answer: listed('br'),
  },
  temp_skin: {
    path: `${by('temp/skin')}.json`,
    scope: 'temperature',
    mostDays: 30,
    on: nightly((calendar, night) => ({
      value: { nightlyRelative: skinOf(calendar, night) },
      logType: 'dedicated_temp_sensor',
    })),
    answer: listed('tempSkin'),
  },
  temp_core: {
    path: `${by('temp/core')}.json`,
    scope: 'temperature',
    mostDays: 30,
    on: (calendar, day, until) =>
      temperaturesOn(calendar, day, until).map(({ at, celsius }) => ({
        dateTime: localOf(calendar, at).slice(0, 19),
        value: celsius,
      })),
    answer: listed('tempCore'),
  },
  cardioscore: {
    path: `${by('cardioscore')}.json`,
    scope: 'cardio_fitness',
    mostDays: 30,
    on: nightly((calendar) => ({ value: { vo2Max: fitnessOf(calendar) } })),
    answer: listed('cardioScore'),
  },
  irn: {
    path: `${by('irn/alerts')}.json`,
    scope: 'irregular_rhythm_notifications',
    mostDays: 30,
    on(calendar, day, until) {
      const night = measuredNight(calendar, day, until)
      if (night === undefined || !isIrregular(calendar, day)) return []
      const time = localOf(calendar, night.to)
      return [{ alertTime: time, detectedTime: time, serviceVersion: '2.2', bpm: [] }]
    },
    answer: listed('alerts'),
  },
}
