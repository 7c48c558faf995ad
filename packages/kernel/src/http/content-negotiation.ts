import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'
import { AppError } from '../errors.ts'

/** Answers 406 when the request accepts none of the media types of the route. */
export function registerContentNegotiation(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.headers.accept === undefined || request.is404) return
    const { config, schema } = request.routeOptions
    const produces = config.produces ?? [...fileTypesOf(schema?.response), 'application/json']
    if (new Negotiator(request.raw).mediaType(produces) === undefined) {
      throw new AppError(
        406,
        'not_acceptable',
        'This endpoint cannot answer in a media type that the request accepts.',
        { available: produces },
      )
    }
  })
}

/**
 * Returns the media types of files in the schema of a route; errors of such a route are JSON all
 * the same.
 */
function fileTypesOf(response: unknown): string[] {
  const { 200: success } = (response ?? {}) as { 200?: { content?: object } }
  return Object.keys(success?.content ?? {})
}
