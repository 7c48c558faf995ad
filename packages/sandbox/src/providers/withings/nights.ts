import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { nightSignsOn } from '../people/heart.ts'
import { dateText } from '../people/local-time.ts'
import { betweenAt, deriveSeed } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, secondsIn, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import {
  beatsOf,
  deviceId,
  type Fields,
  hasMat,
  MAT,
  recordId,
  secondsOf,
  statisticsOf,
  WATCH,
} from './records.ts'

const STATES: Readonly<Record<Stage, number>> = { awake: 0, light: 1, deep: 2, rem: 3 }
/** Numbers of the kinds of devices, beside those of their models. */
const [TRACKER, SLEEP_MONITOR] = [16, 32]

/** Returns the sleeps that end on a day and were recorded and uploaded by the watch. */
export const seenSleeps = (calendar: Calendar, day: number, until: number): Sleep[] =>
  sleepsOn(calendar, day).filter((sleep) => sleep.to <= until && isWornDuring(calendar, sleep))

const scoreOf = ({ person }: Calendar, day: number): number =>
  Math.round(betweenAt(deriveSeed(person.seed, 940), day, 55, 96))

/** Returns the rows of `getsummary` of a day: two of a night that two devices recorded. */
export function summariesOn(calendar: Calendar, day: number, until: number): Fields[] {
  return seenSleeps(calendar, day, until).flatMap((sleep) => {
    const kind = sleep.kind === 'nap' ? 41 : 40
    const tracked = summaryOf(calendar, sleep, kind)
    if (sleep.kind === 'nap' || !hasMat(calendar)) return [tracked]
    return [
      tracked,
      {
        ...tracked,
        id: recordId(calendar, day, kind + 2),
        model: SLEEP_MONITOR,
        model_id: MAT.modelId,
        hash_deviceid: deviceId(calendar, MAT.kind),
      },
    ]
  })
}

function summaryOf(calendar: Calendar, sleep: Sleep, kind: number): Fields {
  const inBed = (sleep.to - sleep.from) / 1000
  const awake = secondsIn(sleep, 'awake')
  const slots = sleep.stages.findIndex((stage) => stage !== 'awake')
  const latency = (Math.max(0, slots) * STAGE_MS) / 1000
  return {
    id: recordId(calendar, sleep.day, kind),
    timezone: calendar.zoneAt(sleep.to),
    model: TRACKER,
    model_id: WATCH.modelId,
    hash_deviceid: deviceId(calendar, WATCH.kind),
    startdate: secondsOf(sleep.from),
    enddate: secondsOf(sleep.to),
    date: dateText(sleep.day),
    created: secondsOf(sleep.to) + 300,
    modified: secondsOf(sleep.to) + 300,
    completed: true,
    data: {
      total_timeinbed: inBed,
      total_sleep_time: inBed - awake,
      lightsleepduration: secondsIn(sleep, 'light'),
      deepsleepduration: secondsIn(sleep, 'deep'),
      remsleepduration: secondsIn(sleep, 'rem'),
      wakeupduration: awake,
      sleep_latency: latency,
      durationtosleep: latency,
      sleep_efficiency: Number(((inBed - awake) / inBed).toFixed(2)),
      sleep_score: scoreOf(calendar, sleep.day),
      ...statisticsOf(beatsOf(calendar, sleep)),
      rr_average: Math.round(nightSignsOn(calendar, sleep.day).breath),
      snoring: 0,
    },
  }
}

/** Returns the rows of `sleep get` that lie in a span: a stage each, of each device. */
export function stagesIn(calendar: Calendar, span: Span, until: number): Fields[] {
  const rows: Fields[] = []
  for (const { number } of calendar.days({ from: span.from, to: span.to + 1 })) {
    for (const sleep of seenSleeps(calendar, number, until)) {
      rows.push(...rowsOf(calendar, sleep, WATCH))
      if (sleep.kind === 'night' && hasMat(calendar)) rows.push(...rowsOf(calendar, sleep, MAT))
    }
  }
  const [from, to] = [secondsOf(span.from), secondsOf(span.to)]
  return rows.filter((row) => (row.startdate as number) >= from && (row.enddate as number) <= to)
}

function rowsOf(calendar: Calendar, sleep: Sleep, device: typeof WATCH): Fields[] {
  const rows: Fields[] = []
  const beats = beatsOf(calendar, sleep)
  for (let first = 0; first < sleep.stages.length; ) {
    const stage = sleep.stages[first] as Stage
    let end = first
    while (sleep.stages[end] === stage) end += 1
    const from = sleep.from + first * STAGE_MS
    const to = sleep.from + end * STAGE_MS
    const within = beats.filter(({ at }) => at >= from && at < to)
    const valuesOf = (value: (beats: number) => number) =>
      Object.fromEntries(within.map((one) => [secondsOf(one.at), value(one.beats)]))
    rows.push({
      startdate: secondsOf(from),
      enddate: secondsOf(to),
      state: STATES[stage],
      model: device.model,
      model_id: device.modelId,
      hash_deviceid: deviceId(calendar, device.kind),
      ...(device === WATCH && within.length > 0 && { hr: valuesOf((rate) => rate) }),
      ...(device === WATCH && { mvt_score: { [secondsOf(from + MINUTE_MS)]: 3 } }),
    })
    first = end
  }
  return rows
}
