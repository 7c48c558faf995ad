import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
/** What decides about the answers to reads of samples and summaries. */
const FOLDERS = ['kernel', 'contracts', 'accounts', 'health'].map((name) => `packages/${name}/src`)

let id: string | undefined
let reading: Promise<string> | undefined

/**
 * Returns a text that is equal in two processes only if they run the same code, so that an answer
 * of one is an answer of the other; undefined until it is known, soon after the first call.
 */
export function findBuildId(): string | undefined {
  // Without it answers have no tags, and nothing else.
  if (id === undefined) readBuildId().catch(() => undefined)
  return id
}

/** Returns what findBuildId returns, when it is known. */
export function readBuildId(): Promise<string> {
  reading ??= hashSources()
  return reading
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  // The rules of time zones come with Node.js.
  hash.update(`${process.version} ${process.versions.tz}\n`)
  // An image may lack it, and has the packages of its build.
  hash.update(await readFile(join(ROOT, 'package-lock.json')).catch(() => ''))
  for (const path of await listSources()) {
    hash.update(`${path}\n`).update(await readFile(join(ROOT, path)))
  }
  id = hash.digest('base64url')
  return id
}

async function listSources(): Promise<string[]> {
  const found = FOLDERS.map(async (folder) => {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  })
  return (await Promise.all(found)).flat().sort()
}
