import { CliError } from '../terminal/cli-error.ts'
import { ApiError, ForeignAnswerError, UnreachableError } from './api-errors.ts'
import type { Connection, Secret } from './config.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A list is sent as one parameter for each entry. */
export type Query = Record<string, string | number | readonly string[] | undefined>

export interface Call {
  /** Sent as JSON. */
  body?: object
  query?: Query
}

const KEYS_FILE_ADVICE = 'or name the data directory of the server with --data-dir.'

/** Calls the team API; the type of the response is T, by the schema of the server. */
export async function callApi<T>(
  connection: Connection,
  method: Method,
  path: string,
  call: Call = {},
): Promise<T> {
  const key = requireApiKey(connection)
  return send<T>(connection, method, path, { 'x-service-api-key': key.value }, call, key)
}

/** Calls the management API. */
export async function callManagement<T>(
  connection: Connection,
  method: Method,
  path: string,
  call: Call = {},
): Promise<T> {
  const key = requireManagementKey(connection)
  return send<T>(connection, method, path, { 'x-management-key': key.value }, call, key)
}

/**
 * Opens an endless response of the management API.
 * @returns Its bytes; reading them fails with the reason of `signal` when that fires.
 */
export async function openManagementStream(
  connection: Connection,
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const key = requireManagementKey(connection)
  const headers = { 'x-management-key': key.value, accept: 'text/event-stream' }
  const response = await fetchServer(connection, addressOf(connection, path, query), {
    headers,
    signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (response.ok && isStream && response.body !== null) return response.body
  await readAnswer(connection, response, key)
  throw new ForeignAnswerError(connection.url, response.status)
}

/**
 * Posts to the team API and opens a response that is not JSON.
 * @param accept Media type of the response.
 */
export async function openApiStream(
  connection: Connection,
  path: string,
  body: object,
  accept: string,
): Promise<ReadableStream<Uint8Array>> {
  const key = requireApiKey(connection)
  const response = await fetchServer(connection, addressOf(connection, path, {}), {
    method: 'POST',
    headers: { 'x-service-api-key': key.value, 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  })
  if (response.ok && response.body !== null) return response.body
  await readAnswer(connection, response, key)
  throw new ForeignAnswerError(connection.url, response.status)
}

/** @throws CliError when no API key was given */
export function requireApiKey(connection: Connection): Secret {
  if (connection.apiKey !== undefined) return connection.apiKey
  throw new CliError(`No API key. Give --api-key or SALUS_API_KEY, ${KEYS_FILE_ADVICE}`)
}

/** @throws CliError when no management key was given */
export function requireManagementKey({ managementKey }: Connection): Secret {
  if (managementKey !== undefined) return managementKey
  throw new CliError(
    `No management key. Give --management-key or SALUS_MANAGEMENT_KEY, ${KEYS_FILE_ADVICE}`,
  )
}

function addressOf({ url }: Connection, path: string, query: Query): URL {
  const address = new URL(url + path)
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) address.searchParams.append(name, String(one))
  }
  return address
}

async function send<T>(
  connection: Connection,
  method: Method,
  path: string,
  headers: Record<string, string>,
  { body, query = {} }: Call,
  key: Secret,
): Promise<T> {
  const response = await fetchServer(connection, addressOf(connection, path, query), {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  return readAnswer<T>(connection, response, key)
}

/** Calls `fetch`, and explains a missing response in one line. @throws UnreachableError */
export async function fetchServer(
  connection: Pick<Connection, 'url'>,
  target: URL | string,
  init: RequestInit & { duplex?: 'half' } = {},
): Promise<Response> {
  try {
    return await fetch(target, init)
  } catch (cause) {
    throw toUnreachable(connection, cause)
  }
}

/** Returns the error of a failed request, or of a broken response. */
export function toUnreachable({ url }: Pick<Connection, 'url'>, cause: unknown): UnreachableError {
  return new UnreachableError(explainUnreachable(url, cause), { cause })
}

function explainUnreachable(url: string, cause: unknown): string {
  const { name, cause: reason } = cause as Error
  const { code, message } = (reason ?? {}) as Partial<NodeJS.ErrnoException>
  if (code === 'ECONNREFUSED') {
    const advice = 'Start one with "npm start", or name another with --url or SALUS_URL.'
    return `No server runs at ${url}. ${advice}`
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The host of ${url} is unknown. Check --url or SALUS_URL.`
  }
  if (name === 'TimeoutError') return `The server at ${url} does not respond.`
  // Codes of undici say less than its messages.
  const what = code?.startsWith('UND_ERR') ? message : (code ?? message)
  return `The connection to ${url} broke (${what ?? name}).`
}

/** Parses the JSON of a response. @throws ApiError with the message of the server */
export async function readAnswer<T>(
  connection: Pick<Connection, 'url'>,
  response: Response,
  key?: Secret,
): Promise<T> {
  const text = await response.text().catch((cause: unknown) => {
    throw toUnreachable(connection, cause)
  })
  const body = parseJson(text)
  if (response.ok && body !== undefined) return body as T
  const { errorType, message } = explainRefusal((body as { detail?: unknown } | undefined)?.detail)
  if (response.status === 401 && key !== undefined) {
    throw new ApiError(401, errorType, `${message} It came from ${key.from}.`)
  }
  if (message !== '') throw new ApiError(response.status, errorType, message)
  throw new ForeignAnswerError(connection.url, response.status)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface InputProblem {
  loc?: unknown[]
  msg?: string
}

/** Explains an error body in one line; it is an object, a text (404) or a list (422). */
function explainRefusal(detail: unknown): { errorType: string; message: string } {
  if (typeof detail === 'string') return { errorType: '', message: detail }
  if (Array.isArray(detail)) {
    const problems = (detail as InputProblem[]).map(({ loc = [], msg }) => {
      // The first part is path, query or body, which a command line does not have.
      const field = loc.slice(1).join('.')
      const words = (msg ?? '').replace(/\.$/, '')
      return field === '' ? `${words}.` : `${field}: ${words}.`
    })
    return { errorType: 'validation_error', message: problems.join(' ') }
  }
  if (typeof detail !== 'object' || detail === null) return { errorType: '', message: '' }
  const { error_type: errorType = '', error_message, user_id } = detail as Record<string, string>
  const message = error_message || errorType
  // The client_user_id is taken: the server names the user.
  return { errorType, message: user_id ? `${message} Its user_id is ${user_id}.` : message }
}
