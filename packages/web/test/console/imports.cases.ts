import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findViolations } from '../accessibility.ts'
import type { BrowserFixture } from '../browser-fixture.ts'
import { isTooWide, type TeamSite, testPage } from './console-site.ts'
import { dropOf, editTemplate, importFile, LIBREVIEW, mapTable } from './import-files.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

async function openImports(page: Page, site: TeamSite, name: string): Promise<string> {
  const { user_id: userId } = await site.ask('POST', '/v2/user', { client_user_id: name })
  await site.open(page, `people/${userId}/import`)
  await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
  return userId
}

export function testImports(fixture: BrowserFixture<TeamSite>): void {
  testPage(
    'a file is recognized, its question answered, and the report shows what was refused',
    fixture,
    async (page, site) => {
      const userId = await openImports(page, site, 'import-question')
      assert.deepEqual(await findViolations(page), [])
      await importFile(page, 'glucose.csv', LIBREVIEW)
      const shown = page.getByRole('region', { name: 'This import' })
      await shown.getByText('Has a question').waitFor()
      await shown.getByText('Glucose data of LibreView').waitFor()
      const go = page.getByRole('button', { name: 'Continue import' })
      assert.equal(await go.isDisabled(), true)
      assert.deepEqual(await findViolations(page), [])
      await page.getByLabel('Day first, such as 31.12.2026').focus()
      await page.keyboard.press('Space')
      assert.equal(await go.isDisabled(), true)
      await page.getByLabel('Time zone', { exact: true }).selectOption('floating')
      await go.focus()
      await page.keyboard.press('Enter')
      await shown.getByText('Done', { exact: true }).waitFor()
      await shown.getByText(/^1 record of .+: The value is out of range\.$/).waitFor()
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
      assert.match(page.url(), /import\?job=[0-9a-f-]{36}$/)
      await shown.getByRole('link', { name: 'quarantine' }).click()
      await page.waitForURL(new RegExp(`people/${userId}\\?tab=data`))
    },
    PHONE,
  )

  testPage('a wrong file is refused with what it looks like', fixture, async (page, site) => {
    await openImports(page, site, 'import-refused')
    await importFile(page, 'report.zip', '%PDF-1.7\n')
    await page
      .getByRole('alert')
      .getByText(/It is a PDF document\./)
      .waitFor()
    await page.getByRole('region', { name: 'Imported files' }).getByText('Failed').waitFor()
    const formats = page.getByRole('region', { name: 'What can be imported' })
    await formats.getByText('Data export of WHOOP').click()
    await formats.getByText(/More, App Settings, Data Export/).waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  testPage(
    'files that are dropped beside the field are imported one after the other',
    fixture,
    async (page, site) => {
      await openImports(page, site, 'import-dropped')
      const files = await page.evaluateHandle(dropOf(['glucose.csv', 'other.csv'], LIBREVIEW))
      await page.dispatchEvent('h1', 'dragover', { dataTransfer: files })
      await page.dispatchEvent('h1', 'drop', { dataTransfer: files })
      const chosen = page.getByRole('list', { name: 'Chosen files' })
      assert.equal(await chosen.getByRole('listitem').count(), 2)
      await page.getByRole('button', { name: 'Import 2 files' }).click()
      const imported = page.getByRole('region', { name: 'Imported files' })
      await imported.getByText('Has a question').nth(1).waitFor()
      await page.reload()
      await imported.getByText('Has a question').nth(1).waitFor()
    },
  )

  testPage(
    'a table is mapped, its first rows shown, and the template saved',
    fixture,
    async (page, site) => {
      await openImports(page, site, 'import-table')
      await mapTable(page)
      const dialog = page.getByRole('dialog')
      const save = dialog.getByRole('button', { name: 'Save template and import' })
      assert.equal(await save.isDisabled(), true)
      await dialog.getByLabel('Name of the template').fill('Meter')
      assert.deepEqual(await findViolations(page), [])
      await save.click()
      const shown = page.getByRole('region', { name: 'This import' })
      await shown.getByText('Done', { exact: true }).waitFor()
      await shown.getByText('Table (CSV) with a template').waitFor()
      const { templates } = await site.ask('GET', '/v2/import/templates')
      assert.deepEqual(
        templates.map(({ name }: { name: string }) => name),
        ['Meter'],
      )
      await editTemplate(page)
      const { templates: edited } = await site.ask('GET', '/v2/import/templates')
      const [{ id, template }] = templates
      const zone = { time_zone: 'Europe/Berlin' }
      assert.deepEqual(edited, [
        { ...edited[0], id, name: 'Meter 2', template: { ...template, ...zone } },
      ])
    },
  )

  testPage(
    'an address for Health Auto Export is shown once, listed and revoked by keyboard',
    fixture,
    async (page, site) => {
      await openImports(page, site, 'import-address')
      const section = page.getByRole('region', { name: 'Addresses for Health Auto Export' })
      await section.getByText('There is no address yet.').waitFor()
      await section.getByRole('button', { name: 'Create address' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Label').fill('Phone')
      await page.keyboard.press('Enter')
      const address = await dialog.getByLabel('Address', { exact: true }).inputValue()
      assert.ok(address.startsWith(site.baseUrl), 'the address is one of the server')
      await page.keyboard.press('Escape')
      // The page forgets the address at the event `close`, which comes after the dialog is hidden.
      await page.getByLabel('Address', { exact: true }).waitFor({ state: 'detached' })
      await section.getByText('Phone', { exact: true }).waitFor()
      assert.equal((await page.content()).includes(address), false)
      assert.deepEqual(await findViolations(page), [])
      await section.getByRole('button', { name: 'Revoke Phone' }).focus()
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Revoke address' }).focus()
      await page.keyboard.press('Enter')
      await section.getByText('There is no address yet.').waitFor()
    },
    PHONE,
  )
}
