import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where systems keep a Chromium, the first that is there. The one without windows comes first: it
 * takes a fifth less of the processor.
 */
const CHROMIUMS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where `npm run chromium` puts a Chromium with its libraries and fonts. */
export const FETCHED_CHROMIUM = join(
  import.meta.dirname,
  '../../../node_modules/.cache/salus-chromium',
)

/** What a message about a missing Chromium says. */
export const HOW_TO_GET_CHROMIUM =
  'Tests of pages need Chromium: install it (Debian: apt-get install chromium-headless-shell), name it in SALUS_CHROMIUM, ' +
  'or run npm run chromium, which fetches one with npm.'

/** A browser, and environment variables that it needs beside those of the process. */
interface Chromium {
  executablePath: string
  env: Record<string, string>
}

/** Finds the Chromium that SALUS_CHROMIUM names, the system's, or the one that was fetched. */
export function findChromium(): Chromium | undefined {
  const given = process.env.SALUS_CHROMIUM
  const paths = given === undefined ? CHROMIUMS : [given]
  const executablePath = paths.find((path) => existsSync(path))
  if (executablePath !== undefined) return { executablePath, env: {} }
  const fetched = join(FETCHED_CHROMIUM, 'chromium')
  if (given !== undefined || !existsSync(fetched)) return undefined
  const env = { LD_LIBRARY_PATH: join(FETCHED_CHROMIUM, 'lib'), FONTCONFIG_PATH: FETCHED_CHROMIUM }
  return { executablePath: fetched, env }
}
