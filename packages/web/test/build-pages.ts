import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

/** Builds the pages as `npm ci` does, into a folder of their own, so that the tests see the code as it is. */
export async function buildPages(): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'salus-pages-'))
  const root = join(import.meta.dirname, '..')
  await build({ configFile: join(root, 'vite.config.ts'), build: { outDir: folder } })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
