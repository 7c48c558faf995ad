import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../../terminal/cli-error.ts'
import { readInput, STDIN } from '../../terminal/input.ts'

/** A catalog in the form that the server accepts. */
export interface CatalogBundle {
  /** JSON of the whole catalog. */
  body: Buffer
  /** Whether it was read from a folder, for naming the files of problems. */
  isFolder: boolean
}

const CATALOG_FILE = /^([a-z-]+\.json|loincs\.csv|orderables\/[a-z0-9_]+\.json)$/

/**
 * Reads a catalog: one JSON file, or a folder whose files become its properties
 * (`lab-accounts.json` the property `lab_accounts`, `orderables/quest.json` the property `quest` of
 * `orderables`, and `loincs.csv` a text).
 * @throws CliError for a path that does not exist, cannot be read, or is not JSON
 */
export async function readCatalogBundle(path: string): Promise<CatalogBundle> {
  const isFolder =
    path !== STDIN && (await readable(path, async () => (await stat(path)).isDirectory()))
  const catalog = isFolder ? await readFolder(path) : parseJson(path, await readText(path))
  return { body: Buffer.from(JSON.stringify(catalog)), isFolder }
}

async function readFolder(folder: string): Promise<object> {
  const names = await readable(folder, () => readdir(folder, { recursive: true }))
  const files = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => CATALOG_FILE.test(name))
    .sort()
  if (!files.includes('labs.json')) {
    throw new CliError(`${folder} contains no catalog: there is no labs.json.`)
  }
  const catalog: Record<string, unknown> = {}
  const orderables: Record<string, unknown> = {}
  for (const name of files) {
    const text = await readText(join(folder, name))
    const key = name.replace(/^orderables\//, '').replace(/\.json$/, '')
    if (name === 'loincs.csv') catalog.loincs = text
    else if (name.startsWith('orderables/')) orderables[key] = parseJson(name, text)
    else catalog[key.replaceAll('-', '_')] = parseJson(name, text)
  }
  return { ...catalog, orderables }
}

const readText = async (path: string): Promise<string> => (await readInput(path)).toString()

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new CliError(`${path} ${reason}.`, { cause })
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CliError(`${name} is not JSON: ${(cause as Error).message}.`, { cause })
  }
}
