import { type Command, Option } from 'commander'

export interface GlobalOptions {
  url: string
  apiKey?: string
  managementKey?: string
  dataDir: string
}

export const DEFAULT_URL = 'http://127.0.0.1:8787'
export const DEFAULT_DATA_DIRECTORY = './data'

type Name = keyof GlobalOptions

const TEAM: readonly Name[] = ['url', 'apiKey', 'dataDir']
const MANAGEMENT: readonly Name[] = ['url', 'managementKey', 'dataDir']
/** An API key can look up the organization of a management key. */
const BOTH: readonly Name[] = ['url', 'apiKey', 'managementKey', 'dataDir']
const MACHINE: readonly Name[] = ['dataDir']

/**
 * Global options that a command can use, by the words that it begins with; the longest match
 * counts. Its help shows only these, and it receives no other key.
 */
const USED: Readonly<Record<string, readonly Name[]>> = {
  import: TEAM,
  users: TEAM,
  query: TEAM,
  orders: TEAM,
  sandbox: TEAM,
  'sandbox lab': BOTH,
  key: BOTH,
  'key recover': MACHINE,
  webhooks: BOTH,
  mcp: BOTH,
  demo: BOTH,
  status: MANAGEMENT,
  doctor: BOTH,
  catalog: MANAGEMENT,
  compendium: MANAGEMENT,
  'lab-connection': MANAGEMENT,
  centers: MANAGEMENT,
  payors: MANAGEMENT,
  icd10: MANAGEMENT,
  console: ['url', 'dataDir'],
  user: MACHINE,
  'user invite': ['url', 'dataDir'],
  receipt: ['url'],
  audit: MACHINE,
  erasure: MACHINE,
  secrets: MACHINE,
  backup: MACHINE,
  restore: MACHINE,
  move: MACHINE,
  shards: MACHINE,
  providers: MANAGEMENT,
  'providers map': [],
  parse: [],
  capacity: [],
  completion: [],
}

/**
 * Adds the options that can stand before or after every command. Only this file and config.ts read
 * the environment.
 */
export function addGlobalOptions(program: Command): void {
  const keysFile = 'keys.json in the data directory'
  program
    .addOption(
      new Option('--url <url>', 'address of the server').env('SALUS_URL').default(DEFAULT_URL),
    )
    .addOption(
      new Option('--api-key <key>', `API key of the team; default: the one of ${keysFile}`).env(
        'SALUS_API_KEY',
      ),
    )
    .addOption(
      new Option('--management-key <key>', `management key; default: the one of ${keysFile}`).env(
        'SALUS_MANAGEMENT_KEY',
      ),
    )
    .addOption(
      new Option('--data-dir <folder>', 'data directory of a local server')
        .env('SALUS_DATA_DIR')
        .default(DEFAULT_DATA_DIRECTORY),
    )
}

/** @throws Error for a command without a row in the table */
export function usedOptions(command: Command): readonly Name[] {
  const words = wordsOf(command)
  if (words.length === 0) return BOTH
  for (let count = words.length; count > 0; count--) {
    const used = USED[words.slice(0, count).join(' ')]
    if (used !== undefined) return used
  }
  throw new Error(`global-options.ts has no row for ${words.join(' ')}`)
}

/**
 * Returns the global options that help and completion show for a command; the program has all of
 * them.
 */
export function visibleGlobalOptions(command: Command): Option[] {
  const words = wordsOf(command)
  if (words.length === 0 || words[0] === 'help') return []
  const used: readonly string[] = usedOptions(command)
  return rootOf(command).options.filter((option) => used.includes(option.attributeName()))
}

const rootOf = (command: Command): Command =>
  command.parent === null ? command : rootOf(command.parent)

const wordsOf = (command: Command): string[] =>
  command.parent === null ? [] : [...wordsOf(command.parent), command.name()]
