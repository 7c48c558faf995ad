import { defineEvent } from '@salus/contracts/event-type'
import { ProviderRef } from '@salus/contracts/providers'
import { Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { Device, ResourceAvailability } from './connections.schema.ts'

const ConnectionCreated = Type.Object(
  {
    user_id: Uuid,
    provider: ProviderRef,
    source: Type.Object(ProviderRef.properties, {
      deprecated: true,
      description: 'The value of `provider`.',
    }),
    external_user_id: Nullable(Type.String()),
    resource_availability: Type.Record(Type.String(), ResourceAvailability),
  },
  { title: 'ConnectionCreated' },
)

const ConnectionError = Type.Object(
  {
    user_id: Uuid,
    provider: Type.String({ description: 'Provider slug.' }),
    message: Type.String(),
    error_type: Type.String(),
    error_details: Type.String(),
  },
  { title: 'ConnectionError' },
)

const EXAMPLE_USER_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const EXAMPLE_PROVIDER = {
  name: 'Health Connect',
  slug: 'health_connect',
  logo: 'https://salus.example.com/assets/providers/health_connect.svg',
}

export const connectionCreated = defineEvent({
  name: 'provider.connection.created',
  data: ConnectionCreated,
  meaning: 'A user was connected to a provider, for the first time or again.',
  isAboutUser: true,
  example: {
    user_id: EXAMPLE_USER_ID,
    provider: EXAMPLE_PROVIDER,
    source: EXAMPLE_PROVIDER,
    external_user_id: null,
    resource_availability: { heartrate: { status: 'available', scope_requirements: null } },
  },
})

export const connectionFailed = defineEvent({
  name: 'provider.connection.error',
  data: ConnectionError,
  meaning: 'A connection failed and needs the user to connect again; retries cannot repair it.',
  isAboutUser: true,
  example: {
    user_id: EXAMPLE_USER_ID,
    provider: 'oura',
    message: 'The provider no longer accepts the access that the user granted.',
    error_type: 'token_refresh_failed',
    error_details: 'The person has to connect again.',
  },
})

const EXAMPLE_DEVICE = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  user_id: EXAMPLE_USER_ID,
  provider: 'health_connect',
  source_type: 'watch',
  app_id: 'com.example.watch',
  device_manufacturer: 'Example',
  device_model: 'Watch 2',
  device_version: '2.0.1',
  device_id: null,
}

export const deviceCreated = defineEvent({
  name: 'provider.device.created',
  data: Device,
  meaning: 'Data named a device that was not yet known for the user.',
  isAboutUser: true,
  example: EXAMPLE_DEVICE,
})

export const deviceUpdated = defineEvent({
  name: 'provider.device.updated',
  data: Device,
  meaning:
    'A known device reported another software version. Changes within 5 seconds become one event.',
  isAboutUser: true,
  example: { ...EXAMPLE_DEVICE, device_version: '2.0.2' },
})

/** The events that this domain raises. */
export const CONNECTION_EVENTS = [connectionCreated, connectionFailed, deviceCreated, deviceUpdated]
