import { getUserRow } from '@salus/accounts/users'
import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import Type from 'typebox'
import type { AppTokens } from './app-tokens.ts'
import { EndedMobileSessions, SignInToken, TokenBody, TokenPair } from './sessions.schema.ts'
import {
  endMobileSessions,
  type GrantedMobileSession,
  grantTokens,
  type MobileSessionContext,
} from './sessions.service.ts'

interface MobileConfig {
  baseUrl: string | undefined
}

const tags = ['Mobile']
const FORM = 'application/x-www-form-urlencoded'
const BODY_LIMIT = 32 * 1024
/** docs/contract/01-conventions.md#rate-limits */
const REQUESTS_A_MINUTE = 30

/** Registers the routes of teams for their apps. */
export function registerSignInRoutes(
  app: App,
  { tokens, config }: { tokens: AppTokens; config: MobileConfig },
): void {
  app.post(
    '/v2/user/:user_id/sign_in_token',
    {
      schema: {
        operationId: 'createSignInToken',
        tags,
        summary: 'Create a sign-in token',
        description:
          'Creates a token with which the app of a team signs in. The server of the team requests one for each installation. The token is valid for ten minutes and one sign-in.',
        params: Type.Object({ user_id: Uuid }),
        response: { 200: SignInToken },
      },
    },
    async (request) => {
      const { scope, params } = request
      const { id: user_id, sign_in_generation: generation } = await getUserRow(
        scope,
        params.user_id,
      )
      const user = { id: user_id, generation }
      const baseUrl = baseUrlOf(request, config.baseUrl)
      return {
        user_id,
        sign_in_token: await tokens.createSignInToken(scope.environment, user, baseUrl),
      }
    },
  )

  app.delete(
    '/v2/user/:user_id/mobile_session',
    {
      schema: {
        operationId: 'endMobileSessions',
        tags,
        summary: 'End the mobile sessions of a user',
        description:
          'Ends the sessions of all apps of the user at once, with their access tokens and unused link codes. Use it when a phone was lost. The user can sign in again. A sign-in token created in the last ten minutes stays valid.',
        params: Type.Object({ user_id: Uuid }),
        response: { 200: EndedMobileSessions },
      },
    },
    async ({ scope, params }) => ({ ended: await endMobileSessions(scope, params.user_id) }),
  )
}

/**
 * Registers the token endpoint, which accepts forms and needs no credential. In a context of its
 * own.
 */
export function registerTokenRoute(
  app: App,
  context: MobileSessionContext & { config: MobileConfig },
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(text))))
  })
  app.post(
    '/v1/token',
    {
      bodyLimit: BODY_LIMIT,
      onRequest: limitByAddress({ clock: context.clock, perMinute: REQUESTS_A_MINUTE }),
      schema: {
        operationId: 'exchangeToken',
        tags,
        summary: 'Exchange a token',
        description:
          'Takes a sign-in token or a refresh token as a form, and returns an access token for an hour and the next refresh token. A repeated request within 60 seconds gets the same response. An error response has only an `error_type`: at `invalid_token` the app deletes its session, at `reauthentication_required` it keeps its data and needs a new sign-in token.',
        consumes: [FORM],
        security: [],
        body: TokenBody,
        response: { 200: TokenPair },
      },
    },
    async (request) => {
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const identify = ({ scope, userId, sessionId }: GrantedMobileSession): void => {
        request.scope = scope
        request.actor = { kind: 'mobile_session', id: sessionId, userId }
      }
      const granted = await request.signIns.watch(
        'app_token',
        ['invalid_token', 'reauthentication_required'],
        () => grantTokens(context, request.body, baseUrl, identify),
      )
      identify(granted)
      return granted.pair
    },
  )
}
