import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSessionCookie, setSessionCookie } from '../session-cookie.ts'
import {
  beginSignIn,
  finishSignIn,
  type OpenIdContext,
  type SignInFailure,
} from './openid-sign-in.service.ts'
import { readPendingCookie, setPendingCookie } from './pending-cookie.ts'

/** Path that redirects the browser to the provider, and path that it comes back to. */
const START = '/console/openid/start'
const CALLBACK = '/console/openid/callback'

/** Limit for one client address at each of the two paths. */
const REQUESTS_A_MINUTE = 30

/** Registers the paths that browsers are redirected through; they are not operations of the API. */
export function registerOpenIdRoutes(app: App, context: OpenIdContext): void {
  const options = {
    onRequest: limitByAddress({ clock: context.clock, perMinute: REQUESTS_A_MINUTE }),
    exposeHeadRoute: false,
    schema: { hide: true },
    // A redirect suits every Accept header of a browser. The callback starts a session.
    config: { isRead: false, produces: ['text/html', '*/*'] },
  }
  app.get(START, options, (request, reply) => redirectToProvider(context, request, reply))
  app.get(CALLBACK, options, (request, reply) => completeSignIn(context, request, reply))
}

async function redirectToProvider(
  context: OpenIdContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const site = request.headers['sec-fetch-site']
  // Another site must not sign users in to the console without their knowledge.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return toSignIn(context, request, reply)
  }
  const { to } = request.query as { to?: unknown }
  const redirectUri = `${baseUrlOf(request, context.config.baseUrl)}${CALLBACK}`
  const begun = await beginSignIn(context, redirectUri)
  if (typeof begun === 'string') return toSignIn(context, request, reply, begun)
  setPendingCookie(reply, context.config, { ...begun.checks, to: typeof to === 'string' ? to : '' })
  return reply.redirect(begun.url.href, 303)
}

async function completeSignIn(
  context: OpenIdContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { config } = context
  const pending = readPendingCookie(request, config)
  // Valid for one redirect there and back.
  setPendingCookie(reply, config, undefined)
  if (pending === undefined) return toSignIn(context, request, reply, 'failed')
  const baseUrl = baseUrlOf(request, config.baseUrl)
  const query = new URL(request.url, 'http://localhost').search
  const callbackUrl = new URL(`${baseUrl}${CALLBACK}${query}`)
  const previous = readSessionCookie(request, config)
  const started = await finishSignIn(context, callbackUrl, pending, previous)
  if (typeof started === 'string') return toSignIn(context, request, reply, started)
  setSessionCookie(request, reply, config, started)
  return reply.redirect(`${baseUrl}${viewOf(pending.to)}`, 303)
}

/**
 * Returns a view of the console for any input, so that this never redirects to another page or
 * host.
 */
function viewOf(to: string): string {
  const isView = /^\/[\w\-./?=&%:,~+]*$/.test(to) && !/^\/\/|\.\./.test(to)
  return isView ? `/console${to}` : '/console'
}

function toSignIn(
  { config }: OpenIdContext,
  request: FastifyRequest,
  reply: FastifyReply,
  failure?: SignInFailure,
) {
  const url = `${baseUrlOf(request, config.baseUrl)}/console/signin`
  return reply.redirect(failure === undefined ? url : `${url}?failure=${failure}`, 303)
}
