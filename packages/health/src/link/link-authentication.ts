import { findEnvironment, readHeader } from '@salus/accounts/teams'
import { findUserReference, type UserReference } from '@salus/accounts/users'
import { badRequest, forbidden, unauthorized } from '@salus/kernel/errors'
import { createScope, type Environment, rowScope } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import type { LinkContext } from './link.context.ts'
import { endReasonOf, stateAt } from './link.machine.ts'
import { LinkError } from './link-errors.registry.ts'
import { findLinkSession } from './link-sessions.global.repository.ts'
import type { LinkSessionRow } from './link-sessions.repository.ts'
import { readLinkToken } from './link-token.ts'

/** Context of a valid link token: its session and user. */
export interface LinkAccess {
  token: string
  session: LinkSessionRow
  user: UserReference
  environment: Environment
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The access of the request's link token, or its error. */
    link: LinkAccess | LinkError
  }

  interface FastifyContextConfig {
    /** The route accepts a link token in its header. */
    takesLinkToken?: true
  }
}

const MISSING_LINK_TOKEN = badRequest('missing_link_token', 'Send a link token.')

export interface LinkAuthentication {
  /**
   * An onRequest hook: sets `request.link`, and `request.scope` for a valid token.
   * @throws AppError 401 for a wrong team key, or a missing one where both are required; 403 for an
   *   app that names another user
   */
  readHeader: (request: FastifyRequest) => Promise<void>
  /** Does the same for a token outside the header, or for the continuation of its session. */
  read: (
    request: FastifyRequest,
    token: string | undefined,
    kind?: 'link' | 'continuation',
  ) => Promise<void>
}

/**
 * Creates the authentication by link tokens. They are a credential by themselves; a team key beside
 * one is optional, but must be valid and of the same environment
 * (docs/contract/03-link.md#which-credential).
 * @param authenticateCaller The hook that reads other credentials, and sets `request.scope`.
 */
export function createLinkAuthentication(
  context: LinkContext,
  authenticateCaller: (request: FastifyRequest) => Promise<void>,
): LinkAuthentication {
  const { aliasesEnabled, linkNeedsTeamKey } = context.config
  const names = ['x-service-link-token', ...(aliasesEnabled ? ['x-vital-link-token'] : [])]
  const keyNames = ['x-service-api-key', ...(aliasesEnabled ? ['x-vital-api-key'] : [])]
  const hasOtherCredential = (request: FastifyRequest): boolean =>
    readHeader(request, [...keyNames, 'authorization']) !== undefined

  const read: LinkAuthentication['read'] = async (request, token, kind) => {
    const isKnown = linkNeedsTeamKey || hasOtherCredential(request)
    if (isKnown) await authenticateCaller(request)
    const access = await findLinkAccess(context, token, kind).catch(toLinkError)
    request.link = access
    if (access instanceof LinkError) return
    const { environment, session } = access
    if (isKnown && request.scope.environment.id !== environment.id) {
      throw unauthorized('invalid_token', 'The link token belongs to another team.')
    }
    if (request.appUserId !== null && request.appUserId !== session.user_id) {
      throw forbidden('own_user_only', "The link token is not of the app's person.")
    }
    const stores = { ...context, log: request.log }
    request.scope = createScope(stores, environment, request.transact)
    request.actor ??= { kind: 'link_token', id: session.id }
  }
  return { read, readHeader: (request) => read(request, readHeader(request, names)) }
}

/** @throws LinkError `invalid_token`, `token_expired` */
async function findLinkAccess(
  context: LinkContext,
  token = '',
  kind?: 'link' | 'continuation',
): Promise<LinkAccess> {
  const { db, clock, secrets } = context
  if (token === '') throw new LinkError('invalid_token', { isMissing: true })
  const claims = await readLinkToken(secrets, token, kind)
  if (claims === undefined) throw new LinkError('invalid_token')
  const session = await findLinkSession(db, claims.sessionId)
  if (session === undefined) {
    // Sessions are deleted some time after their end.
    const isOver = claims.expiresAt * 1000 <= clock.now().getTime()
    throw new LinkError(isOver ? 'token_expired' : 'invalid_token')
  }
  const [environment, user] = await Promise.all([
    findEnvironment(db, session.environment_id),
    findUserReference(rowScope(db, session.environment_id), session.user_id),
  ])
  if (environment === undefined || user === undefined) throw new LinkError('invalid_token')
  return { token, session, user, environment }
}

function toLinkError(error: unknown): LinkError {
  if (error instanceof LinkError) return error
  throw error
}

/** Returns the access of the token, even when it was used. @throws LinkError */
export function getLinkAccess({ link }: FastifyRequest): LinkAccess {
  if (link instanceof LinkError) throw link
  return link
}

/** Returns the access of an unused token. @throws LinkError when it was used or has expired */
export function getOpenLink(request: FastifyRequest): LinkAccess {
  const access = getLinkAccess(request)
  const end = endReasonOf(stateAt(access.session, request.scope.clock.now()))
  if (end !== undefined) throw new LinkError(end)
  return access
}

/**
 * Converts link errors to HTTP errors (docs/contract/03-link.md#delivery).
 * @throws AppError 401 with the link error; 400 `missing_link_token`, `unsupported_region`
 */
export async function withLinkErrors<Result>(
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof LinkError ? toAppError(error) : error
  }
}

function toAppError(error: LinkError): Error {
  const { errorType, message, isMissing } = error
  if (isMissing) return MISSING_LINK_TOKEN
  switch (errorType) {
    case 'invalid_token':
    case 'token_expired':
    case 'token_consumed':
    case 'token_not_validated':
      return unauthorized(errorType, message)
    case 'unsupported_region':
      return badRequest(errorType, message)
    default:
      // Other errors are outcomes that another response format has.
      return error
  }
}
