import type { CookieSerializeOptions } from '@fastify/cookie'
import { forbidden, unauthorized } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { hasOwnOrigin } from '@salus/kernel/http/own-origin'
import { createScope, type Stores } from '@salus/kernel/scope'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { findPortalSession, type OpenPortalSession } from './portal-sessions.service.ts'
import type { SharedKind } from './shared-kinds.registry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the request on a route with `portalAccess`. */
    portal: OpenPortalSession
  }
}

/** The public address of the deployment; undefined uses that of the request. */
interface CookieConfig {
  baseUrl: string | undefined
}

/** Header that only a script of this origin can send without a preflight request. */
const PORTAL_HEADER = 'x-salus-portal'

/**
 * Returns name and attributes of the cookie: it is sent to paths of the portal only, so no other
 * route gets it. The prefix of the name makes browsers refuse one that was set without HTTPS.
 */
function cookieOf(request: FastifyRequest, { baseUrl }: CookieConfig) {
  const isSecure = baseUrl === undefined ? request.protocol === 'https' : /^https:/i.test(baseUrl)
  const above = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/*$/, '')
  const options: CookieSerializeOptions = {
    path: `${above}/me`,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'strict',
  }
  return { name: `${isSecure ? '__Secure-' : ''}salus-portal`, options }
}

/** Sets the cookie of a new session, and the sender of the request for the audit log. */
export function signInToPortal(
  request: FastifyRequest,
  reply: FastifyReply,
  config: CookieConfig,
  opened: OpenPortalSession & { token: string },
): void {
  enter(request, opened)
  const { name, options } = cookieOf(request, config)
  const { started_at: startedAt, created_at: createdAt, expires_at: end } = opened.session
  const maxAge = Math.floor((end.getTime() - (startedAt ?? createdAt).getTime()) / 1000)
  reply.setCookie(name, opened.token, { ...options, maxAge })
}

export function clearPortalCookie(reply: FastifyReply, config: CookieConfig): void {
  const { name, options } = cookieOf(reply.request, config)
  reply.setCookie(name, '', { ...options, maxAge: 0 })
}

/** Reads the sessions of routes with `portalAccess`, before any body. */
export function registerPortalAuthentication(
  app: App,
  context: Stores & { config: CookieConfig },
): void {
  app.addHook('onRequest', async (request) => {
    const { portalAccess: access } = request.routeOptions.config
    requirePortalPage(request, context.config.baseUrl)
    if (access === undefined) return
    const token = request.cookies[cookieOf(request, context.config).name]
    if (token === undefined) throw unauthorized('invalid_session', 'Open the link to the page.')
    const found = await findPortalSession(context, token).catch((error: unknown) => {
      request.countStranger()
      throw error
    })
    const stores = { ...context, log: request.log }
    const scope = createScope(stores, found.scope.environment, request.transact)
    enter(request, { ...found, scope })
    refuseShare(request, access)
  })
}

function enter(request: FastifyRequest, opened: OpenPortalSession): void {
  const { session, share, scope } = opened
  request.portal = opened
  request.scope = scope
  request.actor = share
    ? { kind: 'portal_share', id: share.id, userId: session.user_id }
    : { kind: 'portal_session', id: session.id, userId: session.user_id }
}

/**
 * Accepts only requests of the page itself: a browser adds the cookie to every request.
 * @throws AppError 403 `cross_site_request`
 */
function requirePortalPage(request: FastifyRequest, baseUrl: string | undefined): void {
  const { headers, method } = request
  const site = headers['sec-fetch-site']
  // Downloads cannot send headers. The browser itself identifies these.
  const isPlainRead = site === 'same-origin' && (method === 'GET' || method === 'HEAD')
  const isFromElsewhere = site !== undefined && site !== 'same-origin'
  const isOfPage = headers[PORTAL_HEADER] === '1' || isPlainRead
  if (isOfPage && !isFromElsewhere && hasOwnOrigin(request, baseUrl)) return
  throw forbidden(
    'cross_site_request',
    'A request with the cookie of the portal must come from its page.',
  )
}

/** @throws AppError 403 `not_shared` */
function refuseShare(
  { portal: { share } }: FastifyRequest,
  access: NonNullable<FastifyContextConfig['portalAccess']>,
): void {
  if (share === null || access === 'any' || access === 'shared') return
  if (access === 'laboratory' && share.kinds.includes('results')) return
  throw forbidden('not_shared', 'The share does not include this.')
}

/** Returns the kinds of data that a session shows; null means all. */
export const kindsOf = ({ share }: OpenPortalSession): readonly SharedKind[] | null =>
  share ? share.kinds : null
