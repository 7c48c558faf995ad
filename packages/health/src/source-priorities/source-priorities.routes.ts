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

/** Routes of the priorities of teams (docs/contract/01-conventions.md#team-endpoints) and users. */
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
        summary: 'List the source priorities of a team',
        description:
          'Returns the priority of each provider for each type of data, highest first. Users can have priorities of their own.',
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
        summary: 'Update the source priorities of a team',
        description:
          'Changes the priorities of the pairs in the body. All others keep their value.',
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
        summary: 'List the source priorities of a user',
        description:
          'Returns the rules of the user. The priorities of the team apply where the user has no rule.',
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
        summary: 'Replace the source priorities of a user',
        description:
          'Replaces all rules of the user. An empty list restores the priorities of the team.',
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
