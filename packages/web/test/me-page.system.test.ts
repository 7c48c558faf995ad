import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations } from './accessibility.ts'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { startRealSalus } from './real-salus.ts'

/**
 * The page of a person against the whole server. Screenshots go into the folder SALUS_SCREENSHOTS,
 * where one is named.
 */

const fixture = createBrowserFixture(startRealSalus)
const screenshots = process.env.SALUS_SCREENSHOTS
const PHONE = { width: 390, height: 844 }
const WIDTHS = [390, 768, 1440]

/** Waits for a section and holds it against the rules of accessibility, at the width of a phone. */
async function holdSection(page: Page, name: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'hidden' })
  assert.deepEqual(await findViolations(page), [], name)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.equal(width, PHONE.width, `${name} fits a phone`)
  if (screenshots !== undefined) await takePictures(page, name, screenshots)
}

async function takePictures(page: Page, name: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const path = join(folder, `${name}.${colorScheme}.${width}.png`)
      await page.screenshot({ path, fullPage: true })
    }
  }
  await page.setViewportSize(PHONE)
}

const openSection = async (page: Page, name: string, title: string): Promise<void> => {
  await page.getByRole('navigation').getByRole('button', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

describe('the page of a person', { skip: skipBrowserTests }, () => {
  test('opens by a link once, shows each section on a phone, and shares a part', async () => {
    const url = await fixture.site.openPortal()
    let shareUrl = ''
    await fixture.visit(
      async (page) => {
        await page.goto(url)
        await page.getByRole('heading', { level: 1, name: 'Your data' }).waitFor()
        // The code is in no history.
        assert.doesNotMatch(page.url(), /code/)
        const steps = page.getByRole('article').filter({ hasText: 'Steps' })
        await steps.getByText('4,003').first().waitFor()
        await holdSection(page, 'data')
        await page.reload()
        await page.getByRole('heading', { level: 1, name: 'Your data' }).waitFor()
        await openSection(page, 'Results', 'Laboratory results')
        await holdSection(page, 'results')
        await openSection(page, 'Connections', 'Connections')
        await page.getByText('Connected. New data arrive by themselves.').waitFor()
        await page.getByRole('button', { name: 'Disconnect' }).click()
        await holdSection(page, 'connections')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await openSection(page, 'Sharing', 'Sharing')
        shareUrl = await share(page)
        await holdSection(page, 'sharing')
        await openSection(page, 'My rights', 'My rights')
        await page.getByRole('button', { name: 'Ask for the erasure' }).click()
        await page.getByRole('button', { name: 'Yes, ask for it' }).click()
        await page.getByText('You asked for it on').waitFor()
        await holdSection(page, 'rights')
        await openSection(page, 'Who looked', 'Who looked at your data')
        await page.getByText('You', { exact: true }).first().waitFor()
        await holdSection(page, 'access')
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
        await page.goto('about:blank')
        await page.goto(url)
        await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
        await holdSection(page, 'used-link')
      },
      { viewport: PHONE },
    )
    await fixture.visit(
      async (page) => {
        await page.goto(shareUrl)
        await page.getByText('Shared with Dr. Weber until').waitFor()
        await page.getByRole('article').filter({ hasText: 'Heart rate' }).waitFor()
        assert.equal(await page.getByRole('article').count(), 1)
        assert.equal(await page.getByRole('navigation').count(), 0)
        await holdSection(page, 'share')
      },
      { viewport: PHONE },
    )
  })

  test('speaks the language of the link', () =>
    fixture.visit(
      async (page) => {
        const languages = [
          ['de', 'Ihre Daten', 'Wer hat hineingesehen', 'Wer Ihre Daten angesehen hat'],
          ['es', 'Sus datos', 'Quién ha mirado', 'Quién ha mirado sus datos'],
          ['fr', 'Vos données', 'Qui a consulté', 'Qui a consulté vos données'],
        ] as const
        for (const [language, title, name, section] of languages) {
          await page.goto(await fixture.site.openPortal({ language }))
          await page.getByRole('heading', { level: 1, name: title }).waitFor()
          await page.goto('about:blank')
          await page.goto(`${fixture.site.baseUrl}/me`)
          await page.getByRole('heading', { level: 1, name: title }).waitFor()
          await openSection(page, name, section)
          await holdSection(page, `language-${language}`)
        }
      },
      { viewport: PHONE },
    ))
})

/** Shares heart data by the form; @returns the link */
async function share(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByText('Enter with whom you share.').waitFor()
  await page.getByLabel('With whom').fill('Dr. Weber')
  await page.getByLabel('Heart and breathing').check()
  await page.getByRole('button', { name: 'Make the link' }).click()
  const field = page.getByLabel('Link for Dr. Weber')
  await field.waitFor()
  return field.inputValue()
}
