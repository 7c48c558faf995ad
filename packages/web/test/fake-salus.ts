import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { App } from '@salus/kernel/http/app-types'
import { ROUTER_OPTIONS } from '@salus/kernel/http/method-not-allowed'
import { registerSecurityHeaders } from '@salus/kernel/http/security-headers'
import { createLogger } from '@salus/kernel/log'
import Fastify, { type FastifyRequest } from 'fastify'
import { registerProviderLogos, registerWebPages } from '../../server/src/web-pages/index.ts'
import { withOutcome } from '../src/link/redirect.ts'
import { FAKE_APP_PROVIDERS, FAKE_PROVIDERS, type FakeProvider } from './fake-providers.registry.ts'
import { registerFakeVendor } from './fake-vendor.ts'
import type { LinkOptions, LinkSite } from './link-site.ts'

/**
 * The link endpoints as docs/contract/03-link.md says them, without people or stores: enough for
 * each step of the page, its faults included. Passwords mean what they mean in sandboxes:
 * `correct`, `code`, `expired`, `elsewhere`, `down`, and anything else is wrong; the code is
 * 123456.
 */
export interface FakeSalus extends LinkSite {
  /** Of team.brand_information, of links opened from now on. */
  team: { name: string; logo_url: string | null; brand_color: string | null }
  environment: 'sandbox' | 'production'
  /** Providers that links show. */
  providers: readonly FakeProvider[]
  /** What people are connected to already, by slug. */
  connections: Record<string, string>
  /** Setting of the team: origins of pages that learn outcomes. */
  origins: string[]
  /** Whether the page of the vendor separates its window from the one that opened it. */
  vendorSeparates: boolean
  /** Statuses that the next requests to the API are answered with. */
  faults: number[]
  /** What sign-ins wait for. */
  vendorAnswers: Promise<void>
  /** Addresses and referrers of all requests to the vendor. */
  vendorRequests: { url: string; referrer: string | undefined }[]
}

interface Session extends LinkOptions {
  isConsumed: boolean
  isPending: boolean
  tries: number
}

class Refusal extends Error {
  readonly status: number
  readonly errorType: string

  constructor(status: number, errorType: string) {
    super(errorType)
    this.status = status
    this.errorType = errorType
  }
}

const OUTCOMES: Record<string, string> = {
  expired: 'provider_password_expired',
  elsewhere: 'unsupported_region',
  down: 'provider_api_error',
  taken: 'duplicate_connection',
}

export async function startFakeSalus(folder: string): Promise<FakeSalus> {
  const app: App = Fastify({
    routerOptions: ROUTER_OPTIONS,
  }).withTypeProvider<TypeBoxTypeProvider>()
  const sessions = new Map<string, Session>()
  app.setErrorHandler((error: Refusal, _request, reply) => {
    const detail = { error_type: error.errorType, error_message: 'Refused.' }
    return reply.code(error.status ?? 500).send({ detail })
  })
  await registerSecurityHeaders(app)
  registerProviderLogos(app)
  registerWebPages(app, { log: createLogger('silent'), pagesFolder: folder })
  const vendor = await registerFakeVendor(
    (slug, state, outcome) => {
      const session = sessions.get(state)
      if (session === undefined) throw new Error('The vendor sent back another state.')
      const error = outcome === 'granted' ? undefined : outcome
      if (error === undefined) session.isConsumed = true
      return outcomeUrl(site, session, slug, error)
    },
    () => site.vendorSeparates,
  )
  const site: FakeSalus = {
    baseUrl: '',
    team: { name: 'Example Health', logo_url: null, brand_color: null },
    environment: 'sandbox',
    providers: FAKE_PROVIDERS,
    connections: {},
    origins: [],
    vendorSeparates: false,
    faults: [],
    vendorAnswers: Promise.resolve(),
    vendorRequests: vendor.requests,
    openLink: async (options = {}) => {
      const token = `token.${randomUUID()}`
      sessions.set(token, { ...options, isConsumed: false, isPending: false, tries: 0 })
      return `${site.baseUrl}/link?token=${token}&env=sandbox&region=us&isMobile=false`
    },
    close: async () => {
      await vendor.close()
      await app.close()
    },
  }
  registerApi(app, { site, sessions, vendorUrl: vendor.url })
  await app.listen({ port: 0, host: '127.0.0.1' })
  site.baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return site
}

interface Parts {
  site: FakeSalus
  sessions: Map<string, Session>
  vendorUrl: string
}

function sessionOf({ sessions }: Parts, request: FastifyRequest): Session {
  const token = String(request.headers['x-service-link-token'] ?? '')
  const session = sessions.get(token)
  if (token === 'expired') throw new Refusal(401, 'token_expired')
  if (session === undefined) throw new Refusal(401, 'invalid_token')
  if (session.isConsumed) throw new Refusal(401, 'token_consumed')
  return session
}

function registerApi(app: App, parts: Parts): void {
  const { site } = parts
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/v2/')) return
    const status = site.faults.shift()
    if (status !== undefined) await reply.code(status).send('down for maintenance')
  })
  app.get('/v2/team/link/config', async (request) => {
    const { provider = null, filter_on_providers: filter, ...session } = sessionOf(parts, request)
    const isShown = ({ slug }: { slug: string }): boolean =>
      provider === null ? (filter?.includes(slug) ?? true) : slug === provider
    const { opener = '' } = request.query as { opener?: string }
    const token = String(request.headers['x-service-link-token'])
    return {
      team: site.team,
      providers: site.providers.filter(isShown),
      app_providers: FAKE_APP_PROVIDERS.filter(isShown),
      connections: [...site.providers, ...FAKE_APP_PROVIDERS].flatMap((entry) => {
        const status = site.connections[entry.slug]
        return status === undefined ? [] : [{ ...entry, status }]
      }),
      opener: site.origins.includes(opener) ? opener : null,
      continuation: provider === null ? `after.${token}` : null,
      redirect_url: session.redirect_url ?? null,
      provider,
      on_error: session.on_error ?? null,
      on_close: session.on_close ?? null,
      environment: site.environment,
      region: 'us',
    }
  })
  app.post('/v2/link/token/continue', async (request) => {
    const { continuation } = request.body as { continuation: string }
    const former = parts.sessions.get(continuation.replace(/^after\./, ''))
    if (former?.isConsumed !== true) throw new Refusal(401, 'token_not_validated')
    const token = `token.${randomUUID()}`
    parts.sessions.set(token, { ...former, isConsumed: false, isPending: false, tries: 0 })
    return { link_token: token, link_web_url: `${site.baseUrl}/link?token=${token}` }
  })
  registerState(app, parts)
  app.get('/v2/link/provider/oauth/:slug', async (request) => {
    sessionOf(parts, request)
    const { slug } = request.params as { slug: string }
    const token = String(request.headers['x-service-link-token'])
    if (slug === 'garmin') throw new Refusal(400, 'provider_not_configured')
    const { region } = request.query as { region?: string }
    if (region === 'jp') throw new Refusal(400, 'unsupported_region')
    const of = region === undefined ? '' : `&region=${region}`
    return { slug, oauth_url: `${parts.vendorUrl}/authorize?provider=${slug}&state=${token}${of}` }
  })
  app.post('/v2/link/provider/password/:slug', async (request) => {
    const session = sessionOf(parts, request)
    const { password } = request.body as { password: string }
    await site.vendorAnswers
    if (password === 'code') {
      Object.assign(session, { isPending: true, tries: 0 })
      const provider_mfa = { method: 'sms', hint: '••• ••12' }
      return { ...answer(parts, request, null), state: 'pending_provider_mfa', provider_mfa }
    }
    const error =
      password === 'correct' ? null : (OUTCOMES[password] ?? 'provider_credential_error')
    return answer(parts, request, error)
  })
  app.post('/v2/link/provider/password/:slug/complete_mfa', async (request) => {
    const session = sessionOf(parts, request)
    if (!session.isPending) return answer(parts, request, 'token_not_validated')
    const { mfa_code: code } = request.body as { mfa_code: string }
    if (code === '123456') return answer(parts, request, null)
    session.tries += 1
    const isOver = session.tries >= 5
    if (isOver) session.isPending = false
    return answer(parts, request, isOver ? 'provider_credential_error' : 'incorrect_mfa_code')
  })
  app.post('/v2/link/provider/email/:slug', async (request) => {
    sessionOf(parts, request)
    const { email, region } = request.body as { email: string; region?: string }
    if (region === 'hk') return answer(parts, request, 'unsupported_region')
    const isKnown = email.startsWith('known')
    return answer(parts, request, isKnown ? null : 'provider_credential_error')
  })
}

/** The state of a session, for pages of the origins that the team allows. */
function registerState(app: App, { site, sessions }: Parts): void {
  app.options('/v2/link/state', async ({ headers }, reply) => {
    reply.code(204)
    if (!site.origins.includes(String(headers.origin))) return
    reply.header('access-control-allow-origin', headers.origin)
    reply.header('access-control-allow-headers', 'x-service-link-token')
  })
  app.get('/v2/link/state', async ({ headers }, reply) => {
    if (site.origins.includes(String(headers.origin)))
      reply.header('access-control-allow-origin', headers.origin)
    const session = sessions.get(String(headers['x-service-link-token']))
    return { state: session?.isConsumed ? 'consumed' : 'validated', provider: 'oura' }
  })
}

/**
 * A ProviderLinkResponse; without an error the session is used up, unless the caller says that it
 * is pending.
 */
function answer(parts: Parts, request: FastifyRequest, error: string | null) {
  const { slug } = request.params as { slug: string }
  const session = sessionOf(parts, request)
  const isPending = request.url.endsWith(slug) && session.isPending && error === null
  session.isConsumed = error === null && !isPending
  return {
    state: error === null ? 'success' : 'error',
    redirect_url: session.redirect_url ?? null,
    error_type: error,
    error: error === null ? null : 'What happened, in a sentence.',
    provider_mfa: null,
    provider: slug,
    connected: error === null && !isPending,
    provider_id: null,
  }
}

function outcomeUrl(
  site: FakeSalus,
  { redirect_url }: Session,
  provider: string,
  error: string | undefined,
): string {
  return withOutcome(redirect_url ?? `${site.baseUrl}/link/done`, {
    state: error === undefined ? 'success' : 'error',
    error_type: error,
    error: error && 'What happened, in a sentence.',
    provider,
  })
}
