import type { KnownAppointment } from '@salus/contracts/lab-gateway'
import { dateAt, listDates, spanOf } from '../scheduling/opening-hours.ts'
import { createRandom } from './seeded-random.ts'

/** When somebody comes, ISO 8601. */
export interface VisitTime {
  startAt: string
  endAt: string
}

/** Local times between which phlebotomists come. */
const WINDOWS = [
  ['08:00', '10:00'],
  ['10:00', '12:00'],
  ['12:00', '14:00'],
  ['14:00', '16:00'],
  ['16:00', '18:00'],
] as const
/** Nobody waits longer than so many days. */
const MOST_DAYS = 4

/**
 * A time of a visit on one of the next local days, in the daytime, and not the one that it has; the
 * same for the same appointment.
 */
export function visitTime({ id, timeZone, startAt }: KnownAppointment, now: Date): VisitTime {
  const [today, ...days] = listDates(dateAt(now.getTime(), timeZone), MOST_DAYS + 1)
  const times = days.flatMap((date) =>
    WINDOWS.map(([opens, closes]) => spanOf(date, timeZone, opens, closes)),
  )
  const others = times.filter(({ from }) => from !== startAt?.getTime())
  const { from, to } = createRandom(`${id}|${today}|visit`).pick(others)
  return { startAt: new Date(from).toISOString(), endAt: new Date(to).toISOString() }
}
