import type { FastifyRequest } from 'fastify'
import { baseUrlOf } from './base-url.ts'

/** Not every request tells its origin; the one that does must tell ours. */
export function hasOwnOrigin(request: FastifyRequest, baseUrl: string | undefined): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  const own = [baseUrlOf(request, undefined), ...(baseUrl === undefined ? [] : [baseUrl])]
  return own.some((address) => URL.canParse(address) && new URL(address).origin === origin)
}
