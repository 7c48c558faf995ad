import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import { SOURCE_TYPES } from '@salus/contracts/series'
import Type from 'typebox'
import { DATA_TYPES, PRIORITY_RESOURCES, SERIES_NAMES } from './data-types.ts'
import { LEAST_PRIORITY, MOST_PRIORITY } from './source-ranking.ts'

const DataTypeName = TextEnum(DATA_TYPES)
const Priority = Type.Integer({
  minimum: LEAST_PRIORITY,
  maximum: MOST_PRIORITY,
  description: 'Priority. The larger one wins; 0 is the default.',
})
const AnySourceType = Nullable(
  TextEnum(SOURCE_TYPES, {
    description: 'Source type to which the priority applies; null applies it to every type.',
  }),
)
const AppId = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'App to which the priority applies; null applies it to every app.',
  }),
)

export const TeamPriorityQuery = Type.Object({
  data_type: Type.Optional(DataTypeName),
})
export type TeamPriorityQuery = Type.Static<typeof TeamPriorityQuery>

/** The priority of a provider for a data type, or for one series or source type of it. */
export const TeamSourcePriority = Type.Object(
  {
    data_type: DataTypeName,
    slug: Type.String({ description: 'Provider slug.' }),
    name: Type.String(),
    source_id: Type.Integer({ description: 'Numeric id of the provider.' }),
    priority: Priority,
    resource: Nullable(
      TextEnum(SERIES_NAMES, {
        description:
          'Series to which the priority applies; null applies it to the whole data type.',
      }),
    ),
    source_type: AnySourceType,
  },
  { title: 'TeamSourcePriority' },
)
export type TeamSourcePriority = Type.Static<typeof TeamSourcePriority>

export const TeamPriorityList = Type.Array(TeamSourcePriority)

export const TeamPriorityChanges = Type.Array(
  Type.Object(
    {
      data_type: DataTypeName,
      slug: Type.String({ description: 'Provider slug.' }),
      priority: Priority,
      resource: Type.Optional(
        Nullable(
          TextEnum(SERIES_NAMES, {
            description:
              'Series to which the priority applies, with data_type `timeseries`. Without it the priority applies to the whole data type.',
          }),
        ),
      ),
      source_type: Type.Optional(AnySourceType),
    },
    { title: 'TeamSourcePriorityChange' },
  ),
  { maxItems: 1000 },
)
export type TeamPriorityChanges = Type.Static<typeof TeamPriorityChanges>

const resource = Nullable(
  TextEnum(PRIORITY_RESOURCES, {
    description:
      'Series or data type to which the priority applies; null applies it to everything.',
  }),
)

export const UserSourcePriorities = Type.Object(
  {
    source_priorities: Type.Array(
      Type.Object(
        {
          resource,
          provider: Type.String({ description: 'Provider slug.' }),
          source_type: AnySourceType,
          app_id: Nullable(Type.String()),
          priority: Priority,
        },
        { title: 'UserSourcePriority' },
      ),
    ),
  },
  { title: 'UserSourcePriorities' },
)
export type UserSourcePriorities = Type.Static<typeof UserSourcePriorities>

export const UserSourcePrioritiesInput = Type.Object(
  {
    source_priorities: Type.Array(
      Type.Object(
        {
          resource: Type.Optional(resource),
          provider: Type.String({ description: 'Provider slug.' }),
          source_type: Type.Optional(AnySourceType),
          app_id: Type.Optional(AppId),
          priority: Priority,
        },
        { title: 'UserSourcePriorityInput' },
      ),
      { maxItems: 200 },
    ),
  },
  { title: 'UserSourcePrioritiesInput' },
)
export type UserSourcePrioritiesInput = Type.Static<typeof UserSourcePrioritiesInput>
