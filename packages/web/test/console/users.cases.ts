import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { totpCode } from '../../../accounts/src/console/factors/totp.ts'
import { PASSWORD } from '../../../server/test/console/organization-user.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, isTooWide, testPage } from './console-site.ts'

/** Gives a page an authenticator that agrees to everything, as the lock of a phone does. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function isFine(page: Page): Promise<void> {
  assert.deepEqual(await findViolations(page), [])
  assert.equal(await isTooWide(page), false)
}

async function invite(page: Page): Promise<string> {
  await button(page, 'Invite user').click()
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('Role').selectOption({ label: 'Team administrator' })
  await isFine(page)
  await button(page, 'Create invitation').click()
  const url = await page.locator('.settings-secret code').innerText()
  await isFine(page)
  await button(page, 'I have saved it').click()
  await page.getByRole('cell', { name: 'Invited', exact: true }).waitFor()
  return url
}

async function setUpApp(guest: Page): Promise<string> {
  await button(guest, 'Set up app').click()
  const secret = await guest.locator('.settings-secret code').innerText()
  await isFine(guest)
  const code = totpCode(secret, Math.floor(Date.now() / 30_000))
  await guest.getByLabel(/^Code/).fill(code)
  await button(guest, 'Turn on').click()
  await guest.locator('.account-codes li').first().waitFor()
  await isFine(guest)
  const recoveryCode = await guest.locator('.account-codes code').first().innerText()
  await button(guest, 'I have saved them').click()
  return recoveryCode
}

async function signOut(guest: Page): Promise<void> {
  await button(guest, 'Sign out').first().click()
  await guest.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
}

/** Users of the organization: invited, with second factors, suspended. */
export function testUsers(fixture: ConsoleFixture): void {
  testPage(
    'a user is invited, signs in with second factors, and is suspended',
    fixture,
    async (page, site) => {
      await site.open(page, 'settings?part=users')
      const url = await invite(page)
      // Passkeys need a host name. Its cookies are other ones, as those of another person are.
      const guest = await page.context().newPage()
      await addAuthenticator(guest)
      await guest.goto(url.replace('127.0.0.1', 'localhost'))
      await guest.getByLabel('New password').fill(PASSWORD)
      assert.ok(!guest.url().includes('iv_'))
      await isFine(guest)
      await button(guest, 'Accept invitation').click()
      await guest.getByRole('link', { name: 'Grace Hopper' }).click()
      await guest.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
      const recoveryCode = await setUpApp(guest)
      await button(guest, 'Add passkey').click()
      await guest.getByLabel('Name').fill('Test device')
      await button(guest, 'Create passkey').click()
      await guest.getByRole('cell', { name: 'Test device', exact: true }).waitFor()
      await isFine(guest)

      await signOut(guest)
      await isFine(guest)
      await button(guest, 'Sign in with a passkey').click()
      await guest.locator('.frame-main h1').waitFor()
      await signOut(guest)
      await guest.getByLabel('E-mail address').fill('grace@example.com')
      await guest.getByLabel(/^Password/).fill(PASSWORD)
      await guest.keyboard.press('Enter')
      await guest.getByLabel(/^Code/).fill(recoveryCode)
      await isFine(guest)
      await guest.keyboard.press('Enter')
      await guest.locator('.frame-main h1').waitFor()

      await page.reload()
      await button(page, 'Change Grace Hopper').click()
      await page.getByRole('button', { name: 'Remove second factors' }).waitFor()
      await isFine(page)
      await button(page, 'Suspend').click()
      await page.getByRole('button', { name: 'Make active' }).waitFor()
      await guest.reload()
      await guest.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      await guest.close()
    },
  )
}
