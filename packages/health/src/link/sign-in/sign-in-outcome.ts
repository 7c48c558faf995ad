import type { FastifyRequest } from 'fastify'
import type { LinkContext } from '../link.context.ts'
import { getOpenLink, type LinkAccess } from '../link-authentication.ts'
import { LinkError } from '../link-errors.registry.ts'
import { findLinkSession } from '../link-sessions.global.repository.ts'

/** Runs a sign-in and returns any error, also a bad link token, as an outcome. */
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
    // Of two concurrent sign-ins the later one fails with varying errors; this is the actual one.
    const now = await findLinkSession(db, request.link.session.id)
    return now?.state === 'consumed' ? new LinkError('token_consumed') : error
  }
}
