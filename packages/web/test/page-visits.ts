import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export interface Visit {
  page: Page
  /**
   * Addresses outside the deployment that the page asked by itself, and complaints of the browser.
   */
  breaches: string[]
  close(): Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  /** The one address elsewhere that a page asks by itself: that of a team's logo. */
  logoUrl?: string
  /** Origins of other sites that take part. */
  others?: readonly string[]
  /** Errors that the browser is to write on the console. */
  complaints?: RegExp
  /** Addresses below the deployment that may be refused; unless it is given, any may. */
  refused?: RegExp
}

/** Opens an empty page of a person with nothing kept, and watches what the link page does there. */
export async function startVisit(
  browser: Browser,
  baseUrl: string,
  { logoUrl, others = [], refused = /^/, complaints = /^$/, ...options }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  // A machine at its limits is no fault of the page.
  context.setDefaultTimeout(45_000)
  const page = await context.newPage()
  const breaches: string[] = []
  page.on('request', (request) => {
    // What the page has made itself stands for a file of its own.
    const url = request.url().replace(/^blob:/, '')
    const isOwn = [baseUrl, ...others].some((origin) => url.startsWith(`${origin}/`))
    if (isOwn || url === logoUrl || request.isNavigationRequest()) return
    breaches.push(`asked ${url}`)
  })
  page.on('response', (response) => {
    const path = response.url().replace(baseUrl, '')
    if (response.status() < 400 || refused.test(path)) return
    breaches.push(`was refused with ${response.status()}: ${response.request().method()} ${path}`)
  })
  page.on('pageerror', (error) => breaches.push(`threw ${error.message}`))
  page.on('console', (message) => {
    const isRefusal = /Failed to load resource/.test(message.text())
    const isExpected = isRefusal || complaints.test(message.text())
    if (message.type() === 'error' && !isExpected) breaches.push(`complained: ${message.text()}`)
  })
  return { page, breaches, close: () => context.close() }
}

/** The page has come to a step: its heading is there and has the focus, so that it is read out. */
export async function seeStep(page: Page, title: string | RegExp): Promise<void> {
  const heading = page.getByRole('heading', { level: 1, name: title })
  await heading.waitFor()
  const focused = await page.locator('h1:focus').count()
  assert.equal(focused, 1, `the heading ${title} has the focus`)
}

export async function agree(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Agree and/ }).click()
}

export async function choose(page: Page, provider: string): Promise<void> {
  await agree(page)
  await page.getByRole('button', { name: provider }).click()
}

export async function signIn(page: Page, password: string, username = 'ada'): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Connect' }).click()
}
