import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitByAddress } from '../../../platform/http/address-limit.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { baseUrlOf } from '../../../platform/http/base-url.ts'
import type { Logger } from '../../../platform/log.ts'
import { type ConsoleContext, startSession } from '../console-sessions.service.ts'
import { keepSession, readSessionCookie, sessionCookieOf } from '../session-cookie.ts'
import { findKeyOfPerson } from './identities.service.ts'
import type { OpenIdProvider, SignInChecks } from './openid-client.ts'

/** Where the browser is sent to the provider, and where it comes back to. */
const START = '/console/openid/start'
const CALLBACK = '/console/openid/callback'

/** Of one client address, to each of the two. */
const REQUESTS_A_MINUTE = 30
/** Minutes that a person may take at the provider. */
const MINUTES = 15

/** What the sign-in page tells of a sign-in that came to nothing. */
type Failure = 'cancelled' | 'no_role' | 'unreachable' | 'failed'

/** What the browser keeps while it is at the provider. */
interface Pending extends SignInChecks {
  /** View to come back to, below `/console`; as it was given. */
  to: string
}

interface OpenIdContext extends ConsoleContext {
  log: Logger
  provider: OpenIdProvider
}

/** Addresses that browsers are sent through; no operations of the interface. */
export function registerOpenIdRoutes(app: App, context: OpenIdContext): void {
  const options = {
    onRequest: limitByAddress({ clock: context.clock, perMinute: REQUESTS_A_MINUTE }),
    exposeHeadRoute: false,
    schema: { hide: true },
    // A redirect suits whatever a browser says that it takes. The way back begins a session.
    config: { isRead: false, produces: ['text/html', '*/*'] },
  }
  app.get(START, options, (request, reply) => begin(context, request, reply))
  app.get(CALLBACK, options, (request, reply) => finish(context, request, reply))
}

async function begin(context: OpenIdContext, request: FastifyRequest, reply: FastifyReply) {
  const site = request.headers['sec-fetch-site']
  // Another site shall not have people signed in to the console without their knowing.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return toSignIn(context, request, reply)
  }
  const { to } = request.query as { to?: unknown }
  const { provider, log } = context
  const redirectUri = `${baseUrlOf(request, context.config.baseUrl)}${CALLBACK}`
  const begun = await provider.begin(redirectUri).catch((error: Error) => {
    log.warn({ reason: reasonOf(error) }, 'the OpenID Connect provider does not answer')
  })
  if (begun === undefined) return toSignIn(context, request, reply, 'unreachable')
  const pending: Pending = { ...begun.checks, to: typeof to === 'string' ? to : '' }
  setPending(context, reply, Buffer.from(JSON.stringify(pending)).toString('base64url'))
  return reply.redirect(begun.url.href, 303)
}

async function finish(context: OpenIdContext, request: FastifyRequest, reply: FastifyReply) {
  const pending = readPending(context, request)
  // Good for one way there and back.
  setPending(context, reply, '')
  if (pending === undefined) return toSignIn(context, request, reply, 'failed')
  const { provider, log, config } = context
  const baseUrl = baseUrlOf(request, config.baseUrl)
  const query = new URL(request.url, 'http://localhost').search
  const claims = await provider
    .finish(new URL(`${baseUrl}${CALLBACK}${query}`), pending)
    .catch((error: Error) => {
      log.warn({ reason: reasonOf(error) }, 'a sign-in with OpenID Connect failed')
      return (error as { error?: unknown }).error === 'access_denied' ? 'cancelled' : 'failed'
    })
  if (typeof claims === 'string') return toSignIn(context, request, reply, claims as Failure)
  const key = await findKeyOfPerson(context, claims, provider.rules)
  if (key === undefined) return toSignIn(context, request, reply, 'no_role')
  const previous = readSessionCookie(request, config)
  const started = await startSession(context, key, 'openid_connect', previous)
  keepSession(request, reply, config, started)
  return reply.redirect(`${baseUrl}${viewOf(pending.to)}`, 303)
}

/** Codes of what went wrong; messages of the provider may name people. */
function reasonOf(error: Error): string {
  const { code, error: told } = error as { code?: unknown; error?: unknown }
  return [error.name, code, told].filter((part) => typeof part === 'string').join(' ')
}

/** A view of the console, whatever was asked for: this leads to no other page and no other host. */
function viewOf(to: unknown): string {
  const isView =
    typeof to === 'string' && /^\/[\w\-./?=&%:,~+]*$/.test(to) && !/^\/\/|\.\./.test(to)
  return isView ? `/console${to}` : '/console'
}

function toSignIn(
  { config }: OpenIdContext,
  request: FastifyRequest,
  reply: FastifyReply,
  failure?: Failure,
) {
  const url = `${baseUrlOf(request, config.baseUrl)}/console/signin`
  return reply.redirect(failure === undefined ? url : `${url}?failure=${failure}`, 303)
}

/** Other than that of the session, this cookie has to come along when the provider sends the browser back. */
function setPending({ config }: OpenIdContext, reply: FastifyReply, value: string): void {
  const { name, options } = sessionCookieOf(reply.request, config)
  const maxAge = value === '' ? 0 : MINUTES * 60
  reply.setCookie(`${name}-openid`, value, { ...options, sameSite: 'lax', maxAge })
}

function readPending({ config }: OpenIdContext, request: FastifyRequest): Pending | undefined {
  const { name } = sessionCookieOf(request, config)
  const value = request.cookies[`${name}-openid`]
  if (!value) return undefined
  try {
    const pending = JSON.parse(Buffer.from(value, 'base64url').toString()) as Partial<Pending>
    const { state, nonce, codeVerifier, to } = pending
    const isWhole = [state, nonce, codeVerifier, to].every((part) => typeof part === 'string')
    return isWhole ? (pending as Pending) : undefined
  } catch {
    return undefined
  }
}
