import { AppError, unauthorized } from '@salus/kernel/errors'
import type { FastifyRequest } from 'fastify'
import type { FoundSession } from './console-sessions.global.repository.ts'
import { type ConsoleContext, renewSession } from './console-sessions.service.ts'
import { requireSameOrigin } from './same-origin.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Returns the session whose cookie a request has; undefined without a cookie.
 * @throws AppError 401, 403
 */
export type FindConsoleSession = (request: FastifyRequest) => Promise<FoundSession | undefined>

/** Creates the function that finds the session of a request by its cookie. */
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

/** Returns the session of a request that needs one. @throws AppError 401, 403 */
export async function getSession(
  request: FastifyRequest,
  find: FindConsoleSession,
): Promise<FoundSession> {
  const found = await find(request)
  if (found === undefined) {
    throw unauthorized('invalid_session', 'The session is unknown or has ended. Sign in again.')
  }
  request.actor = { kind: 'console_session', id: found.key.id }
  return found
}

/**
 * Whether a request has a valid session; a cookie that is unknown, has ended or comes from another
 * site does not count.
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
