import assert from 'node:assert/strict'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, isTooWide, testPage } from './console-site.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

export function testStart(fixture: ConsoleFixture): void {
  testPage(
    'the start page leads through the demo team by keyboard',
    fixture,
    async (page, site) => {
      await site.open(page, '/start')
      assert.deepEqual(await findViolations(page), [])
      await page.getByRole('link', { name: /^One person/ }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Ines Walker' }).waitFor()
      assert.ok(page.url().endsWith(`/${site.teamId}/sandbox/people/${site.users.ines}`))
      await page.goBack()
      await page.getByRole('button', { name: 'Remove demo team' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Remove the demo team?' })
      await dialog.waitFor()
      assert.deepEqual(await findViolations(page), [])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      const focused = page.locator('button:focus')
      assert.equal(await focused.innerText(), 'Remove demo team')
    },
  )

  testPage(
    'the start page fits a phone',
    fixture,
    async (page, site) => {
      await site.open(page, '/start')
      await page.getByRole('link', { name: /^One person/ }).waitFor()
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
    },
    { ...PHONE, isCampaign: true },
  )

  testPage('who may not make teams is offered no demo team', fixture, async (page, site) => {
    const bound = {
      label: 'Of the demo team',
      role: 'team_admin',
      team_role_bindings: [{ team_id: site.teamId }],
    }
    const { key } = await site.manage('POST', '/management_key', bound)
    await site.signIn(page, key)
    await site.open(page, '/start')
    await page.getByRole('heading', { name: 'Your own people' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Demo team' }).count(), 0)
  })
}

/** Removes the demo team that the other tests are about: to be run after them. */
export function testFirstRun(fixture: ConsoleFixture): void {
  testPage('a stranger creates a demo team and soon sees a person', fixture, async (page, site) => {
    // The test ends before the team is full.
    site.harness.errors.allow('a demo team could not be filled')
    await site.open(page, '/start')
    await page.getByRole('button', { name: 'Remove demo team' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove demo team' }).click()
    const fill = page.getByRole('button', { name: 'Create demo team' })
    await fill.waitFor()
    assert.deepEqual(await findViolations(page), [])
    await assert.rejects(site.manage('GET', `/team/${site.teamId}`), /404/)
    // As after the tour of the README: a person is there, so the console opens with the overview.
    const { status } = await site.harness.call('POST', '/v2/user', { client_user_id: 'tour' })
    assert.equal(status, 200)
    await site.open(page, '/')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'create a demo team' }).click()
    await fill.click()
    await page.getByRole('progressbar', { name: /demo team/ }).waitFor()
    assert.deepEqual(await findViolations(page), [])
    // On a machine at its limits it takes its time.
    await page.getByRole('link', { name: 'Open first person' }).click({ timeout: 60_000 })
    await page.getByRole('heading', { level: 1, name: 'Ines Walker' }).waitFor()
  })
}
