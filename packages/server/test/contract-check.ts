import { parseDate, parseInstant } from '@salus/kernel/time/instants'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import FindMyWay from 'find-my-way'

/** What of an answer the document has a say in. */
interface CheckedAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
}

/** A part of the document, reached by plain property access. */
// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON of every shape
export type Document = any

export interface ContractCheck {
  /** Problems of an answer, as lines of text; none when the document allows it. */
  problemsOf(method: string, url: string, answer: CheckedAnswer): string[]
  /** `GET /v2/user/{user_id}`, of every operation of the document. */
  operations: string[]
  /** Operations of which a success was checked. */
  succeeded: Set<string>
}

const DOCUMENT = 'openapi.json'

/**
 * Thousands of schemas are used a few times each: compiling a part once and as it comes is what
 * costs least.
 */
const OPTIONS = { strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } }
const JSON_TYPE = 'application/json'

/** Formats as answers must write them, which is narrower than what requests may send. */
const ANSWER_FORMATS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/,
  email: /^\S+@\S+$/,
  uri: /^https?:\/\//,
}

const escapePointer = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Compiles the response schemas of an OpenAPI document and holds answers against them. */
export function createContractCheck(document: Document): ContractCheck {
  const ajv = new Ajv2020({ ...OPTIONS, formats: ANSWER_FORMATS })
  ajv.addSchema(document, DOCUMENT, undefined, false)
  const router = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: 1024 })
  const operations: string[] = []
  for (const [path, methods] of Object.entries<object>(document.paths)) {
    for (const method of Object.keys(methods)) {
      const name = method.toUpperCase() as 'GET'
      operations.push(`${name} ${path}`)
      router.on(name, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, { path })
    }
  }
  const compiled = new Map<string, ValidateFunction>()
  const succeeded = new Set<string>()

  function validatorAt(...keys: string[]): ValidateFunction {
    const pointer = keys.map(escapePointer).join('/')
    const known = compiled.get(pointer)
    if (known !== undefined) return known
    const validate = ajv.compile({ $ref: `${DOCUMENT}#/${pointer}` })
    compiled.set(pointer, validate)
    return validate
  }

  function problemsOfBody(keys: string[], { headers, text }: CheckedAnswer): string[] {
    const response = keys.reduce((part: Document, key) => part[key], document)
    if (response.$ref !== undefined) {
      const target = String(response.$ref).slice(2).split('/')
      return problemsOfBody(target, { status: 0, headers, text })
    }
    if (response.content?.[JSON_TYPE] === undefined) {
      const type = String(headers['content-type']).split(';')[0] ?? ''
      if (response.content?.[type] !== undefined) return []
      return text === '' ? [] : ['a body, where the document has none']
    }
    if (!String(headers['content-type']).startsWith(JSON_TYPE)) return ['the body is not JSON']
    const validate = validatorAt(...keys, 'content', JSON_TYPE, 'schema')
    if (validate(JSON.parse(text))) return []
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }

  return {
    operations,
    succeeded,
    problemsOf(method, url, answer) {
      const found = router.find(method as 'GET', url.split('?')[0] ?? '')
      if (found === null) return ['the document has no such operation']
      const { path } = found.store as { path: string }
      const { responses } = document.paths[path][method.toLowerCase()]
      const isSuccess = answer.status < 400
      const declared = answer.status in responses ? String(answer.status) : 'default'
      if (isSuccess && declared === 'default') return [`the document has no ${answer.status}`]
      if (isSuccess) succeeded.add(`${method} ${path}`)
      return problemsOfBody(['paths', path, method.toLowerCase(), 'responses', declared], answer)
    },
  }
}

const isInstant = (text: string): boolean => parseInstant(text) !== undefined

/** Formats of requests, beside those of answers. */
const REQUEST_FORMATS = {
  instant: isInstant,
  'date-or-date-time': (text: string) => parseDate(text) !== undefined || isInstant(text),
  'iana-time-zone': /^[A-Z]\w+\/\w+$/,
  binary: true as const,
}

/** Returns the problems of a value under a schema of the document, as lines of text. */
export function createValueCheck(document: Document) {
  const formats = { ...ANSWER_FORMATS, ...REQUEST_FORMATS }
  const ajv = new Ajv2020({ ...OPTIONS, formats })
  ajv.addSchema(document, DOCUMENT, undefined, false)
  const compiled = new Map<string, ValidateFunction>()
  return (schema: Document, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT}#/`)
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  }
}
