import type { CookieSerializeOptions } from '@fastify/cookie'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LINK_TOKEN_SECONDS } from '../link.machine.ts'

const hashOf = (nonce: string): string => hashKey(nonce).toString('base64')

/**
 * Returns the cookie that binds an OAuth sign-in to the browser that started it. The browser sends
 * it when the vendor redirects back.
 */
function cookieOf(baseUrl: string): { name: string; options: CookieSerializeOptions } {
  const { protocol, pathname } = new URL(baseUrl)
  const secure = protocol === 'https:'
  const path = pathname.replace(/\/*$/, '') || '/'
  const prefix = !secure ? '' : path === '/' ? '__Host-' : '__Secure-'
  const options = { path, httpOnly: true, secure, sameSite: 'lax' } as const
  return { name: `${prefix}salus-link`, options }
}

/**
 * Sets a nonce as a cookie in the browser of the link page, and returns its hash. Returns undefined
 * for other clients, such as a server that passes the URL to an app, whose browser is unknown; and
 * when the page is not at the public address, to which the vendor redirects. Tabs of a browser
 * share one nonce.
 */
export function bindBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): string | undefined {
  const isOfPage = request.headers['sec-fetch-site'] === 'same-origin'
  const isHere = new URL(baseUrlOf(request, undefined)).origin === new URL(baseUrl).origin
  if (!isOfPage || !isHere) return undefined
  const { name, options } = cookieOf(baseUrl)
  const nonce = request.cookies[name] || randomSecret()
  reply.setCookie(name, nonce, { ...options, maxAge: LINK_TOKEN_SECONDS })
  return hashOf(nonce)
}

/**
 * Whether the request comes from the browser that started the sign-in; true when none was bound.
 */
export function isSameBrowser(
  request: FastifyRequest,
  baseUrl: string,
  browser: string | undefined,
): boolean {
  if (browser === undefined) return true
  const nonce = request.cookies[cookieOf(baseUrl).name]
  return nonce !== undefined && hashOf(nonce) === browser
}
