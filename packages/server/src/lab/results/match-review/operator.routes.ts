import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ENVIRONMENTS, type Environment, type Tenant } from '../../../accounts/teams/index.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { TextEnum, Uuid } from '../../../platform/http/schema-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { UnmatchedResult } from './match-review.schema.ts'
import { handOverReview } from './resolve-review.service.ts'

/** An environment of a team as a path names it. */
interface Place {
  org_id: string
  team_id: string
  env: Environment
}

export interface MatchReviewOperatorOptions {
  db: Db
  clock: Clock
  files: FileStore
  /**
   * The environment that the caller's management key may use.
   * @throws AppError 404 for any other
   */
  findPlace: (request: FastifyRequest, place: Place) => Promise<Tenant>
}

const OfResult = Type.Object({
  org_id: Uuid,
  team_id: Uuid,
  env: TextEnum(ENVIRONMENTS),
  id: Uuid,
})

/** What operators do with results that wait for them. The scope needs the management hook. */
export function registerMatchReviewOperatorRoutes(
  app: App,
  { db, clock, files, findPlace }: MatchReviewOperatorOptions,
): void {
  app.post(
    '/v1/org/:org_id/team/:team_id/:env/unmatched_result/:id/hand_over',
    {
      schema: {
        tags: ['Unmatched results'],
        summary: 'Put a held result that waits for the operators before the team',
        params: OfResult,
        response: { 200: UnmatchedResult },
      },
    },
    async (request) => {
      const tenant = await findPlace(request, request.params)
      return handOverReview({ db, clock, files, tenant, log: request.log }, request.params.id)
    },
  )
}
