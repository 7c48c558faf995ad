import { SDK_PROVIDER_SLUGS } from '@salus/contracts/providers'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const ScopeLists = Type.Object({
  required: Type.Array(Type.String()),
  optional: Type.Array(Type.String()),
})

export const ResourceAvailability = Type.Object(
  {
    status: TextEnum(['available', 'unavailable']),
    scope_requirements: Nullable(
      Type.Object({ user_granted: ScopeLists, user_denied: ScopeLists }),
    ),
  },
  { title: 'ResourceAvailability' },
)
export type ResourceAvailability = Type.Static<typeof ResourceAvailability>

const ConnectionErrorDetails = Type.Object(
  { error_type: Type.String(), error_message: Type.String(), errored_at: DateTime },
  { title: 'ConnectionErrorDetails' },
)

export const ProviderConnection = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    logo: Type.String(),
    status: Type.String({ description: 'State of the connection: connected, error or paused.' }),
    created_on: DateTime,
    resource_availability: Type.Record(Type.String(), ResourceAvailability),
    error_details: Nullable(ConnectionErrorDetails),
    external_user_id: Nullable(Type.String()),
  },
  { title: 'ProviderConnection' },
)
export type ProviderConnection = Type.Static<typeof ProviderConnection>

export const ProviderConnections = Type.Object(
  { providers: Type.Array(ProviderConnection) },
  { title: 'ProviderConnections' },
)

export const SdkProvider = TextEnum(SDK_PROVIDER_SLUGS)

export const ManualConnectionBody = Type.Object(
  {
    user_id: Uuid,
    provider_id: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
    granted_permissions: Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: 1000 }))),
  },
  { title: 'ManualConnection' },
)
export type ManualConnectionBody = Type.Static<typeof ManualConnectionBody>

export const Device = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    provider: Type.String(),
    source_type: Type.String(),
    app_id: Nullable(Type.String()),
    device_manufacturer: Nullable(Type.String()),
    device_model: Nullable(Type.String()),
    device_version: Nullable(Type.String()),
    device_id: Nullable(Type.String()),
  },
  { title: 'Device' },
)
export type Device = Type.Static<typeof Device>
