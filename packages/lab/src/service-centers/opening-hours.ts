export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
type Weekday = (typeof WEEKDAYS)[number]

/** One opening of a day, HH:MM in the local time of the site; `24:00` is the end of the day. */
interface Opening {
  open: string
  close: string
}

/** Openings of each day of the week, in order; a closed day has none. */
export type OpeningHours = Record<Weekday, Opening[]>

const SHORT_DAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']
const RULE = /^([a-z]{2})(?:-([a-z]{2}))?((?:,[a-z]{2}(?:-[a-z]{2})?)*) +([\d:,-]+)$/
const OPENING = /^(\d{2}:[0-5]\d)-(\d{2}:[0-5]\d)$/

/**
 * Reads `Mo-Fr 07:00-16:00; Sa 08:00-12:00,13:00-15:00`, a subset of the OpenStreetMap format.
 * @returns undefined for another format, and for openings that overlap or end before they begin
 */
export function readOpeningHours(text: string): OpeningHours | undefined {
  const hours = Object.fromEntries(WEEKDAYS.map((day) => [day, []])) as unknown as OpeningHours
  for (const rule of text.toLowerCase().split(';')) {
    if (rule.trim() === '') continue
    const days = readDays(rule.trim())
    const openings = readOpenings(rule.trim())
    if (days === undefined || openings === undefined) return undefined
    for (const day of days) hours[day].push(...openings)
  }
  for (const openings of Object.values(hours)) {
    openings.sort((a, b) => (a.open < b.open ? -1 : 1))
    if (openings.some(({ open }, index) => open < (openings[index - 1]?.close ?? '')))
      return undefined
  }
  return hours
}

/** Returns the days of `mo-fr,su 07:00-16:00`. */
function readDays(rule: string): Weekday[] | undefined {
  if (!RULE.test(rule)) return undefined
  const days: Weekday[] = []
  for (const range of rule.slice(0, rule.indexOf(' ')).split(',')) {
    const [from = '', to = from] = range.split('-')
    const [first, last] = [SHORT_DAYS.indexOf(from), SHORT_DAYS.indexOf(to)]
    if (first < 0 || last < first) return undefined
    days.push(...WEEKDAYS.slice(first, last + 1))
  }
  return days
}

function readOpenings(rule: string): Opening[] | undefined {
  const openings: Opening[] = []
  for (const text of rule.slice(rule.lastIndexOf(' ') + 1).split(',')) {
    const [, open = '', close = ''] = OPENING.exec(text) ?? []
    if (open === '' || open >= close || close > '24:00') return undefined
    openings.push({ open, close })
  }
  return openings
}
