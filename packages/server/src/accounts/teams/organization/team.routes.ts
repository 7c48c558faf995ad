import Type from 'typebox'
import type { App } from '../../../platform/http/app-types.ts'
import { Uuid } from '../../../platform/http/schema-types.ts'
import { ClientFacingTeam, CredentialReach } from './teams.schema.ts'
import { getClientFacingTeam } from './teams.service.ts'

/**
 * docs/contract/01-conventions.md#team-endpoints. The scope needs the hook of
 * createTeamAuthentication.
 */
export function registerTeamRoutes(app: App): void {
  app.get(
    '/v2/access',
    {
      config: { personIn: 'nobody' },
      schema: {
        tags: ['Team'],
        summary: 'What the key or token of the request opens',
        response: { 200: CredentialReach },
      },
    },
    ({ scope: { environment }, limits }) => ({
      team_id: environment.teamId,
      environment: environment.kind,
      user_id: limits.userId,
      access: limits.access,
    }),
  )
  app.get(
    '/v2/team/:team_id',
    {
      schema: {
        tags: ['Team'],
        summary: "The caller's own team",
        deprecated: true,
        params: Type.Object({ team_id: Uuid }),
        response: { 200: ClientFacingTeam },
      },
    },
    ({ scope, params }) => getClientFacingTeam(scope, params.team_id),
  )
}
