import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { skipBrowserTests, startBrowser } from './browser.ts'
import { buildPages } from './build-pages.ts'
import { startVisit, type VisitOptions } from './page-visits.ts'

/** A deployment that pages are opened of. */
export interface Site {
  /** Without a slash at its end. */
  baseUrl: string
  close(): Promise<void>
}

export interface BrowserFixture<Opened extends Site> {
  site: Opened
  /**
   * Does something on a page of its own, and holds against the page what the browser complained of.
   */
  visit(act: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void>
}

/** A browser, built pages and a server for the tests of a file. */
export function createBrowserFixture<Opened extends Site>(
  startSite: (folder: string) => Promise<Opened>,
): BrowserFixture<Opened> {
  const fixture = {} as BrowserFixture<Opened>
  let browser: Browser | undefined
  let removePages: (() => void) | undefined
  let opening: Promise<void> | undefined
  const open = async () => {
    const started = await startBrowser()
    browser = started
    const pages = await buildPages()
    removePages = pages.remove
    fixture.site = await startSite(pages.folder)
    fixture.visit = async (act, options) => {
      const { page, breaches, close } = await startVisit(started, fixture.site.baseUrl, options)
      try {
        await act(page)
      } finally {
        await close()
      }
      assert.deepEqual(breaches, [])
    }
  }
  before(async () => {
    if (skipBrowserTests) return
    opening = open()
    await opening
  })
  after(async () => {
    // Where a pattern of names leaves no test, node:test does not wait for `before`.
    await opening?.catch(() => undefined)
    await browser?.close()
    await fixture.site?.close()
    removePages?.()
  })
  return fixture
}
