import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'
import { AppError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types this route can answer with; JSON when left out. */
    produces?: string[]
  }
}

/** Answers 406 when the request accepts none of the media types of the route. */
export function registerContentNegotiation(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.headers.accept === undefined || request.is404) return
    const produces = request.routeOptions.config.produces ?? ['application/json']
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
