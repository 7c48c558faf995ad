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

const whoAsks = ({ headers, ip }: FastifyRequest) => callerOf(headers, ip)

/** A team with made-up people, to look around in (docs/contract/01-conventions.md#demo-team). */
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
        summary: 'How far the demo team is',
        description: 'Which step the filling is at, and whom there is to look at already.',
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
          'Makes a team with made-up people, data, orders and reports, in the background. Of one that is there it says how far it is; one that failed is removed and made anew.',
        params,
        response,
      },
    },
    (request) => teams.start(request.managementKey, request.params.org_id, whoAsks(request)),
  )
  app.delete(
    url,
    {
      schema: {
        operationId: 'removeDemoTeam',
        tags,
        summary: 'Remove the demo team',
        description:
          'The team and its people are gone at once, and erased as all deleted people are.',
        params,
        response,
      },
    },
    (request) => teams.remove(request.managementKey, request.params.org_id, whoAsks(request)),
  )
}
