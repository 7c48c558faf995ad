import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { DetailRequest, PageRequest, TimeRange } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { EVENT } from './pump-events.ts'

export const SLUG = 'tandem_source'

const REPORTS = '/api/reports/reportsfacade'

/** Placeholder of the person's id, which `authorize` replaces. */
export const PUMPER = '{pumperId}'

/**
 * The clock of a pump may be this much before UTC, so that its newest events seem to be in the
 * future.
 */
const MOST_OFFSET_MS = 14 * HOUR_MS
/** Events that belong together, such as the request of a bolus and its end, are within a day. */
const MARGIN_MS = DAY_MS

/** The list of a person's pumps. */
export const pumpsRequest = () => ({ path: `${REPORTS}/${PUMPER}/pumpeventmetadata` })

/** Returns the times of a range by the clock of a pump. */
export const mappedPart = ({ from, to }: TimeRange): TimeRange => ({
  from,
  to: to + MOST_OFFSET_MS,
})

/** Returns the ids of the pumps of an answer. @throws VendorError `unexpected` */
export function pumpsOf(answer: unknown): { id: string; first: number; last: number }[] {
  if (!Array.isArray(answer)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  return answer.flatMap((pump: unknown) => {
    const {
      tconnectDeviceId: id,
      minDateWithEvents,
      maxDateWithEvents,
    }: Record<string, unknown> = isFields(pump) ? pump : {}
    if (typeof id !== 'number' && typeof id !== 'string') return []
    const first = dateOf(minDateWithEvents, Number.NEGATIVE_INFINITY)
    const last = dateOf(maxDateWithEvents, Number.POSITIVE_INFINITY)
    return [{ id: String(id).toWellFormed(), first, last }]
  })
}

/** Returns the day of a text, epoch milliseconds. */
function dateOf(text: unknown, otherwise: number): number {
  const at = typeof text === 'string' ? Date.parse(text.slice(0, 10)) : Number.NaN
  return Number.isNaN(at) ? otherwise : at
}

/**
 * Returns the pumps with events in a range, and the request for those of each. The days of a
 * request are inclusive, by the clock of the pump, and a day more at both ends.
 */
export function eventRequestsOf(
  answer: unknown,
  { range }: PageRequest,
): { id: string; request: DetailRequest }[] {
  const { from, to } = mappedPart(range)
  const wanted = { from: from - MARGIN_MS, to: to + MARGIN_MS }
  return pumpsOf(answer)
    .filter(({ first, last }) => first < wanted.to && last + DAY_MS > wanted.from)
    .map(({ id }) => ({
      id,
      request: {
        path: `${REPORTS}/pumpevents/${PUMPER}/${encodeURIComponent(id)}`,
        query: {
          minDate: dayText(wanted.from),
          maxDate: dayText(wanted.to),
          eventIds: Object.values(EVENT).join(','),
        },
      },
    }))
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
