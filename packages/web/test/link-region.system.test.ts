import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { THIRTY_PROVIDERS } from './fake-providers.registry.ts'
import { startFakeSalus } from './fake-salus.ts'
import { agree, seeStep } from './page-visits.ts'

/** The choice of the region before the sign-in page of a provider that has several. */

const fixture = createBrowserFixture(startFakeSalus)

const TITLE = 'Choose the region of your Dexcom account'
const regionOf = (page: Page) => page.getByLabel('Country or region of your account')
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue to Dexcom' }).click()
const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const atVendor = (page: Page) => page.getByRole('heading', { name: 'Allow access' }).waitFor()

/** Regions in the requests to the vendor's page, since it was called last. */
const regionsAsked = (): (string | null)[] =>
  fixture.site.vendorRequests
    .splice(0)
    .map(({ url }) => new URL(url, 'http://vendor'))
    .filter(({ pathname }) => pathname === '/authorize')
    .map(({ searchParams }) => searchParams.get('region'))

describe('a provider with regions', { skip: skipBrowserTests }, () => {
  beforeEach(() => {
    fixture.site.providers = THIRTY_PROVIDERS
    fixture.site.vendorRequests.splice(0)
  })
  const visit = (name: string, act: (page: Page) => Promise<void>): void => {
    test(name, () => fixture.visit(act))
  }

  visit('asks for one, the usual one at first, and leads to its page', async (page) => {
    await page.goto(await fixture.site.openLink())
    await agree(page)
    await choose(page, 'Dexcom')
    await seeStep(page, TITLE)
    assert.equal(await page.title(), TITLE)
    assert.deepEqual(await regionOf(page).getByRole('option').allInnerTexts(), [
      'Please choose',
      'Japan',
      'United States',
      'All other countries',
    ])
    assert.equal(await regionOf(page).inputValue(), 'us')
    await goOn(page)
    await atVendor(page)
    assert.deepEqual(regionsAsked(), ['us'])
    await page.goBack()
    await agree(page)
    await choose(page, 'Dexcom')
    await regionOf(page).selectOption('eu')
    await goOn(page)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await seeStep(page, /^Dexcom.* is connected$/)
    assert.deepEqual(regionsAsked(), ['eu'])
  })

  visit('shows in the step that a region is refused, or that none is chosen', async (page) => {
    await page.goto(await fixture.site.openLink({ provider: 'dexcom_v3' }))
    await agree(page)
    for (const [region, error] of [
      ['jp', 'Dexcom is not available in this country or region here.'],
      ['jp', 'Dexcom is not available in this country or region here.'],
      ['', 'Choose where your account is registered.'],
    ] as const) {
      await regionOf(page).selectOption(region)
      await goOn(page)
      const wrong = regionOf(page).and(page.locator('[aria-invalid="true"]:focus'))
      await wrong.waitFor()
      const described = String(await wrong.getAttribute('aria-describedby'))
      const id = described.split(' ').find((part) => part.endsWith('-error'))
      await page.locator(`[id="${id}"]`).getByText(error).waitFor()
      assert.equal(await regionOf(page).inputValue(), region)
    }
    assert.deepEqual(regionsAsked(), [])
    await regionOf(page).selectOption('us')
    assert.equal(await page.locator('[aria-invalid="true"]').count(), 0)
    await goOn(page)
    await atVendor(page)
    assert.deepEqual(regionsAsked(), ['us'])
  })

  visit('leads back to the list, or to the consent with one provider', async (page) => {
    const back = page.getByRole('button', { name: 'Back' })
    await page.goto(await fixture.site.openLink())
    await agree(page)
    await choose(page, 'Dexcom')
    await back.click()
    await seeStep(page, 'Choose your provider')
    await page.goto(await fixture.site.openLink({ provider: 'dexcom_v3' }))
    await agree(page)
    await back.click()
    await seeStep(page, /Share your Dexcom data/)
  })

  visit('is connected with the keyboard alone', async (page) => {
    await page.goto(await fixture.site.openLink({ provider: 'dexcom_v3' }))
    await seeStep(page, /Share your Dexcom data/)
    await page.getByRole('button', { name: /^Agree and/ }).press('Enter')
    await seeStep(page, TITLE)
    await page.keyboard.press('Tab')
    await regionOf(page).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('All')
    await page.keyboard.press('Tab')
    const submit = page.getByRole('button', { name: 'Continue to Dexcom' })
    await submit.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await atVendor(page)
    assert.deepEqual(regionsAsked(), ['eu'])
  })

  test('reads in the language of the browser', async () => {
    const languages: [locale: string, title: string, options: string[]][] = [
      [
        'de-AT',
        'Wählen Sie die Region Ihres Kontos bei Dexcom',
        ['Japan', 'Vereinigte Staaten', 'Alle anderen Länder'],
      ],
      [
        'es-MX',
        'Elija la región de su cuenta de Dexcom',
        ['Estados Unidos', 'Japón', 'Todos los demás países'],
      ],
      [
        'fr-CA',
        'Choisissez la région de votre compte Dexcom',
        ['États-Unis', 'Japon', 'Tous les autres pays'],
      ],
    ]
    for (const [locale, title, options] of languages) {
      await fixture.visit(
        async (page) => {
          await page.goto(await fixture.site.openLink({ provider: 'dexcom_v3' }))
          await page.locator('.actions button').first().click()
          await seeStep(page, title)
          const names = await page.getByRole('option').allInnerTexts()
          assert.deepEqual(names.slice(1), options)
        },
        { locale },
      )
    }
  })

  visit('is the only one with the step: others by OAuth need one click', async (page) => {
    const others = THIRTY_PROVIDERS.filter(
      ({ slug, auth_type }) => /oauth/.test(auth_type) && slug !== 'dexcom_v3' && slug !== 'garmin',
    )
    assert.ok(others.length > 10)
    for (const { name } of others) {
      await page.goto(await fixture.site.openLink())
      await agree(page)
      await choose(page, name)
      await atVendor(page)
    }
    assert.deepEqual(new Set(regionsAsked()), new Set([null]))
  })
})
