import type { EventType } from '@salus/contracts/event-type'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { EventExplanation, ExplanationQuery } from './missing-events.schema.ts'
import { explainMissingEvent } from './missing-events.service.ts'

interface MissingEventOptions {
  catalog: readonly EventType[]
  config: { eventRetentionDays: number }
}

/** Registers the explanation of missing events for keys of a team. */
export function registerPersonMissingEventRoutes(
  app: App,
  { catalog, config }: MissingEventOptions,
): void {
  const parts = { catalog, retentionDays: config.eventRetentionDays }
  app.get(
    '/v2/user/:user_id/event_explanation',
    {
      schema: {
        operationId: 'explainMissingEventOfUser',
        tags: ['Users'],
        summary: 'Explain a missing event of a user',
        description: 'Returns the same as `explainMissingEvent`, with a key of the team.',
        params: Type.Pick(ExplanationQuery, ['user_id']),
        querystring: Type.Pick(ExplanationQuery, ['event_type']),
        response: { 200: EventExplanation },
      },
    },
    ({ scope, params, query }) => explainMissingEvent(scope, parts, { ...params, ...query }),
  )
}

/** Registers the same among the routes of managed environments. */
export function registerMissingEventRoutes(
  app: App,
  { catalog, config }: MissingEventOptions,
): void {
  const parts = { catalog, retentionDays: config.eventRetentionDays }
  app.get(
    `${ENVIRONMENT_PATH}/event_explanation`,
    {
      schema: {
        operationId: 'explainMissingEvent',
        tags: ['Webhooks'],
        summary: 'Explain a missing event of a user',
        description:
          'Returns the reasons for which an event of this type about the user would not be emitted or delivered today, and the last such event.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        querystring: ExplanationQuery,
        response: { 200: EventExplanation },
      },
    },
    ({ scope, query }) => explainMissingEvent(scope, parts, query),
  )
}
