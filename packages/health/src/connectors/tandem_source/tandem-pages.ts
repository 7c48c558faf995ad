import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { DetailRequest, PageRequest, TimeRange } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { EVENT } from './pump-events.ts'

export const SLUG = 'tandem_source'

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
export const pumpsRequest = () => ({ path: `/api/reports/bff/pumper/${PUMPER}` })

/** Returns the times of a range by the clock of a pump. */
export const mappedPart = ({ from, to }: TimeRange): TimeRange => ({
  from,
  to: to + MOST_OFFSET_MS,
})

interface Pump {
  id: string
  /** Days with events, epoch milliseconds. */
  first: number
  last: number
}

/** Returns the pumps of an answer that ever uploaded events. @throws VendorError `unexpected` */
function pumpsOf(answer: unknown): Pump[] {
  const pumps = isFields(answer) ? answer.pumps : undefined
  if (!Array.isArray(pumps)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  return pumps.flatMap((pump: unknown) => {
    const {
      assignmentId: id,
      availableDataRange,
      maxDateOfEvents,
    }: Record<string, unknown> = isFields(pump) ? pump : {}
    const { start, end }: Record<string, unknown> = isFields(availableDataRange)
      ? availableDataRange
      : {}
    if (typeof id !== 'string' || id === '' || maxDateOfEvents === null) return []
    const last = Math.max(
      dateOf(end, Number.NEGATIVE_INFINITY),
      dateOf(maxDateOfEvents, Number.NEGATIVE_INFINITY),
    )
    return [
      {
        id: id.toWellFormed(),
        first: dateOf(start, Number.NEGATIVE_INFINITY),
        last: last === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : last,
      },
    ]
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
  { range }: Pick<PageRequest, 'range'>,
): { id: string; request: DetailRequest }[] {
  const { from, to } = mappedPart(range)
  const wanted = { from: from - MARGIN_MS, to: to + MARGIN_MS }
  return pumpsOf(answer)
    .filter(({ first, last }) => first < wanted.to && last + DAY_MS > wanted.from)
    .map(({ id }) => ({
      id,
      request: {
        path: `/api/reports/bff/pump-logs/${encodeURIComponent(id)}`,
        query: {
          pumperId: PUMPER,
          startDate: `${dayText(wanted.from)}T00:00:00Z`,
          endDate: `${dayText(wanted.to)}T23:59:59Z`,
          eventCodes: Object.values(EVENT).join(','),
        },
      },
    }))
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
