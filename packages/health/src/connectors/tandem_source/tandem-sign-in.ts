import { createHash, randomBytes } from 'node:crypto'
import type {
  PasswordGiven,
  PasswordSignIn,
  SignInContext,
  SignInOutcome,
  SignInRefusal,
} from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { createBrowser } from '../vendor-browser.ts'
import { readJson, type Send, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './tandem-pages.ts'

const SSO = 'https://sso.tandemdiabetes.com'

/** Hosts by region. Accounts belong to one of them. */
export const REGIONS = {
  us: {
    api: 'https://source.tandemdiabetes.com',
    accounts: 'https://tdcservices.tandemdiabetes.com',
    sso: SSO,
  },
  eu: {
    api: 'https://source.eu.tandemdiabetes.com',
    accounts: 'https://tdcservices.eu.tandemdiabetes.com',
    sso: SSO,
  },
} as const
export type Region = keyof typeof REGIONS

/** Addresses of the website, at which the sign-in ends. */
const CALLBACKS: Readonly<Record<Region, string>> = {
  us: `${SSO}/auth/callback`,
  eu: `${REGIONS.eu.api}/authorize/callback`,
}
const SCOPE = 'openid profile email'
const ACCOUNTS = '/accounts/api'

/** States of a sign-in other than SUCCESS; any other one refuses the password. */
const REFUSALS: Readonly<Record<string, SignInRefusal>> = {
  PASSWORD_EXPIRED: 'password_expired',
  LOCKED_OUT: 'blocked',
}
/** Statuses by which the service refuses a password. */
const REFUSED = new Set([400, 401])

export const regionOf = (region: string | null | undefined): Region =>
  region === 'eu' ? 'eu' : 'us'

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

async function signIn(
  send: Send,
  { username, password, region: given }: PasswordGiven,
  { app, now }: SignInContext,
): Promise<SignInOutcome> {
  const region = regionOf(given)
  const callback = CALLBACKS[region]
  const headers = { referer: `${SSO}/` }
  const browser = createBrowser(send, REGIONS[region], { slug: SLUG, now, callback, headers })
  await browser.open({ host: 'sso', path: '/' })
  const login = await browser.open({
    method: 'POST',
    host: 'accounts',
    path: `${ACCOUNTS}/login`,
    json: { username, password },
  })
  if (REFUSED.has(login.answer.status)) return { state: 'refused', reason: 'wrong_credential' }
  const outcome = readJson(SLUG, login.answer)
  const status = isFields(outcome) ? textOf(outcome.status) : ''
  if (status === '') throw unexpected()
  if (status !== 'SUCCESS') {
    return { state: 'refused', reason: REFUSALS[status] ?? 'wrong_credential' }
  }
  const verifier = randomBytes(48).toString('base64url')
  const client_id = app.settings[`client_id_${region}`] ?? ''
  const { callback: back } = await browser.open({
    host: 'accounts',
    path: `${ACCOUNTS}/connect/authorize`,
    query: {
      client_id,
      response_type: 'code',
      scope: SCOPE,
      redirect_uri: callback,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    },
  })
  const code = back?.searchParams.get('code')
  if (!code) throw unexpected()
  const form = { client_id, code, redirect_uri: callback, code_verifier: verifier }
  const answer = await send({
    method: 'POST',
    host: 'accounts',
    path: `${ACCOUNTS}/connect/token`,
    form: { grant_type: 'authorization_code', ...form },
  })
  return toOutcome(readJson(SLUG, answer), region, now)
}

function toOutcome(answer: unknown, region: Region, now: number): SignInOutcome {
  const { access_token, id_token, expires_in: seconds } = isFields(answer) ? answer : {}
  const accessToken = textOf(access_token)
  const { pumperId, accountId } = claimsOf(textOf(id_token))
  if (accessToken === '' || pumperId === '') throw unexpected()
  return {
    state: 'signed_in',
    accountId: accountId || pumperId,
    tokens: {
      accessToken,
      refreshToken: null,
      expiresAt: typeof seconds === 'number' ? now + seconds * 1000 : null,
      extra: { pumperId, region },
    },
  }
}

/**
 * Reads the ids in a token of OpenID Connect. It came from the vendor itself over TLS, so that its
 * signature need not be verified (OpenID Connect Core, 3.1.3.7).
 */
function claimsOf(token: string): { pumperId: string; accountId: string } {
  try {
    const [, content = ''] = token.split('.')
    const claims: unknown = JSON.parse(Buffer.from(content, 'base64url').toString('utf8'))
    const { pumperId, accountId } = isFields(claims) ? claims : {}
    return { pumperId: textOf(pumperId), accountId: textOf(accountId) }
  } catch {
    return { pumperId: '', accountId: '' }
  }
}

/** Accounts of Tandem Source, by the pages of its website. A session cannot be refreshed. */
export const TANDEM_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  regions: REGIONS,
  signIn,
  renew: async (send, _tokens, given, context) =>
    renewedTokens(SLUG, await signIn(send, given, context)),
  renewal: { mostPerDay: 24 },
}
