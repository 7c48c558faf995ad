import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../../platform/http/app-types.ts'
import { baseUrlOf } from '../../platform/http/base-url.ts'
import { Success, TextEnum, Uuid } from '../../platform/http/schema-types.ts'
import { PROVIDER_SLUGS } from '../providers/index.ts'
import {
  Device,
  ManualConnectionBody,
  ProviderConnections,
  ProviderDescription,
  ProviderListQuery,
  SdkProvider,
} from './connections.schema.ts'
import * as connections from './connections.service.ts'

export interface ConnectionRoutesOptions {
  config: { baseUrl: string | undefined }
}

const tags = ['Connections']
const ByUserId = Type.Object({ user_id: Uuid })

export function registerConnectionRoutes(app: App, { config }: ConnectionRoutesOptions): void {
  const context = (request: FastifyRequest): connections.ConnectionsContext => ({
    ...request.scope,
    baseUrl: baseUrlOf(request, config.baseUrl),
  })

  registerLinkRoutes(app, context)
  registerUserConnectionRoutes(app, context)
  registerDeviceRoutes(app, context)
}

type ContextOf = (request: FastifyRequest) => connections.ConnectionsContext

function registerLinkRoutes(app: App, context: ContextOf): void {
  app.get(
    '/v2/providers',
    {
      schema: {
        tags,
        summary: 'Providers that can be connected',
        querystring: ProviderListQuery,
        response: { 200: Type.Array(ProviderDescription) },
      },
    },
    async (request) =>
      connections.listProviders(context(request).baseUrl, request.query.source_type),
  )

  app.post(
    '/v2/link/provider/manual/:provider',
    {
      schema: {
        tags,
        summary: 'Connect a user to an SDK provider',
        description: '409 means connected already.',
        params: Type.Object({ provider: SdkProvider }),
        body: ManualConnectionBody,
        response: { 200: Success },
      },
    },
    async (request) => {
      await connections.connectManually(context(request), request.params.provider, request.body)
      return { success: true }
    },
  )
}

function registerUserConnectionRoutes(app: App, context: ContextOf): void {
  app.get(
    '/v2/user/providers/:user_id',
    {
      schema: {
        tags,
        summary: "A user's connections",
        params: ByUserId,
        response: { 200: ProviderConnections },
      },
    },
    async (request) => ({
      providers: await connections.listConnections(context(request), request.params.user_id),
    }),
  )

  app.delete(
    '/v2/user/:user_id/:provider',
    {
      schema: {
        tags,
        summary: 'End a connection',
        description: 'The data that it brought stays.',
        params: Type.Object({ user_id: Uuid, provider: TextEnum(PROVIDER_SLUGS) }),
        response: { 200: Success },
      },
    },
    async (request) => {
      const { user_id, provider } = request.params
      await connections.disconnect(context(request), user_id, provider)
      return { success: true }
    },
  )
}

function registerDeviceRoutes(app: App, context: ContextOf): void {
  app.get(
    '/v2/user/:user_id/device',
    {
      schema: {
        tags,
        summary: "A user's devices",
        params: ByUserId,
        response: { 200: Type.Array(Device) },
      },
    },
    (request) => connections.listDevices(context(request), request.params.user_id),
  )

  app.get(
    '/v2/user/:user_id/device/:device_id',
    {
      schema: {
        tags,
        summary: 'One device of a user',
        params: Type.Object({ user_id: Uuid, device_id: Uuid }),
        response: { 200: Device },
      },
    },
    (request) =>
      connections.getDevice(context(request), request.params.user_id, request.params.device_id),
  )
}
