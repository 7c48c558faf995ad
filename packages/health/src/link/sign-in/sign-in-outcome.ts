import type { FastifyRequest } from 'fastify'
import type { LinkContext } from '../link.context.ts'
import { getOpenLink, type LinkAccess } from '../link-authentication.ts'
import { LinkError } from '../link-errors.registry.ts'
import { findLinkSession } from '../link-sessions.global.repository.ts'

/** Runs a sign-in; what goes wrong is an outcome, and so is a bad link token. */
export async function outcomeOf<Result>(
  { db }: LinkContext,
  request: FastifyRequest,
  work: (access: LinkAccess) => Promise<Result>,
): Promise<Result | LinkError> {
  try {
    return await work(getOpenLink(request))
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    if (request.link instanceof LinkError) return error
    // Of two sign-ins at once the later one fails for one reason or another; this is the true one.
    const now = await findLinkSession(db, request.link.session.id)
    return now?.state === 'consumed' ? new LinkError('token_consumed') : error
  }
}
