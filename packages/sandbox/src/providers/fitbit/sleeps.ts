import { HOUR_MS } from '@salus/contracts/time-units'
import type { Calendar } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { dateText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, unitAt } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { dayAt, daysAround, localOf, logIdOf } from './frame.ts'

/** Sleeps of Fitbit's Web API, and what was measured in them. */

/** Nightly values are computed some hours after waking. */
const MEASURED_AFTER_MS = 3 * HOUR_MS
/** People correct the start of a sleep after a day; the record is a new one then. */
const EDITED_AFTER_MS = 20 * HOUR_MS

export interface FitbitSleep {
  readonly sleep: Sleep
  /** Day of waking, in the zone of the profile. */
  readonly day: number
  readonly logId: number
  readonly isEdited: boolean
  readonly isMain: boolean
  readonly from: number
  readonly to: number
}

/** Returns the sleeps that end on a day and were synchronized. */
export function sleepsOfDay(calendar: Calendar, day: number, until: number): FitbitSleep[] {
  return daysAround(day)
    .flatMap((number) => sleepsOn(calendar, number))
    .filter(({ to }) => dayAt(calendar, to) === day && to <= until)
    .filter((sleep) => isWornDuring(calendar, sleep))
    .map((sleep) => {
      const isMain = sleep.kind === 'night'
      const chance = isAt(deriveSeed(calendar.person.seed, 830), sleep.day, 0.1)
      const isEdited = isMain && chance && sleep.to + EDITED_AFTER_MS <= until
      const position = (isMain ? 0 : 2) + (isEdited ? 1 : 0)
      const logId = 20_000_000_000 + logIdOf(calendar, 831, sleep.day, position)
      // The person fell asleep ten minutes later than the tracker had it.
      const from = isEdited ? sleep.from + 2 * STAGE_MS : sleep.from
      return { sleep, day, logId, isEdited, isMain, from, to: sleep.to }
    })
}

export interface Level {
  readonly stage: Stage
  readonly from: number
  readonly to: number
}

/** Returns the levels of a sleep in order, and the short wakes over them. */
export function levelsOf(calendar: Calendar, { sleep, from, isMain }: FitbitSleep) {
  const long: Level[] = []
  for (const [position, stage] of sleep.stages.entries()) {
    const at = sleep.from + position * STAGE_MS
    if (at < from) continue
    const last = long.at(-1)
    if (last?.stage === stage) long[long.length - 1] = { ...last, to: at + STAGE_MS }
    else long.push({ stage, from: at, to: at + STAGE_MS })
  }
  const seed = deriveSeed(calendar.person.seed, 832)
  const short = long.flatMap((level, position): Level[] => {
    const at = sleep.day * 256 + position
    if (!isMain || level.stage === 'awake' || !isAt(seed, at, 0.3)) return []
    const begin = level.from + 30_000 * Math.floor(betweenAt(deriveSeed(seed, 1), at, 2, 5))
    const length = 30_000 * (1 + Math.floor(unitAt(deriveSeed(seed, 2), at) * 4))
    return [{ stage: 'awake', from: begin, to: begin + length }]
  })
  return { long, short }
}

/** Returns the seconds of each stage, in which short wakes interrupt the others. */
export function secondsOf({ long, short }: ReturnType<typeof levelsOf>): Record<Stage, number> {
  const seconds = { deep: 0, light: 0, rem: 0, awake: 0 }
  for (const { stage, from, to } of long) seconds[stage] += (to - from) / 1000
  for (const { from, to } of short) {
    const under = long.find((level) => level.from <= from && from < level.to)
    if (under === undefined) continue
    seconds[under.stage] -= (to - from) / 1000
    seconds.awake += (to - from) / 1000
  }
  return seconds
}

const STAGED: Readonly<Record<Stage, string>> = {
  deep: 'deep',
  light: 'light',
  rem: 'rem',
  awake: 'wake',
}

export function sleepRecord(calendar: Calendar, slept: FitbitSleep): object {
  const levels = levelsOf(calendar, slept)
  const seconds = secondsOf(levels)
  const minutes = (count: number): number => Math.round(count / 60)
  // Short sleeps have no stages.
  const isClassic = !slept.isMain
  const nameOf = (stage: Stage): string =>
    isClassic ? (stage === 'awake' ? 'restless' : 'asleep') : STAGED[stage]
  const shown = (list: readonly Level[]) =>
    list.map(({ stage, from, to }) => ({
      dateTime: localOf(calendar, from),
      level: nameOf(stage),
      seconds: (to - from) / 1000,
    }))
  const inBed = (slept.to - slept.from) / 1000
  const awake = minutes(seconds.awake)
  const asleep = minutes(inBed) - awake
  const staged = Object.fromEntries(
    (Object.keys(STAGED) as Stage[]).map((stage) => [
      STAGED[stage],
      { count: 1, minutes: minutes(seconds[stage]), thirtyDayAvgMinutes: 0 },
    ]),
  )
  return {
    dateOfSleep: dateText(slept.day),
    duration: inBed * 1000,
    efficiency: 94,
    endTime: localOf(calendar, slept.to),
    infoCode: isClassic ? 2 : 0,
    isMainSleep: slept.isMain,
    levels: {
      data: shown(levels.long),
      ...(!isClassic && { shortData: shown(levels.short) }),
      summary: isClassic
        ? {
            asleep: { count: 0, minutes: asleep },
            awake: { count: 0, minutes: 0 },
            restless: { count: 1, minutes: awake },
          }
        : staged,
    },
    logId: slept.logId,
    logType: slept.isEdited ? 'manual' : 'auto_detected',
    minutesAfterWakeup: 0,
    minutesAsleep: asleep,
    minutesAwake: awake,
    minutesToFallAsleep: 0,
    startTime: localOf(calendar, slept.from),
    timeInBed: minutes(inBed),
    type: isClassic ? 'classic' : 'stages',
  }
}

/** Returns the main sleep of a day whose values are computed. */
export function measuredNight(
  calendar: Calendar,
  day: number,
  until: number,
): FitbitSleep | undefined {
  const nights = sleepsOfDay(calendar, day, until).filter(({ isMain }) => isMain)
  return nights.find(({ to }) => to + MEASURED_AFTER_MS <= until)
}

export interface NightMinute {
  readonly at: number
  readonly rmssd: number
  readonly oxygen: number
}

/** Returns the values of a night, one in five minutes. */
export function nightMinutes(calendar: Calendar, { sleep, from, to }: FitbitSleep): NightMinute[] {
  const heart = new Heart(calendar)
  const { oxygen } = nightSignsOn(calendar, sleep.day)
  const seed = deriveSeed(calendar.person.seed, 833)
  const minutes: NightMinute[] = []
  for (let at = from; at < to; at += STAGE_MS) {
    const value = Math.min(100, oxygen + betweenAt(seed, Math.floor(at / STAGE_MS), -1.5, 1.5))
    minutes.push({ at, rmssd: heart.variabilityAt(at), oxygen: Number(value.toFixed(1)) })
  }
  return minutes
}

/** Breaths per minute by stage; REM was not measured in some nights. */
export function breathsOf(calendar: Calendar, { sleep }: FitbitSleep) {
  const { breath } = nightSignsOn(calendar, sleep.day)
  const round = (value: number): number => Number(value.toFixed(1))
  const isMissing = isAt(deriveSeed(calendar.person.seed, 834), sleep.day, 0.2)
  return {
    deep: round(breath - 0.6),
    light: round(breath),
    rem: isMissing ? -1 : round(breath + 0.7),
    full: round(breath),
  }
}

export const skinOf = (calendar: Calendar, { sleep }: FitbitSleep): number =>
  Number(nightSignsOn(calendar, sleep.day).temperatureDeviation.toFixed(1)) + 0
