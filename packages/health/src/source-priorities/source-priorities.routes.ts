import { Nullable, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import {
  TeamPriorityChanges,
  TeamPriorityList,
  TeamPriorityQuery,
  UserSourcePriorities,
  UserSourcePrioritiesInput,
} from './source-priorities.schema.ts'
import type { PriorityListener } from './source-priorities.service.ts'
import * as priorities from './source-priorities.service.ts'

const tags = ['Source priorities']
const ByUserId = Type.Object({ user_id: Uuid })

/** Priorities of a team (docs/contract/01-conventions.md#team-endpoints), and of single people. */
export function registerSourcePriorityRoutes(app: App, listener: PriorityListener): void {
  registerTeamPriorityRoutes(app, listener)
  registerUserPriorityRoutes(app, listener)
}

function registerTeamPriorityRoutes(app: App, listener: PriorityListener): void {
  app.get(
    '/v2/team/source/priorities',
    {
      schema: {
        operationId: 'listTeamSourcePriorities',
        tags,
        summary: 'Read which sources count first',
        description:
          'For each type of data the providers of the team, the larger number first. Users may differ.',
        querystring: TeamPriorityQuery,
        response: { 200: TeamPriorityList },
      },
    },
    (request) => priorities.listTeamPriorities(request.scope, request.query),
  )

  app.patch(
    '/v2/team/source/priorities',
    {
      schema: {
        operationId: 'updateTeamSourcePriorities',
        tags,
        summary: 'Set which sources count first',
        description:
          'Pairs that are not named keep their value, all of them where there is no body.',
        body: Nullable(TeamPriorityChanges),
        'x-body-example': [{ data_type: 'sleep', slug: 'oura', priority: 2 }],
        response: { 200: TeamPriorityList },
      },
    },
    (request) => priorities.setTeamPriorities(request.scope, request.body ?? [], listener),
  )
}

function registerUserPriorityRoutes(app: App, listener: PriorityListener): void {
  app.get(
    '/v2/user/:user_id/source_priorities',
    {
      schema: {
        operationId: 'getUserSourcePriorities',
        tags,
        summary: 'Read which sources count first for one person',
        description: "Rules of the person alone; where they say nothing, the team's hold.",
        params: ByUserId,
        response: { 200: UserSourcePriorities },
      },
    },
    (request) => priorities.getUserPriorities(request.scope, request.params.user_id),
  )

  app.put(
    '/v2/user/:user_id/source_priorities',
    {
      schema: {
        operationId: 'replaceUserSourcePriorities',
        tags,
        summary: 'Replace which sources count first for one person',
        description:
          'The whole list of the person; an empty list gives the priorities of the team back.',
        params: ByUserId,
        body: UserSourcePrioritiesInput,
        'x-body-example': { source_priorities: [] },
        response: { 200: UserSourcePriorities },
      },
    },
    ({ scope, params, body }) =>
      priorities.putUserPriorities(scope, params.user_id, body, listener),
  )
}
