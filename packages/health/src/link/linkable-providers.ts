import {
  findProvider,
  logoUrl,
  PROVIDERS,
  type Provider,
  type ProviderRef,
  providerNumber,
  toProviderRef,
} from '@salus/contracts/providers'
import type { Scope } from '@salus/kernel/scope'
import { listConnections } from '../connections/index.ts'
import {
  type Connector,
  isConfigured,
  type OAuthConnector,
  type PasswordSignIn,
  refusalOf,
  regionNames,
} from '../connectors/index.ts'
import { describeHere } from './available-providers.ts'
import type { LinkContext } from './link.context.ts'
import type { Source, SourceLink } from './link.schema.ts'

export interface LinkableProvider {
  provider: Provider
  connector: Connector
}

/** Returns the cloud providers that users of the environment can be connected to, by name. */
export async function listLinkableProviders(
  scope: Scope,
  context: Pick<LinkContext, 'connectors' | 'secrets' | 'operatorApps'>,
): Promise<LinkableProvider[]> {
  const known = context.connectors.all.flatMap((connector) => {
    const provider = findProvider(connector.slug)
    return provider === undefined ? [] : [{ provider, connector }]
  })
  const isLinkable = await Promise.all(
    known.map(
      async ({ connector }) =>
        refusalOf(connector.slug, connector, scope.environment) === undefined &&
        (await isConfigured(scope, context, connector)),
    ),
  )
  return known
    .filter((_, index) => isLinkable[index])
    .sort((a, b) => a.provider.name.localeCompare(b.provider.name, 'en'))
}

/**
 * Returns the providers that can be connected here: SDK providers and linkable ones, in the order
 * of the table.
 */
export async function listConnectableProviders(
  scope: Scope,
  context: LinkContext,
): Promise<Provider[]> {
  const linkable = new Set(
    (await listLinkableProviders(scope, context)).map(({ provider }) => provider),
  )
  return PROVIDERS.filter((provider) => provider.authType === 'sdk' || linkable.has(provider))
}

/** Stores of health data on a phone, which no server can reach: an app of the team sends them. */
const APP_PROVIDERS = ['apple_health_kit', 'health_connect']

/** Returns the providers for which the link page explains what a person does on the phone. */
export function listAppProviders(baseUrl: string): ProviderRef[] {
  return APP_PROVIDERS.flatMap((slug) => findProvider(slug) ?? []).map((provider) =>
    toProviderRef(baseUrl, provider),
  )
}

/** Returns what a user is connected to already, by name, with the state of each. */
export async function listConnected(
  scope: Scope,
  userId: string,
  baseUrl: string,
): Promise<(ProviderRef & { status: string })[]> {
  const rows = await listConnections(scope, userId)
  return rows
    .flatMap(({ provider: slug, status }) => {
      const provider = findProvider(slug)
      return provider === undefined ? [] : [{ ...toProviderRef(baseUrl, provider), status }]
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

const TEXT_FIELD = { type: 'text' }

/** Returns the fields of a sign-in form (docs/contract/03-link.md#get-v2linkproviders). */
function formOf({ auth }: Connector, region: 'us' | 'eu'): Record<string, unknown> {
  if (auth.kind === 'oauth') return regionField(auth, region)
  if (auth.kind === 'email') {
    const { default: usual, served } = auth.regions[region]
    return {
      email: { label: 'E-mail', type: 'email' },
      region: { label: 'Region', options: [...served], default: usual },
    }
  }
  return {
    username: { label: 'User name or e-mail', ...TEXT_FIELD },
    password: { label: 'Password', type: 'password' },
    ...regionField(auth, region),
  }
}

/** Returns the choice of a vendor's region; no field for a vendor that has one for all. */
function regionField(
  auth: OAuthConnector['auth'] | PasswordSignIn,
  region: 'us' | 'eu',
): { region?: Record<string, unknown> } {
  const options = regionNames(auth)
  if (options.length === 0) return {}
  const usual = options.includes(region) ? region : options[0]
  const { regionOfOthers: others } = auth
  return { region: { label: 'Region', options, default: usual, ...(others && { others }) } }
}

/**
 * Converts a provider for the list of the link page, with the fields of its form; it has no sign-in
 * URL yet.
 */
export function toSourceLink(
  { provider, connector }: LinkableProvider,
  context: Pick<LinkContext, 'connectors'>,
  { baseUrl, region }: { baseUrl: string; region: string },
): SourceLink {
  return {
    id: providerNumber(provider.slug),
    name: provider.name,
    slug: provider.slug,
    description: describeHere(provider, context),
    logo: logoUrl(baseUrl, provider.slug),
    oauth_url: null,
    auth_type: provider.authType,
    form_components: formOf(connector, region === 'eu' ? 'eu' : 'us'),
  }
}

/**
 * Converts a provider for the answer of an OAuth sign-in; `oauthUrl` is the URL of the vendor's
 * sign-in page.
 */
export function toSource(provider: Provider, baseUrl: string, oauthUrl: string): Source {
  return {
    id: providerNumber(provider.slug),
    name: provider.name,
    slug: provider.slug,
    description: provider.description,
    logo: logoUrl(baseUrl, provider.slug),
    group: null,
    oauth_url: oauthUrl,
    auth_type: provider.authType,
    source_type: 'device',
    is_active: true,
    backfill_num_days: provider.historicalDays,
  }
}
