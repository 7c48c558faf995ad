import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The public address of the deployment decides what its cookies are like. */
export interface CookieConfig {
  baseUrl: string | undefined
}

/**
 * The cookie that a browser keeps of a session. A prefix of its name has the browser refuse what
 * another host of the same domain, or somebody on the way, would set in its place, and can be had
 * over HTTPS only.
 */
interface SessionCookie {
  name: string
  options: CookieSerializeOptions
}

/**
 * Name and attributes as the address asks for: Secure over HTTPS, and limited to the path that the
 * console is at.
 */
export function sessionCookieOf(request: FastifyRequest, { baseUrl }: CookieConfig): SessionCookie {
  const isSecure = baseUrl === undefined ? request.protocol === 'https' : /^https:/i.test(baseUrl)
  // Below a path there may be other applications beside this one, which it is not for.
  const path = baseUrl === undefined ? '/' : new URL(baseUrl).pathname.replace(/\/*$/, '') || '/'
  const prefix = !isSecure ? '' : path === '/' ? '__Host-' : '__Secure-'
  const options = { path, httpOnly: true, secure: isSecure, sameSite: 'strict' } as const
  return { name: `${prefix}salus-console`, options }
}

/** What the cookie of a session holds. */
export function readSessionCookie(
  request: FastifyRequest,
  config: CookieConfig,
): string | undefined {
  return request.cookies[sessionCookieOf(request, config).name]
}

/**
 * Gives the browser the cookie of a session that has begun, and the audit log whom the request was
 * of.
 */
export function keepSession(
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
