import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keepSession, readSessionCookie } from '../session-cookie.ts'
import {
  beginSignIn,
  finishSignIn,
  type OpenIdContext,
  type SignInFailure,
} from './openid-sign-in.service.ts'
import { readPending, setPending } from './pending-cookie.ts'

/** Where the browser is sent to the provider, and where it comes back to. */
const START = '/console/openid/start'
const CALLBACK = '/console/openid/callback'

/** Of one client address, to each of the two. */
const REQUESTS_A_MINUTE = 30

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
  const redirectUri = `${baseUrlOf(request, context.config.baseUrl)}${CALLBACK}`
  const begun = await beginSignIn(context, redirectUri)
  if (typeof begun === 'string') return toSignIn(context, request, reply, begun)
  setPending(reply, context.config, { ...begun.checks, to: typeof to === 'string' ? to : '' })
  return reply.redirect(begun.url.href, 303)
}

async function finish(context: OpenIdContext, request: FastifyRequest, reply: FastifyReply) {
  const { config } = context
  const pending = readPending(request, config)
  // Good for one way there and back.
  setPending(reply, config, undefined)
  if (pending === undefined) return toSignIn(context, request, reply, 'failed')
  const baseUrl = baseUrlOf(request, config.baseUrl)
  const query = new URL(request.url, 'http://localhost').search
  const callbackUrl = new URL(`${baseUrl}${CALLBACK}${query}`)
  const previous = readSessionCookie(request, config)
  const started = await finishSignIn(context, callbackUrl, pending, previous)
  if (typeof started === 'string') return toSignIn(context, request, reply, started)
  keepSession(request, reply, config, started)
  return reply.redirect(`${baseUrl}${viewOf(pending.to)}`, 303)
}

/** A view of the console, whatever was asked for: this leads to no other page and no other host. */
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
