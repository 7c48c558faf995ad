import type { Calendar, Exercise, Span } from '../people/days.ts'
import { isWornDuring } from '../people/states.ts'
import { groupsOn } from './groups.ts'
import { summariesOn } from './nights.ts'
import { activityOn, type Fields, heartOn, intradayIn, watchUntil, workoutOf } from './records.ts'

/** Returns the exercises of a day that the watch recorded and uploaded. */
export const seenWorkouts = (calendar: Calendar, day: number, until: number): Exercise[] =>
  calendar
    .day(day)
    .exercises.filter((exercise) => exercise.to <= until && isWornDuring(calendar, exercise))

/** Returns what the vendor serves of the days that a span overlaps, by collection. */
export function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const until = watchUntil(calendar, now)
  const days = calendar.days({ from: span.from, to: Math.min(span.to, now + 1) })
  const each = (recordsOn: (day: number) => readonly (Fields | undefined)[]): unknown[] =>
    days.flatMap(({ number }) => recordsOn(number)).filter((record) => record !== undefined)
  return {
    measures: each((day) => groupsOn(calendar, day, now)),
    activity: each((day) => [activityOn(calendar, day, until)]),
    intraday: Object.entries(
      intradayIn(calendar, { from: span.from, to: Math.min(span.to, until) }),
    ).map(([seconds, row]) => ({ ...(row as Fields), seconds: Number(seconds) })),
    workouts: each((day) =>
      seenWorkouts(calendar, day, until).map((one) => workoutOf(calendar, day, one)),
    ),
    sleep: each((day) => summariesOn(calendar, day, until)),
    heart: each((day) => [heartOn(calendar, day, until)]),
  }
}
