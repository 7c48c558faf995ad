const CODE = String.raw`[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?`
/** One code or a range of two, with dashes and dots that stand for any further characters. */
const CODES = new RegExp(
  String.raw`(${CODE})(?:\.?-?\s*-\s*(${CODE}))?(?:\.?-|\.(?![0-9A-Z]))?`,
  'g',
)
const HAS_CODE = new RegExp(CODE)
/** `with .42, .52`: continuations of the codes in the range. */
const DETAILS = /\bwith ((?:\.[0-9A-Z]{1,4}-?(?:, *)?)+)$/

/** All codes that begin with one of the ends, or that lie between them. */
export interface CodeRange {
  first: string
  last: string
}

/** Codes of a note: those of the range that continue with `detail` after their category. */
export interface NotedCodes extends CodeRange {
  detail: string
}

const withoutDot = (code: string): string => code.replace('.', '')

/**
 * Reads the codes of a note of the tabular list: those in parentheses, or the whole text when no
 * parentheses contain any (`Type 1 diabetes mellitus (E10.-)`, `diabetic mononeuropathy (E08-E13
 * with .41)`).
 * @returns undefined for a condition in prose, such as `(S02.- with 7th character B)`; empty when
 *   it has no codes
 */
export function readNoteCodes(note: string): NotedCodes[] | undefined {
  const groups = [...note.matchAll(/\(([^()]*)\)?/g)].map(([, inner = '']) => inner)
  const named = groups.filter((group) => HAS_CODE.test(group))
  if (named.length === 0) {
    const isPlain = HAS_CODE.test(note) && !/\bwith\b|character/.test(note)
    return isPlain ? listCodes(note) : HAS_CODE.test(note) ? undefined : []
  }
  const lists = named.map(readGroup)
  return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
}

function readGroup(group: string): NotedCodes[] | undefined {
  const [whole = '', written = ''] = DETAILS.exec(group.trim()) ?? []
  const codes = group.trim().slice(0, group.trim().length - whole.length)
  const rest = codes.replace(CODES, '').replace(/\band\b|[\s,.;-]/g, '')
  if (rest !== '') return undefined
  const details = written === '' ? [''] : written.match(/[0-9A-Z]+/g)
  return (details ?? []).flatMap((detail) => listCodes(codes, detail))
}

/** Returns all codes and ranges of a text. */
export function listCodes(text: string, detail = ''): NotedCodes[] {
  return [...text.matchAll(CODES)].map(([, first = '', last = first]) => ({
    first: withoutDot(first),
    last: withoutDot(last),
    detail,
  }))
}
