import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import {
  RetainedResources,
  RetentionDryRun,
  RetentionRules,
  RetentionRulesInput,
} from './retention.schema.ts'
import { putRules, showResources, showRules, tryRules } from './retention.service.ts'

const tags = ['Data rights']
const RULES = `${ENVIRONMENT_PATH}/retention`

/** Among the routes of managed environments. */
export function registerRetentionRoutes(app: App): void {
  const params = Type.Object(ENVIRONMENT_PARAMS)
  app.get(
    RULES,
    {
      schema: { tags, summary: 'Read retention rules', params, response: { 200: RetentionRules } },
    },
    ({ scope }) => showRules(scope),
  )
  app.get(
    `${RULES}/resource`,
    {
      schema: {
        tags,
        summary: 'List what retention rules can be made for',
        params,
        response: { 200: RetainedResources },
      },
    },
    () => showResources(),
  )
  app.put(
    RULES,
    {
      schema: {
        tags,
        summary: 'Replace retention rules',
        params,
        body: RetentionRulesInput,
        response: { 200: RetentionRules },
      },
    },
    ({ scope, body }) => putRules(scope, body),
  )
  app.post(
    `${RULES}/dry_run`,
    {
      config: { isRead: true },
      schema: {
        tags,
        summary: 'Tell what retention rules would remove',
        params,
        body: RetentionRulesInput,
        response: { 200: RetentionDryRun },
      },
    },
    ({ scope, body }) => tryRules(scope, body),
  )
}
