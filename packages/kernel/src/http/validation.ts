import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { ProblemType } from '../errors.registry.ts'
import { InputError, type InputPart, type InputProblem } from '../errors.ts'
import { isTimeZone, parseDate, parseInstant } from '../time/instants.ts'

const PARTS: Record<string, InputPart> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
}

/** Whether the text is YYYY-MM-DD: slashes are for query bounds, and PostgreSQL has no year 0. */
function isStorableDate(text: string): boolean {
  return text[4] === '-' && !text.startsWith('0000') && parseDate(text) !== undefined
}

function createAjv(coerceTypes: boolean | 'array'): Ajv {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes, strict: false })
  // Fast formats use one regular expression each, which matters for lists of samples.
  addFormats.default(ajv, { mode: 'fast', formats: ['uuid', 'email', 'uri'] })
  ajv.addFormat('date', isStorableDate)
  ajv.addFormat('date-time', (text: string) => parseInstant(text) !== undefined)
  ajv.addFormat('instant', (text: string) => parseInstant(text) !== undefined)
  ajv.addFormat(
    'date-or-date-time',
    (text: string) => parseDate(text) !== undefined || parseInstant(text) !== undefined,
  )
  ajv.addFormat('iana-time-zone', isTimeZone)
  return ajv
}

/**
 * Compiles request schemas. Texts of the address are coerced to the type of the schema; the values
 * of a JSON body must have the right type.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<unknown> {
  const coercing = createAjv('array')
  const literal = createAjv(false)
  return ({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? literal : coercing
    const part = PARTS[httpPart ?? 'body'] ?? 'body'
    const readQuery = httpPart === 'querystring' ? createQueryReader(schema as object) : undefined
    let validate: ValidateFunction | undefined
    return (data: unknown) => {
      // Compiled with the first request: compiling the schemas of all routes would double the time
      // of a start.
      validate ??= ajv.compile(schema as object)
      readQuery?.(data as Query)
      if (!validate(data)) {
        return { error: new InputError(toProblems(part, data, validate.errors ?? [])) }
      }
      const problems = ajv === coercing ? unsafeNumbers(part, data) : []
      return problems.length === 0 ? { value: data } : { error: new InputError(problems) }
    }
  }
}

type Query = Record<string, unknown>

interface ParameterSchema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  anyOf?: ParameterSchema[]
}

/**
 * Returns the name without the brackets that some clients add to those of lists: `status[]`,
 * `status[0]`.
 */
export const withoutBrackets = (name: string): string => name.replace(/\[\d{0,4}\]$/, '')

/**
 * Reads the forms in which clients write values that an address has no form for: lists as
 * `status[]=` or `status[0]=`, and null as `end_date=` or `end_date=null`. The word stays a text
 * where any text is allowed.
 */
function createQueryReader(schema: object): (query: Query) => void {
  const { properties = {} } = schema as { properties?: Record<string, ParameterSchema> }
  const names = Object.keys(properties)
  const branches = (one: ParameterSchema = {}): ParameterSchema[] => [
    one,
    ...(one.anyOf ?? []).flatMap(branches),
  ]
  const isOf = (one: ParameterSchema, type: string) => [one.type].flat().includes(type)
  const isNullable = (name: string) => branches(properties[name]).some((one) => isOf(one, 'null'))
  const takesAnyText = (name: string) =>
    branches(properties[name]).some(
      (one) => isOf(one, 'string') && one.format === undefined && one.enum === undefined,
    )
  const isList = (name: string) => branches(properties[name]).some((one) => isOf(one, 'array'))
  const takesLists = new Set(names.filter(isList))
  const nullable = names.filter(isNullable)
  const wordIsNull = new Set(nullable.filter((name) => !takesAnyText(name)))
  return (query) => {
    for (const given of Object.keys(query)) {
      const name = withoutBrackets(given)
      if (name === given || !Object.hasOwn(properties, name)) continue
      const values = [query[name] ?? [], query[given] ?? []].flat()
      query[name] = values.length > 1 || takesLists.has(name) ? values : values[0]
      delete query[given]
    }
    for (const name of nullable) {
      const value = query[name]
      if (value === '' || (value === 'null' && wordIsNull.has(name))) query[name] = null
    }
  }
}

/** Coercion accepts `1e400` as an integer; no store and no JSON can hold such a number. */
function unsafeNumbers(part: InputPart, data: unknown): InputProblem[] {
  const isUnsafe = (value: unknown): boolean =>
    typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)
  return Object.entries((data ?? {}) as object)
    .filter(([, value]) => (Array.isArray(value) ? value.some(isUnsafe) : isUnsafe(value)))
    .map(([name]) => ({ loc: [part, name], msg: 'The number is too large', type: 'type' }))
}

function toProblems(part: InputPart, data: unknown, errors: ErrorObject[]): InputProblem[] {
  if (part === 'body' && (data === undefined || data === null)) {
    return [{ loc: ['body'], msg: 'Field required', type: 'missing' }]
  }
  // A failed branch of anyOf is reported by the anyOf itself.
  const branches = errors.filter((error) => error.keyword === 'anyOf').map((e) => e.instancePath)
  return errors
    .filter((error) => error.keyword === 'anyOf' || !branches.includes(error.instancePath))
    .map((error) => ({ loc: [part, ...pathOf(error)], ...wording(error) }))
}

function pathOf(error: ErrorObject): (string | number)[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties') path.push(String(error.params.additionalProperty))
  return path
}

const FORMAT_WORDS: Record<string, Pick<InputProblem, 'msg' | 'type'>> = {
  uuid: { msg: 'Input should be a valid UUID', type: 'uuid_parsing' },
  date: { msg: 'Input should be a valid date, YYYY-MM-DD', type: 'date_parsing' },
  'date-time': { msg: 'Input should be an ISO 8601 date-time', type: 'datetime_parsing' },
  instant: { msg: 'Input should be an ISO 8601 date-time', type: 'datetime_parsing' },
  'date-or-date-time': {
    msg: 'Input should be a date (YYYY-MM-DD) or an ISO 8601 date-time',
    type: 'datetime_parsing',
  },
  'iana-time-zone': {
    msg: 'Input should be an IANA time zone identifier, such as Europe/Vienna',
    type: 'time_zone',
  },
  email: { msg: 'Input should be a valid e-mail address', type: 'email' },
  uri: { msg: 'Input should be a valid URL', type: 'url_parsing' },
}

/**
 * Returns the message and code of one problem. It never quotes the value, which may be personal.
 */
function wording({ keyword, params }: ErrorObject): Pick<InputProblem, 'msg' | 'type'> {
  switch (keyword) {
    case 'required':
      return { msg: 'Field required', type: 'missing' }
    case 'type':
      return { msg: `Input should be ${[params.type].flat().join(' or ')}`, type: 'type' }
    case 'enum':
      return { msg: `Input should be one of: ${params.allowedValues.join(', ')}`, type: 'enum' }
    case 'format':
      return FORMAT_WORDS[params.format] ?? { msg: 'Input has a wrong format', type: 'format' }
    case 'minimum':
      return { msg: `Input should be at least ${params.limit}`, type: 'greater_than_equal' }
    case 'maximum':
      return { msg: `Input should be at most ${params.limit}`, type: 'less_than_equal' }
    case 'minLength':
      return { msg: `Input should have at least ${params.limit} characters`, type: 'too_short' }
    case 'maxLength':
      return { msg: `Input should have at most ${params.limit} characters`, type: 'too_long' }
    case 'minItems':
      return { msg: `Input should have at least ${params.limit} items`, type: 'too_short' }
    case 'maxItems':
      return { msg: `Input should have at most ${params.limit} items`, type: 'too_long' }
    case 'pattern':
      return { msg: 'Input has characters that are not allowed', type: 'string_pattern_mismatch' }
    case 'additionalProperties':
      return { msg: 'Extra fields are not permitted', type: 'extra_forbidden' }
    default:
      return { msg: 'Input does not match the schema', type: keyword as ProblemType }
  }
}
