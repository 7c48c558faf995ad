import type { Connector, ResolvedApp, VendorApp } from './connector.ts'

interface WithSettings extends Pick<Connector, 'appSettings'> {
  readonly auth: { readonly kind: string }
}

const NO_APP: VendorApp = { clientId: '', clientSecret: '' }

/**
 * Returns an app with the defaults of the connector for what it does not set; undefined where there
 * is none. A provider by password has settings without an app.
 */
export function resolveApp(
  connector: WithSettings,
  app: VendorApp | undefined,
): ResolvedApp | undefined {
  const isNone = app === undefined && connector.auth.kind !== 'password'
  return isNone ? undefined : withSettings(connector, app)
}

/** Does the same for a provider by password, which never lacks an app. */
export function withSettings(
  { appSettings = {} }: Pick<Connector, 'appSettings'>,
  app: VendorApp = NO_APP,
): ResolvedApp {
  const defaults = Object.entries(appSettings).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { ...app, settings: { ...Object.fromEntries(defaults), ...app.settings } }
}

/** Returns the settings that emulated vendors expect. */
export function sandboxSettings({
  appSettings = {},
}: Pick<Connector, 'appSettings'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(appSettings).map(([name, setting]) => [
      name,
      setting.sandbox ?? setting.default ?? 'sandbox',
    ]),
  )
}

/** Returns the names of required settings without a value. */
export function missingSettings(
  connector: Pick<Connector, 'appSettings'>,
  app: VendorApp | undefined,
): string[] {
  const { settings } = withSettings(connector, app)
  return Object.entries(connector.appSettings ?? {})
    .filter(([name, { isRequired }]) => isRequired && !settings[name])
    .map(([name]) => name)
}
