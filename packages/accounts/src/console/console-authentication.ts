import { AppError } from '@salus/kernel/errors'
import type { FastifyRequest } from 'fastify'
import type { FoundSession } from './console-sessions.global.repository.ts'
import { type ConsoleContext, renewSession } from './console-sessions.service.ts'
import { requireSameOrigin } from './same-origin.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * The session whose cookie a request brings; undefined of one without.
 * @throws AppError 401, 403
 */
export type FindConsoleSession = (request: FastifyRequest) => Promise<FoundSession | undefined>

/** Finds whom the cookie of a request signs in. */
export function createConsoleAuthentication(
  context: Pick<ConsoleContext, 'db' | 'clock' | 'config'>,
): FindConsoleSession {
  return async (request) => {
    const token = readSessionCookie(request, context.config)
    if (token === undefined) return undefined
    requireSameOrigin(request, context.config.baseUrl)
    return renewSession(context, token)
  }
}

/**
 * Whether a request is of a session; of a cookie that is unknown, has ended or comes from elsewhere
 * it is not.
 */
export async function isSignedIn(
  request: FastifyRequest,
  find: FindConsoleSession,
): Promise<boolean> {
  try {
    return (await find(request)) !== undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false
    throw error
  }
}
