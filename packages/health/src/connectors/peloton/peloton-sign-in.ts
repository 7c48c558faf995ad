import { createHash, randomBytes } from 'node:crypto'
import type {
  PasswordGiven,
  PasswordSignIn,
  SignInContext,
  SignInOutcome,
  VendorTokens,
} from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { type BrowserPage, createBrowser, type VendorBrowser } from '../vendor-browser.ts'
import { readJson, type Send, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { type Fields, SLUG, unexpected } from './peloton-pages.ts'

export const HOSTS = {
  api: 'https://api.onepeloton.com',
  auth: 'https://auth.onepeloton.com',
  orca: 'https://auth-orca.onepeloton.com',
} as const

/** Address of the website, at which the sign-in ends. */
const CALLBACK = 'https://members.onepeloton.com/callback'
const SCOPE = 'offline_access openid peloton-api.members:default'
const AUDIENCE = 'https://api.onepeloton.com/'
const LOGIN = '/usernamepassword/login'

const random = (): string => randomBytes(32).toString('base64url')
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Values of one sign-in. */
interface Attempt {
  readonly browser: VendorBrowser
  readonly verifier: string
  readonly parameters: Readonly<Record<string, string>>
}

function beginAttempt(send: Send, { app, now }: SignInContext): Attempt {
  const verifier = random()
  const browser = createBrowser(send, HOSTS, {
    slug: SLUG,
    now,
    callback: CALLBACK,
    headers: { 'user-agent': app.settings.user_agent ?? '' },
  })
  const parameters = {
    client_id: app.settings.client_id ?? '',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: SCOPE,
    audience: AUDIENCE,
    nonce: random(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  return { browser, verifier, parameters }
}

/** The page of the sign-in sets a token for the next request, in a cookie of that path only. */
function csrfOf({ browser }: Attempt): string {
  const cookies = browser.cookieHeader('auth', LOGIN) ?? ''
  const found = /(?:^|;\s*)_csrf=([^;]*)/.exec(cookies)?.[1]
  if (found === undefined) throw unexpected()
  return decodeURIComponent(found)
}

/** Sends the password. @returns the page after it, or the reason for which it was refused */
async function sendPassword(
  attempt: Attempt,
  page: BrowserPage,
  { username, password }: PasswordGiven,
): Promise<BrowserPage | 'wrong_credential' | 'blocked'> {
  const { browser, parameters } = attempt
  const answered = await browser.open({
    method: 'POST',
    host: 'auth',
    path: LOGIN,
    headers: {
      accept: '*/*',
      origin: HOSTS.auth,
      referer: page.url.href,
      'auth0-client': Buffer.from('{"name":"auth0.js-ulp","version":"9.14.3"}').toString('base64'),
    },
    json: {
      ...parameters,
      tenant: 'peloton-prod',
      connection: 'pelo-user-password',
      state: page.url.searchParams.get('state') ?? '',
      _csrf: csrfOf(attempt),
      _intstate: 'deprecated',
      username,
      password,
    },
  })
  return refusalOf(answered) ?? answered
}

/** Codes by which the service of the sign-in refuses a password. */
const WRONG: ReadonlySet<unknown> = new Set(['invalid_user_password', 'access_denied'])
const BLOCKED: ReadonlySet<unknown> = new Set(['too_many_attempts', 'requires_verification'])

function refusalOf({ answer }: BrowserPage): 'wrong_credential' | 'blocked' | undefined {
  if (answer.status < 400) return undefined
  let said: unknown
  try {
    said = answer.json()
  } catch {
    said = undefined
  }
  const { code, error }: Fields = isFields(said) ? said : {}
  if (WRONG.has(code ?? error)) return 'wrong_credential'
  if (BLOCKED.has(code ?? error)) return 'blocked'
  // Throws by the status.
  readJson(SLUG, answer)
  return undefined
}

async function signIn(
  send: Send,
  given: PasswordGiven,
  context: SignInContext,
): Promise<SignInOutcome> {
  const attempt = beginAttempt(send, context)
  const { browser, parameters, verifier } = attempt
  const first = await browser.open({
    host: 'auth',
    path: '/authorize',
    query: { ...parameters, state: random(), response_mode: 'query' },
  })
  const answered = await sendPassword(attempt, first, given)
  if (typeof answered === 'string') return { state: 'refused', reason: answered }
  const [form] = answered.forms()
  const last =
    answered.callback === undefined && form !== undefined
      ? await browser.submit(answered, form, {})
      : answered
  const code = last.callback?.searchParams.get('code')
  if (!code) throw unexpected()
  const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier }
  const answer = await requestTokens(send, { ...exchange, redirect_uri: CALLBACK }, context)
  if (answer.error !== undefined) throw unexpected()
  const accountId = await accountIdOf(send, textOf(answer.access_token))
  return { state: 'signed_in', accountId, tokens: toTokens(answer, context, accountId) }
}

/** @returns the answer, also that the code or token is not accepted */
async function requestTokens(
  send: Send,
  form: Readonly<Record<string, string>>,
  { app }: SignInContext,
): Promise<Fields> {
  const answer = await send({
    method: 'POST',
    host: 'auth',
    path: '/oauth/token',
    form: { client_id: app.settings.client_id ?? '', ...form },
  })
  if (answer.status === 400 || answer.status === 401 || answer.status === 403) {
    try {
      const said = answer.json()
      if (isFields(said) && said.error === 'invalid_grant') return said
    } catch {
      throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
    }
  }
  const tokens = readJson(SLUG, answer)
  if (!isFields(tokens)) throw unexpected()
  return tokens
}

function toTokens(answer: Fields, { now }: SignInContext, accountId: string): VendorTokens {
  const { access_token, refresh_token, expires_in: seconds } = answer
  const accessToken = textOf(access_token)
  if (accessToken === '') throw unexpected()
  return {
    accessToken,
    refreshToken: textOf(refresh_token) || null,
    expiresAt: typeof seconds === 'number' ? now + seconds * 1000 : null,
    extra: { accountId },
  }
}

/** Header of requests of the website. */
export const PLATFORM = { 'peloton-platform': 'web' } as const

async function accountIdOf(send: Send, accessToken: string): Promise<string> {
  const headers = { ...PLATFORM, authorization: `Bearer ${accessToken}` }
  const person = readJson(SLUG, await send({ path: '/api/me', headers }))
  const id = isFields(person) ? textOf(person.id) : ''
  if (id === '') throw unexpected()
  return id
}

/** Peloton's accounts, by the pages of its website. A session is kept by its refresh token. */
export const PELOTON_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  async renew(send, { refreshToken, extra }, given, context) {
    if (refreshToken !== null) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
      const answer = await requestTokens(send, form, context)
      if (answer.error === undefined) return toTokens(answer, context, extra?.accountId ?? '')
    }
    return renewedTokens(SLUG, await signIn(send, given, context))
  },
  renewal: { mostPerDay: 12 },
}
