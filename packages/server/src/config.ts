import { SETTINGS } from './settings.registry.ts'

/** What the settings say, by the keys of their table. */
export type Config = { [Key in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Key]['read']> }

/**
 * Reads every setting from the environment. The only place that touches `process.env`.
 * @throws StartupError naming the setting and what it accepts.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const entries = Object.entries(SETTINGS).map(([key, { name, read }]) => [
    key,
    read(environment[name]),
  ])
  return Object.fromEntries(entries)
}
