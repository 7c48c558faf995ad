import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Runs test files one after the other in this process, each as a suite under its path. */
export function runTogether(files: string[]): void {
  for (const file of files) {
    describe(file, async () => {
      try {
        await import(pathToFileURL(resolve(file)).href)
      } catch (error) {
        test('the file can be loaded', () => {
          throw error
        })
      }
    })
  }
}
