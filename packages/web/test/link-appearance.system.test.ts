import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations } from './accessibility.ts'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { startFakeSalus } from './fake-salus.ts'
import { GALLERY, LINK_ERRORS } from './page-gallery.ts'
import { agree, seeStep } from './page-visits.ts'

/**
 * How the pages look and read. Screenshots of all go into the folder SALUS_SCREENSHOTS, where one
 * is named.
 */

const screenshots = process.env.SALUS_SCREENSHOTS
const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

const fixture = createBrowserFixture(startFakeSalus)

async function takePictures(page: Page, name: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      await page.setViewportSize(viewport)
      const path = join(folder, `${name.replaceAll(' ', '-')}.${colorScheme}.${device}.png`)
      await page.screenshot({ path, fullPage: true })
    }
    await page.setViewportSize(PHONE)
  }
}

async function holdPage(page: Page, name: string): Promise<void> {
  assert.deepEqual(await findViolations(page), [], name)
  if (screenshots !== undefined) await takePictures(page, name, screenshots)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.equal(width, PHONE.width, `${name} fits the narrowest phone`)
}

describe('how the link page looks', { skip: skipBrowserTests }, () => {
  for (const [name, lead] of GALLERY) {
    test(`${name}: no rule of accessibility is broken in light and dark, at 320 pixels`, async () => {
      await fixture.visit(
        async (page) => {
          await lead(page, fixture.site)
          await holdPage(page, name)
        },
        { viewport: PHONE },
      )
    })
  }

  test('every error: a page of its own, and no rule of accessibility is broken', async () => {
    const titles = new Set<string>()
    await fixture.visit(
      async (page) => {
        for (const type of LINK_ERRORS) {
          const query = `state=error&error_type=${type}&provider=oura`
          await page.goto(`${fixture.site.baseUrl}/link/done?${query}`)
          titles.add(await page.locator('h1').innerText())
          await holdPage(page, `error ${type}`)
        }
      },
      { viewport: PHONE },
    )
    assert.equal(titles.size, LINK_ERRORS.length)
    assert.ok(!titles.has('Something went wrong'))
  })

  test('speaks the language of the browser, where it knows it', async () => {
    const languages: [locale: string, tag: string, title: string][] = [
      ['de-AT', 'de', 'Gesundheitsdaten mit Example Health teilen'],
      ['es-MX', 'es', 'Comparta sus datos de salud con Example Health'],
      ['fr-CA', 'fr', 'Partagez vos données de santé avec Example Health'],
      ['en-GB', 'en', 'Share your health data with Example Health'],
      ['pt-BR', 'en', 'Share your health data with Example Health'],
    ]
    for (const [locale, tag, title] of languages) {
      const options = { locale, viewport: PHONE }
      await fixture.visit(async (page) => {
        await page.goto(await fixture.site.openLink())
        await seeStep(page, title)
        assert.equal(await page.getAttribute('html', 'lang'), tag)
        assert.equal(await page.title(), title)
        await holdPage(page, `consent in ${locale}`)
      }, options)
    }
  })

  test('takes the color of the team, and stays readable whatever that is', async () => {
    for (const color of ['#ffffff', '#000000', '#ffe600', '#7a1fa2', 'no color']) {
      fixture.site.team = { ...fixture.site.team, brand_color: color }
      await fixture.visit(
        async (page) => {
          await page.goto(await fixture.site.openLink())
          await seeStep(page, /Share your health data/)
          await holdPage(page, `consent in ${color.replace('#', '')}`)
        },
        { viewport: PHONE },
      )
    }
    fixture.site.team = { ...fixture.site.team, brand_color: null }
  })

  test('shows the logo of the team, and sends its host no referrer', async () => {
    const logo_url = 'https://team.example/logo.svg'
    fixture.site.team = { ...fixture.site.team, logo_url }
    const referrers: (string | undefined)[] = []
    await fixture.visit(
      async (page) => {
        await page.route(logo_url, async (route) => {
          referrers.push((await route.request().allHeaders()).referer)
          const body = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>'
          await route.fulfill({ contentType: 'image/svg+xml', body })
        })
        await page.goto(await fixture.site.openLink())
        await page.locator('.page-head img').waitFor()
        const width = 'document.images[0].decode().then(() => document.images[0].naturalWidth)'
        assert.equal(await page.evaluate(width), 90)
      },
      { logoUrl: logo_url },
    )
    fixture.site.team = { ...fixture.site.team, logo_url: null }
    assert.deepEqual(referrers, [undefined])
  })

  test('moves little for whom wants that', async () => {
    await fixture.visit(
      async (page) => {
        await page.goto(await fixture.site.openLink())
        await agree(page)
        const style = `getComputedStyle(document.querySelector('.mantine-ActionIcon-root')).transitionProperty`
        assert.equal(await page.evaluate(style), 'none')
      },
      { reducedMotion: 'reduce' },
    )
  })
})
