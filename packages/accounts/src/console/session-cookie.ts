import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The public address of the deployment decides the attributes of its cookies. */
export interface CookieConfig {
  baseUrl: string | undefined
}

/**
 * Cookie of a session. The prefix of its name makes the browser refuse a cookie that another host
 * of the same domain, or an attacker on the network, would set instead; it is only possible over
 * HTTPS.
 */
interface SessionCookie {
  name: string
  options: CookieSerializeOptions
}

/**
 * Returns name and attributes for the address: Secure over HTTPS, and limited to the path of the
 * console.
 */
export function sessionCookieOf(request: FastifyRequest, { baseUrl }: CookieConfig): SessionCookie {
  const isSecure = baseUrl === undefined ? request.protocol === 'https' : /^https:/i.test(baseUrl)
  // Below a path there may be other applications besides this one, which must not get the cookie.
  const path = baseUrl === undefined ? '/' : new URL(baseUrl).pathname.replace(/\/*$/, '') || '/'
  const prefix = !isSecure ? '' : path === '/' ? '__Host-' : '__Secure-'
  const options = { path, httpOnly: true, secure: isSecure, sameSite: 'strict' } as const
  return { name: `${prefix}salus-console`, options }
}

/** Reads the cookie of a session. */
export function readSessionCookie(
  request: FastifyRequest,
  config: CookieConfig,
): string | undefined {
  return request.cookies[sessionCookieOf(request, config).name]
}

/**
 * Sets the cookie of a new session in the browser, and the actor of the request for the audit log.
 */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: CookieConfig,
  {
    token,
    session,
    key,
  }: { token: string; session: { expires_at: Date; created_at: Date }; key: { id: string } },
): void {
  request.actor = { kind: 'console_session', id: key.id }
  const { name, options } = sessionCookieOf(request, config)
  const maxAge = Math.floor((session.expires_at.getTime() - session.created_at.getTime()) / 1000)
  reply.setCookie(name, token, { ...options, maxAge })
}

export function clearSessionCookie(reply: FastifyReply, config: CookieConfig): void {
  const { name, options } = sessionCookieOf(reply.request, config)
  reply.setCookie(name, '', { ...options, maxAge: 0 })
}
