import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../browser.ts'
import { buildPages } from '../build-pages.ts'
import { CONSOLE_PAGES, type ConsolePage } from './console-pages.registry.ts'
import { type ConsoleSite, isTooWide, startConsoleSite } from './console-site.ts'

/**
 * `npm run screenshots -- [word…] [--out FOLDER]`: takes a picture of every page of the console
 * with the demo team, or of those whose names contain a word: wide and light, wide and dark, on a
 * tablet and on a phone; with `--look phone` only so. Pages that scroll sideways are named.
 * `--docs` takes those that the documentation shows, into docs/images.
 */
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'screenshots' },
    docs: { type: 'boolean', default: false },
    look: { type: 'string', multiple: true, default: [] },
  },
})

const DOCS_FOLDER = join(import.meta.dirname, '../../../../docs/images')
const WIDE = { width: 1280, height: 860 }
const TABLET = { width: 768, height: 1024 }
const PHONE = { width: 390, height: 844 }
const LOOKS = [
  { name: 'light', viewport: WIDE, colorScheme: 'light' },
  { name: 'dark', viewport: WIDE, colorScheme: 'dark' },
  { name: 'tablet', viewport: TABLET, colorScheme: 'light' },
  { name: 'phone', viewport: PHONE, colorScheme: 'light' },
] as const
type Look = (typeof LOOKS)[number]

/**
 * Some pages never stop loading, such as those with a stream: their picture is taken after this
 * time.
 */
const QUIET_MS = 4_000

const isWanted = ({ name, inDocs }: ConsolePage): boolean =>
  values.docs
    ? inDocs !== undefined
    : words.length === 0 || words.some((word) => name.includes(word))

const pages = await buildPages()
const site = await startConsoleSite(pages.folder)
const browser = await startBrowser()
try {
  for (const page of CONSOLE_PAGES.filter(isWanted)) {
    const wanted = LOOKS.filter(({ name }) =>
      values.docs ? name === page.inDocs : values.look.length === 0 || values.look.includes(name),
    )
    for (const look of wanted) await photograph(browser, site, page, look)
  }
} finally {
  await browser.close()
  await site.close()
  pages.remove()
}
process.exit(0)

async function photograph(
  browser: Browser,
  site: ConsoleSite,
  { name, path, prepare }: ConsolePage,
  { name: look, viewport, colorScheme }: Look,
): Promise<void> {
  const folder = values.docs ? DOCS_FOLDER : values.out
  mkdirSync(folder, { recursive: true })
  const file = values.docs ? `console-${name}.png` : `${name}.${look}.png`
  const context = await browser.newContext({
    viewport,
    colorScheme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    await openPage(page, site, await path(site))
    await prepare?.(page)
    await settle(page)
    await page.screenshot({ path: join(folder, file), fullPage: !values.docs })
    process.stdout.write(`${file}${(await isTooWide(page)) ? ' scrolls sideways' : ''}\n`)
  } catch (error) {
    process.stdout.write(`${file}: ${error instanceof Error ? error.message : error}\n`)
  } finally {
    await context.close()
  }
}

/** The sign-in page is for those who are not signed in. */
async function openPage(page: Page, site: ConsoleSite, path: string): Promise<void> {
  if (path !== '/signin') return site.open(page, path)
  await page.goto(`${site.baseUrl}/console/signin`)
  await page.locator('h1').first().waitFor()
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
  await page
    .waitForFunction('document.querySelector(".waiting") === null', undefined, {
      timeout: QUIET_MS,
    })
    .catch(() => undefined)
}
