import { DateTime, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { MOST_DAYS, RETAINED_KINDS, RETAINED_RESOURCES } from './retention.registry.ts'

/** Retention rules of an environment (docs/contract/18-persons-rights.md#retention). */

const Resource = TextEnum(
  RETAINED_RESOURCES.map(({ name }) => name),
  { description: 'Resource: a series, a summary, or another kind of data.' },
)
const Days = Type.Integer({
  minimum: 1,
  maximum: MOST_DAYS,
  description:
    'Number of days, counted in UTC, after which data are removed. Records of laboratories have a minimum.',
})

const RetentionRuleInput = Type.Object(
  { resource: Resource, days: Days },
  { title: 'RetentionRuleInput', additionalProperties: false },
)

export const RetentionRulesInput = Type.Object(
  {
    rules: Type.Array(RetentionRuleInput, {
      maxItems: RETAINED_RESOURCES.length,
      description: 'All rules, one for each resource.',
    }),
  },
  { title: 'RetentionRulesInput', additionalProperties: false },
)
export type RetentionRulesInput = Type.Static<typeof RetentionRulesInput>

const RetentionRule = Type.Object(
  {
    resource: Resource,
    days: Days,
    updated_at: DateTime,
    applied_at: Nullable(DateTime),
    last_removed: Nullable(Type.Integer({ minimum: 0 })),
  },
  { title: 'RetentionRule' },
)

export const RetentionRules = Type.Object(
  { rules: Type.Array(RetentionRule) },
  { title: 'RetentionRules' },
)
export type RetentionRules = Type.Static<typeof RetentionRules>

const RetainedResourceView = Type.Object(
  {
    resource: Resource,
    kind: TextEnum(RETAINED_KINDS, {
      description: 'Kind of the resource, by which lists can be grouped.',
    }),
    meaning: Type.String({
      description: 'Data that a rule removes; "earlier" means before its number of days.',
      examples: ['Samples that began earlier.'],
    }),
    minimum_days: Type.Integer({ minimum: 1, description: 'Minimum number of days of a rule.' }),
    maximum_days: Type.Integer({ minimum: 1, description: 'Maximum number of days of a rule.' }),
  },
  { title: 'RetainedResource' },
)

export const RetainedResources = Type.Object(
  { data: Type.Array(RetainedResourceView) },
  { title: 'RetainedResources' },
)
export type RetainedResources = Type.Static<typeof RetainedResources>

const RetentionEffect = Type.Object(
  {
    resource: Resource,
    days: Days,
    older_than: DateTime,
    rows: Type.Integer({ minimum: 0 }),
    people: Type.Integer({ minimum: 0 }),
  },
  { title: 'RetentionEffect' },
)

export const RetentionDryRun = Type.Object(
  { effects: Type.Array(RetentionEffect), held_people: Type.Integer({ minimum: 0 }) },
  { title: 'RetentionDryRun' },
)
export type RetentionDryRun = Type.Static<typeof RetentionDryRun>
