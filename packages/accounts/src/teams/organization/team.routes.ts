import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import { CredentialReach } from '../keys/keys.schema.ts'
import { getClientFacingTeam } from './client-facing-team.ts'
import { listPermissions } from './roles.registry.ts'
import { ClientFacingTeam, WebhookPortal } from './teams.schema.ts'

/**
 * Registers the endpoints of docs/contract/01-conventions.md#team-endpoints. The scope needs the
 * hook of createTeamAuthentication.
 */
export function registerTeamRoutes(app: App, config: { baseUrl: string | undefined }): void {
  app.get(
    '/v2/access',
    {
      config: { personIn: 'none' },
      schema: {
        operationId: 'getAccess',
        tags: ['Team'],
        summary: 'Get the access of the key or token',
        description:
          'Returns the team and environment of the key or token, the user to whom it is limited, if any, whether it may write, and its permissions.',
        response: { 200: CredentialReach },
      },
    },
    ({ scope: { environment }, limits }) => ({
      team_id: environment.teamId,
      environment: environment.kind,
      user_id: limits.userId,
      access: limits.access,
      scopes: limits.scopes && listPermissions(limits.scopes),
    }),
  )
  app.get(
    '/v2/team/:team_id',
    {
      schema: {
        operationId: 'getOwnTeam',
        tags: ['Team'],
        summary: 'Get the team of the key',
        description:
          'Returns the team of the calling key. New code should use `getTeam` of the management API.',
        deprecated: true,
        params: Type.Object({ team_id: Uuid }),
        response: { 200: ClientFacingTeam },
      },
    },
    ({ scope, params }) => getClientFacingTeam(scope, params.team_id),
  )
  app.get(
    '/v2/team/svix/url',
    {
      schema: {
        operationId: 'getWebhookPortal',
        tags: ['Team'],
        summary: 'Get the address of the webhook pages',
        description:
          'Returns the address of the pages of webhooks in the console. People sign in there with their own account, because a team key cannot open a session of the console.',
        response: { 200: WebhookPortal },
      },
    },
    async (request) => ({ url: `${baseUrlOf(request, config.baseUrl)}/console/webhooks` }),
  )
}
