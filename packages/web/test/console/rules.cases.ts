import assert from 'node:assert/strict'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, isTooWide, testPage } from './console-site.ts'

export function testRules(fixture: ConsoleFixture): void {
  testPage(
    'a rule is made from a template, tried, paused and deleted',
    fixture,
    async (page, site) => {
      await site.open(page, 'rules')
      await page.getByRole('button', { name: 'New rule' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Begin with').selectOption({ label: '8,000 steps a day' })
      await dialog.getByText('Paluch').waitFor()
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByText(/It would have triggered \d+ times, for \d+ of \d+ people/).waitFor()
      await dialog.getByLabel('Number').fill('')
      await dialog.getByRole('button', { name: 'Create rule' }).click()
      await dialog.getByRole('alert').getByText('condition.threshold').waitFor()
      await dialog.getByLabel('Number').fill('9000')
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByRole('button', { name: 'Create rule' }).click()
      await page.getByRole('link', { name: '8,000 steps a day' }).click()
      await page.getByText('The sum of steps of a day reaches 9000').waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('The rule is paused.').waitFor()
      assert.equal(await isTooWide(page), false)
      await page.getByRole('button', { name: 'Delete rule' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
      await page.getByText('No rules yet.').waitFor()
    },
    // The rule without a number.
    { refused: /^\/v3\/rule$/ },
  )
}
