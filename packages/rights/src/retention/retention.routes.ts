import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import {
  RetainedResources,
  RetentionDryRun,
  RetentionRules,
  RetentionRulesInput,
} from './retention.schema.ts'
import { previewRules, putRules, showResources, showRules } from './retention.service.ts'

const tags = ['Data rights']
const RULES = `${ENVIRONMENT_PATH}/retention`

const IN_ENVIRONMENT = Type.Object(ENVIRONMENT_PARAMS)

/** Registers retention rules among the routes of managed environments. */
export function registerRetentionRoutes(app: App): void {
  app.get(
    RULES,
    {
      schema: {
        operationId: 'getRetentionRules',
        tags,
        summary: 'Get the retention rules',
        description: 'Returns the retention rules. Data without a rule are kept forever.',
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
        summary: 'List the resources that retention rules can name',
        description: 'Returns the resources with the minimum and maximum number of days of a rule.',
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
        summary: 'Replace the retention rules',
        description:
          'Replaces all retention rules: those that the body does not name end. Rules are applied once a day.',
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
        summary: 'Preview the effect of retention rules',
        description:
          'Counts the rows that the rules of the body would remove now. Nothing is changed.',
        params: IN_ENVIRONMENT,
        body: RetentionRulesInput,
        'x-body-example': { rules: [{ resource: 'heartrate', days: 365 }] },
        response: { 200: RetentionDryRun },
      },
    },
    ({ scope, body }) => previewRules(scope, body),
  )
}
