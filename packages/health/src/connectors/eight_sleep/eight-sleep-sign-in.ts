import { MINUTE_MS } from '@salus/contracts/time-units'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type {
  PasswordGiven,
  PasswordSignIn,
  ResolvedApp,
  SignInContext,
  SignInOutcome,
  VendorTokens,
} from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { readJson, type Send, VendorError, type VendorFailure } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'eight_sleep'

export const APP_SETTINGS = {
  client_id: { meaning: 'Client id of the app of the vendor.', isRequired: true },
  client_secret: { meaning: 'Client secret of the app of the vendor.', isRequired: true },
  user_agent: { meaning: 'User agent that the service accepts; none by default.' },
} as const

/** The service refuses some clients at their first sign-in, without saying for how long. */
const REFUSED_MS = 15 * MINUTE_MS

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function errorOf(answer: OutboundAnswer): string {
  try {
    return textOf(fieldsOf(answer.json()).error)
  } catch {
    return ''
  }
}

/** Returns the headers of all requests. */
export function appHeaders({ settings }: ResolvedApp): Record<string, string> {
  return settings.user_agent ? { 'user-agent': settings.user_agent } : {}
}

/** A limited sign-in blocks the whole deployment, because the vendor limits by address. */
export function failureOf(
  answer: OutboundAnswer,
  of: 'data' | 'sign_in' = 'data',
): VendorFailure | undefined {
  if (of === 'data') return undefined
  if (answer.status === 429) return { kind: 'blocked', retryAfterMs: REFUSED_MS }
  const isApp = errorOf(answer) === 'invalid_client'
  return isApp ? { kind: 'unexpected', status: answer.status, appProblem: 'client' } : undefined
}

async function signIn(
  send: Send,
  { username, password }: PasswordGiven,
  { app, now }: SignInContext,
): Promise<SignInOutcome> {
  const { client_id = '', client_secret = '' } = app.settings
  const headers = appHeaders(app)
  const answer = await send({
    method: 'POST',
    host: 'auth',
    path: '/v1/tokens',
    headers,
    json: { client_id, client_secret, grant_type: 'password', username, password },
  })
  if (errorOf(answer) === 'invalid_grant') return { state: 'refused', reason: 'wrong_credential' }
  const session = fieldsOf(readJson(SLUG, answer))
  const accessToken = textOf(session.access_token)
  if (accessToken === '') throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  const authorized = { ...headers, authorization: `Bearer ${accessToken}` }
  const me = readJson(SLUG, await send({ path: '/v1/users/me', headers: authorized }))
  const user = fieldsOf(fieldsOf(me).user)
  const accountId = textOf(session.userId) || textOf(user.userId)
  if (accountId === '') throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  // An account without a bed has no nights.
  const hasBed = Array.isArray(user.devices) && user.devices.length > 0
  if (!hasBed) return { state: 'refused', reason: 'nothing_shared' }
  const zone = textOf(fieldsOf(user.currentDevice).timeZone)
  const seconds = session.expires_in
  const tokens: VendorTokens = {
    accessToken,
    refreshToken: null,
    expiresAt: typeof seconds === 'number' && seconds > 0 ? now + seconds * 1000 : null,
    extra: { userId: accountId, zone: zoneOffsetSeconds(zone, now) === null ? 'UTC' : zone },
  }
  return { state: 'signed_in', tokens, accountId }
}

export const EIGHT_SLEEP_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  // Sessions last a day, and no client is known that renews one otherwise.
  renew: async (send, _tokens, given, context) =>
    renewedTokens(SLUG, await signIn(send, given, context)),
  renewal: { mostPerDay: 12 },
  // The vendor answered that right passwords are wrong during an outage in December 2025.
  refusalsToEnd: 3,
}
