import assert from 'node:assert/strict'
import { findViolations } from '../accessibility.ts'
import { makeConnection } from './connection-data.ts'
import { type ConsoleFixture, isTooWide, testPage } from './console-site.ts'

/** The pages of connections to laboratories. */
export function testConnections(fixture: ConsoleFixture): void {
  testPage(
    'a connection is listed with its alerts, held, and its rejected message is read and retried',
    fixture,
    async (page, site) => {
      await makeConnection(site)
      await site.open(page, 'connections')
      const row = page.getByRole('row').filter({ hasText: 'mtl-test' })
      await row.getByText('Rejected').waitFor()
      assert.deepEqual(await findViolations(page), [])
      await row.getByRole('link', { name: 'mtl-test' }).click()
      await page.getByRole('button', { name: 'Hold orders back' }).click()
      await page.getByRole('button', { name: 'Send orders again' }).waitFor()
      await page.getByRole('link', { name: 'Rejected' }).click()
      await page.getByRole('button', { name: 'Show' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('cell', { name: 'MUSTER^PAT' }).waitFor()
      await dialog.getByRole('status').getByText('MSH-11').waitFor()
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByRole('button', { name: 'Retry' }).click()
      await dialog.waitFor({ state: 'detached' })
    },
    { viewport: { width: 1280, height: 800 } },
  )
}
