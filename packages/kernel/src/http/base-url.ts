import type { FastifyRequest } from 'fastify'

/**
 * Returns the public address of the deployment: the setting, or else the address the request came
 * to.
 */
export function baseUrlOf(request: FastifyRequest, configured: string | undefined): string {
  return (configured ?? `${request.protocol}://${request.host}`).replace(/\/+$/, '')
}
