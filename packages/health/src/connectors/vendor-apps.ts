import { readFileSync } from 'node:fs'
import { PROVIDERS } from '@salus/contracts/providers'
import { createCredentialStore, Secret } from '@salus/kernel/crypto/credential-store'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { StartupError } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { missingSettings, sandboxSettings } from './app-settings.ts'
import type { Connector, VendorApp } from './connector.ts'
import { CONNECTORS } from './connectors.registry.ts'

/** The operator's apps by slug. The secrets are wrapped against accidental output. */
export type OperatorApps = ReadonlyMap<string, Secret>

export interface VendorAppsContext {
  readonly secrets: SecretBox
  readonly operatorApps: OperatorApps
}

/**
 * Returns the app that emulated vendors know, so that a sandbox needs no registration. Its secret,
 * which signs their messages, derives from the deployment's own key.
 */
export function sandboxAppOf(secrets: SecretBox): VendorApp {
  const [key] = secrets.deriveKeys('app of emulated vendors')
  return { clientId: 'sandbox', clientSecret: (key as Buffer).toString('base64url') }
}

/** Ways of signing in that need an app. */
const WITH_APP = new Set(['oauth', 'team_oauth', 'email'])

/** Name under which a team's own app is stored, sealed, in an environment. */
export const appCredentialName = (slug: string): string => `app:${slug}`

/**
 * Finds the app for a vendor: the team's own, otherwise the operator's, otherwise in a sandbox that
 * of the emulated vendors; undefined when none is registered.
 */
export async function findApp(
  { db, clock, environment }: Pick<Scope, 'db' | 'clock' | 'environment'>,
  { secrets, operatorApps }: VendorAppsContext,
  slug: string,
): Promise<VendorApp | undefined> {
  const name = appCredentialName(slug)
  const store = createCredentialStore(db, { secrets, clock })
  const own = await store.find({ environmentId: environment.id, userId: null, name })
  // Emulated vendors accept any app, so that an operator's secret never leaves production.
  const general = environment.kind === 'production' ? operatorApps.get(slug) : undefined
  const kept = own?.secret ?? general
  if (kept !== undefined) return JSON.parse(kept.reveal()) as VendorApp
  if (environment.kind !== 'sandbox') return undefined
  const connector = CONNECTORS.find((known) => known.slug === slug)
  const settings = sandboxSettings(connector ?? {})
  return { ...sandboxAppOf(secrets), ...(Object.keys(settings).length > 0 && { settings }) }
}

/**
 * Whether users can be connected to a provider here: it needs no app, or has one, with all required
 * settings.
 */
export async function isConfigured(
  scope: Pick<Scope, 'db' | 'clock' | 'environment'>,
  context: VendorAppsContext,
  connector: Pick<Connector, 'slug' | 'appSettings'> & { auth: { kind: string } },
): Promise<boolean> {
  const { slug, auth, appSettings = {} } = connector
  const isRequired = Object.values(appSettings).some((setting) => setting.isRequired)
  if (!WITH_APP.has(auth.kind) && !isRequired) return true
  const app = await findApp(scope, context, slug)
  return WITH_APP.has(auth.kind) ? app !== undefined : missingSettings(connector, app).length === 0
}

/**
 * Parses SALUS_PROVIDER_APPS: JSON, or the path of a JSON file, such as `{"oura": {"client_id":
 * "…", "client_secret": "…"}}`. Some connectors need further `secrets` (`Connector.appSecrets`);
 * those by password have `settings` only (`Connector.appSettings`).
 * @throws StartupError that names the problem without quoting the setting
 */
export function parseOperatorApps(
  setting: string | undefined,
  connectors: readonly Connector[] = CONNECTORS,
): OperatorApps {
  if (setting === undefined || setting.trim() === '') return new Map()
  const json = setting.trimStart().startsWith('{') ? setting : readFile(setting)
  const apps = parseJson(json)
  if (!isRecord(apps)) throw settingError('must be a JSON object of providers')
  return new Map(
    Object.entries(apps).map(([slug, app]) => {
      const connector = connectors.find((known) => known.slug === slug)
      return [slug, new Secret(toJson(slug, app, connector))]
    }),
  )
}

function toJson(slug: string, app: unknown, connector: Connector | undefined): string {
  const provider = PROVIDERS.find((known) => known.slug === slug)
  const needsApp = provider !== undefined && WITH_APP.has(provider.authType)
  const hasSettings = connector?.appSettings !== undefined
  if (!needsApp && !hasSettings) {
    // An unknown slug may be a secret in the wrong position, so it is not shown.
    throw settingError('names a provider that does not exist or needs no app')
  }
  const given = isRecord(app) ? app : {}
  const { client_id: clientId = '', client_secret: clientSecret = '', secrets, settings } = given
  const isComplete = isText(clientId) && isText(clientSecret)
  if (needsApp && !isComplete) {
    throw settingError(`must give ${slug} a client_id and a client_secret, both not empty`)
  }
  if (!needsApp && (clientId !== '' || clientSecret !== '')) {
    throw settingError(`must give ${slug} settings only, and no client_id`)
  }
  for (const [name, values] of Object.entries({ secrets, settings })) {
    if (values !== undefined && !isRecord(values)) {
      throw settingError(`must give ${slug} an object of ${name}`)
    }
  }
  const problem = connector && problemOf(connector, secrets ?? {}, settings ?? {})
  if (problem !== undefined) throw settingError(`must give ${slug} ${problem}`)
  return JSON.stringify({ clientId, clientSecret, secrets, settings })
}

const problemOf = (connector: Connector, secrets: object, settings: object): string | undefined =>
  problemOfSecrets(connector, { ...secrets }) ??
  problemOfNames('settings', connector.appSettings ?? {}, { ...settings })

/**
 * Returns what is wrong with the further secrets of an app, with the names that the connector
 * knows; undefined when nothing is.
 */
export function problemOfSecrets(
  { appSecrets = {} }: Pick<Connector, 'appSecrets'>,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  return problemOfNames('secrets', appSecrets, given)
}

function problemOfNames(
  what: 'secrets' | 'settings',
  declared: Readonly<Record<string, { isRequired?: boolean; default?: string }>>,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = missingNames(declared, given)
  if (missing.length > 0) return `the ${what} ${missing.join(', ')}, not empty`
  const known = Object.keys(declared)
  const isKnown = ([name, value]: [string, unknown]) => known.includes(name) && isText(value)
  if (Object.entries(given).every(isKnown)) return undefined
  const names = known.length === 0 ? '' : ` but ${known.join(', ')}`
  return `no ${what}${names}, each a text that is not empty`
}

/** Returns the names of required secrets that an app does not have. */
export function missingSecrets(
  { appSecrets = {} }: Pick<Connector, 'appSecrets'>,
  given: Readonly<Record<string, unknown>>,
): string[] {
  return missingNames(appSecrets, given)
}

function missingNames(
  declared: Readonly<Record<string, { isRequired?: boolean; default?: string }>>,
  given: Readonly<Record<string, unknown>>,
): string[] {
  const required = Object.entries(declared).filter(
    ([, value]) => value.isRequired && value.default === undefined,
  )
  return required.map(([name]) => name).filter((name) => !isText(given[name]))
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw settingError('is neither a JSON object nor the path of a file that can be read')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw settingError('is not valid JSON')
  }
}

const settingError = (problem: string): StartupError =>
  new StartupError(`SALUS_PROVIDER_APPS ${problem}.`)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
