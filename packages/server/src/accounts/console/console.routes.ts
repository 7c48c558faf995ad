import type { FastifyReply, FastifyRequest } from 'fastify'
import { unauthorized } from '../../platform/errors.ts'
import type { App } from '../../platform/http/app-types.ts'
import { Success } from '../../platform/http/schema-types.ts'
import { ConsoleSession, ConsoleSignIn } from './console.schema.ts'
import type { FoundSession } from './console-sessions.global.repository.ts'
import {
  type ConsoleContext,
  describeSession,
  endSession,
  type FindConsoleSession,
  findKeyOfSignIn,
  SESSION_SECONDS,
  type StartedSession,
  startSession,
} from './console-sessions.service.ts'
import { requireSameOrigin } from './same-origin.ts'
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.ts'
import { SignInAttempts } from './sign-in-attempts.ts'

const tags = ['Console']
const url = '/v1/console/session'
/** Of operations that are about the session itself. */
const security = [{ consoleSession: [] }]

/** Signing in to the console and out (docs/console.md). */
export function registerConsoleRoutes(
  app: App,
  context: ConsoleContext,
  findSession: FindConsoleSession,
): void {
  registerSignIn(app, context)
  app.get(
    url,
    {
      schema: {
        tags,
        security,
        summary: 'Who is signed in to the console',
        response: { 200: ConsoleSession },
      },
    },
    async (request) => describeSession(context.db, await getSession(request, findSession)),
  )
  app.delete(
    url,
    {
      schema: { tags, security, summary: 'Sign out of the console', response: { 200: Success } },
    },
    async (request, reply) => {
      const { session } = await getSession(request, findSession)
      await endSession(context, session.id)
      clearSessionCookie(reply, context.config)
      return { success: true }
    },
  )
}

function registerSignIn(app: App, context: ConsoleContext): void {
  const attempts = new SignInAttempts(context.clock)
  app.post(
    url,
    {
      schema: {
        tags,
        security: [],
        summary: 'Sign in to the console',
        body: ConsoleSignIn,
        response: { 200: ConsoleSession },
      },
    },
    async (request, reply) => {
      requireSameOrigin(request, context.config.baseUrl)
      const succeed = attempts.begin(request.ip)
      const { key, way } = await findKeyOfSignIn(context, request.body)
      succeed()
      const previous = readSessionCookie(request, context.config)
      const started = await startSession(context, key, way, previous)
      keepSession(request, reply, context, started)
      return describeSession(context.db, started)
    },
  )
}

/** Gives the browser the cookie, and the audit log whom the request was of. */
function keepSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { config }: ConsoleContext,
  { token, key }: StartedSession,
): void {
  request.actor = { kind: 'console_session', id: key.id }
  setSessionCookie(reply, config, token, SESSION_SECONDS)
}

async function getSession(
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
