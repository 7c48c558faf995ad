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

const IN_ENVIRONMENT = Type.Object(ENVIRONMENT_PARAMS)

/** Among the routes of managed environments. */
export function registerRetentionRoutes(app: App): void {
  app.get(
    RULES,
    {
      schema: {
        operationId: 'getRetentionRules',
        tags,
        summary: 'Read retention rules',
        description: 'What has no rule is kept for good.',
        params: IN_ENVIRONMENT,
        response: { 200: RetentionRules },
      },
    },
    ({ scope }) => showRules(scope),
  )
  app.get(
    `${RULES}/resource`,
    {
      schema: {
        operationId: 'listRetainedResources',
        tags,
        summary: 'List what retention rules can be made for',
        description: 'With the fewest and the most days that a rule may have.',
        params: IN_ENVIRONMENT,
        response: { 200: RetainedResources },
      },
    },
    () => showResources(),
  )
  registerRetentionChanges(app)
}

function registerRetentionChanges(app: App): void {
  app.put(
    RULES,
    {
      schema: {
        operationId: 'replaceRetentionRules',
        tags,
        summary: 'Replace retention rules',
        description: 'They are applied once a day. Rules that the body does not name end.',
        params: IN_ENVIRONMENT,
        body: RetentionRulesInput,
        'x-body-example': { rules: [{ resource: 'heartrate', days: 365 }] },
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
        operationId: 'tryRetentionRules',
        tags,
        summary: 'Tell what retention rules would remove',
        description: 'Counts what the rules of the body would remove now. Nothing is changed.',
        params: IN_ENVIRONMENT,
        body: RetentionRulesInput,
        'x-body-example': { rules: [{ resource: 'heartrate', days: 365 }] },
        response: { 200: RetentionDryRun },
      },
    },
    ({ scope, body }) => tryRules(scope, body),
  )
}
