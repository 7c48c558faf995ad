import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { callerFor } from '../teams/index.ts'
import {
  ConsoleSession,
  ConsoleSessionList,
  EndedSessions,
  SignInMethods,
} from './console.schema.ts'
import { type FindConsoleSession, getSession, isSignedIn } from './console-authentication.ts'
import {
  type ConsoleContext,
  describeSession,
  endOtherSessions,
  endSession,
  listSessions,
  revokeSession,
} from './console-sessions.service.ts'
import { registerProfileRoutes } from './factors/profile.routes.ts'
import type { OpenIdProvider } from './openid/openid-client.ts'
import { clearSessionCookie } from './session-cookie.ts'
import { registerSignInRoutes } from './sign-in.routes.ts'
import type { SignInContext } from './sign-in.service.ts'
import { SignInAttempts } from './sign-in-attempts.ts'
import { registerInvitationRoutes } from './users/invitations.routes.ts'
import { hasActiveUsers } from './users/organization-users.global.repository.ts'

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
  context: SignInContext & { provider: OpenIdProvider | undefined },
  findSession: FindConsoleSession,
): void {
  const attempts = new SignInAttempts(context)
  registerSignInRoutes(app, context, attempts)
  registerInvitationRoutes(app, context, attempts)
  registerProfileRoutes(app, context, findSession)
  registerSignInMethods(app, context, findSession)
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
  { db, provider }: Pick<SignInContext, 'db'> & { provider: OpenIdProvider | undefined },
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
      has_users: await hasActiveUsers(db),
      is_signed_in: await isSignedIn(request, findSession),
    }),
  )
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
