import type { CookieSerializeOptions } from '@fastify/cookie'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LINK_TOKEN_SECONDS } from '../link.machine.ts'

const hashOf = (nonce: string): string => hashKey(nonce).toString('base64')

/**
 * The cookie that ties a sign-in by OAuth to the browser that began it. It comes along on the way
 * back from the vendor.
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
 * Has the browser of the link page keep a nonce, and returns its hash. Undefined for other clients,
 * such as a server that hands the address to an app, whose browser cannot be known; and where the
 * page is not at the public address, to which the vendor leads back. Two tabs of a browser share
 * one nonce.
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

/** Whether the request comes from the browser that began; of any where none was kept. */
export function isSameBrowser(
  request: FastifyRequest,
  baseUrl: string,
  browser: string | undefined,
): boolean {
  if (browser === undefined) return true
  const nonce = request.cookies[cookieOf(baseUrl).name]
  return nonce !== undefined && hashOf(nonce) === browser
}
