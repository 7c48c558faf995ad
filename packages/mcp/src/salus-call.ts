/** A request that changes nothing. A value that is undefined is left out of the query. */
export interface SalusRequest {
  method: 'GET' | 'POST'
  /** Beginning with a slash. */
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: object
}

/** Asks the team API as the one whose assistant it is. @throws SalusRefusal */
export type CallSalus = (request: SalusRequest) => Promise<unknown>

/** The server answered, and refused; or there was no answer. The message is for the assistant. */
export class SalusRefusal extends Error {
  /** Of the answer; 0 without one. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'SalusRefusal'
    this.status = status
  }
}

/** The address of a request behind the one of the server. */
export function addressOf({ path, query = {} }: SalusRequest): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

/** What an answer holds. @throws SalusRefusal for every status but a success */
export function readAnswer(status: number, text: string): unknown {
  const body = parseJson(text)
  if (status >= 200 && status < 300 && body !== undefined) return body
  const { detail } = (body ?? {}) as { detail?: unknown }
  throw new SalusRefusal(status, explainRefusal(detail) || `The server answered ${status}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One text from the three shapes of an error body: an object, a text (404), a list (422). */
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
 * Calls a server over HTTP.
 * @param readHeaders Gives the credential of each call, so that a token can be renewed.
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
      throw new SalusRefusal(0, 'The server of Salus does not answer.')
    }
  }
}
