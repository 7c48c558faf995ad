import { StartupError } from '@salus/kernel/errors'
import { distance } from 'fastest-levenshtein'
import { SETTINGS } from './settings.registry.ts'

type Settings = { [Key in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Key]['read']> }

/** Values of the settings, by the keys of their table, with the value that `auto` stands for. */
export interface Config extends Settings {
  providerEmulator: boolean
}

/**
 * Reads every setting from the environment; no other code reads `process.env`.
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

/**
 * Refuses a process of several that has no address of them all: it would write its own address into
 * links, redirects and events.
 * @throws StartupError
 */
export function requireSharedAddress({ databaseUrl, roles, migrate, baseUrl }: Config): void {
  const isOneOfSeveral = databaseUrl !== undefined && roles.length === 1 && migrate !== 'only'
  if (!isOneOfSeveral || baseUrl !== undefined) return
  throw new StartupError(
    `Set SALUS_BASE_URL to the address by which clients reach all processes, because SALUS_ROLES=${roles.join()} needs other processes.`,
  )
}

/** Returns the messages of all settings that a start would refuse, which names only the first. */
export function listRefusals(environment: NodeJS.ProcessEnv = process.env): string[] {
  const refusals = Object.values(SETTINGS).flatMap(({ name, read }) =>
    refusalOf(() => read(environment[name])),
  )
  return refusals.length > 0
    ? refusals
    : refusalOf(() => requireSharedAddress(readConfig(environment)))
}

function refusalOf(check: () => void): string[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof StartupError) return [error.message]
    throw error
  }
}

const PREFIX = 'SALUS_'
/** Variables that the command line, the files in deploy/, and tests read. */
const OF_OTHERS =
  /^SALUS_(URL|IMAGE|DOMAIN|TLS|UPSTREAMS|CHROMIUM|SCREENSHOTS|SKIP_BROWSER_TESTS|TEST_\w+)$/
/**
 * Letters that may differ between a name and the one that was meant; two that changed places count
 * twice.
 */
const MOST_DIFFERENT = 2

export interface UnknownSetting {
  name: string
  /** The setting that was probably meant; undefined when no name is similar. */
  nearest: string | undefined
}

/** Finds variables that begin like a setting but are none, so that a mistyped one is noticed. */
export function findUnknownSettings(
  environment: NodeJS.ProcessEnv = process.env,
): UnknownSetting[] {
  const known = Object.values(SETTINGS).map(({ name }) => name)
  const isUnknown = (name: string) =>
    name.startsWith(PREFIX) && !known.includes(name) && !OF_OTHERS.test(name)
  const plain = (name: string) => name.replace(PREFIX, '')
  return Object.keys(environment)
    .filter(isUnknown)
    .map((name) => {
      const distances = known.map((other) => ({
        other,
        letters: distance(plain(name), plain(other)),
      }))
      const nearest = distances.toSorted((one, two) => one.letters - two.letters)[0]
      const isNear = nearest !== undefined && nearest.letters <= MOST_DIFFERENT
      return { name, nearest: isNear ? nearest.other : undefined }
    })
}
