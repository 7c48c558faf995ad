import { OutboundError } from '@salus/kernel/outbound/outbound-error'
import { type OutboundAnswer, request } from '@salus/kernel/outbound/request'
import * as oauth from 'oauth4webapi'
import type { Connector, OAuth } from './connector.ts'
import {
  type AppProblem,
  failureOfStatus,
  type VendorAddress,
  VendorError,
} from './vendor-client.ts'

/** Tokens are small and vendors fast; larger or slower answers mean that the vendor has trouble. */
const TIMEOUT_MS = 30_000
const MOST_BYTES = 256 * 1024

/**
 * Errors that mean that a grant is over: the user revoked it, or the refresh token was used or has
 * expired. `invalid_client` and the like mean that the app is misconfigured, which connections
 * outlive.
 */
const FINAL_ERRORS = new Set(['invalid_grant', 'access_denied'])
const PASSING_ERRORS = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

const APP_ERRORS: Readonly<Record<string, AppProblem>> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  redirect_uri_mismatch: 'redirect',
  invalid_scope: 'scopes',
}
/** Vendors without an error of their own for a wrong redirect address describe it. */
const GENERAL_ERRORS = new Set(['invalid_grant', 'invalid_request'])
const NAMES_REDIRECT = /redirect[\s_-]?ur[il]/i

/**
 * Returns what of the app an error of OAuth is about (RFC 6749, sections 4.1.2.1 and 5.2);
 * undefined for another error.
 */
export function appProblemOf(error: string, description = ''): AppProblem | undefined {
  if (Object.hasOwn(APP_ERRORS, error)) return APP_ERRORS[error]
  return GENERAL_ERRORS.has(error) && NAMES_REDIRECT.test(description) ? 'redirect' : undefined
}

/** Temporary failures; anything else is an answer to evaluate. */
export const FAILURES_OF_THEIRS = new Set(['rate_limited', 'unavailable'])

/**
 * HTTP Basic, both parts encoded as in a form (RFC 6749, 2.3.1). The library's own also encodes
 * `-`, `.` and `_`, which most client ids contain and vendors do not decode.
 */
export const basicAuth =
  (secret: string): oauth.ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const [user, password] = [id, secret].map((text) => String(new URLSearchParams({ '': text })))
    const pair = `${user?.slice(1)}:${password?.slice(1)}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

type Fetch = (url: string, options: oauth.CustomFetchOptions<string, unknown>) => Promise<Response>

/**
 * Adapts the agent to the fetch of the library. Vendors label JSON as text and answer 201, so the
 * library is given only whether the answer is valid JSON.
 * @param toStandardAnswer Of the connector, see `OAuth`.
 */
export function createOAuthFetch(
  { slug, agent }: VendorAddress,
  toStandardAnswer: OAuth['toStandardAnswer'],
): Fetch {
  return async (url, { method, headers, body: form }) => {
    const answer = await request(agent, {
      method: method as 'POST',
      url,
      headers: { accept: 'application/json', ...headers },
      body: String(form),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
    }).catch((error: unknown) => {
      if (error instanceof OutboundError) throw new VendorError(slug, { kind: 'unavailable' })
      throw error
    })
    const failure = failureOfStatus(answer)
    const { status } = answer
    if (failure !== undefined && FAILURES_OF_THEIRS.has(failure.kind)) {
      throw new VendorError(slug, failure)
    }
    if (failure !== undefined && (status < 400 || status > 499)) {
      throw new VendorError(slug, { kind: 'unexpected', status })
    }
    const given = { body: answer.bytes(), status: failure === undefined ? 200 : status }
    // A revocation is answered without a body.
    const isConverted = toStandardAnswer !== undefined && given.body.length > 0
    const { body, ...init } = isConverted ? standardize(slug, answer, toStandardAnswer) : given
    return new Response(new Uint8Array(body), {
      ...init,
      headers: { 'content-type': 'application/json' },
    })
  }
}

/** The status follows the body, because some vendors answer 200 and name the error in the body. */
function standardize(
  slug: string,
  answer: OutboundAnswer,
  convert: NonNullable<OAuth['toStandardAnswer']>,
): { body: Buffer; status: number } {
  try {
    const standard = convert(answer.json())
    return { body: Buffer.from(JSON.stringify(standard)), status: 'error' in standard ? 400 : 200 }
  } catch {
    throw new VendorError(slug, { kind: 'unexpected', status: answer.status })
  }
}

/**
 * Replaces the errors of the library, which contain requests and answers, by our own, which do not.
 */
export async function convertErrors<Result>(
  { slug }: Connector,
  final: VendorError['failure'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof VendorError) throw error
    if (error instanceof oauth.ResponseBodyError) {
      const appProblem = appProblemOf(error.error, error.error_description)
      // An invalid grant ends a connection. Before there is one, the description may say more.
      const isOver = FINAL_ERRORS.has(error.error) && final.kind === 'ended'
      if (appProblem !== undefined && !isOver) {
        throw new VendorError(slug, { kind: 'unexpected', status: error.status, appProblem })
      }
      if (FINAL_ERRORS.has(error.error)) throw new VendorError(slug, final)
      if (PASSING_ERRORS.has(error.error)) throw new VendorError(slug, { kind: 'unavailable' })
      throw new VendorError(slug, { kind: 'unexpected', status: error.status })
    }
    if (error instanceof oauth.OperationProcessingError) throw unexpectedAnswer(slug, error.cause)
    if (error instanceof oauth.UnsupportedOperationError) throw unexpectedAnswer(slug, error.cause)
    throw error
  }
}

function unexpectedAnswer(slug: string, cause: unknown): VendorError {
  const status = cause instanceof Response ? cause.status : null
  // Only the credential of the app is checked with this status; not every vendor names the error.
  const isClient = status === 401
  return new VendorError(slug, {
    ...{ kind: 'unexpected', status },
    ...(isClient && { appProblem: 'client' }),
  })
}
