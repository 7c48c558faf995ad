import { EXAMPLE_IDS } from '@salus/contracts/examples'
import { PROVIDER_SLUGS } from '@salus/contracts/providers'
import { Success, TextEnum, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import {
  Device,
  ManualConnectionBody,
  ProviderConnections,
  SdkProvider,
} from './connections.schema.ts'
import * as connections from './connections.service.ts'

/** Public address of the deployment, for logos; undefined uses that of the request. */
interface ConnectionConfig {
  baseUrl: string | undefined
}

const tags = ['Connections']
const ByUserId = Type.Object({ user_id: Uuid })

interface ConnectionRoutesOptions extends Pick<connections.ConnectionViews, 'scopesOf'> {
  config: ConnectionConfig
}

/** Routes of connections and devices, and of connecting to a provider on the phone. */
export function registerConnectionRoutes(app: App, options: ConnectionRoutesOptions): void {
  registerManualRoute(app, options.config)
  registerUserConnectionRoutes(app, options)
  registerDeviceRoutes(app)
}

function registerManualRoute(app: App, config: ConnectionConfig): void {
  app.post(
    '/v2/link/provider/manual/:provider',
    {
      config: { appAccess: 'body' },
      schema: {
        operationId: 'createManualConnection',
        tags,
        summary: 'Connect a user to an SDK provider',
        description:
          'Creates the connection of a user to a provider of the SDK. Responds with 409 when the connection exists.',
        params: Type.Object({ provider: SdkProvider }),
        body: ManualConnectionBody,
        'x-body-example': { user_id: EXAMPLE_IDS.user },
        response: { 200: Success },
      },
    },
    async (request) => {
      const { provider } = request.params
      const baseUrl = baseUrlOf(request, config.baseUrl)
      await connections.connectManually(request.scope, provider, request.body, baseUrl)
      return { success: true }
    },
  )
}

function registerUserConnectionRoutes(
  app: App,
  { config, scopesOf }: ConnectionRoutesOptions,
): void {
  app.get(
    '/v2/user/providers/:user_id',
    {
      config: { appAccess: 'path' },
      schema: {
        operationId: 'listUserConnections',
        tags,
        summary: 'List the connections of a user',
        description:
          'Returns the connections of the user with the state of each connection and of each of its resources.',
        params: ByUserId,
        response: { 200: ProviderConnections },
      },
    },
    async (request) => {
      const views = { baseUrl: baseUrlOf(request, config.baseUrl), scopesOf }
      const { user_id } = request.params
      return { providers: await connections.listConnections(request.scope, user_id, views) }
    },
  )

  app.delete(
    '/v2/user/:user_id/:provider',
    {
      config: { appAccess: 'path' },
      schema: {
        operationId: 'deleteConnection',
        tags,
        summary: 'Delete a connection',
        description: 'Ends the connection. The data that it brought are kept.',
        params: Type.Object({ user_id: Uuid, provider: TextEnum(PROVIDER_SLUGS) }),
        response: { 200: Success },
      },
    },
    async (request) => {
      const { user_id, provider } = request.params
      await connections.endConnection(request.scope, user_id, provider)
      return { success: true }
    },
  )
}

function registerDeviceRoutes(app: App): void {
  app.get(
    '/v2/user/:user_id/device',
    {
      schema: {
        operationId: 'listUserDevices',
        tags,
        summary: 'List the devices of a user',
        description: 'Returns the devices that uploads and imports named.',
        params: ByUserId,
        response: { 200: Type.Array(Device) },
      },
    },
    (request) => connections.listDevices(request.scope, request.params.user_id),
  )

  app.get(
    '/v2/user/:user_id/device/:device_id',
    {
      schema: {
        operationId: 'getUserDevice',
        tags,
        summary: 'Get a device of a user',
        description: 'Returns one device that uploads or imports named.',
        params: Type.Object({ user_id: Uuid, device_id: Uuid }),
        response: { 200: Device },
      },
    },
    (request) =>
      connections.getDevice(request.scope, request.params.user_id, request.params.device_id),
  )
}
