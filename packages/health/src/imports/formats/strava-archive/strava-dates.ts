import { readInstant, readLocalInstant } from '../../../connectors/index.ts'
import type { ImportOptions } from '../../import-options.ts'

/** Beginnings of the names of months, without accents, in the languages of the vendor. */
const MONTHS: readonly string[] = [
  'jan janv ene gen tam sty led oca янв',
  'feb fev fevr helm lut sub фев',
  'mar mars mrz marz mrt maer maalis мар',
  'apr avr abr huht kwi nis апр',
  'may mai mei mag maj touko маи мая',
  'jun juin giu kesa cze haz июн',
  'jul juil lug heina lip tem июл',
  'aug aout ago elo sie agu авг',
  'sep sept set syys wrz eyl сен',
  'oct okt ott out loka paz eki окт',
  'nov marras lis kas ноя',
  'dec dez dic des joulu gru ara дек',
]
const MONTH_OF = new Map(
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
)

/** A time after the word between date and time; East Asian halves of the day precede it. */
const TIME =
  /^(.*?),? (?:(?:at|à|às|kl\.?|klo|um|om) )?([上下午前後后오전후]{2})? ?(\d{1,2})[:.](\d{2})[:.](\d{2}) ?([ap])?\.? ?(?:m\.?)?$/i
const AFTERNOON = /[下後后후]/
const MONTH_FIRST = /^([^\d\s]+) (\d{1,2}),? (\d{4})$/
const DAY_FIRST = /^(\d{1,2})\.? (?:de )?([^\d\s]+) (?:de )?(\d{4})(?: г\.?)?$/
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/
const YEAR_FIRST = /^(\d{4})(?:年|[-/]|\. ?) ?(\d{1,2})(?:月|[-/]|\. ?) ?(\d{1,2})[日.]?$/

type DateOrder = ImportOptions['date_order']

/**
 * Reads a date of the table, which is in UTC, such as `Apr 30, 2026, 7:00:00 AM`.
 * @param order Order of day and month in dates of numbers with slashes.
 * @returns epoch milliseconds; undefined for any other text
 */
export function readStravaDate(text: string, order: DateOrder): number | undefined {
  const plain = text.replace(/[\s\u00a0\u202f]+/g, ' ').trim()
  const iso = readInstant(plain.replace(/ UTC$/, 'Z'))
  if (iso !== undefined) return iso.at
  const [, day = '', before, hour = '', minute = '', second = '', after] = TIME.exec(plain) ?? []
  const half = before === undefined ? after : AFTERNOON.test(before) ? 'p' : 'a'
  const date = readDate(day.trim(), order)
  const hours = hoursOf(Number(hour), half?.toLowerCase())
  if (date === undefined || hours === undefined) return undefined
  const local = `${date}T${two(hours)}:${minute}:${second}`
  return readLocalInstant(local, 0)?.at
}

const two = (value: number): string => String(value).padStart(2, '0')

function hoursOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

function readDate(text: string, order: DateOrder): string | undefined {
  const ordered = YEAR_FIRST.exec(text)
  if (ordered !== null) return dateOf(ordered[1], Number(ordered[2]), ordered[3])
  const named = MONTH_FIRST.exec(text)
  if (named !== null) return dateOf(named[3], monthOf(named[1]), named[2])
  const reversed = DAY_FIRST.exec(text)
  if (reversed !== null) return dateOf(reversed[3], monthOf(reversed[2]), reversed[1])
  const dotted = DOTTED.exec(text)
  if (dotted !== null) return dateOf(dotted[3], Number(dotted[2]), dotted[1])
  const slashed = SLASHED.exec(text)
  if (slashed === null || order === undefined) return undefined
  const [day, month] = order === 'month_first' ? [2, 1] : [1, 2]
  return dateOf(slashed[3], Number(slashed[month]), slashed[day])
}

function monthOf(name = ''): number {
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .toLowerCase()
  const found = [plain, plain.slice(0, 5), plain.slice(0, 4), plain.slice(0, 3)]
  return found.map((text) => MONTH_OF.get(text)).find((month) => month !== undefined) ?? 0
}

const dateOf = (year = '', month: number, day = ''): string | undefined =>
  month >= 1 && month <= 12 ? `${year}-${two(month)}-${two(Number(day))}` : undefined

/**
 * Returns the order of day and month in a date with slashes, where the date shows it; `unknown`
 * where both orders are possible, and undefined for dates of another form.
 */
export function orderShownBy(text: string): 'day_first' | 'month_first' | 'unknown' | undefined {
  const [, first, second] = SLASHED.exec(text.split(/[,\s]/, 1)[0] ?? '') ?? []
  if (first === undefined) return undefined
  if (Number(first) > 12) return 'day_first'
  return Number(second) > 12 ? 'month_first' : 'unknown'
}
