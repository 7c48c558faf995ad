import { hash } from 'node:crypto'
import type { SlotPlace } from '@salus/contracts/lab-gateway'
import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { dateAt, isWeekend, nextFullHour, type Span, spanOf } from './opening-hours.ts'

const MOST_SEATS = 3

/** A slot of a calendar, however many of its seats are taken. */
export interface CalendarSlot {
  start: Date
  end: Date
  capacity: number
  /** US cents. */
  priceCents: number
  isPriority: boolean
}

/**
 * The slots that a provider offers at one site, or in one area
 * (docs/contract/14-appointments-and-psc.md#sandbox).
 */
export interface SlotCalendar {
  /** The same for the same provider and site or area. */
  name: string
  /** Returns the slots of a local day that have not begun, in order. */
  listSlots(date: string, now: Date): CalendarSlot[]
  /** Returns a slot that is, or was earlier on its day, among those listed, and has not begun. */
  findSlot(start: Date, end: Date, now: Date): CalendarSlot | undefined
}

interface Rules {
  minutes: number
  /** Returns the hours of slots on a local day, as seen at an instant. */
  opening: (date: string, timeZone: string, now: number) => Span | undefined
  peakOf: (date: string, timeZone: string) => Span
  priceCents: { usual: number; peak: number }
}

const SITE: Rules = {
  minutes: 20,
  opening(date, timeZone, now) {
    if (date !== dateAt(now, timeZone)) return spanOf(date, timeZone, '07:00', '12:00')
    const { from: lastCall, to } = spanOf(date, timeZone, '16:00', '17:00')
    return now < lastCall ? { from: nextFullHour(now, timeZone), to } : undefined
  },
  peakOf: (date, timeZone) => spanOf(date, timeZone, '07:00', '09:00'),
  priceCents: { usual: 0, peak: 0 },
}

const AREA: Rules = {
  minutes: 120,
  opening: (date, timeZone) => spanOf(date, timeZone, '08:00', '18:00'),
  peakOf: (date, timeZone) => spanOf(date, timeZone, '08:00', isWeekend(date) ? '18:00' : '10:00'),
  priceCents: { usual: 3500, peak: 7900 },
}

/** Returns the calendar of a provider at a site or in an area. */
export function slotCalendar(provider: string, location: SlotPlace): SlotCalendar {
  const { timeZone } = location
  const rules = location.kind === 'site' ? SITE : AREA
  const code = location.kind === 'site' ? location.siteCode : location.zip.slice(0, 5)
  const name = `${provider}/${code}`
  const list = (date: string, seenAt: number, now: Date): CalendarSlot[] => {
    const opening = rules.opening(date, timeZone, seenAt)
    if (opening === undefined) return []
    const peak = rules.peakOf(date, timeZone)
    return divide(opening, rules.minutes)
      .filter(({ from }) => from > now.getTime())
      .map(({ from, to }) => {
        const isPriority = from >= peak.from && from < peak.to
        const priceCents = isPriority ? rules.priceCents.peak : rules.priceCents.usual
        const capacity = capacityOf(name, from)
        return { start: new Date(from), end: new Date(to), capacity, priceCents, isPriority }
      })
  }
  return {
    name,
    listSlots: (date, now) => list(date, now.getTime(), now),
    findSlot(start, end, now) {
      const date = dateAt(start.getTime(), timeZone)
      const isToday = date === dateAt(now.getTime(), timeZone)
      // A slot that was listed before the last full hour is still offered.
      const seenAt = isToday ? start.getTime() - HOUR_MS : now.getTime()
      return list(date, seenAt, now).find(
        (slot) => Number(slot.start) === Number(start) && Number(slot.end) === Number(end),
      )
    },
  }
}

/** Uses steps of elapsed time, so that none is repeated or left out on a day of 23 or 25 hours. */
function divide({ from, to }: Span, minutes: number): Span[] {
  const stepMs = minutes * MINUTE_MS
  const count = Math.max(0, Math.floor((to - from) / stepMs))
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * stepMs,
    to: from + (index + 1) * stepMs,
  }))
}

const capacityOf = (name: string, start: number): number =>
  1 + (hash('sha256', `${name}|${start}`, 'buffer').readUInt32LE() % MOST_SEATS)
