import { readInstant, readLocalInstant } from '../../../connectors/index.ts'
import type { ImportOptions } from '../../import-options.ts'

/** Beginnings of the names of months, without accents, in the languages of the vendor. */
const MONTHS: readonly string[] = [
  'jan janv ene gen tam sty led',
  'feb fev fevr helm',
  'mar mars mrz marz mrt maer maalis',
  'apr avr abr huht',
  'may mai mei mag maj touko',
  'jun juin giu kesa',
  'jul juil lug heina',
  'aug aout ago elo',
  'sep sept set syys',
  'oct okt ott out loka',
  'nov marras',
  'dec dez dic des joulu',
]
const MONTH_OF = new Map(
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
)

const TIME = /^(.*?),? (?:at )?(\d{1,2})[:.](\d{2})[:.](\d{2}) ?([ap])?\.?(?:m\.?)?$/i
const MONTH_FIRST = /^([^\d\s]+) (\d{1,2}),? (\d{4})$/
const DAY_FIRST = /^(\d{1,2})\.? (?:de )?([^\d\s]+) (?:de )?(\d{4})$/
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/
const ISO = /^\d{4}-\d\d-\d\d$/

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
  const [, day = '', hour = '', minute = '', second = '', half] = TIME.exec(plain) ?? []
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
  if (ISO.test(text)) return text
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
