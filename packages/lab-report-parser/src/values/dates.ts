// When the columns or rows of a table were measured, and which of them is the newest.

/** A date as it can be meant; where the order of day and month is open, both. */
export interface PrintedDate {
  /**
   * Minutes that can be compared, with the day before the month, and with the month before the day.
   */
  dayFirst: number | null
  monthFirst: number | null
}

const MONTHS =
  'jan|ene|janv|gen feb|fev|fevr mar|marz|mars|mrt|mrz|mae apr|abr|avr may|mai|mag|mei jun|juin|giu jul|juil|lug aug|ago|aout sep|sept|set oct|okt|ott|out nov dec|dic|dez'
    .split(' ')
    .map((names) => new Set(names.split('|')))

const NUMERIC = /(?<![\d./-])(\d{1,4})([-/.])(\d{1,2})\2(\d{2,4})(?![\d/-])/
const DAY_NAMED = /(?<!\d)(\d{1,2})[-/. ]{0,2}(\p{L}{3,9})\.?[-/. ,]{0,2}(\d{4}|\d{2})(?!\d)/u
const NAMED_DAY = /(\p{L}{3,9})\.?[- ](\d{1,2}),?[- ](\d{4})(?!\d)/u
const YEAR_FIRST = /(?<!\d)(\d{4})[-/. ](\p{L}{3,9})\.?[-/. ](\d{1,2})(?!\d)/u
/** `Mar-2024` and nothing else. */
const MONTH_ONLY = /^(\p{L}{3,9})\.?[-/ ](\d{4})$/u
const TIME = /(?<![\d:])(\d{1,2}):(\d{2})(?!\d)/

function toMinutes(year: number, month: number, day: number, time: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1950 || year > 2100) return null
  return Date.UTC(year, month - 1, day) / 60_000 + time
}

function findMonth(name: string): number {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return (
    MONTHS.findIndex((names) => [...names].some((known) => plain.startsWith(known.slice(0, 4)))) + 1
  )
}

const fullYear = (text: string): number => Number(text) + (text.length === 2 ? 2000 : 0)

/**
 * Returns the date in a text, with its time where one stands beside it; undefined where there is
 * none.
 */
export function findDate(text: string): PrintedDate | undefined {
  const [, hour = '0', minute = '0'] = TIME.exec(text) ?? []
  const time = Number(hour) * 60 + Number(minute)
  const same = (minutes: number | null): PrintedDate | undefined =>
    minutes === null ? undefined : { dayFirst: minutes, monthFirst: minutes }
  const [, a, sign, b, c] = NUMERIC.exec(text) ?? []
  if (a !== undefined && b !== undefined && c !== undefined) {
    if (a.length === 4) return same(toMinutes(Number(a), Number(b), Number(c), time))
    if (a.length > 2) return undefined
    const year = fullYear(c)
    const dayFirst = toMinutes(year, Number(b), Number(a), time)
    // With points it is the day that comes first, everywhere.
    const monthFirst = sign === '.' ? dayFirst : toMinutes(year, Number(a), Number(b), time)
    return dayFirst === null && monthFirst === null ? undefined : { dayFirst, monthFirst }
  }
  const [, yearBefore, named = '', dayOfIt] = YEAR_FIRST.exec(text) ?? []
  if (yearBefore !== undefined && findMonth(named) > 0)
    return same(toMinutes(Number(yearBefore), findMonth(named), Number(dayOfIt), time))
  const [, day, name = '', year = ''] = DAY_NAMED.exec(text) ?? []
  if (day !== undefined && findMonth(name) > 0)
    return same(toMinutes(fullYear(year), findMonth(name), Number(day), time))
  const [, month, dayAfter, yearAfter] = NAMED_DAY.exec(text) ?? []
  if (month !== undefined && findMonth(month) > 0)
    return same(toMinutes(Number(yearAfter), findMonth(month), Number(dayAfter), time))
  const [, only, itsYear] = MONTH_ONLY.exec(text.trim()) ?? []
  if (only !== undefined && findMonth(only) > 0)
    return same(toMinutes(Number(itsYear), findMonth(only), 1, 0))
  return undefined
}

const AS_DIGIT: Record<string, string> = {
  O: '0',
  o: '0',
  I: '1',
  l: '1',
  '|': '1',
  S: '5',
  Z: '2',
}
const AS_LETTER: Record<string, string> = { '0': 'o', '1': 'l', '5': 's', '8': 'b', '|': 'l' }

/**
 * Returns whether a text is no date, and one as soon as letters and digits that recognition
 * confuses are exchanged.
 */
export function isAlmostDate(text: string): boolean {
  const [, ...parts] =
    /^([^-/. ]{1,4})[-/. ]([^-/. ]{1,9})[-/. ]([^-/. ]{2,4})$/.exec(text.trim()) ?? []
  if (parts.length === 0 || findDate(text)) return false
  const readings = parts.map((part) => [
    part.replace(/[OoIl|SZ]/g, (letter) => AS_DIGIT[letter] ?? letter),
    part.replace(/[0158|]/g, (digit) => AS_LETTER[digit] ?? digit),
  ])
  const [first = [], middle = [], last = []] = readings
  return first.some((a) =>
    middle.some((b) => last.some((c) => findDate(`${a}-${b}-${c}`) !== undefined)),
  )
}

/**
 * Which of several dates is the newest: its place in the list. Where the order of day and month
 * decides, other dates of the report do that have only one meaning; undefined where nothing
 * decides, or the newest stands there twice.
 */
export function findNewest(
  dates: readonly PrintedDate[],
  others: readonly PrintedDate[],
): number | undefined {
  const all = [...dates, ...others]
  const possible = (['dayFirst', 'monthFirst'] as const).filter((order) =>
    all.every((date) => date[order] !== null),
  )
  // Three dates or more stand in their order, one way or the other.
  const sorted = possible.filter((order) => isSorted(dates.map((date) => date[order] ?? 0)))
  const orders = dates.length > 2 && sorted.length > 0 ? sorted : possible
  const newest = new Set(orders.map((order) => placeOfLatest(dates.map((date) => date[order]))))
  const [only] = newest
  return newest.size === 1 && only !== undefined && only >= 0 ? only : undefined
}

function placeOfLatest(minutes: readonly (number | null)[]): number {
  const latest = Math.max(...minutes.map((each) => each ?? 0))
  const at = minutes.indexOf(latest)
  return minutes.indexOf(latest, at + 1) < 0 ? at : -1
}

function isSorted(numbers: readonly number[]): boolean {
  const sorted = numbers.toSorted((a, b) => a - b)
  const isSame = (list: readonly number[]) => list.every((each, at) => each === numbers[at])
  return isSame(sorted) || isSame(sorted.toReversed())
}
