import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { dateText } from '../people/local-time.ts'
import { deriveSeed, isAt, normalAt, uuidAt } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, sleepsOn } from '../people/sleep.ts'

/** Days and times in bed of a bed of 8Sleep. */

/** The bed uploads a night some minutes after its end, and the vendor processes it for hours. */
const UPLOAD_MS = 10 * MINUTE_MS
const PROCESSING_MS = 2 * HOUR_MS
const MOST_DAYS = 400

const USE = { bathroom: 870, id: 871, breath: 872 }

type Shown = Stage | 'out'

export interface Session {
  id: string
  ts: string
  stages: { stage: Shown; duration: number }[]
  timeseries: Record<string, [string, number][]>
}

const isoOf = (at: number): string => new Date(at).toISOString()
const round = (value: number, digits = 1): number => Number(value.toFixed(digits))

/** Whether the person sleeps at home: on a journey the side of the bed stays empty. */
const isHome = (calendar: Calendar, at: number): boolean =>
  calendar.zoneAt(at) === calendar.person.homeZone

/** Stages of five minutes; now and then the person leaves the bed while awake. */
function shownStages(calendar: Calendar, { stages, day, kind }: Sleep): Shown[] {
  const seed = deriveSeed(calendar.person.seed, USE.bathroom)
  const leaves = kind === 'night' && isAt(seed, day, 0.3)
  const middle = stages.findIndex((stage, index) => stage === 'awake' && index > 20)
  return stages.map((stage, index) => (leaves && index === middle ? 'out' : stage))
}

function runsOf(stages: readonly Shown[]): Session['stages'] {
  const runs: Session['stages'] = []
  for (const stage of stages) {
    const last = runs.at(-1)
    if (last?.stage === stage) last.duration += STAGE_MS / 1000
    else runs.push({ stage, duration: STAGE_MS / 1000 })
  }
  return runs
}

function sessionOf(calendar: Calendar, sleep: Sleep): Session {
  const { from, day, kind } = sleep
  const stages = shownStages(calendar, sleep)
  const id = uuidAt(deriveSeed(calendar.person.seed, USE.id), day * 2 + (kind === 'nap' ? 1 : 0))
  // The session goes on until the bed has been empty for some minutes.
  const runs = [...runsOf(stages), { stage: 'out' as const, duration: 300 }]
  return { id, ts: isoOf(from), stages: runs, timeseries: seriesOf(calendar, sleep, stages) }
}

function seriesOf(calendar: Calendar, { from, to, day }: Sleep, stages: readonly Shown[]) {
  const heart = new Heart(calendar)
  const { breath } = nightSignsOn(calendar, day)
  const breaths = deriveSeed(calendar.person.seed, USE.breath)
  const isInBed = (at: number) => stages[Math.floor((at - from) / STAGE_MS)] !== 'out'
  const beats: [string, number][] = []
  heart.each({ from, to }, STAGE_MS, (at, rate) => {
    if (isInBed(at)) beats.push([isoOf(at), rate])
  })
  const times = beats.map(([text]) => Date.parse(text))
  const each = (valueAt: (at: number) => number): [string, number][] =>
    times.map((at) => [isoOf(at), valueAt(at)])
  return {
    heartRate: beats,
    hrv: each((at) => heart.variabilityAt(at)),
    respiratoryRate: each((at) => round(breath + 0.3 * normalAt(breaths, at / STAGE_MS))),
    tempBedC: each(() => 28.2),
    tempRoomC: each(() => 19.5),
    tnt: each(() => 0),
  }
}

/** Returns the times in bed that end on a day, as known at a moment. */
export function sessionsOn(calendar: Calendar, day: number, now: number): Session[] {
  return sleepsOn(calendar, day)
    .filter((sleep) => isHome(calendar, sleep.from) && sleep.to + UPLOAD_MS <= now)
    .map((sleep) => sessionOf(calendar, sleep))
}

const secondsOf = (sessions: readonly Session[], ...wanted: Shown[]): number =>
  sessions
    .flatMap(({ stages }) => stages)
    .reduce((sum, { stage, duration }) => sum + (wanted.includes(stage) ? duration : 0), 0)

const meanOf = (list: readonly [string, number][] = []): number | undefined =>
  list.length === 0
    ? undefined
    : round(list.reduce((sum, [, value]) => sum + value, 0) / list.length, 2)

/** A bed on which no one lay has a session without a stage. */
const emptySession = (calendar: Calendar, day: number): Session => ({
  id: uuidAt(deriveSeed(calendar.person.seed, USE.id), -day),
  ts: isoOf(day * DAY_MS),
  stages: [],
  timeseries: {},
})

/** Returns a day as `trends` has it; undefined for one without anything. */
export function trendOf(calendar: Calendar, day: number, now: number): object | undefined {
  const sessions = sessionsOn(calendar, day, now)
  const [first] = sessions
  const last = sleepsOn(calendar, day).findLast(({ to }) => to + UPLOAD_MS <= now)
  if (last === undefined) return undefined
  if (first === undefined) {
    return { day: dateText(day), processing: false, sessions: [emptySession(calendar, day)] }
  }
  const asleep = secondsOf(sessions, 'light', 'deep', 'rem')
  const [start] = first.stages
  const series = first.timeseries
  return {
    day: dateText(day),
    score: Math.min(100, Math.max(1, Math.round(asleep / 300))),
    tnt: 12 + (day % 9),
    processing: now < last.to + PROCESSING_MS,
    presenceStart: first.ts,
    presenceEnd: isoOf(last.to),
    presenceDuration: secondsOf(sessions, 'light', 'deep', 'rem', 'awake'),
    sleepDuration: asleep,
    lightDuration: secondsOf(sessions, 'light'),
    deepDuration: secondsOf(sessions, 'deep'),
    remDuration: secondsOf(sessions, 'rem'),
    latencyAsleepSeconds: start?.stage === 'awake' ? start.duration : 0,
    latencyOutSeconds: 300,
    sleepQualityScore: {
      total: 80,
      hrv: { score: 80, current: meanOf(series.hrv), average: meanOf(series.hrv) },
      heartRate: { score: 80, current: meanOf(series.heartRate) },
      respiratoryRate: { score: 80, current: meanOf(series.respiratoryRate) },
    },
    sleepRoutineScore: { total: 75 },
    sleepFitnessScore: { total: 78 },
    sessions,
  }
}

/** Returns the days from one to another, both included, that have anything. */
export function trendsOf(
  calendar: Calendar,
  { from, to }: { from: number; to: number },
  now: number,
): object[] {
  const earliest = Math.floor(now / DAY_MS) - MOST_DAYS
  const days: object[] = []
  for (let day = Math.max(from, earliest); day <= to; day++) {
    const trend = trendOf(calendar, day, now)
    if (trend !== undefined) days.push(trend)
  }
  return days
}

/** Returns the days that a span of time overlaps. */
export function daysOf(calendar: Calendar, { from, to }: Span): { from: number; to: number } {
  return { from: calendar.dayAt(from).number, to: calendar.dayAt(to - 1).number }
}
