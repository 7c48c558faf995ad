import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Files of a catalog by their path inside the folder. */
export interface CatalogFiles {
  files: Map<string, string>
  /** Hash of paths and texts, which detects changes cheaply. */
  hash: Buffer
}

/** Reads the files of a catalog folder, or one file that is a whole catalog. */
export async function readCatalogFiles(path: string): Promise<CatalogFiles> {
  const isFolder = (await stat(path)).isDirectory()
  const names = isFolder ? await listFiles(path) : [basename(path)]
  const texts = await Promise.all(
    names.map((name) => readFile(isFolder ? join(path, name) : path, 'utf8')),
  )
  const files = new Map(names.map((name, index) => [name, texts[index] ?? '']))
  const hash = createHash('sha256')
  for (const [name, text] of files) hash.update(`${name}\0${text.length}\0${text}`)
  return { files, hash: hash.digest() }
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /^([a-z-]+\.json|loincs\.csv|orderables\/[a-z0-9_]+\.json)$/.test(name))
    .sort()
}

/**
 * Joins the files to one object: `lab-accounts.json` becomes `lab_accounts`,
 * `orderables/quest.json` becomes `orderables.quest`, and `loincs.csv` stays a text. A single file
 * is the object itself.
 * @throws SyntaxError naming the file that is not JSON
 */
export function bundleCatalog({ files }: CatalogFiles): Record<string, unknown> {
  const [only] = files
  const isWhole = files.size === 1 && only !== undefined && !files.has('labs.json')
  if (isWhole) return parseJson(...only) as Record<string, unknown>
  const catalog: Record<string, unknown> = {}
  const orderables: Record<string, unknown> = {}
  for (const [name, text] of files) {
    const key = basename(name, '.json')
    if (name === 'loincs.csv') catalog.loincs = text
    else if (name.startsWith('orderables/')) orderables[key] = parseJson(name, text)
    else catalog[key.replaceAll('-', '_')] = parseJson(name, text)
  }
  return { ...catalog, orderables }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SyntaxError(`${name} is not JSON: ${(cause as Error).message}`, { cause })
  }
}
