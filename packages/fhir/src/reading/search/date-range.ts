/** A range of time, in milliseconds of the epoch; `until` does not belong to it. */
export interface DateRange {
  from: number
  until: number
}

const DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/

/**
 * Returns the range that a date of FHIR covers, by its precision: a year, a month, a day, a minute,
 * a second or a millisecond; undefined for a text that is no date. Without an offset it is in UTC.
 */
export function readDateRange(text: string): DateRange[] | undefined {
  const [, year, month, day, hour, minute, second, fraction, zone] = DATE.exec(text) ?? []
  if (year === undefined) return undefined
  const iso = `${year}-${month ?? '01'}-${day ?? '01'}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}.${(fraction ?? '').padEnd(3, '0').slice(0, 3)}${zone ?? 'Z'}`
  const from = Date.parse(iso)
  if (!Number.isFinite(from) || !isCalendarDate(year, month, day)) return undefined
  return [{ from, until: endOf(from, { month, day, hour, second, fraction }) }]
}

/** JavaScript reads February 30 as a day of March. */
function isCalendarDate(year: string, month = '01', day = '01'): boolean {
  return new Date(`${year}-${month}-${day}T00:00:00Z`)
    .toISOString()
    .startsWith(`${year}-${month}-${day}`)
}

type Parts = Record<'month' | 'day' | 'hour' | 'second' | 'fraction', string | undefined>

function endOf(from: number, { month, day, hour, second, fraction }: Parts): number {
  if (fraction !== undefined) return from + 1
  if (second !== undefined) return from + 1_000
  if (hour !== undefined) return from + 60_000
  const at = new Date(from)
  if (day !== undefined) return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)
  if (month !== undefined) return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
  return Date.UTC(at.getUTCFullYear() + 1, 0)
}

/** Comparisons of a date parameter (https://hl7.org/fhir/R4/search.html#date). */
export const DATE_PREFIXES = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb'] as const
export type DatePrefix = (typeof DATE_PREFIXES)[number]

/**
 * Whether the range of a resource fits a comparison with the range of a parameter. A period that
 * contains the asked time fits `ge` and `le`, as in the test kit of US Core.
 */
export function matchesDate(prefix: DatePrefix, value: DateRange, asked: DateRange): boolean {
  const isWithin = value.from >= asked.from && value.until <= asked.until
  switch (prefix) {
    case 'eq':
      return isWithin
    case 'ne':
      return !isWithin
    case 'gt':
      return value.until > asked.until
    case 'lt':
      return value.from < asked.from
    case 'ge':
      return value.until > asked.from
    case 'le':
      return value.from < asked.until
    case 'sa':
      return value.from >= asked.until
    case 'eb':
      return value.until <= asked.from
  }
}
