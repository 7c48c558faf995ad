import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { makeSignInCode } from '../../../server/test/console/console-subject.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

const signInHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in' })

/** Types a key by hand, without the mouse. */
async function typeKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('Management key', { exact: true }).focus()
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
}

const addressOf = ({ baseUrl, teamId }: ConsoleSite, path: string): string =>
  `${baseUrl}/console/${teamId}/sandbox/${path}`

/** Signing in and out, and the settings. */
export function testSession(fixture: ConsoleFixture): void {
  const refused = /^\/v1\/console\/session$/
  const wanted = async (page: Page, site: ConsoleSite): Promise<void> => {
    await page.goto(addressOf(site, 'settings?part=sessions'))
    await signInHeading(page).waitFor()
    assert.deepEqual(await findViolations(page), [])
    await typeKey(page, 'mg_this-key-does-not-exist')
    await page.getByRole('alert').filter({ hasText: 'unknown or revoked' }).waitFor()
    await page.getByLabel('Management key', { exact: true }).fill(` ${site.managementKey}\n`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Console sessions' }).waitFor()
    assert.equal(page.url(), addressOf(site, 'settings?part=sessions'))
    await page.getByText('(this browser)').waitFor()
    const kept =
      'JSON.stringify([{ ...localStorage }, Object.keys(sessionStorage), document.cookie])'
    // In this tab alone, which team and environment were looked at last.
    assert.equal(await page.evaluate(kept), '[{},["salus-environment"],""]')
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await signInHeading(page).waitFor()
    await page.goBack()
    await signInHeading(page).waitFor()
  }
  testPage('who signs in comes to the view that they wanted', fixture, wanted, { refused })

  const once = async (page: Page, site: ConsoleSite): Promise<void> => {
    const code = await makeSignInCode(site.harness)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.goto(`${site.baseUrl}/console#code=${code}`)
    await page.locator('.frame-main h1').waitFor()
    assert.ok(!page.url().includes('code'))
    assert.ok(!sent.some((url) => new URL(url).search.includes(code)))
    // An open page would still request its team, without the cookie.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(`${site.baseUrl}/console/signin#code=${code}`)
    await page.getByRole('alert').filter({ hasText: 'used already' }).waitFor()
    assert.deepEqual(await findViolations(page), [])
  }
  testPage('a link signs in once, and leaves no code behind', fixture, once, { refused })

  testPage(
    'an address leads to no other host after the sign-in',
    fixture,
    async (page, site) => {
      for (const to of [
        '//example.com/x',
        'https://example.com',
        '/\\example.com',
        '/../../v1/x',
      ]) {
        await page.goto(`${site.baseUrl}/console/signin?to=${encodeURIComponent(to)}`)
        await page.getByLabel('Management key', { exact: true }).fill(site.managementKey)
        await page.keyboard.press('Enter')
        await page.locator('.frame-main').waitFor()
        assert.ok(page.url().startsWith(`${site.baseUrl}/console`), page.url())
        await page.context().clearCookies()
      }
    },
    { isCampaign: true },
  )

  testPage(
    'a session that ended leads back after signing in anew',
    fixture,
    async (page, site) => {
      await site.open(page, 'settings?part=api-keys')
      await site.manage('DELETE', '/console_session')
      await page.getByRole('link', { name: 'Management keys' }).click()
      await signInHeading(page).waitFor()
      await page.getByLabel('Management key', { exact: true }).fill(site.managementKey)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'New management key' }).waitFor()
    },
    // The page learns by a refusal that its session has ended.
    { isCampaign: true, refused: /^\/v1\/org\/[^/]+\/management_key$/ },
  )

  testPage('an idle screen is cleared', fixture, async (page, site) => {
    await page.clock.install()
    await site.open(page, 'settings?part=sessions')
    await page.getByText('(this browser)').waitFor()
    await page.clock.fastForward('29:00')
    await page.mouse.move(200, 200)
    await page.clock.fastForward('29:00')
    assert.equal(await signInHeading(page).count(), 0)
    await page.clock.fastForward('01:30')
    await signInHeading(page).waitFor()
    const answer = await page.context().request.get(`${site.baseUrl}/v1/console/session`, {
      headers: { 'x-salus-console': '1' },
    })
    assert.equal(answer.status(), 401)
  })

  testPage('a team makes a key of its own, uses it and revokes it', fixture, async (page, site) => {
    await site.open(page, 'settings?part=api-keys')
    await page.getByRole('button', { name: 'New API key' }).click()
    await page.getByLabel('Label').fill('Backend of the test')
    await page.getByLabel('Access').selectOption({ label: 'Only chosen permissions' })
    await page.getByLabel('People', { exact: true }).selectOption({ label: 'Read' })
    assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Create key' }).click()
    const secret = await page.locator('.settings-secret code').innerText()
    const headers = { 'x-service-api-key': secret }
    const users = `${site.baseUrl}/v2/user`
    assert.equal((await fetch(users, { headers })).status, 200)
    assert.equal((await fetch(`${site.baseUrl}/v3/orders`, { headers })).status, 403)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('cell', { name: '1 permission', exact: true }).waitFor()
    assert.equal(await page.getByText(secret).count(), 0)
    await page.getByRole('button', { name: 'Revoke Backend of the test' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page
      .getByRole('cell', { name: 'Backend of the test', exact: true })
      .waitFor({ state: 'detached' })
    assert.equal((await fetch(users, { headers })).status, 401)
  })

  testPage(
    'a team_admin sees its teams, and nothing that its role may not do',
    fixture,
    async (page, site) => {
      const { key } = await site.manage('POST', '/management_key', {
        label: 'Support',
        role: 'team_admin',
        team_role_bindings: [{ team_id: site.teamId }],
      })
      await site.signIn(page, key)
      await site.open(page, 'settings?part=organization')
      await page.getByRole('table', { name: 'Teams' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'New team' }).count(), 0)
      assert.equal(await page.getByRole('link', { name: 'Operation' }).count(), 0)
      await page.getByRole('link', { name: 'Management keys' }).click()
      await page.getByRole('button', { name: 'New management key' }).click()
      const roles = await page.getByLabel('Role').locator('option').allInnerTexts()
      assert.deepEqual(roles, ['Team administrator', 'Clinician', 'Developer', 'Viewer'])
    },
    { isCampaign: true },
  )

  testPage('a viewer looks at people, and changes nothing', fixture, async (page, site) => {
    const label = 'Looks'
    const { key } = await site.manage('POST', '/management_key', { label, role: 'viewer' })
    await site.signIn(page, key)
    await site.open(page, 'people')
    await page.getByRole('table', { name: 'People' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add person' }).count(), 0)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('switch').first().waitFor()
    assert.equal(await page.getByRole('switch', { disabled: false }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save settings' }).count(), 0)
    assert.deepEqual(await findViolations(page), [])
  })

  for (const part of ['team', 'api-keys', 'management-keys', 'users', 'sessions', 'organization']) {
    testPage(
      `the settings (${part}) are for everybody, on a narrow screen too`,
      fixture,
      async (page, site) => {
        await site.open(page, part === 'team' ? 'settings' : `settings?part=${part}`)
        await page.locator('section h2').first().waitFor()
        await page.locator('.waiting').first().waitFor({ state: 'detached' })
        assert.deepEqual(await findViolations(page), [])
        assert.equal(await isTooWide(page), false)
      },
      { viewport: { width: 360, height: 740 } },
    )
  }

  testPage(
    'a team says where its links may lead, and again that they may lead anywhere',
    fixture,
    async (page, site) => {
      await site.open(page, 'settings')
      const redirects = page.getByRole('region', { name: 'Redirects of the link page' })
      const addresses = redirects.getByLabel('Allowed addresses')
      const save = redirects.getByRole('button', { name: 'Save settings' })
      const areKept = async (wanted: string[] | null): Promise<void> => {
        for (const end = Date.now() + 20_000; ; await delay(50)) {
          const { sandbox } = await site.manage('GET', `/team/${site.teamId}`)
          if (isDeepStrictEqual(sandbox.link_redirect_urls, wanted)) return
          assert.ok(Date.now() < end, `kept are ${sandbox.link_redirect_urls}`)
        }
      }
      await addresses.fill('no address')
      await save.click()
      await redirects.getByRole('alert').waitFor()
      await areKept(null)
      await addresses.fill('https://app.example.com/linked\nmy-app://linked\n')
      await save.click()
      await areKept(['https://app.example.com/linked', 'my-app://linked'])
      assert.deepEqual(await findViolations(page), [])
      await page.reload()
      await addresses.waitFor()
      const shown = await addresses.inputValue()
      assert.equal(shown, 'https://app.example.com/linked\nmy-app://linked')
      await addresses.fill('')
      await save.click()
      await areKept(null)
    },
    // What is no address is refused.
    { refused: /^\/v1\/org\/[^/]+\/team\/[^/]+$/ },
  )

  testPage(
    'a team says which pages may connect people',
    fixture,
    async (page, site) => {
      await site.open(page, 'settings')
      const pages = page.getByRole('region', { name: 'Pages that may connect people' })
      const origins = pages.getByLabel('Allowed origins')
      const save = pages.getByRole('button', { name: 'Save settings' })
      await origins.fill('https://app.example.com/')
      await save.click()
      const problem = 'Not an origin as browsers send it: https://app.example.com'
      await pages.getByText(problem, { exact: true }).waitFor()
      await origins.fill('https://app.example.com\nhttp://localhost:3000')
      const kept = page.waitForResponse(
        (answer) => answer.request().method() === 'PATCH' && answer.status() === 200,
      )
      await save.click()
      await kept
      await page.reload()
      await origins.waitFor()
      assert.equal(await origins.inputValue(), 'https://app.example.com\nhttp://localhost:3000')
      assert.deepEqual(await findViolations(page), [])
    },
    // What is no origin is refused.
    { refused: /^\/v1\/org\/[^/]+\/team\/[^/]+$/ },
  )

  testPage(
    'what a team switches on is on',
    fixture,
    async (page, site) => {
      await site.open(page, 'settings')
      const redraws = page.getByRole('switch', { name: 'Redraws' })
      const before = await redraws.isChecked()
      await redraws.press('Space')
      await page.waitForFunction(
        `document.activeElement.checked === ${!before} && !document.querySelector('.failure')`,
      )
      await page.getByLabel('Company').fill('Example Health')
      await page.getByRole('button', { name: 'Save settings' }).nth(1).click()
      // A company needs a logo: the server refuses, and the page says so.
      await page.getByRole('alert').waitFor()
      await page.reload()
      await redraws.waitFor()
      assert.equal(await redraws.isChecked(), !before)
    },
    { isCampaign: true, refused: /^\/v1\/org\/[^/]+\/team\/[^/]+$/ },
  )
}
