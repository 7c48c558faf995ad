import { AppError } from '@salus/kernel/errors'
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
