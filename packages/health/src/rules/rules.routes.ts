import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { showEpisode, showEpisodes } from './episodes.service.ts'
import { RulePreview, RulePreviewResult } from './preview-rule.schema.ts'
import { previewRule } from './preview-rule.service.ts'
import { RULE_TEMPLATES } from './rule-templates.registry.ts'
import * as schema from './rules.schema.ts'
import { createRule, removeRule, showRule, showRules, updateRule } from './rules.service.ts'

const tags = ['Rules']
const LIST = '/v3/rule'
const ONE = `${LIST}/:rule_id`

const GLUCOSE_LOW = {
  type: 'threshold',
  value: { func: 'min', arg: { merged: 'glucose', field: 'value' } },
  window: { value: 5, unit: 'minute' },
  comparison: '<',
  threshold: 70,
  unit: 'mg/dL',
}

/** Registers rules on the data of people (docs/contract/24-rules.md). */
export function registerRuleRoutes(
  app: App,
  { config }: { config: { queryMaxSourceRows: number } },
): void {
  registerCollection(app)
  registerSingle(app)
  registerTrying(app, config.queryMaxSourceRows)
  registerEpisodes(app)
}

function registerCollection(app: App): void {
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listRules',
        tags,
        summary: 'List rules',
        description: 'Returns a page of the rules of the environment, oldest first.',
        querystring: schema.RuleQuery,
        response: { 200: schema.RuleList },
      },
    },
    ({ scope, query }) => showRules(scope, query),
  )
  app.post(
    LIST,
    {
      schema: {
        operationId: 'createRule',
        tags,
        summary: 'Create a rule',
        description:
          'Creates a rule on the data of users. It is judged for a user when their data change, and triggers once for each episode. A rule is not a medical device.',
        body: schema.RuleCreate,
        'x-body-example': {
          name: 'Glucose below 70 mg/dL',
          condition: GLUCOSE_LOW,
          task: { priority: 'urgent', escalation_minutes: 30 },
          cool_down_minutes: 30,
        },
        response: { 200: schema.Rule },
      },
    },
    ({ scope, body }) => createRule(scope, body),
  )
}

function registerSingle(app: App): void {
  const params = schema.OfRule
  app.get(
    ONE,
    {
      schema: {
        operationId: 'getRule',
        tags,
        summary: 'Read a rule',
        description: 'Returns a rule.',
        params,
        response: { 200: schema.Rule },
      },
    },
    ({ scope, params: { rule_id: id } }) => showRule(scope, id),
  )
  app.patch(
    ONE,
    {
      schema: {
        operationId: 'updateRule',
        tags,
        summary: 'Update a rule',
        description:
          'Changes the given fields. A rule that is paused, or gets another condition, ends its open episodes.',
        params,
        body: schema.RuleUpdate,
        'x-body-example': { status: 'paused' },
        response: { 200: schema.Rule },
      },
    },
    ({ scope, params: { rule_id: id }, body }) => updateRule(scope, id, body),
  )
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteRule',
        tags,
        summary: 'Delete a rule',
        description: 'Ends the open episodes of the rule, and deletes it with its episodes.',
        params,
        response: { 200: Success },
      },
    },
    async ({ scope, params: { rule_id: id } }) => {
      await removeRule(scope, id)
      return { success: true }
    },
  )
}

function registerTrying(app: App, maxSourceRows: number): void {
  app.get(
    `${LIST}/template`,
    {
      schema: {
        operationId: 'listRuleTemplates',
        tags,
        summary: 'List templates of rules',
        description:
          'Returns rules to begin with, and the sources of their numbers. They are not medical devices.',
        response: { 200: schema.RuleTemplates },
      },
    },
    () => ({ data: [...RULE_TEMPLATES] }),
  )
  app.post(
    `${LIST}/preview`,
    {
      config: { isRead: true },
      schema: {
        operationId: 'previewRule',
        tags,
        summary: 'Preview a rule',
        description:
          'Returns when a rule would have triggered for a user in the last days, or for how many users of a page.',
        body: RulePreview,
        'x-body-example': { condition: GLUCOSE_LOW, days: 14 },
        response: { 200: RulePreviewResult },
      },
    },
    ({ scope, body }) => previewRule(scope, body, maxSourceRows),
  )
}

function registerEpisodes(app: App): void {
  app.get(
    '/v3/rule_episode',
    {
      schema: {
        operationId: 'listRuleEpisodes',
        tags,
        summary: 'List episodes of rules',
        description:
          'Returns a page of the times in which conditions of rules held for users, newest first.',
        querystring: schema.EpisodeQuery,
        response: { 200: schema.EpisodeList },
      },
    },
    ({ scope, query }) => showEpisodes(scope, query),
  )
  app.get(
    '/v3/rule_episode/:episode_id',
    {
      schema: {
        operationId: 'getRuleEpisode',
        tags,
        summary: 'Read an episode of a rule',
        description: 'Returns an episode with the values that triggered it.',
        params: schema.OfEpisode,
        response: { 200: schema.RuleEpisode },
      },
    },
    ({ scope, params: { episode_id: id } }) => showEpisode(scope, id),
  )
}
