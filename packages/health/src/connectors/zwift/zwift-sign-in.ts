import type { PasswordSignIn, SignInContext, SignInOutcome, VendorTokens } from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { readJson, type Send, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { type Fields, SLUG, unexpected } from './zwift-pages.ts'

const TOKEN_PATH = '/auth/realms/zwift/protocol/openid-connect/token'

/** The service refuses requests of some accounts without the headers of the game. */
export const appHeaders = ({ app }: Pick<SignInContext, 'app'>): Record<string, string> => ({
  source: 'Game Client',
  platform: 'OSX',
  'user-agent': app.settings.user_agent ?? '',
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Exchanges a password or a refresh token. @returns the answer, also of a refusal */
async function requestTokens(
  send: Send,
  form: Readonly<Record<string, string>>,
  context: SignInContext,
): Promise<Fields> {
  const answer = await send({
    method: 'POST',
    host: 'auth',
    path: TOKEN_PATH,
    headers: appHeaders(context),
    form: { client_id: context.app.settings.client_id ?? '', ...form },
  })
  // A refusal of RFC 6749 says what is wrong.
  if (answer.status === 400 || answer.status === 401) {
    try {
      const refusal = answer.json()
      if (isFields(refusal) && typeof refusal.error === 'string') return refusal
    } catch {
      throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
    }
  }
  const tokens = readJson(SLUG, answer)
  if (!isFields(tokens)) throw unexpected()
  return tokens
}

function toTokens(answer: Fields, now: number, profileId: string): VendorTokens {
  const { access_token, refresh_token, expires_in: seconds } = answer
  const accessToken = textOf(access_token)
  if (accessToken === '') throw unexpected()
  return {
    accessToken,
    refreshToken: textOf(refresh_token) || null,
    expiresAt: typeof seconds === 'number' ? now + seconds * 1000 : null,
    extra: { profileId },
  }
}

/** The id of the profile is another one than that in the token. */
async function profileIdOf(
  send: Send,
  accessToken: string,
  context: SignInContext,
): Promise<string> {
  const headers = { ...appHeaders(context), authorization: `Bearer ${accessToken}` }
  const profile = readJson(SLUG, await send({ path: '/api/profiles/me', headers }))
  const id = isFields(profile) ? profile.id : undefined
  if (typeof id !== 'number' && typeof id !== 'string') throw unexpected()
  return String(id)
}

/** Texts of refusals in which the account needs its owner before it signs in again. */
const NEEDS_OWNER = /not fully set up|verify|required action/i

async function signIn(
  send: Send,
  { username, password }: { username: string; password: string },
  context: SignInContext,
): Promise<SignInOutcome> {
  const answer = await requestTokens(send, { grant_type: 'password', username, password }, context)
  if (answer.error === 'invalid_grant') {
    const needsOwner = NEEDS_OWNER.test(textOf(answer.error_description))
    return { state: 'refused', reason: needsOwner ? 'consent_needed' : 'wrong_credential' }
  }
  if (answer.error !== undefined) throw unexpected()
  const { accessToken } = toTokens(answer, context.now, '')
  const profileId = await profileIdOf(send, accessToken, context)
  return {
    state: 'signed_in',
    accountId: profileId,
    tokens: toTokens(answer, context.now, profileId),
  }
}

/** Zwift's accounts, by the OAuth grant of passwords that its game uses. */
export const ZWIFT_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  async renew(send, tokens, given, context) {
    const { refreshToken, extra } = tokens
    if (refreshToken !== null) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
      const answer = await requestTokens(send, form, context)
      if (answer.error === undefined) {
        return toTokens(answer, context.now, extra?.profileId ?? '')
      }
    }
    return renewedTokens(SLUG, await signIn(send, given, context))
  },
  renewal: { mostPerDay: 24 },
}
