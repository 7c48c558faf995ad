/** A span of ages in years: from, inclusive, to, exclusive. */
export interface AgeSpan {
  from: number
  to: number
}

const YEAR_UNIT = String.raw`years?(?: old)?|yrs?|yo|y\/o|[yY](?![\p{L}/])|jahren?|J(?![\p{L}/])\.?|anos?|ans?|anni|anno|jaar`
const MONTH_UNIT = 'months?|mos?|mths?|monaten?|meses|mes|mois|mesi|mese|maanden'
const WEEK_UNIT = 'weeks?|wks?|wochen|semanas?|semaines?|settimane|weken'
const DAY_UNIT = String.raw`days?|d(?![\p{L}/])|tagen?|dias?|jours?|giorni|dagen`
const UNIT = String.raw`(?:(?:${YEAR_UNIT}|${MONTH_UNIT}|${WEEK_UNIT}|${DAY_UNIT})(?!\p{L}))`
const NUMBER = String.raw`\d{1,3}(?:[.,]\d)?`
const TO = String.raw`(?:-|to|bis|until|a|al|hasta|ate|tot|fino a)`
const FROM_WORDS =
  '>=?|over|above|older than|from|ab|uber|alter als|mayor(?:es)? de|desde|a partir de|plus de|des|oltre|maior(?:es)? de|acima de|vanaf|ouder dan'
const UP_TO_WORDS =
  '<=?|under|below|younger than|up to|bis(?: zu)?|unter|menor(?:es)? de|hasta|moins de|jusqu.a|fino a|sotto|ate|tot'
const OR_MORE = String.raw`(?:\+|(?:and|or) (?:older|over|above|up)|und alter|oder alter|et plus|y mas|e oltre|en ouder)`
const AGE_WORDS = 'ages?|aged|alter|edad|eta|idade|leeftijd'

/**
 * An age or a span of ages, in letters without accents. The shorter signs of units only in their
 * usual case.
 */
export const AGE = new RegExp(
  [
    String.raw`(?<from>${NUMBER})\s*(?<fromUnit>${UNIT})?\s*${TO}\s*<?\s*(?<to>${NUMBER})\s*(?<toUnit>${UNIT})`,
    String.raw`(?:${AGE_WORDS})\s*:?\s*(?<bareFrom>${NUMBER})\s*${TO}\s*(?<bareTo>${NUMBER})`,
    String.raw`(?<![\d.,])(?<least>${NUMBER})\s*(?:${OR_MORE}\s*(?<leastUnit>${UNIT})|(?<leastUnitBefore>${UNIT})\s*${OR_MORE})`,
    String.raw`(?<![\p{L}])(?<over>${FROM_WORDS})\s*(?<overAge>${NUMBER})\s*(?<overUnit>${UNIT})`,
    String.raw`(?<![\p{L}])(?<under>${UP_TO_WORDS})\s*(?<underAge>${NUMBER})\s*(?<underUnit>${UNIT})`,
    String.raw`(?<![\d.,-])(?<only>${NUMBER})\s*(?<onlyUnit>${UNIT})(?!\s*\d)`,
  ].join('|'),
  'gu',
)

/** Where a text without accents speaks of ages: such numbers are no bounds of an interval. */
export function findAges(plain: string): { start: number; end: number }[] {
  return [...plain.matchAll(AGE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** How many years a unit of age is. */
function yearsOf(unit: string | undefined): number {
  if (unit === undefined) return 1
  const is = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'u').test(unit)
  if (is(MONTH_UNIT)) return 1 / 12
  if (is(WEEK_UNIT)) return 7 / 365.25
  return is(DAY_UNIT) ? 1 / 365.25 : 1
}

/** Returns the span of a match of `AGE`. */
export function readAges(groups: Record<string, string | undefined>): AgeSpan {
  const read = (text = '') => Number(text.replace(',', '.'))
  const { from, to, toUnit, fromUnit, bareFrom, bareTo } = groups
  if (to !== undefined) {
    const unit = yearsOf(toUnit)
    // `18-29 years` ends with the thirtieth birthday.
    return { from: read(from) * yearsOf(fromUnit ?? toUnit), to: (read(to) + 1) * unit }
  }
  if (bareTo !== undefined) return { from: read(bareFrom), to: read(bareTo) + 1 }
  if (groups.least !== undefined) {
    const unit = yearsOf(groups.leastUnit ?? groups.leastUnitBefore)
    return { from: read(groups.least) * unit, to: Number.POSITIVE_INFINITY }
  }
  if (groups.over !== undefined)
    return {
      from: read(groups.overAge) * yearsOf(groups.overUnit),
      to: Number.POSITIVE_INFINITY,
    }
  if (groups.under !== undefined) {
    const isInclusive = !/^(?:<|under|below|younger|unter|menor|moins|sotto)$/.test(groups.under)
    return {
      from: 0,
      to: (read(groups.underAge) + Number(isInclusive)) * yearsOf(groups.underUnit),
    }
  }
  const unit = yearsOf(groups.onlyUnit)
  return { from: read(groups.only) * unit, to: (read(groups.only) + 1) * unit }
}
