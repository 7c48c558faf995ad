import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { areFresh, type GeneratedFiles, rememberFresh } from './generate/freshness.ts'

/**
 * Generates documents and code from the tables and schemas in the code, where sources changed.
 *
 *   node scripts/generate.ts [options]
 *
 *   --check    changes no file in git, names the outdated ones, and exits with 1 if there are any
 *   --ignored  only files that git ignores: part of `npm ci`, with or without packages for
 *              development
 */
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    ignored: { type: 'boolean', default: false },
  },
})
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const kind: GeneratedFiles = options.ignored ? 'ignored' : 'all'

const outdated = areFresh(kind) ? [] : await makeFiles()
if (outdated.length > 0) {
  console.error(`Out of date: ${outdated.join(', ')}. Run: npm run generate`)
  process.exitCode = 1
} else if (options.check) console.log('All generated documents are up to date.')

/** Writes the files that changed; returns those that may not be written. */
async function makeFiles(): Promise<string[]> {
  const { TRACKED, IGNORED } = await import('./generate/documents.ts')
  const { formatDocument } = await import('./generate/format.ts')
  const found: string[] = []
  for (const [name, make] of Object.entries(
    options.ignored ? IGNORED : { ...IGNORED, ...TRACKED },
  )) {
    const content = formatDocument(name, make())
    // A checkout may have converted line ends, which is not a difference.
    if (readOrNothing(name)?.replaceAll('\r\n', '\n') === content) continue
    if (options.check && name in TRACKED) found.push(name)
    else write(name, content)
  }
  rememberFresh('ignored', Object.keys(IGNORED))
  if (found.length > 0) return found
  if (kind === 'all') rememberFresh('all', Object.keys({ ...IGNORED, ...TRACKED }))
  return []
}

function write(name: string, content: string): void {
  const path = join(ROOT, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  console.log(`wrote ${name}`)
}

function readOrNothing(name: string): string | undefined {
  try {
    return readFileSync(join(ROOT, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
