import { forbidden } from '@salus/kernel/errors'
import { hasOwnOrigin } from '@salus/kernel/http/own-origin'
import type { FastifyRequest } from 'fastify'

/**
 * Header that only a script of this origin can send: from another origin the browser would send a
 * preflight request first, which is refused.
 */
export const CONSOLE_HEADER = 'x-salus-console'

/**
 * Accepts only requests of the console itself. A browser adds the cookie to every request of a
 * page, also of pages of other hosts, unless SameSite prevents it; so a cookie alone authenticates
 * nothing.
 * @throws AppError 403 `cross_site_request`
 */
export function requireSameOrigin(request: FastifyRequest, baseUrl: string | undefined): void {
  const { headers, method } = request
  const site = headers['sec-fetch-site']
  const hasHeader = headers[CONSOLE_HEADER] === '1'
  // Pictures, downloads and event streams cannot send headers. The browser itself identifies these.
  const isPlainRead = site === 'same-origin' && (method === 'GET' || method === 'HEAD')
  const isFromElsewhere = site !== undefined && site !== 'same-origin'
  const isAllowed = (hasHeader || isPlainRead) && !isFromElsewhere && hasOwnOrigin(request, baseUrl)
  if (isAllowed) return
  throw forbidden(
    'cross_site_request',
    'A request with the cookie of the console must come from the console.',
  )
}
