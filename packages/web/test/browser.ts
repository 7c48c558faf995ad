import { type Browser, chromium } from 'playwright-core'
import { findChromium, HOW_TO_GET_CHROMIUM } from './find-chromium.ts'

/**
 * Why browser tests do not run, or false. Without a Chromium they are skipped, unless
 * SALUS_REQUIRE_BROWSER_TESTS is `yes`, as in `.ci/run`: they fail then.
 */
export const skipBrowserTests: string | false = findReasonToSkip()

function findReasonToSkip(): string | false {
  const { SALUS_SKIP_BROWSER_TESTS, SALUS_REQUIRE_BROWSER_TESTS } = process.env
  if (SALUS_SKIP_BROWSER_TESTS === 'yes') return 'SALUS_SKIP_BROWSER_TESTS is yes'
  if (SALUS_REQUIRE_BROWSER_TESTS === 'yes') return false
  return findChromium() === undefined ? HOW_TO_GET_CHROMIUM : false
}

/** @throws Error that says what to install, where there is no Chromium */
export async function startBrowser(): Promise<Browser> {
  const found = findChromium()
  if (found === undefined) throw new Error(HOW_TO_GET_CHROMIUM)
  const flags = ['--disable-gpu', '--disable-background-networking', '--disable-sync']
  return chromium.launch({
    executablePath: found.executablePath,
    args: ['--headless', '--no-sandbox', ...flags],
    env: { ...process.env, ...found.env },
  })
}
