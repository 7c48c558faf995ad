import { createHash } from 'node:crypto'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type {
  PasswordGiven,
  PasswordSignIn,
  ResolvedApp,
  SignInOutcome,
  VendorTokens,
} from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import {
  readJson,
  type Send,
  VendorError,
  type VendorFailure,
  type VendorRequest,
} from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'abbott_libreview'

/** The service answers only apps and versions that it knows, and raises the least version. */
export const APP_SETTINGS = {
  product: { meaning: 'Name of the app to the service.', default: 'llu.android' },
  version: { meaning: 'Version of the app to the service.', default: '4.16.0' },
} as const

/** Each region has its own service; the general one names the region of an account. */
const REGIONS = ['ae', 'ap', 'au', 'ca', 'de', 'eu', 'eu2', 'fr', 'jp', 'la', 'us'] as const
const GENERAL_HOST = 'api'

export const HOSTS: Readonly<Record<string, string>> = {
  [GENERAL_HOST]: 'https://api.libreview.io',
  ...Object.fromEntries(
    REGIONS.map((region) => [`api-${region}`, `https://api-${region}.libreview.io`]),
  ),
  'api-ru': 'https://api.libreview.ru',
  'api-cn': 'https://api-cn.myfreestyle.cn',
}

/** Values of `status` in the vendor's body; 0 is success. */
const WRONG_CREDENTIAL = 2
const STEP_OR_NOT_LOADED = 4
const LOCKED = 429
const MAINTENANCE = 911
const OLD_VERSION = 920

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
 * Returns the headers of a request: the app, and the ticket; with a ticket of a session the vendor
 * also requires the hashed account id.
 */
export function requestHeaders(
  { settings }: ResolvedApp,
  ticket?: string,
  accountHash?: string,
): Record<string, string> {
  return {
    product: settings.product ?? APP_SETTINGS.product.default,
    version: settings.version ?? APP_SETTINGS.version.default,
    ...(ticket !== undefined && { authorization: `Bearer ${ticket}` }),
    ...(accountHash && { 'account-id': accountHash }),
  }
}

/**
 * Returns what an answer means that is no data: the number is in its body, also with HTTP 200. An
 * account that is locked after wrong passwords names the seconds two levels down.
 */
export function failureOf(answer: OutboundAnswer): VendorFailure | undefined {
  const body = jsonOf(answer)
  if (body.status === LOCKED || answer.status === LOCKED) {
    const { lockout } = fieldsOf(fieldsOf(body.data).data)
    if (typeof lockout !== 'number' || !(lockout >= 0)) {
      return answer.status === LOCKED ? undefined : { kind: 'rate_limited', retryAfterMs: null }
    }
    return { kind: 'rate_limited', retryAfterMs: lockout * 1000 }
  }
  if (body.status === OLD_VERSION) {
    return { kind: 'unexpected', status: answer.status, appProblem: 'version' }
  }
  if (body.status === MAINTENANCE) return { kind: 'unavailable' }
  const { message } = fieldsOf(body.error)
  const isOver = body.status === STEP_OR_NOT_LOADED && message === 'couldNotLoadPatient'
  return isOver ? { kind: 'ended', errorType: 'deregistered_per_provider' } : undefined
}

function jsonOf(answer: OutboundAnswer): Fields {
  try {
    return fieldsOf(answer.json())
  } catch {
    return {}
  }
}

/** Requests of one sign-in, at the service of a region. */
class Service {
  readonly #send: Send
  readonly #app: ResolvedApp
  readonly host: string

  constructor(send: Send, app: ResolvedApp, host: string) {
    this.#send = send
    this.#app = app
    this.host = host
  }

  at(host: string): Service {
    return new Service(this.#send, this.#app, host)
  }

  async fetch(
    wanted: Pick<VendorRequest, 'method' | 'path' | 'json'>,
    ticket?: string,
    accountHash?: string,
  ): Promise<Fields> {
    const headers = requestHeaders(this.#app, ticket, accountHash)
    return fieldsOf(readJson(SLUG, await this.#send({ ...wanted, host: this.host, headers })))
  }
}

/** @param patientId Whose data a session read before; undefined for the first one. */
async function signIn(
  service: Service,
  { username, password }: PasswordGiven,
  patientId?: string,
): Promise<SignInOutcome> {
  const login = { method: 'POST', path: LOGIN, json: { email: username, password } } as const
  const answer = await service.fetch(login)
  const { redirect, region } = fieldsOf(answer.data)
  if (redirect !== true) return continueSignIn(service, answer, patientId)
  const host = `api-${textOf(region)}`
  if (!Object.hasOwn(HOSTS, host)) return { state: 'refused', reason: 'unsupported_region' }
  const regional = service.at(host)
  return continueSignIn(regional, await regional.fetch(login), patientId)
}

/** Continues the sign-in after the answer to a password or a code. */
async function continueSignIn(
  service: Service,
  answer: Fields,
  patientId?: string,
): Promise<SignInOutcome> {
  if (answer.status === WRONG_CREDENTIAL) return { state: 'refused', reason: 'wrong_credential' }
  const data = fieldsOf(answer.data)
  const step = fieldsOf(data.step)
  const ticket = fieldsOf(data.authTicket)
  const token = textOf(ticket.token)
  if (step.type === 'passwordExpired') return { state: 'refused', reason: 'password_expired' }
  if (step.type === '2faVerify') return sendCode(service, token, fieldsOf(step.props))
  // Terms of use, a privacy policy, a consent or an address to verify: all are in the vendor's app.
  if (step.type !== undefined) return { state: 'refused', reason: 'consent_needed' }
  const accountId = textOf(fieldsOf(data.user).id)
  if (answer.status !== 0 || accountId === '' || token === '') throw unexpectedAnswer()
  const tokens = await findTokens(service, ticket, accountId, patientId)
  if (tokens === undefined) return { state: 'refused', reason: 'nothing_shared' }
  return { state: 'signed_in', tokens, accountId }
}

async function sendCode(service: Service, token: string, props: Fields): Promise<SignInOutcome> {
  if (token === '') throw unexpectedAnswer()
  const isPrimaryMethod = textOf(props.primaryValue) !== ''
  const [method, hint] = isPrimaryMethod
    ? [props.primaryMethod, props.primaryValue]
    : [props.secondaryMethod, props.secondaryValue]
  const request = { method: 'POST', path: SEND_CODE, json: { isPrimaryMethod } } as const
  const sent = await service.fetch(request, token)
  const ticket = textOf(fieldsOf(sent.ticket).token) || token
  const challenge: Challenge = { host: service.host, ticket, isPrimaryMethod }
  return {
    state: 'code_needed',
    method: method === 'email' ? 'email' : 'sms',
    hint: textOf(hint),
    challenge: JSON.stringify(challenge),
  }
}

/**
 * Returns the tokens of a session and the patient whose data it reads: the former one; at first the
 * account itself where it follows itself, otherwise the first person who shares with it. Returns
 * undefined when none does, or the former one does no longer.
 */
async function findTokens(
  service: Service,
  ticket: Fields,
  accountId: string,
  former: string | undefined,
): Promise<VendorTokens | undefined> {
  const accountHash = createHash('sha256').update(accountId).digest('hex')
  const accessToken = textOf(ticket.token)
  const { data } = await service.fetch({ path: CONNECTIONS }, accessToken, accountHash)
  if (!Array.isArray(data)) throw unexpectedAnswer()
  const people = data.map((person) => textOf(fieldsOf(person).patientId)).filter((id) => id !== '')
  const wanted = former ?? (people.includes(accountId) ? accountId : people[0])
  if (wanted === undefined || !people.includes(wanted)) return undefined
  const { expires } = ticket
  return {
    accessToken,
    refreshToken: null,
    expiresAt: typeof expires === 'number' ? expires * 1000 : null,
    extra: { host: service.host, patientId: wanted, accountHash },
  }
}

/** An account that the vendor locked for a while is no trouble of the vendor. */
function toRefusal(error: unknown): SignInOutcome {
  const isLocked = error instanceof VendorError && error.failure.kind === 'rate_limited'
  if (isLocked) return { state: 'refused', reason: 'blocked' }
  throw error
}

export const LIBREVIEW_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  // The vendor locks an account after three refused sign-ins.
  renewal: { mostPerDay: 4 },
  signIn: (send, given, { app }) =>
    signIn(new Service(send, app, GENERAL_HOST), given).catch(toRefusal),
  async completeMfa(send, challenge, code, { app }) {
    const { host, ticket, isPrimaryMethod } = JSON.parse(challenge) as Challenge
    const service = new Service(send, app, host)
    const request = { method: 'POST', path: CHECK_CODE, json: { code, isPrimaryMethod } } as const
    const answer = await service.fetch(request, ticket)
    if (answer.status === WRONG_CREDENTIAL) return { state: 'refused', reason: 'wrong_code' }
    return continueSignIn(service, answer).catch(toRefusal)
  },
  // The vendor has no refresh. A step that needs the user ends the connection.
  async renew(send, { extra = {} }, given, { app }) {
    const service = new Service(send, app, extra.host ?? GENERAL_HOST)
    return renewedTokens(SLUG, await signIn(service, given, extra.patientId))
  },
}
