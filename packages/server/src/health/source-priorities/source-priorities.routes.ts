import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../../platform/http/app-types.ts'
import { Uuid } from '../../platform/http/schema-types.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import {
  TeamPriorityChanges,
  TeamPriorityList,
  TeamPriorityQuery,
  UserSourcePriorities,
  UserSourcePrioritiesInput,
} from './source-priorities.schema.ts'
import * as priorities from './source-priorities.service.ts'

export interface SourcePriorityRoutesOptions {
  db: Db
  clock: Clock
}

const tags = ['Source priorities']
const ByUserId = Type.Object({ user_id: Uuid })

/** Priorities of a team (docs/contract/01-conventions.md#team-endpoints), and of single people. */
export function registerSourcePriorityRoutes(
  app: App,
  { db, clock }: SourcePriorityRoutesOptions,
): void {
  const context: ContextOf = ({ scope: { environment } }) => ({ db, clock, environment })
  registerTeamPriorityRoutes(app, context)
  registerUserPriorityRoutes(app, context)
}

type ContextOf = (request: FastifyRequest) => priorities.SourcePrioritiesContext

function registerTeamPriorityRoutes(app: App, context: ContextOf): void {
  app.get(
    '/v2/team/source/priorities',
    {
      schema: {
        tags,
        summary: 'Read which sources count first',
        querystring: TeamPriorityQuery,
        response: { 200: TeamPriorityList },
      },
    },
    (request) => priorities.listTeamPriorities(context(request), request.query),
  )

  app.patch(
    '/v2/team/source/priorities',
    {
      schema: {
        tags,
        summary: 'Set which sources count first',
        description: 'Pairs that are not named keep their value.',
        body: TeamPriorityChanges,
        response: { 200: TeamPriorityList },
      },
    },
    (request) => priorities.setTeamPriorities(context(request), request.body),
  )
}

function registerUserPriorityRoutes(app: App, context: ContextOf): void {
  app.get(
    '/v2/user/:user_id/source_priorities',
    {
      schema: {
        tags,
        summary: 'Read which sources count first for one person',
        description: "Rules of the person alone; where they say nothing, the team's hold.",
        params: ByUserId,
        response: { 200: UserSourcePriorities },
      },
    },
    (request) => priorities.getUserPriorities(context(request), request.params.user_id),
  )

  app.put(
    '/v2/user/:user_id/source_priorities',
    {
      schema: {
        tags,
        summary: 'Replace which sources count first for one person',
        params: ByUserId,
        body: UserSourcePrioritiesInput,
        response: { 200: UserSourcePriorities },
      },
    },
    (request) =>
      priorities.putUserPriorities(context(request), request.params.user_id, request.body),
  )
}
