import { basename, join } from 'node:path'
import { build } from 'vite'

/**
 * Bundles a program of a test with all that it imports into one file, which starts in a quarter of
 * the time; tests that start one a hundred times need that.
 * @param external packages that are not bundled, such as those with native parts
 * @returns the path of the file
 */
export async function bundleProgram(
  entry: string,
  folder: string,
  external: readonly string[],
): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: [...external] },
    build: { ssr: entry, outDir: folder, target: 'node24', minify: false, emptyOutDir: false },
  })
  return join(folder, basename(entry).replace(/\.ts$/, '.js'))
}
