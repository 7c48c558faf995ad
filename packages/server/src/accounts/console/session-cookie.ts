import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The public address of the deployment decides what its cookies are like. */
export interface CookieConfig {
  baseUrl: string | undefined
}

/**
 * The cookie that a browser keeps of a session. A prefix of its name has the browser refuse what another host of
 * the same domain, or somebody on the way, would set in its place, and can be had over HTTPS only.
 */
interface SessionCookie {
  name: string
  options: CookieSerializeOptions
}

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

export function setSessionCookie(
  reply: FastifyReply,
  config: CookieConfig,
  token: string,
  seconds: number,
): void {
  const { name, options } = sessionCookieOf(reply.request, config)
  reply.setCookie(name, token, { ...options, maxAge: seconds })
}

export function clearSessionCookie(reply: FastifyReply, config: CookieConfig): void {
  const { name, options } = sessionCookieOf(reply.request, config)
  reply.setCookie(name, '', { ...options, maxAge: 0 })
}
