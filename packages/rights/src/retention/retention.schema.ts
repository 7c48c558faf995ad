import { DateTime, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { MOST_DAYS, RETAINED_KINDS, RETAINED_RESOURCES } from './retention.registry.ts'

/** How long an environment keeps what (docs/contract/18-persons-rights.md#retention). */

const Resource = TextEnum(
  RETAINED_RESOURCES.map(({ name }) => name),
  { description: 'A series, a summary, or another kind of data.' },
)
const Days = Type.Integer({
  minimum: 1,
  maximum: MOST_DAYS,
  description:
    'What began, ended or came longer ago than so many days, counted in UTC, is removed. Records of laboratories have a minimum.',
})

const RetentionRuleInput = Type.Object(
  { resource: Resource, days: Days },
  { title: 'RetentionRuleInput', additionalProperties: false },
)

export const RetentionRulesInput = Type.Object(
  {
    rules: Type.Array(RetentionRuleInput, {
      maxItems: RETAINED_RESOURCES.length,
      description: 'All rules, one a resource.',
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
    kind: TextEnum(RETAINED_KINDS, { description: 'What lists of resources are grouped by.' }),
    meaning: Type.String({
      description: 'What a rule removes; earlier is more than its days ago.',
      examples: ['Samples that began earlier.'],
    }),
    minimum_days: Type.Integer({ minimum: 1, description: 'Fewer are refused.' }),
    maximum_days: Type.Integer({ minimum: 1, description: 'More are refused.' }),
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
