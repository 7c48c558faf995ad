import { getUserRow } from '@salus/accounts/users'
import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { limitByAddress } from '@salus/kernel/http/rate-limits'
import type { Stores } from '@salus/kernel/scope'
import Type from 'typebox'
import type { AppTokens } from '../sessions/app-tokens.ts'
import {
  LinkCode,
  LinkCodeExchange,
  LinkCodeExchangeQuery,
  LinkCodeQuery,
} from './link-codes.schema.ts'
import { createLinkCode, exchangeLinkCode } from './link-codes.service.ts'

const tags = ['Mobile']
/** docs/contract/01-conventions.md#rate-limits */
const EXCHANGES_A_MINUTE = 30

/** Registers the routes of teams for their companion apps. */
export function registerLinkCodeRoutes(app: App, { config }: { config: { appUrl: string } }): void {
  app.post(
    '/v2/link/code/create',
    {
      schema: {
        operationId: 'createLinkCode',
        tags,
        summary: 'Create a link code',
        description:
          'Creates a short code with which a companion app signs in for the user. The code works once, for an hour or until `expires_at`, which is at most 30 days away.',
        querystring: LinkCodeQuery,
        response: { 200: LinkCode },
      },
    },
    ({ scope, query }) => createLinkCode(scope, query, config.appUrl),
  )

  app.post(
    '/v2/user/:user_id/revoke_app_api_key',
    {
      config: { isRead: true },
      schema: {
        operationId: 'revokeAppApiKey',
        tags,
        summary: 'Revoke the API key of a companion app',
        description:
          'Has no effect. Companion apps call it at sign-out, but have no key of the team.',
        deprecated: true,
        params: Type.Object({ user_id: Uuid }),
        response: { 200: Success },
      },
    },
    async ({ scope, params }) => {
      await getUserRow(scope, params.user_id)
      return { success: true }
    },
  )
}

/** Registers the exchange, which needs no credential: the code is the secret. */
export function registerLinkCodeExchange(
  app: App,
  context: Stores & { tokens: AppTokens; config: { baseUrl: string | undefined } },
): void {
  app.post(
    '/v2/link/code/exchange',
    {
      onRequest: limitByAddress({ clock: context.clock, perMinute: EXCHANGES_A_MINUTE }),
      schema: {
        operationId: 'exchangeLinkCode',
        tags,
        summary: 'Exchange a link code for a sign-in token',
        description:
          'Consumes a link code and returns the user, a sign-in token, and the name and logo of the team.',
        security: [],
        querystring: LinkCodeExchangeQuery,
        response: { 200: LinkCodeExchange },
      },
    },
    async (request) => {
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const { scope, codeId, answer } = await request.signIns.watch(
        'app_link_code',
        ['invalid_code'],
        () => exchangeLinkCode(context, request.query, baseUrl),
      )
      request.scope = scope
      request.actor = { kind: 'link_code', id: codeId }
      return answer
    },
  )
}
