import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Connector,
  type Connectors,
  type PasswordGiven,
  type PasswordSignIn,
  readJson,
  type Send,
  type SignInOutcome,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { PLAIN_GUIDE } from '../connectors/plain-guide.ts'

/** A vendor with an account for each way of signing in, on this machine. */
export interface FakeVendor {
  connectors: Connectors
  /** Codes that can be exchanged, with the scopes granted and the account. */
  codes: Map<string, { account: string; scope?: string }>
  /** Bodies of token requests, in their order. */
  tokenRequests: URLSearchParams[]
  /** Number of sign-ins and codes in requests. */
  attempts: number
  /** Answers wait for it. */
  gate: Promise<void>
  isDown: boolean
  /** Answer of the token endpoint instead of tokens. */
  tokenError: object | undefined
  close(): Promise<void>
}

const READ = { required: ['daily'], optional: [] }

/** Sandbox passwords, as the emulated vendors have them. */
const OUTCOMES: Record<string, object> = {
  correct: { state: 'in' },
  code: { state: 'code' },
  expired: { state: 'refused', reason: 'password_expired' },
  elsewhere: { state: 'refused', reason: 'unsupported_region' },
  consent: { state: 'refused', reason: 'consent_needed' },
  nothing: { state: 'refused', reason: 'nothing_shared' },
  blocked: { state: 'refused', reason: 'blocked' },
}

const OAUTH: Connector = {
  slug: 'oura',
  hosts: { api: 'https://api.vendor.example', web: 'https://web.vendor.example' },
  auth: {
    kind: 'oauth',
    authorizationEndpoint: { host: 'web', path: '/authorize' },
    tokenEndpoint: { host: 'api', path: '/token' },
    clientAuthentication: 'client_secret_post',
    usesPkce: true,
    scopes: ['daily', 'heartrate'],
    identify: async (ask) => String(((await ask({ path: '/me' })) as { id: string }).id),
  },
  scopes: {
    activity: READ,
    sleep: READ,
    heartrate: { required: ['heartrate'], optional: [] },
  },
  collections: [
    {
      name: 'days',
      resources: ['activity'],
      history: 'by_range',
      mostDaysAtOnce: 30,
      overlapHours: 24,
      page: () => ({ path: '/days' }),
      next: () => null,
      map: () => {},
    },
  ],
  budgets: [],
  guide: PLAIN_GUIDE,
}

const tokens = (account: string) => ({
  accessToken: `access ${account}`,
  refreshToken: null,
  expiresAt: null,
})

async function askSlug(
  slug: string,
  send: Send,
  path: string,
  json: object,
): Promise<SignInOutcome> {
  const answer = await send({ method: 'POST', path, json })
  const read = readJson(slug, answer) as {
    state: string
    reason?: string
    account: string
    challenge?: string
  }
  if (read.state === 'refused') {
    const { challenge } = read
    return {
      state: 'refused',
      reason: read.reason as 'wrong_code',
      ...(challenge && { challenge }),
    }
  }
  if (read.state === 'code') {
    return { state: 'code_needed', method: 'sms', hint: '•••12', challenge: read.account }
  }
  return { state: 'signed_in', tokens: tokens(read.account), accountId: read.account }
}

const PASSWORD: Connector = {
  slug: 'abbott_libreview',
  hosts: { api: 'https://api.vendor.example' },
  auth: {
    kind: 'password',
    regions: ['us', 'eu'],
    signIn: (send, given: PasswordGiven) => askSlug('abbott_libreview', send, '/login', given),
    completeMfa: (send, challenge, code) =>
      askSlug('abbott_libreview', send, '/code', { challenge, code }),
    renew: async (_send, former) => former,
  },
  collections: [],
  budgets: [],
  guide: PLAIN_GUIDE,
}

/** A vendor whose sessions only the user renews. */
const BY_PERSON: Connector = {
  ...PASSWORD,
  slug: 'zwift',
  auth: { ...(PASSWORD.auth as PasswordSignIn), renewal: 'by_person' },
}

const EMAIL: Connector = {
  slug: 'freestyle_libre',
  hosts: { api: 'https://api.vendor.example' },
  auth: {
    kind: 'email',
    regions: {
      us: { default: 'us', served: ['us', 'ca'] },
      eu: { default: 'gb', served: ['gb', 'de'] },
    },
    invite: (send, { email, region }) =>
      askSlug('freestyle_libre', send, '/invite', { email, region }),
    renew: async (_send, former) => former,
  },
  collections: [],
  budgets: [],
  guide: PLAIN_GUIDE,
}

/** Starts the vendor; every environment is led to it. */
export async function startFakeVendor(): Promise<FakeVendor> {
  const all = [OAUTH, PASSWORD, EMAIL, BY_PERSON]
  const vendor: FakeVendor = {
    connectors: {} as Connectors,
    codes: new Map(),
    tokenRequests: [],
    attempts: 0,
    gate: Promise.resolve(),
    isDown: false,
    tokenError: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = createServer(async (request, response) => {
    const text = await readText(request)
    await vendor.gate
    const [status, body] = vendor.isDown ? [503, {}] : answer(vendor, request, text)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = createOutboundAgent({ allowPrivate: true })
  vendor.connectors = {
    all,
    find: (slug) => all.find((connector) => connector.slug === slug),
    addressOf: ({ slug }) => ({ slug, hosts: { api: url, web: url }, agent }),
    publicHostsOf: (connector) => connector.hosts,
    enterPushAddress: async () => {},
  }
  return vendor
}

function answer(vendor: FakeVendor, request: IncomingMessage, text: string): [number, object] {
  const url = request.url ?? ''
  if (url === '/token') return exchange(vendor, new URLSearchParams(text))
  if (url === '/me') return [200, { id: request.headers.authorization?.split(' ').at(-1) }]
  vendor.attempts += 1
  const given = JSON.parse(text) as Record<string, string>
  if (url === '/login') return signIn(given)
  if (url === '/code') {
    const isRight = given.code === '123456'
    const account = given.challenge
    // Some vendors replace the challenge after a wrong code.
    const next = given.code === '000001' && { challenge: `${account} again` }
    const refused = { state: 'refused', reason: 'wrong_code', ...next }
    return [200, isRight ? { state: 'in', account } : refused]
  }
  return [200, { state: 'in', account: `practice ${given.region}` }]
}

function signIn({ username = '', password = '' }: Record<string, string>): [number, object] {
  if (password === 'down') return [503, {}]
  const wrong = { state: 'refused', reason: 'wrong_credential' }
  return [200, { ...(OUTCOMES[password] ?? wrong), account: username }]
}

function exchange(vendor: FakeVendor, body: URLSearchParams): [number, object] {
  vendor.tokenRequests.push(body)
  if (vendor.tokenError !== undefined) return [401, vendor.tokenError]
  const code = body.get('code') ?? ''
  const granted = vendor.codes.get(code)
  // A code is good for once.
  vendor.codes.delete(code)
  if (granted === undefined) return [400, { error: 'invalid_grant' }]
  const { account, scope } = granted
  const token = { access_token: account, refresh_token: `refresh-${account}`, token_type: 'bearer' }
  return [200, { ...token, expires_in: 3600, ...(scope !== undefined && { scope }) }]
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
