import type { KnownAppointment } from '@salus/contracts/lab-gateway'
import { dateAt, listDates, spanOf } from '../scheduling/opening-hours.ts'
import { createRandom } from './seeded-random.ts'

/** Time of a visit, ISO 8601. */
export interface VisitTime {
  startAt: string
  endAt: string
}

/** Local times between which phlebotomists visit. */
const WINDOWS = [
  ['08:00', '10:00'],
  ['10:00', '12:00'],
  ['12:00', '14:00'],
  ['14:00', '16:00'],
  ['16:00', '18:00'],
] as const
/** Maximum number of days until a visit. */
const MOST_DAYS = 4

/**
 * Returns a time of a visit on one of the next local days, in the daytime, other than the present
 * one; the same for the same appointment.
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
