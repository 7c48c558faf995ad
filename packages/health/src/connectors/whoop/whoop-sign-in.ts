import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { PasswordSignIn, SignInOutcome, VendorTokens } from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { failureOfStatus, readJson, type Send, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { API_VERSION, type Fields, SLUG } from './cycle-pages.ts'

/** The sign-in of the vendor is Amazon Cognito behind an address of its own. */
const COGNITO = '/auth-service/v3/whoop/'
const ACCOUNT = '/users-service/v2/bootstrap/'

/** Constants of the vendor's apps. */
export const SETTINGS = {
  client_id: {
    meaning: 'Client id of the app at the sign-in of WHOOP. The default is that of its web app.',
    default: '37365lrcda1js3fapqfe2n40eh',
  },
  user_agent: { meaning: 'Name and version of the app in each request.', default: 'WHOOP/4.0' },
} as const

/** Codes of Cognito: the answer that names each, and how the user gets it. */
const CODES: Readonly<Record<string, { field: string; method: 'sms' | 'email' | 'totp' }>> = {
  SMS_MFA: { field: 'SMS_MFA_CODE', method: 'sms' },
  SOFTWARE_TOKEN_MFA: { field: 'SOFTWARE_TOKEN_MFA_CODE', method: 'totp' },
  EMAIL_OTP: { field: 'EMAIL_OTP_CODE', method: 'email' },
}

const WRONG_CODE = new Set(['CodeMismatchException', 'ExpiredCodeException'])
const BUSY = new Set(['TooManyRequestsException', 'LimitExceededException'])

/** State between the password and the code. */
interface Challenge {
  name: string
  session: string
  username: string
}

type Refused = Extract<SignInOutcome, { state: 'refused' }>
/** Values of `app.settings`, which have the defaults of SETTINGS. */
type Settings = Readonly<Record<string, string>>

const unexpected = (status: number | null = null): VendorError =>
  new VendorError(SLUG, { kind: 'unexpected', status })
const refused = (reason: Refused['reason']): Refused => ({ state: 'refused', reason })

/**
 * Calls an action of Cognito.
 * @returns its answer, or the type and the message of its error
 * @throws VendorError
 */
async function callCognito(
  send: Send,
  settings: Settings,
  action: 'InitiateAuth' | 'RespondToAuthChallenge',
  body: object,
): Promise<{ answer: Fields } | { error: string; message: string }> {
  const answer = await send({
    method: 'POST',
    path: COGNITO,
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
      'user-agent': settings.user_agent ?? '',
    },
    json: { ClientId: settings.client_id, ...body },
  })
  const content = contentOf(answer)
  if (answer.status === 200) return { answer: content }
  // `…#NotAuthorizedException` with status 400: the status alone says nothing.
  const error =
    String(content.__type ?? '')
      .split('#')
      .at(-1) ?? ''
  if (BUSY.has(error)) throw new VendorError(SLUG, { kind: 'rate_limited', retryAfterMs: null })
  if (error === '') throw new VendorError(SLUG, failureOfStatus(answer) ?? unexpected().failure)
  return { error, message: String(content.message ?? content.Message ?? '') }
}

function contentOf(answer: OutboundAnswer): Fields {
  try {
    const content = JSON.parse(answer.bytes().toString('utf8'))
    return isFields(content) ? content : {}
  } catch {
    return {}
  }
}

const signIn: PasswordSignIn['signIn'] = async (send, { username, password }, { app, now }) => {
  const called = await callCognito(send, app.settings, 'InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: username, PASSWORD: password },
  })
  if ('error' in called) return refusalOf(called)
  return continueSignIn(send, called.answer, { username, settings: app.settings, now })
}

function refusalOf({ error, message }: { error: string; message: string }): Refused {
  if (error === 'PasswordResetRequiredException') return refused('password_expired')
  if (error === 'UserNotFoundException') return refused('wrong_credential')
  if (error !== 'NotAuthorizedException') throw unexpected(400)
  // Cognito locks an account for some minutes after a few wrong passwords.
  return refused(/attempts exceeded/i.test(message) ? 'blocked' : 'wrong_credential')
}

/** Continues after the answer to a password or a code. */
async function continueSignIn(
  send: Send,
  answer: Fields,
  { username, settings, now }: { username: string; settings: Settings; now: number },
): Promise<SignInOutcome> {
  const { ChallengeName: name, Session: session, ChallengeParameters: given } = answer
  if (typeof name !== 'string') {
    const tokens = tokensOf(answer, null, now)
    const accountId = await accountIdOf(send, settings, tokens)
    return { state: 'signed_in', tokens: { ...tokens, extra: { userId: accountId } }, accountId }
  }
  if (name === 'NEW_PASSWORD_REQUIRED') return refused('password_expired')
  const code = Object.hasOwn(CODES, name) ? CODES[name] : undefined
  // A step that only the app of the vendor can do, such as setting up codes.
  if (code === undefined) return refused('consent_needed')
  if (typeof session !== 'string') throw unexpected()
  const target = isFields(given) ? given.CODE_DELIVERY_DESTINATION : undefined
  const challenge: Challenge = { name, session, username }
  return {
    state: 'code_needed',
    method: code.method,
    hint: typeof target === 'string' ? target : '',
    challenge: JSON.stringify(challenge),
  }
}

/** Reads tokens. A refresh brings no new refresh token, so the former one stays. */
function tokensOf(answer: Fields, former: VendorTokens | null, now: number): VendorTokens {
  const { AuthenticationResult: result } = answer
  const {
    AccessToken: access,
    RefreshToken: refresh,
    ExpiresIn: seconds,
  } = isFields(result) ? result : {}
  if (typeof access !== 'string' || access === '') throw unexpected()
  const isKnown = typeof seconds === 'number' && seconds > 0
  return {
    accessToken: access,
    refreshToken: typeof refresh === 'string' ? refresh : (former?.refreshToken ?? null),
    expiresAt: isKnown ? now + seconds * 1000 : null,
    ...(former?.extra && { extra: former.extra }),
  }
}

async function accountIdOf(
  send: Send,
  settings: Settings,
  { accessToken }: VendorTokens,
): Promise<string> {
  const answer = await send({
    path: ACCOUNT,
    query: { ...API_VERSION, accountType: 'users', include: 'profile' },
    headers: {
      authorization: `Bearer ${accessToken}`,
      'user-agent': settings.user_agent ?? '',
    },
  })
  const account = readJson(SLUG, answer)
  const { id, user } = isFields(account) ? account : {}
  const found = isFields(user) ? user.id : id
  if (typeof found !== 'number' && (typeof found !== 'string' || found === '')) throw unexpected()
  return String(found)
}

const completeMfa: PasswordSignIn['completeMfa'] = async (send, challenge, code, { app, now }) => {
  const { name, session, username } = JSON.parse(challenge) as Challenge
  const called = await callCognito(send, app.settings, 'RespondToAuthChallenge', {
    ChallengeName: name,
    Session: session,
    ChallengeResponses: { USERNAME: username, [CODES[name]?.field ?? '']: code },
  })
  if ('answer' in called) {
    return continueSignIn(send, called.answer, { username, settings: app.settings, now })
  }
  // The session of a code ends after three minutes: then another code of it is wrong too.
  const isOver = called.error === 'NotAuthorizedException'
  return isOver || WRONG_CODE.has(called.error) ? refused('wrong_code') : refusalOf(called)
}

/** Uses the refresh token; when it has ended, after about 30 days, the password. */
const renew: PasswordSignIn['renew'] = async (send, tokens, given, context) => {
  const { settings } = context.app
  if (tokens.refreshToken !== null) {
    const called = await callCognito(send, settings, 'InitiateAuth', {
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: tokens.refreshToken },
    })
    if ('answer' in called) return tokensOf(called.answer, tokens, context.now)
    if (called.error !== 'NotAuthorizedException') refusalOf(called)
  }
  return renewedTokens(SLUG, await signIn(send, given, context))
}

export const WHOOP_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  completeMfa,
  renew,
  renewal: 'by_itself',
}
