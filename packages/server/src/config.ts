import { SETTINGS } from './settings.registry.ts'

type Settings = { [Key in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Key]['read']> }

/** What the settings say, by the keys of their table, with what `auto` comes to. */
export interface Config extends Settings {
  providerEmulator: boolean
}

/**
 * Reads every setting from the environment. The only place that touches `process.env`.
 * @throws StartupError naming the setting and what it accepts.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const entries = Object.entries(SETTINGS).map(([key, { name, read }]) => [
    key,
    read(environment[name]),
  ])
  const settings = Object.fromEntries(entries) as Settings
  const isInProduction = settings.baseUrl?.startsWith('https:') ?? false
  return { ...settings, providerEmulator: settings.providerEmulator ?? !isInProduction }
}
