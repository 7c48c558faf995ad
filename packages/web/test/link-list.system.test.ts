import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { FAKE_PROVIDERS, type FakeProvider, THIRTY_PROVIDERS } from './fake-providers.registry.ts'
import { startFakeSalus } from './fake-salus.ts'
import { agree, choose, seeStep, signIn } from './page-visits.ts'

/** The list of a link page with many providers, and what comes after one is connected. */

const fixture = createBrowserFixture(startFakeSalus)

const rowsOf = async (page: Page): Promise<string[]> => {
  const texts = await page.getByRole('listitem').allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

async function openList(page: Page): Promise<void> {
  await page.goto(await fixture.site.openLink())
  await agree(page)
  await seeStep(page, 'Choose your provider')
}

/** As many providers as a team will hardly have. */
const MANY: FakeProvider[] = Array.from({ length: 300 }, (_, index) => ({
  ...(FAKE_PROVIDERS[index % FAKE_PROVIDERS.length] as FakeProvider),
  slug: `provider_${index}`,
  name: `Provider ${index}`,
}))

describe('a list of thirty providers', { skip: skipBrowserTests }, () => {
  beforeEach(() => {
    fixture.site.providers = THIRTY_PROVIDERS
    fixture.site.connections = {}
  })
  const visit = (name: string, act: (page: Page) => Promise<void>): void => {
    test(name, () => fixture.visit(act))
  }

  visit('has each once, in sections: connected with their state, others, phones', async (page) => {
    fixture.site.connections = { oura: 'connected', polar: 'error', health_connect: 'paused' }
    await openList(page)
    const sectionOf = (name: string) =>
      page.getByRole('region', { name }).getByRole('listitem').allInnerTexts()
    const connected = (await sectionOf('Connected already')).map((text) => text.split('\n'))
    assert.deepEqual(connected, [
      ['Oura', 'Connected'],
      ['Polar', 'Sign in again'],
      ['Health Connect', 'Paused'],
    ])
    assert.equal((await sectionOf('More providers')).length, 28)
    assert.deepEqual(await sectionOf('On your phone'), ['Apple Health'])
    const rows = await rowsOf(page)
    assert.equal(rows.length, 32)
    assert.equal(new Set(rows).size, 32)
    const logos = page.locator('.provider img')
    assert.equal(await logos.count(), 32)
    // It is loaded when it comes into view.
    await logos.last().scrollIntoViewIfNeeded()
    await page.evaluate(`[...document.querySelectorAll('.provider img')].at(-1).decode()`)
    // Who signs in again goes the usual way.
    await page.getByRole('button', { name: 'Polar' }).click()
    await page.getByRole('heading', { name: 'Allow access' }).waitFor()
  })

  visit(
    'is searched by parts of names in any spelling, and by what people call it',
    async (page) => {
      await openList(page)
      const search = page.getByLabel('Search providers')
      const cases: [typed: string, found: string[]][] = [
        ['WHO', ['WHOOP']],
        ['libre', ['Abbott LibreView', 'Freestyle Libre']],
        ['freestylelibre', ['Freestyle Libre']],
        ['my fitness', ['MapMyFitness', 'MyFitnessPal (diary key)', 'MyFitnessPal API']],
        ['8 sleep', ['8Sleep']],
        ['eight', ['8Sleep']],
        ['G6', ['Dexcom (G6 and older)']],
        ['iphone', ['Apple Health']],
        ['ANDROID', ['Health Connect']],
        ['gárMIN', ['Garmin']],
        ['.*', []],
        ['telescope', []],
      ]
      for (const [typed, found] of cases.slice(0, -2)) {
        await search.fill(typed)
        assert.deepEqual(await rowsOf(page), found, typed)
      }
      // Signs alone are no word: the whole list stays.
      await search.fill('.*')
      assert.equal((await rowsOf(page)).length, 32)
      await search.fill('telescope')
      assert.deepEqual(await rowsOf(page), [])
      await page.getByText('There is no provider of that name.').waitFor()
      await search.fill('dexcom')
      const status = page.locator('.page-status[role=status]')
      await status.getByText('2 providers', { exact: true }).waitFor()
      await search.fill('oura')
      await status.getByText('1 provider', { exact: true }).waitFor()
    },
  )

  visit('is used with the keyboard: search, go to the result, open it', async (page) => {
    await openList(page)
    await page.keyboard.press('Tab')
    await page.keyboard.type('zwi')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Zwift' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await seeStep(page, 'Sign in to Zwift')
  })

  visit('explains what a phone has, instead of leaving it out', async (page) => {
    await openList(page)
    await page.getByRole('button', { name: 'Apple Health' }).click()
    await seeStep(page, 'Apple Health is on your phone')
    assert.equal(await page.getByRole('listitem').count(), 3)
    await page.getByText('Open the app of Example Health on your iPhone').waitFor()
    await page.getByRole('button', { name: 'Choose another provider' }).click()
    await page.getByRole('button', { name: 'Health Connect' }).click()
    await seeStep(page, 'Health Connect is on your phone')
    await page.goto(await fixture.site.openLink({ provider: 'apple_health_kit' }))
    await seeStep(page, 'Apple Health is on your phone')
    await page.getByText('You can close this page now.').waitFor()
  })

  visit('is answered at once however long it is', async (page) => {
    fixture.site.providers = MANY
    await openList(page)
    assert.equal((await rowsOf(page)).length, 302)
    const search = page.getByLabel('Search providers')
    await search.focus()
    const started = Date.now()
    await page.keyboard.type('provider 299')
    await page.waitForFunction(`document.querySelectorAll('.provider').length === 1`)
    // Generous, because machines that run tests are slow: a list that renders anew for each letter
    // in more than 200 ms would still be seen.
    assert.ok(Date.now() - started < 2500, `${Date.now() - started} ms`)
  })
})

describe('after a connection', { skip: skipBrowserTests }, () => {
  beforeEach(() => {
    fixture.site.providers = THIRTY_PROVIDERS
    fixture.site.connections = {}
  })

  test('another account is connected without a second consent, by password and by OAuth', () =>
    fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink())
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'correct')
      await seeStep(page, 'Abbott LibreView is connected')
      fixture.site.connections = { abbott_libreview: 'connected' }
      await page.getByRole('button', { name: 'Connect another account' }).click()
      await seeStep(page, 'Choose your provider')
      assert.equal(page.url(), `${fixture.site.baseUrl}/link`)
      assert.equal((await rowsOf(page))[0], 'Abbott LibreView Connected')
      await page.getByRole('button', { name: 'Oura' }).click()
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await seeStep(page, 'Oura is connected')
      await page.getByRole('button', { name: 'Connect another account' }).click()
      await seeStep(page, 'Choose your provider')
    }))

  test('no other is offered where the team fixed the provider or has the person back', () =>
    fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink({ provider: 'abbott_libreview' }))
      await agree(page)
      await signIn(page, 'correct')
      await seeStep(page, 'Abbott LibreView is connected')
      assert.equal(await page.getByRole('button').count(), 0)
    }))

  test('the page says so when no other can be begun', () =>
    fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink())
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'correct')
      await seeStep(page, 'Abbott LibreView is connected')
      fixture.site.faults = [503]
      await page.getByRole('button', { name: 'Connect another account' }).click()
      await page.getByText('That did not work').waitFor()
      await page.getByRole('button', { name: 'Connect another account' }).click()
      await seeStep(page, 'Choose your provider')
    }))
})
