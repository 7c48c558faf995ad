import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { agree, choose, seeStep, signIn } from './page-visits.ts'
import { startRealSalus } from './real-salus.ts'

/**
 * The same page against the whole server and the emulated vendors: every kind of sign-in, to a
 * connection.
 */

const fixture = createBrowserFixture(startRealSalus)

/** Signs in at the page of an emulated vendor. */
async function signInAtVendor(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(username)
  await page.getByLabel('Password').fill('code')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Code').fill('123456')
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function assertConnected(provider: string): Promise<void> {
  const connected = await fixture.site.listConnected()
  assert.deepEqual(
    connected.map(({ slug, status }) => `${slug} ${status}`),
    [`${provider} connected`],
  )
}

describe('in a sandbox, a person', { skip: skipBrowserTests }, () => {
  test('denies and then allows at the page of a vendor, and is connected', () =>
    fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink({ provider: 'oura' }))
      await agree(page)
      await signInAtVendor(page, 'ada')
      await page.getByRole('button', { name: 'Deny' }).click()
      await seeStep(page, 'The sign-in to Oura failed')
      await page.getByRole('button', { name: 'Try again' }).click()
      await agree(page)
      await signInAtVendor(page, 'ada')
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await seeStep(page, 'Oura is connected')
      await assertConnected('oura')
    }))

  test('chooses the region of a vendor with several, and is connected', () =>
    fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink())
      await agree(page)
      await page.getByRole('button', { name: 'Dexcom', exact: true }).click()
      await seeStep(page, 'Choose the region of your Dexcom account')
      const region = page.getByLabel('Country or region of your account')
      assert.equal(await region.inputValue(), 'us')
      await region.selectOption({ label: 'Japan' })
      await page.getByRole('button', { name: 'Continue to Dexcom' }).click()
      await signInAtVendor(page, 'ada')
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await seeStep(page, /^Dexcom.* is connected$/)
      await assertConnected('dexcom_v3')
    }))

  test('meets every refusal of a password and a code, and is connected', () =>
    fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink())
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'mistyped')
      await page.getByText('does not accept this user name and password').waitFor()
      const refusals: [password: string, title: string][] = [
        ['expired', 'Your password has expired'],
        ['elsewhere', 'Not available in your region'],
        ['down', 'Abbott LibreView cannot be reached'],
      ]
      for (const [password, title] of refusals) {
        await signIn(page, password)
        await seeStep(page, title)
        await page.getByRole('button', { name: 'Try again' }).click()
      }
      await signIn(page, 'code')
      await seeStep(page, 'Enter your code')
      await page.getByText('by text message to').waitFor()
      await page.getByLabel('Code').fill('654321')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('The code is incorrect.').waitFor()
      await page.getByRole('button', { name: 'Send a new code' }).click()
      await page.getByText('A new code is on its way.').waitFor()
      await page.getByLabel('Code').fill('123456')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await seeStep(page, 'Abbott LibreView is connected')
      await assertConnected('abbott_libreview')
      await page.reload()
      await seeStep(page, 'This link has been used')
    }))

  test('gives an e-mail address, and is connected', () =>
    fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink({ provider: 'freestyle_libre' }))
      await agree(page)
      const region = page.getByLabel('Country or region of your account')
      assert.equal(await region.inputValue(), 'us')
      await page.getByLabel('E-mail address').fill('ada@example.com')
      await page.getByRole('button', { name: 'Connect' }).click()
      await seeStep(page, 'Freestyle Libre is connected')
      await assertConnected('freestyle_libre')
    }))

  test('opens a link that was used, or is none', () =>
    fixture.visit(async (page) => {
      await page.goto(`${fixture.site.baseUrl}/link?token=made-up`)
      await seeStep(page, 'This link does not work')
      const url = await fixture.site.openLink({ provider: 'abbott_libreview' })
      await page.goto(url)
      await agree(page)
      await signIn(page, 'correct')
      await seeStep(page, 'Abbott LibreView is connected')
      await page.goto(url)
      await seeStep(page, 'This link has been used')
    }))
})
