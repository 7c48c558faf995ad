import { HOUR_MS } from '@salus/contracts/time-units'
import type { Calendar } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { dateText } from '../people/local-time.ts'
import { type Sleep, STAGE_MS, secondsIn, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { idOf, offsetsOf, placed, type Summary, seconds } from './place.ts'

/** For this long after its end a night is tentative, and ends a stage earlier. */
export const TENTATIVE_MS = 3 * HOUR_MS

/** Returns the sleeps of a day that a watch recorded and uploaded. */
export function seenSleeps(calendar: Calendar, day: number, until: number): Sleep[] {
  return sleepsOn(calendar, day).filter(
    (sleep) => sleep.to <= until && isWornDuring(calendar, sleep),
  )
}

const nightOn = (calendar: Calendar, day: number, until: number): Sleep | undefined =>
  seenSleeps(calendar, day, until).find(({ kind }) => kind === 'night')

interface Stretch {
  startTimeInSeconds: number
  endTimeInSeconds: number
}

/** Neighbors of one stage are one stretch. */
function levelsOf({ from, stages }: Pick<Sleep, 'from' | 'stages'>): Record<string, Stretch[]> {
  const levels: Record<string, Stretch[]> = {}
  for (const [position, stage] of stages.entries()) {
    const startTimeInSeconds = seconds(from + position * STAGE_MS)
    const endTimeInSeconds = startTimeInSeconds + STAGE_MS / 1000
    const own = levels[stage] ?? []
    levels[stage] = own
    const last = own.at(-1)
    if (last?.endTimeInSeconds === startTimeInSeconds) last.endTimeInSeconds = endTimeInSeconds
    else own.push({ startTimeInSeconds, endTimeInSeconds })
  }
  return levels
}

/**
 * A night has another id once it is final. Its duration has no time awake. Naps are parts of the
 * summary of their day.
 */
export function sleepsListed(calendar: Calendar, day: number, until: number): Summary[] {
  const whole = nightOn(calendar, day, until)
  if (whole === undefined) return []
  const isTentative = until < whole.to + TENTATIVE_MS
  const stages = isTentative ? whole.stages.slice(0, -1) : whole.stages
  const night = { ...whole, stages, to: whole.from + stages.length * STAGE_MS }
  const awake = secondsIn(night, 'awake')
  const { breath, oxygen } = nightSignsOn(calendar, day)
  const naps = seenSleeps(calendar, day, until).filter(({ kind }) => kind === 'nap')
  const valuesOf = (value: number) => offsetsOf(calendar, night, STAGE_MS, () => value)
  return [
    {
      summaryId: idOf(calendar, night.from, isTentative ? '-5' : '-6'),
      calendarDate: dateText(day),
      ...placed(calendar, night),
      durationInSeconds: (night.to - night.from) / 1000 - awake,
      totalNapDurationInSeconds: naps.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0),
      unmeasurableSleepInSeconds: 0,
      deepSleepDurationInSeconds: secondsIn(night, 'deep'),
      lightSleepDurationInSeconds: secondsIn(night, 'light'),
      remSleepInSeconds: secondsIn(night, 'rem'),
      awakeDurationInSeconds: awake,
      sleepLevelsMap: levelsOf(night),
      validation: isTentative ? 'ENHANCED_TENTATIVE' : 'ENHANCED_FINAL',
      timeOffsetSleepRespiration: valuesOf(breath),
      timeOffsetSleepSpo2: valuesOf(Math.round(oxygen)),
      ...(!isTentative && { overallSleepScore: { value: scoreOf(night), qualifierKey: 'GOOD' } }),
      naps: naps.map(({ from, to }) => ({
        napDurationInSeconds: (to - from) / 1000,
        napStartTimeInSeconds: seconds(from),
        napOffsetInSeconds: calendar.offsetAt(from) / 1000,
        napValidation: 'DEVICE',
      })),
    },
  ]
}

/** From 1 to 100, a share of eight hours asleep. */
export const scoreOf = (night: Sleep): number =>
  Math.round(Math.min(100, ((night.to - night.from) / 1000 - secondsIn(night, 'awake')) / (8 * 36)))

/** Summaries with values of a night. */
const ofNight =
  (rest: string, make: (calendar: Calendar, night: Sleep) => object) =>
  (calendar: Calendar, day: number, until: number): Summary[] => {
    const night = nightOn(calendar, day, until)
    if (night === undefined) return []
    return [
      {
        summaryId: idOf(calendar, night.from, rest),
        calendarDate: dateText(day),
        ...placed(calendar, night),
        ...make(calendar, night),
      },
    ]
  }

export const variabilityOn = ofNight('-h', (calendar, night) => {
  const heart = new Heart(calendar)
  const values = offsetsOf(calendar, night, STAGE_MS, (at) => heart.variabilityAt(at))
  const all = Object.values(values)
  return {
    lastNightAvg: Math.round(all.reduce((sum, value) => sum + value, 0) / all.length),
    lastNight5MinHigh: Math.max(...all),
    hrvValues: values,
  }
})

export const oxygenOn = ofNight('-o', (calendar, night) => {
  const oxygen = Math.round(nightSignsOn(calendar, night.day).oxygen)
  return {
    timeOffsetSpo2Values: offsetsOf(calendar, night, STAGE_MS, () => oxygen),
    onDemand: false,
  }
})

export const skinTemperatureOn = ofNight('-t', (calendar, night) => ({
  avgDeviationCelsius: nightSignsOn(calendar, night.day).temperatureDeviation,
}))
