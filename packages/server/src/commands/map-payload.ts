import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { findProvider } from '@salus/contracts/providers'
import {
  CONNECTORS,
  type Collection,
  type Connector,
  type DetailRequest,
  mapPayload,
  type PayloadContext,
  PayloadError,
  parseVendorJson,
} from '@salus/health/connectors'
import { StartupError } from '@salus/kernel/errors'
import { systemClock } from '@salus/kernel/time/clock'
import { parseInstant } from '@salus/kernel/time/instants'
import { distance } from 'fastest-levenshtein'

/**
 * Runs "salus providers map": prints what a payload of a vendor becomes, or the collections of a
 * connector. It reads no setting and no store.
 */

const STDIN = '-'
/** Missing details that are named; a page may need one for each of its records. */
const MOST_NAMED = 5

const [slug = '', collectionName = '', contextPath = '', payloadPath = ''] = process.argv.slice(2)

async function printMapping(connector: Connector, collection: Collection): Promise<void> {
  const payload = parseJson(await readInput(payloadPath), nameOf(payloadPath))
  const context = contextPath === '' ? {} : await readContext(contextPath)
  const now = systemClock.now()
  const { lines, missing } = mapPayload(connector, collection, payload, context, now)
  printLines(lines)
  if (lines.length === 0) console.error('The payload has no records.')
  if (missing.length === 0) return
  const more = missing.length > MOST_NAMED ? [`… and ${missing.length - MOST_NAMED} more`] : []
  console.error(
    [
      'A pull also sends these requests, whose answers the context does not have in "details":',
      ...missing.slice(0, MOST_NAMED).map(describeRequest),
      ...more,
    ].join('\n  '),
  )
}

function describeCollection(collection: Collection): object {
  const { name, resources, history, details } = collection
  return { collection: name, resources, history, requests_details: details !== undefined }
}

function describeRequest(wanted: DetailRequest): string {
  const optional = wanted.isOptional ? ' (optional)' : ''
  if ('fileUrl' in wanted) return `the file ${wanted.fileUrl}${optional}`
  const { method = 'GET', path, query = {} } = wanted
  const given = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const parameters = new URLSearchParams(given).toString()
  return `${method} ${path}${parameters && `?${parameters}`}${optional}`
}

function findConnector(name: string): Connector {
  const found = CONNECTORS.find((connector) => connector.slug === name)
  if (found !== undefined) return found
  const problem = findProvider(name)
    ? `Salus has no connector for ${name}.`
    : `There is no provider ${name}.`
  throw new StartupError(
    `${problem}${suggest(
      name,
      CONNECTORS.map((connector) => connector.slug),
    )}`,
  )
}

function findCollection({ slug: of, collections }: Connector, name: string): Collection {
  const found = collections.find((collection) => collection.name === name)
  if (found !== undefined) return found
  const names = collections.map((collection) => collection.name)
  throw new StartupError(
    `${of} has no collection ${name}.${suggest(name, names)} It has: ${names.join(', ')}.`,
  )
}

function suggest(typed: string, names: readonly string[]): string {
  const [nearest] = names.toSorted((one, two) => distance(typed, one) - distance(typed, two))
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

/** Reads the JSON of a context. A detail `{"file": PATH}` is a file beside it. */
async function readContext(path: string): Promise<PayloadContext> {
  const given = parseJson(await readInput(path), nameOf(path))
  if (!isFields(given)) throw contextError('must be a JSON object')
  const { details = [], range, cursor = null, extra = {}, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw contextError(`has details, range, cursor and extra, but no ${unknown}`)
  if (!Array.isArray(details)) throw contextError('must have a list as details')
  if (cursor !== null && typeof cursor !== 'string')
    throw contextError('must have a text as cursor')
  if (!isTexts(extra)) throw contextError('must have an object of texts as extra')
  return {
    details: details.map((detail) => readDetail(path, detail)),
    cursor,
    extra,
    ...(range !== undefined && { range: readRange(range) }),
  }
}

const isTexts = (value: unknown): value is Record<string, string> =>
  isFields(value) && Object.values(value).every((text) => typeof text === 'string')

function readDetail(contextFile: string, detail: unknown): unknown {
  const isFile = isFields(detail) && typeof detail.file === 'string'
  if (!isFile || Object.keys(detail).length !== 1) return detail
  return readFile(resolve(dirname(contextFile), detail.file as string))
}

function readRange(range: unknown): { from: number; to: number } {
  const { from, to } = isFields(range) ? range : {}
  const [start, end] = [from, to].map((text) =>
    typeof text === 'string' ? parseInstant(text)?.epochMilliseconds : undefined,
  )
  if (start !== undefined && end !== undefined) return { from: start, to: end }
  throw contextError('must have a range with from and to, such as "2026-03-01T00:00:00Z"')
}

const contextError = (problem: string) => new StartupError(`The context ${problem}.`)

async function readInput(path: string): Promise<string> {
  return path === STDIN ? text(process.stdin) : readFile(path).toString('utf8')
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new StartupError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    )
  }
}

function parseJson(json: string, name: string): unknown {
  try {
    return parseVendorJson(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new StartupError(`${name} is not valid JSON: ${(error as Error).message}.`)
  }
}

const nameOf = (path: string): string => (path === STDIN ? 'stdin' : path)

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function printLines(lines: readonly object[]): void {
  if (lines.length > 0) console.log(lines.map((line) => JSON.stringify(line)).join('\n'))
}

// `… | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  const connector = findConnector(slug)
  if (payloadPath === '') printLines(connector.collections.map(describeCollection))
  else await printMapping(connector, findCollection(connector, collectionName))
} catch (error) {
  const isExplained = error instanceof StartupError || error instanceof PayloadError
  // A connector must read every payload: its error is a defect to report, with the payload.
  const prefix = isExplained ? '' : `The mapping of ${slug} has a defect: `
  console.error(`salus: ${prefix}${(error as Error).message}`)
  process.exitCode = 1
}
