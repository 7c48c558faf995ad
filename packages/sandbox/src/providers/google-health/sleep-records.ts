import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { deriveSeed, isAt } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { BAND, durationText, idOf, interval, type Point, timeText } from './points.ts'

/** Stages are still to come this long after a sleep was uploaded. */
export const PROCESSING_MS = 45 * MINUTE_MS
/** After this time the person deletes some naps that were none. */
const DELETED_AFTER_MS = 20 * HOUR_MS
const SHORT_MS = 2 * MINUTE_MS

const NAMES: Record<Stage, string> = { awake: 'AWAKE', light: 'LIGHT', deep: 'DEEP', rem: 'REM' }

/** Returns sleeps that end on a day and were recorded by then. */
export const recordedSleeps = (calendar: Calendar, day: number, until: number): Sleep[] =>
  sleepsOn(calendar, day).filter((sleep) => sleep.to <= until && isWornDuring(calendar, sleep))

/** Returns the recorded nights that may overlap a span, or end soon after it. */
export const nightsIn = (calendar: Calendar, span: Span): Sleep[] =>
  calendar
    .days({ from: span.from, to: span.to + DAY_MS })
    .flatMap(({ number }) => recordedSleeps(calendar, number, Number.POSITIVE_INFINITY))
    .filter(({ kind }) => kind === 'night')

/** Whether the person deletes a sleep later, because it was none. */
export const isDeletedLater = ({ person }: Calendar, { kind, day }: Sleep): boolean =>
  kind === 'nap' && isAt(deriveSeed(person.seed, 820), day, 0.3)

/** The instant at which a sleep is deleted. */
export const deletedAt = ({ to }: Sleep): number => to + DELETED_AFTER_MS

/** Returns the awakening that is too short to be a stage; it is in light sleep. */
export function shortAwakening({ stages, from, kind }: Sleep): Span | undefined {
  const position = stages.findIndex((stage, index) => index > 20 && stage === 'light')
  if (kind === 'nap' || position < 0) return undefined
  const start = from + position * STAGE_MS + MINUTE_MS
  return { from: start, to: start + SHORT_MS }
}

/** Naps have no stages of sleep: the band only knows whether the person moved. */
const nameOf = ({ kind, day }: Sleep, stage: Stage, index: number): string => {
  if (kind === 'night' || stage === 'awake') return NAMES[stage]
  return (index + day) % 7 === 3 ? 'RESTLESS' : 'ASLEEP'
}

function segmentsOf(calendar: Calendar, sleep: Sleep) {
  const segments: { from: number; to: number; type: string }[] = []
  for (const [index, stage] of sleep.stages.entries()) {
    const from = sleep.from + index * STAGE_MS
    const type = nameOf(sleep, stage, index)
    const last = segments.at(-1)
    if (last?.type === type) last.to = from + STAGE_MS
    else segments.push({ from, to: from + STAGE_MS, type })
  }
  return segments.map((segment) => ({ ...segment, ...stageTimes(calendar, segment) }))
}

const stageTimes = (calendar: Calendar, { from, to }: Span) => ({
  startTime: timeText(from),
  startUtcOffset: durationText(calendar.offsetAt(from)),
  endTime: timeText(to),
  endUtcOffset: durationText(calendar.offsetAt(to)),
})

function contentOf(calendar: Calendar, sleep: Sleep, isProcessed: boolean): object {
  const isNap = sleep.kind === 'nap'
  const segments = segmentsOf(calendar, sleep)
  const short = isProcessed ? shortAwakening(sleep) : undefined
  const minutes = new Map<string, number>()
  for (const { type, from, to } of segments) {
    minutes.set(type, (minutes.get(type) ?? 0) + (to - from) / MINUTE_MS)
  }
  if (short !== undefined) {
    minutes.set('LIGHT', (minutes.get('LIGHT') ?? 0) - SHORT_MS / MINUTE_MS)
    minutes.set('AWAKE', (minutes.get('AWAKE') ?? 0) + SHORT_MS / MINUTE_MS)
  }
  const sum = (...types: string[]): string =>
    String(types.reduce((total, type) => total + (minutes.get(type) ?? 0), 0))
  const counts = Map.groupBy(segments, ({ type }) => type)
  const stages = segments.map(({ from: _from, to: _to, ...stage }) => stage)
  return {
    interval: interval(calendar, sleep),
    type: isNap ? 'CLASSIC' : 'STAGES',
    ...(isProcessed && { stages }),
    ...(short && { shortAwakenings: [{ ...stageTimes(calendar, short), type: 'AWAKE' }] }),
    metadata: {
      ...(isNap && { nap: true }),
      ...(!isNap && { mainSleep: true }),
      processed: isProcessed,
      ...(isProcessed && { stagesStatus: isNap ? 'REJECTED_NAP' : 'SUCCEEDED' }),
    },
    ...(isProcessed && {
      summary: {
        minutesToFallAsleep: '0',
        minutesAfterWakeUp: '0',
        minutesAsleep: sum('LIGHT', 'DEEP', 'REM', 'ASLEEP'),
        minutesAwake: sum('AWAKE'),
        minutesInSleepPeriod: String((sleep.to - sleep.from) / MINUTE_MS),
        stagesSummary: [...minutes].map(([type, count]) => ({
          type,
          minutes: String(count),
          count: String(counts.get(type)?.length ?? 1),
        })),
      },
    }),
  }
}

/** Returns the sleeps that end in a span, as the vendor has them at an instant. */
export function sleepPoints(calendar: Calendar, span: Span, now: number): Point[] {
  return calendar
    .days({ from: span.from, to: span.to + 1 })
    .flatMap(({ number }) => recordedSleeps(calendar, number, now))
    .filter((sleep) => !isDeletedLater(calendar, sleep) || now < deletedAt(sleep))
    .map((sleep) => ({
      from: sleep.from,
      to: sleep.to,
      id: idOf(calendar, 'sleep', sleep.day, sleep.kind === 'nap' ? 1 : 0),
      dataSource: { ...BAND, recordingMethod: 'DERIVED' },
      content: { sleep: contentOf(calendar, sleep, now >= sleep.to + PROCESSING_MS) },
    }))
}
