import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import type { SendingTransport } from '@salus/contracts/lab-gateway'
import type { OutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { type OutboundAnswer, type OutboundRequest, request } from '@salus/kernel/outbound/request'
import type { ReadSecret } from './tls-options.ts'
import { TransportError } from './transport.ts'

export type HttpAuth = NonNullable<Extract<SendingTransport, { kind: 'http' }>['auth']>
type TokenAuth = Extract<HttpAuth, { kind: 'oauth2_client' | 'private_key_jwt' }>

const MOST_ANSWER_BYTES = 200 * 1024 ** 2
const TOKEN_TIMEOUT_MS = 30_000
/** A token is renewed this long before it ends. */
const TOKEN_MARGIN_MS = 30_000
/** SMART backend services allow at most five minutes. */
const ASSERTION_SECONDS = 240

/** Sends requests to a laboratory with its sign-in. */
export type LabFetch = (
  wanted: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>,
) => Promise<OutboundAnswer>

/**
 * Creates the requests of a connection. Tokens are kept until shortly before they end, and once
 * more requested after a 401.
 * @throws TransportError when the laboratory cannot be reached, refuses the sign-in (`http_401`) or
 *   answers 429 or 5xx
 */
export function createLabFetch(
  agent: OutboundAgent,
  auth: HttpAuth | undefined,
  readSecret: ReadSecret,
  timeoutSeconds = 60,
): LabFetch {
  let token: { value: string; endsAt: number } | undefined
  const getToken = async (given: TokenAuth): Promise<string> => {
    if (token === undefined || token.endsAt < Date.now() + TOKEN_MARGIN_MS) {
      token = await requestToken(agent, given, readSecret)
    }
    return token.value
  }
  const headersOf = async (): Promise<Record<string, string>> => {
    if (auth === undefined || auth.kind === 'none') return {}
    if (auth.kind === 'basic') {
      const credentials = `${auth.user}:${await readSecret(auth.password)}`
      return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
    }
    if (auth.kind === 'api_key') return { [auth.header.toLowerCase()]: await readSecret(auth.key) }
    const value = auth.kind === 'bearer' ? await readSecret(auth.token) : await getToken(auth)
    return { authorization: `Bearer ${value}` }
  }
  return async (wanted) => {
    const attempt = async (): Promise<OutboundAnswer> =>
      send(agent, {
        ...wanted,
        headers: { ...wanted.headers, ...(await headersOf()) },
        timeoutMs: timeoutSeconds * 1000,
        maxBytes: MOST_ANSWER_BYTES,
      })
    const answer = await attempt()
    const isExpired = answer.status === 401 && token !== undefined
    token = isExpired ? undefined : token
    return requireReached(isExpired ? await attempt() : answer)
  }
}

/** Refusals of a request are answers; trouble of the other side is not. */
function requireReached(answer: OutboundAnswer): OutboundAnswer {
  const { status } = answer
  if (status === 401 || status === 403 || status === 429 || status >= 500) {
    throw new TransportError(`http_${status}`)
  }
  return answer
}

async function send(agent: OutboundAgent, wanted: OutboundRequest): Promise<OutboundAnswer> {
  try {
    return await request(agent, wanted)
  } catch (cause) {
    const { reason = 'http' } = cause as { reason?: string }
    throw new TransportError(reason, { cause })
  }
}

async function requestToken(
  agent: OutboundAgent,
  auth: TokenAuth,
  readSecret: ReadSecret,
): Promise<{ value: string; endsAt: number }> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (auth.scope !== undefined) form.set('scope', auth.scope)
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (auth.kind === 'oauth2_client') {
    const credentials = `${auth.client_id}:${await readSecret(auth.client_secret)}`
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  } else {
    form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    form.set('client_assertion', signAssertion(auth, await readSecret(auth.key)))
  }
  const answer = await send(agent, {
    method: 'POST',
    url: auth.token_url,
    headers,
    body: form.toString(),
    timeoutMs: TOKEN_TIMEOUT_MS,
    maxBytes: 1024 ** 2,
  })
  const { access_token: value, expires_in: seconds } = readToken(answer)
  if (typeof value !== 'string') throw new TransportError(`token_${answer.status}`)
  const lifeSeconds = typeof seconds === 'number' ? seconds : ASSERTION_SECONDS
  return { value, endsAt: Date.now() + lifeSeconds * 1000 }
}

function readToken(answer: OutboundAnswer): { access_token?: unknown; expires_in?: unknown } {
  try {
    return (answer.json() ?? {}) as object
  } catch {
    return {}
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the signed assertion of SMART backend services (RFC 7523). */
function signAssertion(
  {
    client_id: clientId,
    token_url: audience,
    algorithm = 'RS384',
  }: Extract<TokenAuth, { kind: 'private_key_jwt' }>,
  pem: string,
): string {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: audience,
    iat: nowSeconds,
    exp: nowSeconds + ASSERTION_SECONDS,
    jti: randomUUID(),
  }
  const signed = `${encode({ alg: algorithm, typ: 'JWT' })}.${encode(claims)}`
  const signature = sign('sha384', Buffer.from(signed), {
    key: createPrivateKey(pem),
    // The form of RFC 7518 for elliptic curves; RSA does not read it.
    dsaEncoding: 'ieee-p1363',
  })
  return `${signed}.${signature.toString('base64url')}`
}
