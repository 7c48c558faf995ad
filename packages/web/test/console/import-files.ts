import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** A file of LibreView whose date is valid with the day first and with the month first. */
export const LIBREVIEW = [
  'Glucose Data,Created on,02-03-2025 20:00 UTC,Created by,Nn',
  [
    ...['Device', 'Serial Number', 'Device Timestamp', 'Record Type'],
    ...['Historic Glucose mg/dL', 'Scan Glucose mg/dL', 'Non-numeric Rapid-Acting Insulin'],
    ...['Rapid-Acting Insulin (units)', 'Non-numeric Food', 'Carbohydrates (grams)'],
    ...['Carbohydrates (servings)', 'Non-numeric Long-Acting Insulin'],
    ...['Long-Acting Insulin (units)', 'Notes', 'Strip Glucose mg/dL', 'Ketone mmol/L'],
    ...['Meal Insulin (units)', 'Correction Insulin (units)', 'User Change Insulin (units)'],
  ].join(','),
  `Reader,A-1,02-03-2025 10:00,0,104${','.repeat(14)}`,
  `Reader,A-1,02-03-2025 10:15,0,LO${','.repeat(14)}`,
].join('\r\n')

const METER = 'Date;Time;Glucose\n02.03.2026;07:05;5,6\n02.03.2026;08:05;5,9\n'

const fileOf = (name: string, content: string) => ({
  ...{ name, mimeType: 'text/csv', buffer: Buffer.from(content, 'latin1') },
})

/** Chooses a file on the page and begins its import. */
export async function importFile(page: Page, name: string, content: string): Promise<void> {
  await page.getByLabel(/^Choose files, or drop them/).setInputFiles(fileOf(name, content))
  await page.getByRole('button', { name: 'Import file' }).click()
}

/** Opens the dialog of tables, and maps the columns of one. */
export async function mapTable(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Map a table (CSV)' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Choose the table').setInputFiles(fileOf('meter.csv', METER))
  await dialog.getByRole('cell', { name: '5,6', exact: true }).waitFor()
  // The dates do not prove their order, and suggestions are not applied.
  assert.equal(await dialog.getByLabel('Dates').inputValue(), '')
  await dialog.getByLabel('Dates').selectOption('day_first')
  await dialog.getByLabel('Time zone of the file').selectOption('Europe/Vienna')
  await dialog.getByRole('button', { name: 'Glucose as Glucose' }).click()
  await dialog.getByLabel('Unit').selectOption('mmol/L')
  await dialog.getByLabel('Type').selectOption('fingerprick')
  await dialog.getByText('Glucose 5.6 mmol/L, 2026-03-02T06:05:00+00:00').waitFor()
}

/** Returns a script that makes what a browser gives with dropped files of one content. */
export const dropOf = (names: readonly string[], content: string): string => `(() => {
  const transfer = new DataTransfer()
  for (const name of ${JSON.stringify(names)}) {
    // Files of the same content and length would be the same upload.
    transfer.items.add(new File([${JSON.stringify(content)}, '\\r\\n'.repeat(name.length)], name))
  }
  return transfer
})()`

/** Changes the name and the zone of the template “Meter”, and imports a table by it. */
export async function editTemplate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Map a table (CSV)' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Choose the table').setInputFiles(fileOf('meter.csv', METER))
  await dialog.getByLabel('Template', { exact: true }).selectOption({ label: 'Meter' })
  await dialog.getByRole('button', { name: 'Edit template' }).click()
  await dialog.getByLabel('Time zone of the file').selectOption('Europe/Berlin')
  await dialog.getByLabel('Name of the template').fill('Meter 2')
  await dialog.getByRole('button', { name: 'Save template and import' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
