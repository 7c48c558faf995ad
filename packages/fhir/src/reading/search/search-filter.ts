import { badRequest } from '@salus/kernel/errors'
import {
  DATE_PREFIXES,
  type DatePrefix,
  type DateRange,
  matchesDate,
  readDateRange,
} from './date-range.ts'
import {
  datesOf,
  identifiersOf,
  type ParameterType,
  referencesOf,
  type Token,
  textsOf,
  tokensOf,
  valuesAt,
} from './element-values.ts'

/** A search parameter of a type of resource. */
export interface SearchParameter {
  type: ParameterType
  /** Elements of the resource that it looks at. */
  paths: readonly string[]
  /** Types that a reference may name. */
  targets?: readonly string[]
}

/** Whether a resource fits one parameter of a search. */
export type ResourceFilter = (resource: object) => boolean

/** A parameter as a request has it: `name:modifier=value`. */
export interface GivenParameter {
  name: string
  modifier: string | undefined
  value: string
}

export const invalidParameter = (name: string, message: string) =>
  badRequest('invalid_search_parameter', message, { parameter: name })

/**
 * Returns the filter of a parameter; its values, separated by commas, are alternatives.
 * @throws AppError 400 `invalid_search_parameter`
 */
export function toFilter(given: GivenParameter, { type, paths }: SearchParameter): ResourceFilter {
  const { name, modifier, value } = given
  const values = splitValues(value)
  if (values.length === 0) throw invalidParameter(name, 'The search parameter has no value.')
  const read = (resource: object) => paths.flatMap((path) => valuesAt(resource, path))
  if (modifier === 'missing') return toMissingFilter(given, read)
  const isAny = (test: (found: unknown[]) => boolean): ResourceFilter => {
    return (resource) => test(read(resource))
  }
  switch (type) {
    case 'token': {
      requireModifier(given, ['not'])
      const asked = values.map(readToken)
      const isFound = (found: unknown[]) =>
        found.flatMap(tokensOf).some((token) => asked.some((one) => matchesToken(token, one)))
      return isAny((found) => isFound(found) !== (modifier === 'not'))
    }
    case 'reference':
      return isAny(toReferenceTest(given, values))
    case 'date': {
      requireModifier(given, [])
      const asked = values.map((one) => readComparison(name, one))
      return isAny((found) =>
        found
          .flatMap(datesOf)
          .some((range) => asked.some(([prefix, one]) => matchesDate(prefix, range, one))),
      )
    }
    case 'string': {
      requireModifier(given, ['exact', 'contains'])
      return isAny((found) =>
        found
          .flatMap(textsOf)
          .some((text) => values.some((one) => matchesText(text, one, modifier))),
      )
    }
  }
}

function requireModifier({ name, modifier }: GivenParameter, known: readonly string[]): void {
  if (modifier === undefined || known.includes(modifier)) return
  throw invalidParameter(name, 'The modifier of the search parameter is not supported.')
}

function toMissingFilter(
  { name, value }: GivenParameter,
  read: (resource: object) => unknown[],
): ResourceFilter {
  if (value !== 'true' && value !== 'false') {
    throw invalidParameter(name, 'The value of :missing is true or false.')
  }
  return (resource) => (read(resource).length === 0) === (value === 'true')
}

/** Splits alternatives at commas; a backslash makes the next character a part of the value. */
function splitValues(text: string): string[] {
  const values = ['']
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === ',') values.push('')
    else if (character === '\\' && index + 1 < text.length) {
      index += 1
      values[values.length - 1] += text.charAt(index)
    } else values[values.length - 1] += character
  }
  return values.filter((value) => value !== '')
}

type AskedToken = Partial<Token> & { hasNoSystem?: boolean }

/** Reads `code`, `system|code`, `|code` (no system) or `system|` (any code of it). */
export function readToken(text: string): AskedToken {
  const bar = text.indexOf('|')
  if (bar === -1) return { code: text }
  const [system, code] = [text.slice(0, bar), text.slice(bar + 1)]
  return {
    ...(system === '' ? { hasNoSystem: true } : { system }),
    ...(code !== '' && { code }),
  }
}

export function matchesToken(token: Token, asked: AskedToken): boolean {
  if (asked.code !== undefined && asked.code !== token.code) return false
  if (asked.hasNoSystem) return token.system === undefined
  return asked.system === undefined || asked.system === token.system
}

function toReferenceTest(
  given: GivenParameter,
  values: readonly string[],
): (found: unknown[]) => boolean {
  const { modifier } = given
  if (modifier === 'identifier') {
    const asked = values.map(readToken)
    return (found) =>
      found.flatMap(identifiersOf).some((token) => asked.some((one) => matchesToken(token, one)))
  }
  if (modifier !== undefined && !/^[A-Z]/.test(modifier)) requireModifier(given, [])
  const asked = values.map((value) => toRelative(value, modifier))
  return (found) =>
    found
      .flatMap(referencesOf)
      .some((reference) =>
        asked.some((one) => reference === one || reference.split('/')[1] === one),
      )
}

/** Returns `Type/id` of an absolute or relative reference, or an id alone. */
export function toRelative(text: string, type?: string): string {
  const [, known, id] = /(?:^|\/)([A-Z]\w+)\/([\w.-]+)$/.exec(text) ?? []
  if (known !== undefined && id !== undefined) return `${known}/${id}`
  return type === undefined ? text : `${type}/${text}`
}

/** Reads a date with its prefix; without one it is `eq`. @throws AppError 400 */
export function readComparison(name: string, text: string): [DatePrefix, DateRange] {
  const prefix = DATE_PREFIXES.find((one) => text.startsWith(one))
  // A form has decoded the + of an offset as a blank.
  const date = (prefix === undefined ? text : text.slice(2)).replace(' ', '+')
  const [range] = readDateRange(date) ?? []
  if (range === undefined) throw invalidParameter(name, 'The date has no valid form.')
  return [prefix ?? 'eq', range]
}

/** Texts match by their beginning, without regard to case and accents; `exact` ones as they are. */
function matchesText(text: string, asked: string, modifier: string | undefined): boolean {
  if (modifier === 'exact') return text === asked
  const [found, wanted] = [plain(text), plain(asked)]
  return modifier === 'contains' ? found.includes(wanted) : found.startsWith(wanted)
}

const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
