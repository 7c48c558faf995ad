import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { DemoTeam } from './demo-team.schema.ts'
import { type DemoTeamContext, DemoTeams, showDemoTeam } from './demo-team.service.ts'
import { callerOf } from './filling/demo-client.ts'

const params = Type.Object({ org_id: Uuid })
const response = { 200: DemoTeam }
const tags = ['Management']

const senderOf = ({ headers, ip }: FastifyRequest) => callerOf(headers, ip)

/**
 * Registers the demo team, a team with fictitious users to try Salus with
 * (docs/contract/01-conventions.md#demo-team).
 */
export function registerDemoTeamRoutes(app: App, context: DemoTeamContext): void {
  const url = '/v1/org/:org_id/demo_team'
  const teams = new DemoTeams(context, app)
  app.addHook('preClose', () => teams.stop())
  app.get(
    url,
    {
      schema: {
        operationId: 'getDemoTeam',
        tags,
        summary: 'Get the demo team',
        description:
          'Returns the step that is running, and the first user who can be looked at already.',
        params,
        response,
      },
    },
    ({ managementKey, params }) => showDemoTeam(context, managementKey, params.org_id),
  )
  app.post(
    url,
    {
      schema: {
        operationId: 'fillDemoTeam',
        tags,
        summary: 'Fill a demo team',
        description:
          'Creates a team with fictitious users, data, orders and reports in the background. If the team exists, its state is returned; a team whose creation failed is removed and created again.',
        params,
        response,
      },
    },
    (request) => teams.start(request.managementKey, request.params.org_id, senderOf(request)),
  )
  app.delete(
    url,
    {
      schema: {
        operationId: 'removeDemoTeam',
        tags,
        summary: 'Remove the demo team',
        description:
          'Removes the team and its users at once. They are erased like all deleted users.',
        params,
        response,
      },
    },
    (request) => teams.remove(request.managementKey, request.params.org_id, senderOf(request)),
  )
}
