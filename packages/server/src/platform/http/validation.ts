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

/** YYYY-MM-DD and nothing else: slashes are for query bounds, and PostgreSQL has no year 0. */
function isStorableDate(text: string): boolean {
  return text[4] === '-' && !text.startsWith('0000') && parseDate(text) !== undefined
}

function createAjv(coerceTypes: boolean | 'array'): Ajv {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes, strict: false })
  // Fast formats: a regular expression each, which matters on lists of samples.
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
 * Compiles request schemas. Texts of the address are coerced to the type asked for; a JSON body says
 * its own types and is taken at its word.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<unknown> {
  const coercing = createAjv('array')
  const literal = createAjv(false)
  return ({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? literal : coercing
    const part = PARTS[httpPart ?? 'body'] ?? 'body'
    const nullable = httpPart === 'querystring' ? nullableNames(schema as object) : []
    let validate: ValidateFunction | undefined
    return (data: unknown) => {
      // With the first request: compiling the schemas of all routes would double the time of a start.
      validate ??= ajv.compile(schema as object)
      readEmptyAsNull(data, nullable)
      if (!validate(data)) {
        return { error: new InputError(toProblems(part, data, validate.errors ?? [])) }
      }
      const problems = ajv === coercing ? unsafeNumbers(part, data) : []
      return problems.length === 0 ? { value: data } : { error: new InputError(problems) }
    }
  }
}

/** Parameters of a query that may be null, in any of the ways in which a schema says so. */
function nullableNames(schema: object): string[] {
  const { properties = {} } = schema as { properties?: Record<string, NullableSchema> }
  const isNullable = ({ type, anyOf = [] }: NullableSchema): boolean =>
    [type].flat().includes('null') || anyOf.some(isNullable)
  return Object.keys(properties).filter((name) => isNullable(properties[name] ?? {}))
}

interface NullableSchema {
  type?: string | string[]
  anyOf?: NullableSchema[]
}

/** An address has no null: `?end_date=` is how clients write one. */
function readEmptyAsNull(query: unknown, nullable: readonly string[]): void {
  const given = query as Record<string, unknown>
  for (const name of nullable) if (given[name] === '') given[name] = null
}

/** Coercion takes `1e400` for an integer; no store and no JSON holds what it stands for. */
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

/** Words and code of one problem. Never quotes the value: it may be personal. */
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
