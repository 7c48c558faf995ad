import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

interface BuiltPages {
  folder: string
  remove(): void
}

/** However slow the machine is; after it the pages are built once more. */
const SHARED_PATIENCE_MS = 90_000

/**
 * Builds the pages as `npm ci` does, into a folder of their own, so that the tests see the code as
 * it is. Test files of one run share the folder that SALUS_TEST_PAGES names: the first one builds
 * it, and whoever runs them removes it.
 */
export async function buildPages(): Promise<BuiltPages> {
  const shared = process.env.SALUS_TEST_PAGES
  if (shared !== undefined && (await isBuilt(shared))) {
    return { folder: shared, remove: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'salus-pages-'))
  await buildInto(folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

async function buildInto(folder: string): Promise<void> {
  // Most test files find the pages built, and loading it takes a second of the processor.
  const { build } = await import('vite')
  const root = join(import.meta.dirname, '..')
  const configFile = join(root, 'vite.config.ts')
  await build({ configFile, logLevel: 'error', build: { outDir: folder } })
}

/** Builds the shared folder, or waits until the process that came first has. */
async function isBuilt(folder: string): Promise<boolean> {
  if (takes(`${folder}-taken`)) {
    const draft = `${folder}-draft`
    await buildInto(draft)
    // It gets its name when it is whole.
    renameSync(draft, folder)
    return true
  }
  for (const end = Date.now() + SHARED_PATIENCE_MS; Date.now() < end; await delay(50)) {
    if (await stat(folder).catch(() => undefined)) return true
  }
  return false
}

/** Whether this process is the first one of the run that comes: the mark stays. */
function takes(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch {
    return false
  }
}
