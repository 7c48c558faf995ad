import { isRead } from '@salus/kernel/audit/audited-requests'
import { forbidden, notFound } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import type { CredentialAccess } from '../organization/teams.schema.ts'

/**
 * What a team key or a team access token may do, if not everything
 * (docs/contract/01-conventions.md#limited-credentials).
 */
export interface CredentialLimits {
  /** The one person that it reaches; null is everybody. */
  userId: string | null
  access: CredentialAccess
}

export const NO_LIMITS: CredentialLimits = { userId: null, access: 'write' }

/** @throws AppError 404, as of an unknown id, unless what has the id is the person's */
export type RequireOwner = (scope: Scope, id: string, userId: string) => Promise<void>

/** By the name of a parameter of the path: whose that is. */
export type OwnersOfIds = Readonly<Record<string, RequireOwner>>

declare module 'fastify' {
  interface FastifyRequest {
    limits: CredentialLimits
  }

  interface FastifyContextConfig {
    /**
     * Where a route whose path names neither a person nor something of one names the person, or
     * that it is about nobody. Routes without it are of the whole team.
     */
    personIn?: 'query' | 'nobody'
  }
}

/**
 * The one place that holds a request to the limits of its credential, before the body is read.
 * @throws AppError 403 of what it may not do at all, 404 of another person and what is theirs
 */
export async function enforceLimits(request: FastifyRequest, owners: OwnersOfIds): Promise<void> {
  const { limits, scope } = request
  if (limits.access === 'read' && !isRead(request)) {
    throw forbidden('read_only', 'The key or token does not allow changes.')
  }
  const { userId } = limits
  if (userId === null) return
  const { personIn } = request.routeOptions.config
  if (personIn === 'nobody') return
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
  // What is no id is refused as such, by the schema of the route.
  if (isUuid(id)) await requireOwner(scope, id, userId)
}

function requireSelf(asked: unknown, userId: string): void {
  if (typeof asked !== 'string' || asked.toLowerCase() !== userId) throw notFound('User')
}
