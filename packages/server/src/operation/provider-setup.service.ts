import { findProvider, PROVIDERS, type Provider } from '@salus/contracts/providers'
import {
  type Connector,
  type Connectors,
  missingSecrets,
  missingSettings,
  type OperatorApps,
  regionNames,
  statusOf,
  type VendorApp,
} from '@salus/health/connectors'
import { callbackUrl, countOwnApps } from '@salus/health/link'
import { appKeyOf, pushPath } from '@salus/health/pulling'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { notFound } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { checkApp, checkProvider, checkPublicAddress, checkPushAddress } from './provider-checks.ts'
import type {
  ProviderSetup,
  ProviderSetupDetails,
  ProviderSetupList,
} from './provider-setup.schema.ts'

export interface ProviderSetupOptions {
  db: Db
  secrets: SecretBox
  connectors: Connectors
  operatorApps: OperatorApps
  config: { baseUrl?: string | undefined }
}

/** Ways of signing in that need an app. */
const WITH_APP = new Set(['oauth', 'email'])

/** Returns every provider with its state, and whether an app of it is configured. */
export async function listProviderSetups(
  options: ProviderSetupOptions,
): Promise<ProviderSetupList> {
  const teams = await countOwnApps(options.db)
  return { data: PROVIDERS.map((provider) => toSetup(options, provider, teams)) }
}

function toSetup(
  { connectors, operatorApps }: ProviderSetupOptions,
  { slug, name, authType, resources }: Provider,
  teams: ReadonlyMap<string, number>,
): ProviderSetup {
  const connector = connectors.find(slug)
  const needsApp =
    connector !== undefined &&
    (WITH_APP.has(connector.auth.kind) ||
      Object.values(connector.appSettings ?? {}).some(({ isRequired }) => isRequired))
  const app = operatorApps.has(slug) ? 'configured' : 'missing'
  return {
    ...{ provider: slug, provider_name: name, auth_type: authType, ...statusOf(slug, connector) },
    app: needsApp ? app : 'not_needed',
    team_apps: teams.get(slug) ?? 0,
    resources: [...resources],
  }
}

/**
 * Returns what connecting a provider needs and checks it, also whether the public address of the
 * deployment is reachable.
 * @param baseUrl Public address, or that of the request where none is set.
 * @throws AppError 404
 */
export async function checkProviderSetup(
  options: ProviderSetupOptions,
  slug: string,
  baseUrl: string,
): Promise<ProviderSetupDetails> {
  const provider = findProvider(slug)
  if (provider === undefined) throw notFound('Provider')
  const setup = toSetup(options, provider, await countOwnApps(options.db))
  const connector = options.connectors.find(slug)
  if (connector === undefined) {
    return {
      ...setup,
      ...NOTHING,
      history_days: provider.historicalDays,
      checks: [checkProvider(setup)],
    }
  }
  const kept = options.operatorApps.get(slug)
  const app = kept && (JSON.parse(kept.reveal()) as VendorApp)
  const pushUrl = pushUrlOf(options, connector, app, baseUrl)
  const isOAuth = connector.auth.kind === 'oauth'
  const missing = app ? missingSecrets(connector, app.secrets ?? {}) : []
  const needsAddress = isOAuth || connector.push !== undefined
  const address = needsAddress ? await checkPublicAddress(options.config.baseUrl) : []
  const isReachable = address.every(({ state }) => state === 'ok')
  return {
    ...setup,
    checks: [
      checkProvider(setup),
      checkApp(setup, missing, missingSettings(connector, app)),
      ...address,
      ...(connector.push ? [await checkPushAddress(pushUrl, isReachable)] : []),
    ],
    redirect_url: isOAuth ? callbackUrl(baseUrl, slug) : null,
    push_url: pushUrl,
    push_is_subscribed:
      connector.push?.subscribe !== undefined || connector.push?.subscribeUser !== undefined,
    app_secrets: Object.entries(connector.appSecrets ?? {}).map(
      ([name, { meaning, isRequired }]) => ({
        ...{ name, meaning, is_required: isRequired },
        is_set: app?.secrets?.[name] !== undefined,
      }),
    ),
    app_settings: Object.entries(connector.appSettings ?? {}).map(([name, setting]) => ({
      ...{ name, meaning: setting.meaning, is_required: setting.isRequired ?? false },
      is_set: app?.settings?.[name] !== undefined,
      default: setting.default ?? null,
    })),
    ...factsOf(connector),
    history_days: provider.historicalDays,
  }
}

/**
 * @returns null for a vendor that does not sign while no app is configured, because the address
 *   depends on the app
 */
function pushUrlOf(
  { secrets }: ProviderSetupOptions,
  { slug, push }: Connector,
  app: VendorApp | undefined,
  baseUrl: string,
): string | null {
  if (push === undefined || (push.verify === undefined && app === undefined)) return null
  const appKey = app === undefined ? '' : appKeyOf(slug, app)
  return `${baseUrl}${pushPath(secrets, { slug, push }, appKey)}`
}

function factsOf({ auth, budgets, guide }: Connector) {
  return {
    scopes: auth.kind === 'oauth' ? [...auth.scopes] : [],
    regions: regionNames(auth),
    limits: guide.limits,
    budgets: budgets.map(({ per, requests, seconds }) => ({
      ...{ per: per === 'credential' ? ('connection' as const) : per, requests, seconds },
    })),
    time_zones: guide.timeZones,
    documentation: guide.documentation,
    registration: [...guide.registration],
    notes: [...guide.notes],
  }
}

const NOTHING = {
  redirect_url: null,
  push_url: null,
  push_is_subscribed: false,
  app_secrets: [],
  app_settings: [],
  scopes: [],
  regions: [],
  limits: null,
  budgets: [],
  time_zones: null,
  documentation: null,
  registration: [],
  notes: [],
}
