import type { ReportHeader } from '../report.ts'
import type { Person } from '../values/choose-alternative.ts'
import type { LabelledValue } from './labelled-values.ts'

const AGE =
  /(?<![\d./-])(\d{1,3})\s*(?:years?|yrs?|y|yo|y\/o|jahre|j|a[nñ]os?|ans?|anni|anos?|jaar|j)?\b\.?(?![./-]?\d)/i
const MONTHS_OR_DAYS = /\b\d{1,3}\s*(?:months?|mos?|m|weeks?|wks?|w|days?|d)\b/i

/**
 * Returns the patient's age in years: as printed in the header, else from the date of birth to the
 * day of the specimen. An ambiguous date gives the smallest and the largest age; null where nothing
 * is printed.
 */
export function readAge(
  values: readonly LabelledValue[],
  header: Pick<ReportHeader, 'dateOfBirth' | 'dateCollected' | 'dateReported'>,
): Person['age'] {
  for (const { label, beside } of values) {
    if (label !== 'age' && label !== 'ageAndGender') continue
    const text = beside.map((word) => word.text).join(' ')
    if (MONTHS_OR_DAYS.test(text)) continue
    const age = Number(AGE.exec(text)?.[1] ?? Number.NaN)
    if (age <= 120) return { least: age, most: age + 0.99 }
  }
  const born = readDays(header.dateOfBirth?.text)
  const received = values.find(({ label, beside }) => label === 'received' && beside.length > 0)
  const taken = readDays(
    (header.dateCollected ?? header.dateReported)?.text ??
      received?.beside.map((word) => word.text).join(' '),
  )
  if (born.length === 0 || taken.length === 0) return null
  const years = (from: number, to: number) => (to - from) / (365.25 * 86_400_000)
  const least = years(Math.max(...born), Math.min(...taken))
  const most = years(Math.min(...born), Math.max(...taken))
  return least < 0 || most > 120 ? null : { least, most }
}

/**
 * Returns every day that a printed date may be, as milliseconds; a year with the name of a month is
 * any day of the year.
 */
function readDays(text = ''): number[] {
  const iso = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text)
  if (iso) return [Date.UTC(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))]
  const numbers = /(?<!\d)(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{4})(?!\d)/.exec(text)
  if (numbers) {
    const [first, second, year] = numbers.slice(1).map(Number) as [number, number, number]
    return [
      ...(second <= 12 ? [Date.UTC(year, second - 1, first)] : []),
      ...(first <= 12 ? [Date.UTC(year, first - 1, second)] : []),
    ]
  }
  const [, year] = /(?<!\d)((?:19|20)\d{2})(?!\d)/.exec(text) ?? []
  return year === undefined ? [] : [Date.UTC(Number(year), 0, 1), Date.UTC(Number(year), 11, 31)]
}
