import { Success, Uuid } from '@salus/contracts/schema-types'
import { unauthorized } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { callerFor } from '../teams/index.ts'
import {
  ConsoleSession,
  ConsoleSessionList,
  ConsoleSignIn,
  EndedSessions,
  SignInMethods,
} from './console.schema.ts'
import { type FindConsoleSession, isSignedIn } from './console-authentication.ts'
import type { FoundSession } from './console-sessions.global.repository.ts'
import {
  type ConsoleContext,
  describeSession,
  endOtherSessions,
  endSession,
  findKeyOfSignIn,
  listSessions,
  revokeSession,
  startSession,
} from './console-sessions.service.ts'
import type { OpenIdProvider } from './openid/openid-client.ts'
import { requireSameOrigin } from './same-origin.ts'
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.ts'
import { SignInAttempts } from './sign-in-attempts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the credential is the cookie of a session of the console instead of a key. */
    takesConsoleSession?: true
  }
}

const tags = ['Console']
const url = '/v1/console/session'
/** Configuration of operations that are about the session itself. */
const config = { takesConsoleSession: true } as const

/** Registers sign-in to the console and sign-out (docs/console.md). */
export function registerConsoleRoutes(
  app: App,
  context: ConsoleContext & { provider: OpenIdProvider | undefined },
  findSession: FindConsoleSession,
): void {
  registerSignIn(app, context)
  registerSignInMethods(app, context.provider, findSession)
  app.get(
    url,
    {
      config,
      schema: {
        operationId: 'getConsoleSession',
        tags,
        summary: 'Get the session of the console',
        description:
          'Returns the key that the session acts as, its rights, and the time at which the session ends. Returns 401 without a session.',
        response: { 200: ConsoleSession },
      },
    },
    async (request) => describeSession(context.db, await getSession(request, findSession)),
  )
  app.delete(
    url,
    {
      config,
      schema: {
        operationId: 'signOutOfConsole',
        tags,
        summary: 'Sign out of the console',
        description: 'Ends the session and the access tokens that were created for it.',
        response: { 200: Success },
      },
    },
    async (request, reply) => {
      const { session } = await getSession(request, findSession)
      await endSession(context, session.id)
      clearSessionCookie(reply, context.config)
      return { success: true }
    },
  )
}

function registerSignInMethods(
  app: App,
  provider: OpenIdProvider | undefined,
  findSession: FindConsoleSession,
): void {
  const openid_connect = provider === undefined ? null : { name: provider.name }
  app.get(
    '/v1/console/sign_in_methods',
    {
      schema: {
        operationId: 'listConsoleSignInMethods',
        tags,
        security: [],
        summary: 'List the sign-in methods of the console',
        description:
          'Returns the methods of signing in that the page offers besides a management key.',
        response: { 200: SignInMethods },
      },
    },
    async (request) => ({
      openid_connect,
      is_signed_in: await isSignedIn(request, findSession),
    }),
  )
}

function registerSignIn(app: App, context: ConsoleContext): void {
  const attempts = new SignInAttempts(context)
  app.post(
    url,
    {
      schema: {
        operationId: 'signInToConsole',
        tags,
        security: [],
        summary: 'Sign in to the console',
        description:
          'Starts a session and sets its cookie, which the management API accepts instead of the key. Every request with the cookie needs the header `x-salus-console: 1`, and so does this one.',
        body: ConsoleSignIn,
        'x-body-example': { management_key: 'mg_4Qq9vT2mXc7LwZ1bR8sKd3NfHj6YpUa5' },
        response: { 200: ConsoleSession },
      },
    },
    async (request, reply) => {
      requireSameOrigin(request, context.config.baseUrl)
      const succeed = await attempts.beginAttempt(request.clientNetwork)
      const { key, way } = await request.signIns.watch(
        'console',
        ['invalid_api_key', 'invalid_code'],
        () => findKeyOfSignIn(context, request.body),
      )
      await succeed()
      const previous = readSessionCookie(request, context.config)
      const started = await startSession(context, key, way, previous)
      setSessionCookie(request, reply, context.config, started)
      return describeSession(context.db, started)
    },
  )
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

/** Registers the list of sessions. The scope needs the hook of createManagementAuthentication. */
export function registerConsoleSessionRoutes(app: App, context: ConsoleContext): void {
  const list = '/v1/org/:org_id/console_session'
  const params = Type.Object({ org_id: Uuid })
  app.get(
    list,
    {
      schema: {
        operationId: 'listConsoleSessions',
        tags,
        summary: 'List the sessions of the console',
        description:
          'Returns the sessions of the calling key and, with `keys:read`, of keys that have no more rights. The newest come first, and there are at most 500.',
        params,
        response: { 200: ConsoleSessionList },
      },
    },
    ({ managementKey, params }) => listSessions(context, callerFor(managementKey, params.org_id)),
  )
  app.delete(
    list,
    {
      schema: {
        operationId: 'endOtherConsoleSessions',
        tags,
        summary: 'End the other sessions of the calling key',
        description: 'Ends all sessions of the key except the session that sends the request.',
        params,
        response: { 200: EndedSessions },
      },
    },
    ({ managementKey, params }) =>
      endOtherSessions(context, callerFor(managementKey, params.org_id)),
  )
  app.delete(
    `${list}/:session_id`,
    {
      schema: {
        operationId: 'endConsoleSession',
        tags,
        summary: 'End a session of the console',
        description: 'Ends the session. Its user has to sign in again.',
        params: Type.Object({ org_id: Uuid, session_id: Uuid }),
        response: { 200: Success },
      },
    },
    ({ managementKey, params }) =>
      revokeSession(context, callerFor(managementKey, params.org_id), params.session_id),
  )
}
