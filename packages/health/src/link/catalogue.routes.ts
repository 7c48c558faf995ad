import { logoUrl, type Provider } from '@salus/contracts/providers'
import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import { describeHere } from './available-providers.ts'
import type { LinkContext } from './link.context.ts'
import { listConnectableProviders } from './linkable-providers.ts'

const ProviderDescription = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    logo: Nullable(Type.String()),
    auth_type: Nullable(Type.String()),
    supported_resources: Type.Array(Type.String()),
  },
  { title: 'ProviderDescription' },
)
type ProviderDescription = Type.Static<typeof ProviderDescription>

const BLE_SUFFIX = /_ble$/

/**
 * Returns the kind of a provider in the filter of the list: meters are ble, SDK stores are apps.
 */
function sourceTypeOf(provider: Provider): 'app' | 'ble' | 'provider' {
  if (BLE_SUFFIX.test(provider.slug)) return 'ble'
  return provider.authType === 'sdk' ? 'app' : 'provider'
}

function toDescription(
  provider: Provider,
  context: LinkContext,
  baseUrl: string,
): ProviderDescription {
  return {
    name: provider.name,
    slug: provider.slug,
    description: describeHere(provider, context),
    logo: logoUrl(baseUrl, provider.slug),
    auth_type: provider.authType,
    supported_resources: [...provider.resources],
  }
}

/** Registers the list of providers (docs/contract/03-link.md#provider-catalogue-endpoint). */
export function registerCatalogueRoute(app: App, context: LinkContext): void {
  app.get(
    '/v2/providers',
    {
      config: { personIn: 'none' },
      schema: {
        operationId: 'listProviders',
        tags: ['Connections'],
        summary: 'List providers',
        description:
          'Returns the providers that can be connected, with the resources of each and the way to sign in.',
        querystring: Type.Object({
          source_type: Type.Optional(
            Nullable(TextEnum(['app', 'ble', 'device', 'lab', 'provider'])),
          ),
        }),
        response: { 200: Type.Array(ProviderDescription) },
      },
    },
    async (request) => {
      const { source_type: wanted } = request.query
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const providers = await listConnectableProviders(request.scope, context)
      return providers
        .filter((provider) => !wanted || sourceTypeOf(provider) === wanted)
        .map((provider) => toDescription(provider, context, baseUrl))
    },
  )
}
