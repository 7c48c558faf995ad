import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { watchFiles } from '../dev/watch-files.ts'
import { findTestFiles, type Ring, ringOf } from './files.ts'

/**
 * Runs tests, and again when a file changes, until the process ends. With words these are the files
 * that they name; without, those beside the changed file.
 */
export async function watchTests(
  rings: Ring[],
  words: string[],
  run: (files: string[]) => Promise<void>,
): Promise<never> {
  let changed: string[] = []
  let wake = () => {}
  watchFiles(['packages', 'scripts'], (paths) => {
    changed = [...changed, ...paths]
    wake()
  })
  if (words.length > 0) await run(findTestFiles(rings, words))
  for (;;) {
    console.log('\nWaiting for a file to change.')
    if (changed.length === 0) {
      await new Promise<void>((done) => {
        wake = done
      })
    }
    const paths = changed
    changed = []
    const files = words.length > 0 ? findTestFiles(rings, words) : findTestsBeside(paths)
    if (files.length > 0) await run(files)
    else console.log(`No test file is beside ${paths.join(', ')}.`)
  }
}

/** Returns changed test files, and those in the folders of other changed files; no campaigns. */
export function findTestsBeside(paths: string[], root = '.'): string[] {
  const found = paths.flatMap((path) => {
    if (path.endsWith('.test.ts')) return existsSync(join(root, path)) ? [path] : []
    return globSync(join(dirname(path), '*.test.ts'), { cwd: root })
  })
  return [...new Set(found)].filter((file) => ringOf(file) !== 'long').sort()
}
