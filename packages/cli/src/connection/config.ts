import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { CliError } from '../terminal/cli-error.ts'
import {
  DEFAULT_DATA_DIRECTORY,
  DEFAULT_URL,
  type GlobalOptions,
  usedOptions,
} from './global-options.ts'

/** Address of the server, and the keys. */
export interface Connection {
  /** Address without a slash at its end. */
  url: string
  apiKey: Secret | undefined
  managementKey: Secret | undefined
  /** Folder of a local server; it need not exist. */
  dataDirectory: string
  /** Folder of what a later run of a command can use; it need not exist. */
  cacheDirectory: string
  /** Ids that keys.json holds beside the keys. */
  organizationId: string | undefined
  teamId: string | undefined
}

/** A key and its origin, so that a refused one can be traced. */
export interface Secret {
  value: string
  from: string
}

/** Returns the folder of a local server; it need not exist. */
export function readDataDirectory(command: Command): string {
  return command.optsWithGlobals<GlobalOptions>().dataDir || DEFAULT_DATA_DIRECTORY
}

/**
 * Finds the address and the keys that the command uses: options take precedence over the
 * environment, and that over keys.json.
 * @throws CliError for an invalid address, or a keys.json that cannot be read.
 */
export function readConnection(command: Command): Connection {
  const options = command.optsWithGlobals<GlobalOptions>()
  const used = usedOptions(command)
  const dataDirectory = readDataDirectory(command)
  const keysPath = join(dataDirectory, 'keys.json')
  const url = checkUrl(options.url || DEFAULT_URL)
  // Keys of a local server must not be sent elsewhere.
  const keys = isLocal(url) ? readKeys(keysPath) : {}
  const secret = (
    name: 'apiKey' | 'managementKey',
    flag: string,
    variable: string,
    kept?: string,
  ): Secret | undefined => {
    if (!used.includes(name)) return undefined
    const given = options[name]
    const isFlag = command.getOptionValueSourceWithGlobals(name) === 'cli'
    if (given) return { value: given, from: isFlag ? flag : variable }
    return kept ? { value: kept, from: keysPath } : undefined
  }
  return {
    url,
    apiKey: secret('apiKey', '--api-key', 'SALUS_API_KEY', keys.api_key),
    managementKey: secret(
      'managementKey',
      '--management-key',
      'SALUS_MANAGEMENT_KEY',
      keys.management_key,
    ),
    dataDirectory,
    cacheDirectory: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'salus'),
    organizationId: keys.organization_id,
    teamId: keys.team_id,
  }
}

function checkUrl(text: string): string {
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isHttp) throw new CliError('--url must start with http:// or https://.')
  return text.replace(/\/+$/, '')
}

function isLocal(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

interface KeysFile {
  api_key?: string
  management_key?: string
  organization_id?: string
  team_id?: string
}

/** Reads the keys that the first start of a local server wrote; empty without such a file. */
function readKeys(path: string): KeysFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KeysFile
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    const reason = code === undefined ? 'it is not JSON' : code
    throw new CliError(
      `${path} cannot be read (${reason}). Give the keys as options, or run "salus key recover".`,
      { cause },
    )
  }
}
