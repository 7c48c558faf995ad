import { createHash } from 'node:crypto'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { PasswordGiven, PasswordSignIn, SignInOutcome, VendorTokens } from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { readJson, type Send, VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'abbott_libreview'

/** The service only accepts an app and version that it knows. */
export const APP_HEADERS = { product: 'llu.android', version: '4.16.0' }

/** Each region has its own service; the general one names the region of an account. */
const REGIONS = ['ae', 'ap', 'au', 'ca', 'de', 'eu', 'eu2', 'fr', 'jp', 'la', 'us'] as const
const GENERAL_HOST = 'api'

export const HOSTS: Readonly<Record<string, string>> = {
  [GENERAL_HOST]: 'https://api.libreview.io',
  ...Object.fromEntries(
    REGIONS.map((region) => [`api-${region}`, `https://api-${region}.libreview.io`]),
  ),
}

/** Values of `status` in the vendor's body; 0 is success. */
const WRONG_CREDENTIAL = 2

const LOGIN = '/llu/auth/login'
const SEND_CODE = '/auth/continue/2fa/sendcode'
const CHECK_CODE = '/auth/continue/2fa/result'
const CONNECTIONS = '/llu/connections'

type Fields = Record<string, unknown>

/** State between the password and the code. */
interface Challenge {
  host: string
  ticket: string
  isPrimaryMethod: boolean
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const unexpectedAnswer = (status: number | null = null): VendorError =>
  new VendorError(SLUG, { kind: 'unexpected', status })

/**
 * Returns the headers of a request with a ticket; the vendor also requires the hashed account id.
 */
export function ticketHeaders(ticket: string, accountHash?: string): Record<string, string> {
  return {
    ...APP_HEADERS,
    authorization: `Bearer ${ticket}`,
    ...(accountHash && { 'account-id': accountHash }),
  }
}

async function fetchLibreJson(send: Send, request: VendorRequest): Promise<Fields> {
  const answer = await send({ ...request, headers: { ...APP_HEADERS, ...request.headers } })
  return fieldsOf(readJson(SLUG, tooManyTries(answer)))
}

/** The vendor reports too many tries as 429 with the seconds in the body. */
function tooManyTries(answer: OutboundAnswer): OutboundAnswer {
  if (answer.status !== 429) return answer
  let seconds: unknown
  try {
    seconds = fieldsOf(fieldsOf(answer.json()).data).lockout
  } catch {
    return answer
  }
  if (typeof seconds !== 'number' || !(seconds >= 0)) return answer
  throw new VendorError(SLUG, { kind: 'rate_limited', retryAfterMs: seconds * 1000 })
}

async function signIn(send: Send, { username, password }: PasswordGiven): Promise<SignInOutcome> {
  let host = GENERAL_HOST
  const json = { email: username, password }
  let answer = await fetchLibreJson(send, { method: 'POST', host, path: LOGIN, json })
  const { redirect, region } = fieldsOf(answer.data)
  if (redirect === true) {
    host = `api-${textOf(region)}`
    if (!Object.hasOwn(HOSTS, host)) return { state: 'refused', reason: 'unsupported_region' }
    answer = await fetchLibreJson(send, { method: 'POST', host, path: LOGIN, json })
  }
  return continueSignIn(send, host, answer)
}

/** Continues the sign-in after the answer to a password or a code. */
async function continueSignIn(send: Send, host: string, answer: Fields): Promise<SignInOutcome> {
  if (answer.status === WRONG_CREDENTIAL) return { state: 'refused', reason: 'wrong_credential' }
  const data = fieldsOf(answer.data)
  const step = fieldsOf(data.step)
  const ticket = fieldsOf(data.authTicket)
  const token = textOf(ticket.token)
  if (token === '') throw unexpectedAnswer()
  if (step.type === '2faVerify') return sendCode(send, host, token, fieldsOf(step.props))
  if (step.type === 'passwordExpired') return { state: 'refused', reason: 'password_expired' }
  // For example new terms of use, to which only the user can agree in the vendor's app.
  if (step.type !== undefined) throw new VendorError(SLUG, { kind: 'refused' })
  const accountId = textOf(fieldsOf(data.user).id)
  if (answer.status !== 0 || accountId === '') throw unexpectedAnswer()
  const tokens = await tokensOf(send, host, ticket, accountId)
  return { state: 'signed_in', tokens, accountId }
}

async function sendCode(
  send: Send,
  host: string,
  token: string,
  props: Fields,
): Promise<SignInOutcome> {
  const isPrimaryMethod = textOf(props.primaryValue) !== ''
  const [method, hint] = isPrimaryMethod
    ? [props.primaryMethod, props.primaryValue]
    : [props.secondaryMethod, props.secondaryValue]
  const headers = ticketHeaders(token)
  const json = { isPrimaryMethod }
  const sent = await fetchLibreJson(send, { method: 'POST', host, path: SEND_CODE, headers, json })
  const ticket = textOf(fieldsOf(sent.ticket).token) || token
  const challenge: Challenge = { host, ticket, isPrimaryMethod }
  return {
    state: 'code_needed',
    method: method === 'email' ? 'email' : 'sms',
    hint: textOf(hint),
    challenge: JSON.stringify(challenge),
  }
}

async function completeMfa(send: Send, challenge: string, code: string): Promise<SignInOutcome> {
  const { host, ticket, isPrimaryMethod } = JSON.parse(challenge) as Challenge
  const headers = ticketHeaders(ticket)
  const json = { code, isPrimaryMethod }
  const answer = await fetchLibreJson(send, {
    method: 'POST',
    host,
    path: CHECK_CODE,
    headers,
    json,
  })
  if (answer.status === WRONG_CREDENTIAL) return { state: 'refused', reason: 'wrong_code' }
  return continueSignIn(send, host, answer)
}

/**
 * Returns the tokens of a session and the patient whose data it reads: the account itself,
 * otherwise the first person that it follows.
 */
async function tokensOf(
  send: Send,
  host: string,
  ticket: Fields,
  accountId: string,
): Promise<VendorTokens> {
  const accountHash = createHash('sha256').update(accountId).digest('hex')
  const accessToken = textOf(ticket.token)
  const headers = ticketHeaders(accessToken, accountHash)
  const { data } = await fetchLibreJson(send, { host, path: CONNECTIONS, headers })
  const people = Array.isArray(data) ? data.map((person) => textOf(fieldsOf(person).patientId)) : []
  const [followed] = people.filter((id) => id !== '')
  const patientId = people.includes(accountId) ? accountId : (followed ?? accountId)
  const { expires } = ticket
  return {
    accessToken,
    refreshToken: null,
    expiresAt: typeof expires === 'number' ? expires * 1000 : null,
    extra: { host, patientId, accountHash },
  }
}

/**
 * Signs in again with the password, because the vendor has no refresh. A step that needs the user
 * ends the connection.
 */
async function renewSession(
  send: Send,
  _tokens: VendorTokens,
  given: PasswordGiven,
): Promise<VendorTokens> {
  return renewedTokens(SLUG, await signIn(send, given))
}

export const LIBREVIEW_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  completeMfa,
  renew: renewSession,
}
