import { forbidden } from '@salus/kernel/errors'
import { hasOwnOrigin } from '@salus/kernel/http/own-origin'
import type { FastifyRequest } from 'fastify'

/**
 * The header that only a script of this origin can send: from another one the browser would ask
 * first, and is refused.
 */
export const CONSOLE_HEADER = 'x-salus-console'

/**
 * Lets through what the console itself sends. A browser adds the cookie to whatever a page asks
 * for, and to what pages of other hosts ask for as well, unless SameSite keeps it; so a cookie
 * alone authenticates nothing.
 * @throws AppError 403 `cross_site_request`
 */
export function requireSameOrigin(request: FastifyRequest, baseUrl: string | undefined): void {
  const { headers, method } = request
  const site = headers['sec-fetch-site']
  const hasHeader = headers[CONSOLE_HEADER] === '1'
  // Pictures, downloads and event streams cannot send headers. The browser itself vouches for
  // these.
  const isPlainRead = site === 'same-origin' && (method === 'GET' || method === 'HEAD')
  const isFromElsewhere = site !== undefined && site !== 'same-origin'
  const isAllowed = (hasHeader || isPlainRead) && !isFromElsewhere && hasOwnOrigin(request, baseUrl)
  if (isAllowed) return
  throw forbidden(
    'cross_site_request',
    'A request with the cookie of the console must come from the console.',
  )
}
