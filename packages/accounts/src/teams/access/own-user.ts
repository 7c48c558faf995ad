import { forbidden } from '@salus/kernel/errors'
import type { FastifyRequest } from 'fastify'

/**
 * Where a route names the person it is about, which an app may use for its own person
 * (docs/contract/01-conventions.md#credentials). A route that does not say so is closed to apps.
 *
 * - `path`, `body`: in `user_id`, and compared here.
 * - `link_token`: by the link token of the request; what reads it compares it with
 *   `request.appUserId`.
 */
export type AppAccess = 'path' | 'body' | 'link_token'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the user for whom an app acts; null for any other credential. */
    appUserId: string | null
  }

  interface FastifyContextConfig {
    appAccess?: AppAccess
  }
}

/**
 * Checks a request before the body is read.
 * @throws AppError 403 for an app, unless the route is open to it for its user
 */
export function refuseOtherUsers({ appUserId, routeOptions, params }: FastifyRequest): void {
  if (appUserId === null) return
  const { appAccess } = routeOptions.config
  if (appAccess === undefined) refuse()
  if (appAccess === 'path' && userIdIn(params) !== appUserId) refuse()
}

/**
 * A preHandler hook that checks what `refuseOtherUsers` could not check before the body was read.
 */
export async function refuseOtherUsersInBody(request: FastifyRequest): Promise<void> {
  const { appUserId, routeOptions, body } = request
  if (appUserId === null || routeOptions.config.appAccess !== 'body') return
  if (userIdIn(body) !== appUserId) refuse()
}

/** Returns the id in lower case, as ids are stored; iOS writes upper case. */
function userIdIn(part: unknown): string | undefined {
  const { user_id: id } = (part ?? {}) as { user_id?: unknown }
  return typeof id === 'string' ? id.toLowerCase() : undefined
}

function refuse(): never {
  throw forbidden('own_user_only', 'An app can only use a part of the data of its own user.')
}
