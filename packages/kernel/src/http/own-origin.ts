import type { FastifyRequest } from 'fastify'
import { baseUrlOf } from './base-url.ts'

/** Whether a request has no origin or our own. Not every request sends its origin. */
export function hasOwnOrigin(request: FastifyRequest, baseUrl: string | undefined): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  const own = [baseUrlOf(request, undefined), ...(baseUrl === undefined ? [] : [baseUrl])]
  return own.some((address) => URL.canParse(address) && new URL(address).origin === origin)
}
