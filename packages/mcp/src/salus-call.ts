/** A request that only reads. An undefined value is left out of the query. */
export interface SalusRequest {
  method: 'GET' | 'POST'
  /** Path with a leading slash. */
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: object
}

/** Sends a request to the team API with the credential of the assistant. @throws SalusRefusal */
export type CallSalus = (request: SalusRequest) => Promise<unknown>

/** The server refused a request, or did not respond. The message is for the assistant. */
export class SalusRefusal extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'SalusRefusal'
    this.status = status
  }
}

/** Returns the address of a request below that of the server. */
export function addressOf({ path, query = {} }: SalusRequest): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

/** Returns the content of a response. @throws SalusRefusal for every status but a success */
export function readAnswer(status: number, text: string): unknown {
  const body = parseJson(text)
  if (status >= 200 && status < 300 && body !== undefined) return body
  const { detail } = (body ?? {}) as { detail?: unknown }
  throw new SalusRefusal(
    status,
    explainRefusal(detail) || `The server responded with status ${status}.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Explains an error body in one text; it is an object, a text (404) or a list (422). */
function explainRefusal(detail: unknown): string {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) {
    const problems = detail as { loc?: unknown[]; msg?: string }[]
    return problems.map(({ loc = [], msg = '' }) => `${loc.join('.')}: ${msg}`).join('\n')
  }
  const { error_type: code = '', error_message: message = '' } = (detail ?? {}) as Record<
    string,
    string
  >
  return [code, message].filter((part) => part !== '').join(': ')
}

const TIMEOUT_MS = 30_000

/**
 * Creates a function that calls a server over HTTP.
 * @param readHeaders Returns the credential for each call, so that a token can be renewed.
 */
export function callOverHttp(
  url: string,
  readHeaders: () => Promise<Record<string, string>>,
): CallSalus {
  return async (request) => {
    const headers = new Headers(await readHeaders())
    if (request.body !== undefined) headers.set('content-type', 'application/json')
    const init: RequestInit = {
      method: request.method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    }
    try {
      const response = await fetch(url + addressOf(request), init)
      return readAnswer(response.status, await response.text())
    } catch (error) {
      if (error instanceof SalusRefusal) throw error
      throw new SalusRefusal(0, 'The Salus server does not respond.')
    }
  }
}
