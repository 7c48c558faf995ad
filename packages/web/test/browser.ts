import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where systems keep a Chromium, the first that is there. */
const CHROMIUMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Reason for skipping browser tests, if a setting skips them. */
export const skipBrowserTests =
  process.env.SALUS_SKIP_BROWSER_TESTS === 'yes' ? 'SALUS_SKIP_BROWSER_TESTS is yes' : false

/** @throws Error that says what to install, where there is no Chromium */
export async function startBrowser(): Promise<Browser> {
  const given = process.env.SALUS_CHROMIUM
  const executablePath = given ?? CHROMIUMS.find((path) => existsSync(path))
  if (executablePath === undefined || !existsSync(executablePath)) {
    throw new Error(
      'The tests of the link page need Chromium: install it (Debian: apt-get install chromium), name it in ' +
        'SALUS_CHROMIUM, or set SALUS_SKIP_BROWSER_TESTS=yes.',
    )
  }
  const flags = ['--disable-gpu', '--disable-background-networking', '--disable-sync']
  return chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', ...flags] })
}
