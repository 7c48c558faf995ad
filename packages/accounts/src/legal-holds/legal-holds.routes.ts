import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import {
  ByLegalHold,
  LegalHold,
  LegalHoldCreate,
  LegalHoldList,
  LegalHoldQuery,
} from './legal-holds.schema.ts'
import { placeHold, releaseHold, showHolds } from './legal-holds.service.ts'

const tags = ['Data rights']
const LIST = `${ENVIRONMENT_PATH}/legal_hold`

/**
 * Registers legal holds among the routes of managed environments: a key of a team can neither place
 * nor release a hold.
 */
export function registerLegalHoldRoutes(app: App): void {
  const params = Type.Object(ENVIRONMENT_PARAMS)
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listLegalHolds',
        tags,
        summary: 'List legal holds, newest first',
        description: 'Returns at most 500 legal holds, including those that were released.',
        params,
        querystring: LegalHoldQuery,
        response: { 200: LegalHoldList },
      },
    },
    ({ scope, query }) => showHolds(scope, query),
  )
  app.post(
    LIST,
    {
      schema: {
        operationId: 'placeLegalHold',
        tags,
        summary: 'Place a legal hold on a user',
        description:
          "Places a legal hold. Until it is released, the user cannot be deleted or erased, and retention rules remove none of the user's data.",
        params,
        body: LegalHoldCreate,
        'x-body-example': { user_id: EXAMPLE_IDS.user, reason: 'Case 2026-17' },
        response: { 200: LegalHold },
      },
    },
    ({ scope, body, actor }) => placeHold(scope, body, actor?.id ?? null),
  )
  app.post(
    `${LIST}/:hold_id/release`,
    {
      schema: {
        operationId: 'releaseLegalHold',
        tags,
        summary: 'Release a legal hold',
        description:
          'Releases the legal hold. Erasure and retention, which the hold stopped, continue with the next run of their jobs.',
        params: ByLegalHold,
        response: { 200: LegalHold },
      },
    },
    ({ scope, params: { hold_id: id }, actor }) => releaseHold(scope, id, actor?.id ?? null),
  )
}
