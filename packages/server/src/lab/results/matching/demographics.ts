/** Name and birth date of a person, as an order or a report has them. */
export interface Demographics {
  first_name: string | null
  last_name: string | null
  /** YYYY-MM-DD */
  dob: string | null
}

/** How a report's person stands to an order's. */
export type DemographicFit = 'match' | 'mismatch'

const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'md', 'phd'])
/** From this length on one wrong letter is taken for a typing error. */
const LEAST_LETTERS_OF_TYPO = 4

/** Words of a name: lower case, without accents, signs and suffixes. */
function wordsOf(name: string | null): string[] {
  const plain = (name ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['\u2019.]/g, '')
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !SUFFIXES.has(word))
}

/**
 * Whether a report is about the person of an order: birth date and last name must be there and equal,
 * the first name may be shortened, left out, or have one wrong letter.
 */
export function compareDemographics(report: Demographics, order: Demographics): DemographicFit {
  const isSameDay = report.dob !== null && report.dob === order.dob
  const lastName = wordsOf(report.last_name).join('')
  const isSameFamily = lastName !== '' && lastName === wordsOf(order.last_name).join('')
  const isSamePerson = isSameDay && isSameFamily
  return isSamePerson && isFirstNameLike(report.first_name, order.first_name) ? 'match' : 'mismatch'
}

/** Laboratories cut first names, add middle ones, or know an initial only. */
function isFirstNameLike(one: string | null, other: string | null): boolean {
  const [first = '', second = ''] = [wordsOf(one)[0], wordsOf(other)[0]]
  if (first === '' || second === '') return true
  if (first.startsWith(second) || second.startsWith(first)) return true
  const isLong = Math.min(first.length, second.length) >= LEAST_LETTERS_OF_TYPO
  return isLong && differsByOneLetter(first, second)
}

/** One letter changed, added, left out, or two neighbours swapped. */
function differsByOneLetter(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [rest, otherRest] = [one.slice(start), other.slice(start)]
  const isSwapped =
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2)
  return (
    isSwapped ||
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1)
  )
}
