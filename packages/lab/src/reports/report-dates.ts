import { parseDate } from '@salus/kernel/time/instants'
import type { PrintedBirth } from '../patients/index.ts'
import type { ResultMetadata } from './lab-reports.schema.ts'

/** Dates of a report, YYYY-MM-DD; null when missing or ambiguous. */
export interface ReportDates {
  collected_on: string | null
  reported_on: string | null
}

type DayOrder = 'day first' | 'month first'

/**
 * Reads the dates of a report. The order of day and month in `03/04/2026` follows from the other
 * dates of the report, or from its language: only English uses both orders. Otherwise the date
 * stays unknown.
 * @param language ISO 639-1
 */
export function readReportDates(metadata: ResultMetadata, language: string): ReportDates {
  const { date_collected: collected, date_reported: reported } = metadata
  const order = orderOf(metadata, language)
  return { collected_on: readDay(collected, order), reported_on: readDay(reported, order) }
}

/**
 * Reads the birth date of a report and returns all days that it may mean when its order of day and
 * month or its century is ambiguous.
 * @param language ISO 639-1
 */
export function readBirth(
  metadata: ResultMetadata,
  language: string,
): Pick<PrintedBirth, 'days' | 'beginning'> {
  const dob = metadata.dob?.replaceAll(/\s*([-/.])\s*/g, '$1') ?? null
  const order = orderOf({ ...metadata, dob }, language)
  const orders: DayOrder[] = order === undefined ? ['day first', 'month first'] : [order]
  const read = orders.flatMap((each) =>
    CENTURIES.map((century) => readDay(dob, each, century)).filter((day) => day !== null),
  )
  const [, year, month] = /^\s*(\d{4})(?:-(\d{2}))?\s*$/.exec(dob ?? '') ?? []
  const beginning = year === undefined ? null : [year, month].filter(Boolean).join('-')
  return { days: [...new Set(read)], beginning }
}

const CENTURIES = ['19', '20']

function orderOf(metadata: ResultMetadata, language: string): DayOrder | undefined {
  const { date_collected: collected, date_reported: reported, dob } = metadata
  const orders = new Set([collected, reported, dob].map((text) => findOrder(text ?? '')))
  orders.delete(undefined)
  if (orders.size === 0) return language === 'en' ? undefined : 'day first'
  return orders.size === 1 ? [...orders][0] : undefined
}

const NUMBERS = /(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?!\d)/

/** Returns the only order that is possible for a numeric date. */
function findOrder(text: string): DayOrder | undefined {
  const [, first, second] = NUMBERS.exec(text) ?? []
  if (first === undefined || second === undefined) return undefined
  if (Number(first) > 12) return 'day first'
  return Number(second) > 12 ? 'month first' : undefined
}

/** @param century of years with two digits; reports are of this century */
function readDay(text: string | null, order: DayOrder | undefined, century = '20'): string | null {
  if (text === null) return null
  const iso = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text)
  if (iso) return toDate(iso[1], iso[2], iso[3])
  const dots = /(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d)/.exec(text)
  if (dots) return toDate(dots[3], dots[2], dots[1], century)
  const named = readNamedMonth(text, century)
  if (named !== undefined) return named
  const [, first, second, year] = NUMBERS.exec(text) ?? []
  if (first === undefined) return null
  if (order === 'month first') return toDate(year, first, second, century)
  // Equal numbers give the same date in both orders.
  if (order === 'day first' || first === second) return toDate(year, second, first, century)
  return null
}

/** Distinctive beginnings of month names in the languages of reports. */
const MONTHS: readonly [RegExp, number][] = [
  [/^(jan|jän|ene|gen|janv)/, 1],
  [/^(feb|fev|fév)/, 2],
  [/^(mar|mär|mrt|mrz|maa)/, 3],
  [/^(apr|avr|abr)/, 4],
  [/^(may|mai|mag|mei)/, 5],
  [/^(jun|juin|giu)/, 6],
  [/^(jul|juil|lug)/, 7],
  [/^(aug|ago|aoû|aou)/, 8],
  [/^(sep|set)/, 9],
  [/^(oct|okt|ott|out)/, 10],
  [/^(nov)/, 11],
  [/^(dec|dez|dic|déc)/, 12],
]

/** Reads `12 March 2026`, `12-MAR-26`, `March 12, 2026`, `12 de marzo de 2026`. */
function readNamedMonth(text: string, century: string): string | null | undefined {
  const dayFirst =
    /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.)?[\s-]*(?:de |di |of )?\s*(\p{L}{3,10})\.?,?[\s-]*(?:de |di |of )?\s*(\d{4}|\d{2})(?!\d)/iu.exec(
      text,
    )
  if (dayFirst) return toDate(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], century)
  const monthFirst = /(\p{L}{3,10})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/iu.exec(text)
  if (monthFirst) return toDate(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2])
  return undefined
}

const monthOf = (word = ''): string | undefined => {
  const month = MONTHS.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1]
  return month === undefined ? undefined : String(month)
}

/** Returns the date if it exists. */
function toDate(year = '', month = '', day = '', century = ''): string | null {
  const whole = year.length === 2 ? century + year : year
  return parseDate(`${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`) ?? null
}
