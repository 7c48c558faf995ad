import { isRead } from '@salus/kernel/audit/audited-requests'
import { forbidden, notFound } from '@salus/kernel/errors'
import { type PermissionSet, requirePermissionsOfRoute } from '@salus/kernel/http/permissions'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import type { CredentialAccess } from '../keys/keys.schema.ts'

/**
 * Limits of a team key or a team access token
 * (docs/contract/01-conventions.md#limited-credentials).
 */
export interface CredentialLimits {
  /** Id of the only user to whom it gives access; null means all users. */
  userId: string | null
  access: CredentialAccess
  scopes: PermissionSet
}

export const NO_LIMITS: CredentialLimits = { userId: null, access: 'write', scopes: null }

/** @throws AppError 404, as for an unknown id, unless the object with the id belongs to the user */
export type RequireOwner = (scope: Scope, id: string, userId: string) => Promise<void>

/** Checks of ownership by the name of a path parameter. */
export type OwnersOfIds = Readonly<Record<string, RequireOwner>>

declare module 'fastify' {
  interface FastifyRequest {
    limits: CredentialLimits
  }

  interface FastifyContextConfig {
    /**
     * For a route whose path names neither a user nor an object of one: the part that names the
     * user, or `none` when it is about no user. Routes without it are about the whole team.
     * `team` where the path names the user, but only the team may know, as in its notes.
     */
    personIn?: 'query' | 'none' | 'team'
  }
}

/**
 * Checks a request against the limits of its credential, before the body is read; no other place
 * does.
 * @throws AppError 403 for an action that it may not do at all, 404 for another user and their
 *   objects
 */
export async function enforceLimits(request: FastifyRequest, owners: OwnersOfIds): Promise<void> {
  const { limits, scope } = request
  if (limits.access === 'read' && !isRead(request)) {
    throw forbidden('read_only', 'The key or token does not allow changes.')
  }
  requirePermissionsOfRoute(request, limits.scopes)
  const { userId } = limits
  if (userId === null) return
  const { personIn } = request.routeOptions.config
  if (personIn === 'none') return
  if (personIn === 'team') {
    throw forbidden('one_user_only', 'The key or token is limited to one user.')
  }
  const params = (request.params ?? {}) as Record<string, string>
  const query = request.query as { user_id?: unknown }
  if (personIn === 'query' && query.user_id !== undefined) return requireSelf(query.user_id, userId)
  if (params.user_id !== undefined) return requireSelf(params.user_id, userId)
  const [name, requireOwner] = Object.entries(owners).find(([known]) => known in params) ?? []
  if (name === undefined || requireOwner === undefined) {
    throw forbidden(
      'one_user_only',
      'The key or token is limited to one user, and the request is not about that user.',
    )
  }
  const id = params[name]?.toLowerCase() ?? ''
  // The schema of the route refuses values that are not ids.
  if (isUuid(id)) await requireOwner(scope, id, userId)
}

function requireSelf(asked: unknown, userId: string): void {
  if (typeof asked !== 'string' || asked.toLowerCase() !== userId) throw notFound('User')
}
