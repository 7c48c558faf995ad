import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { EventTypePrefixes } from '../organization/environment-settings.schema.ts'

/** Destinations of events as the public interface names them; `svix` stands for webhooks. */
const DESTINATIONS = ['cloud_pubsub', 'rabbitmq', 'svix', 'azure_amqp'] as const

const Destination = TextEnum(DESTINATIONS, {
  description: 'Destination of events; `svix` stands for webhooks.',
})

const Preferences = Type.Object({
  preferred: Destination,
  enabled: Type.Array(Destination, { minItems: 1, maxItems: 10 }),
})

/** No field of a destination is checked: one that is not available is refused whatever it holds. */
const settingsOf = (description: string) =>
  Nullable(Type.Object({}, { additionalProperties: true, description }))

const NOT_AVAILABLE = 'Destination that is not available; always null.'

const pipelineFields = {
  push_historical_data: Type.Boolean({
    description: 'Whether historical data emit data events too.',
  }),
  provider_raw_data: Type.Boolean({
    description:
      'Whether the raw data of providers are sent, which is not available; always false.',
  }),
  preferences: Preferences,
  cloud_pubsub: settingsOf(NOT_AVAILABLE),
  rabbitmq: settingsOf(NOT_AVAILABLE),
  svix: settingsOf('Settings of webhooks, which are always enabled.'),
  azure_amqp: settingsOf(NOT_AVAILABLE),
  event_type_prefixes: Nullable(EventTypePrefixes),
}

export const Pipeline = Type.Object({ team_id: Uuid, ...pipelineFields }, { title: 'Pipeline' })
export type Pipeline = Type.Static<typeof Pipeline>

export const PipelineListQuery = Type.Object({
  team_id: Type.Optional(Uuid),
  next_cursor: Type.Optional(Type.String()),
})
export type PipelineListQuery = Type.Static<typeof PipelineListQuery>

export const PipelineList = Type.Object({
  pipelines: Type.Array(Pipeline),
  next_cursor: Nullable(Type.String()),
})
export type PipelineList = Type.Static<typeof PipelineList>

const TeamIds = Type.Array(Uuid, { minItems: 1, maxItems: 100 })

export const PipelineUpdate = Type.Object({
  team_ids: TeamIds,
  ...Type.Partial(Type.Object(pipelineFields)).properties,
})
export type PipelineUpdate = Type.Static<typeof PipelineUpdate>

export const PipelineReset = Type.Object({ team_id: TeamIds })
