import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, isTooWide, testPage } from './console-site.ts'

/** Pastes a query into the editor. */
async function writeQuery(page: Page, text: string): Promise<void> {
  const editor = page.getByLabel('Text of the query')
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

const requestOf = (query: object): string =>
  JSON.stringify({
    timeframe: {
      type: 'relative',
      anchor: new Date().toISOString().slice(0, 10),
      past: { value: 30, unit: 'day' },
    },
    queries: [query],
  })

export function testQueries(fixture: ConsoleFixture): void {
  testPage('a query is completed, run, drawn and exported', fixture, async (page, site) => {
    await site.open(page, 'queries')
    await page.getByText('No results yet.').waitFor()
    await page.getByRole('textbox', { name: 'Person' }).fill('ines')
    await page.getByRole('option', { name: /Ines Walker/ }).click()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('heading', { name: 'Result', exact: true }).waitFor()
    // The same by the API, past the page.
    const answer = await site.ask('POST', `/aggregate/v1/user/${site.users.ines}/query`, {
      ...JSON.parse(requestOf({})),
      queries: [
        {
          select: [
            { group_key: '*' },
            { func: 'sum', arg: { timeseries: 'steps', field: 'value' } },
          ],
          group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
        },
      ],
    })
    const first = answer.results[0].table['sum.steps.value'][0]
    await page
      .getByRole('cell', { name: first.toLocaleString('en'), exact: true })
      .first()
      .waitFor()
    await page.getByRole('img', { name: 'Chart of sum.steps.value' }).waitFor()

    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    assert.equal(csv.suggestedFilename(), 'query-1.csv')
    const [parquet] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Parquet' }).click(),
    ])
    assert.equal(parquet.suggestedFilename(), 'query.tar.gz')
    await page.getByText('SDK', { exact: true }).click()
    await page.getByText(/import \{ .*sum.* \} from '@salus\/sdk'/).waitFor()
    assert.ok(!page.url().includes('ines'), 'the address holds no name')
    assert.deepEqual(await findViolations(page), [])
  })

  testPage(
    'the editor proposes columns, and shows a mistake where it is',
    fixture,
    async (page, site) => {
      await site.open(page, `queries?user=${site.users.ines}`)
      await writeQuery(page, requestOf({ select: [{ sleep: 'effic' }] }))
      const column = page.locator('.cm-tooltip-autocomplete').getByText('efficiency')
      // At the end of the text of the column.
      for (let steps = 0; steps < '"}]}]}'.length; steps++) await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Control+Space')
      await column.waitFor()
      await page.keyboard.press('Escape')

      await writeQuery(page, requestOf({ select: [{ sleep: 'efficiency' }], where: 'type like 3' }))
      await page.keyboard.press('Control+Enter')
      await page
        .getByRole('alert')
        .getByText(/At character 5/)
        .waitFor()
      await page.locator('.cm-lintRange-error').first().waitFor()
    },
    // The query with the mistake.
    { refused: /\/query$/ },
  )

  testPage(
    'a query is kept, and its evaluations are listed',
    fixture,
    async (page, site) => {
      await site.open(page, 'queries/continuous')
      await page.getByRole('button', { name: 'New continuous query' }).first().click()
      await page.getByLabel('Title').fill('Steps of a day')
      await page.getByRole('button', { name: 'Validate query' }).click()
      await page.getByText(/sum\.steps\.value \(number\)/).waitFor()
      await page.getByRole('button', { name: 'Create query' }).click()
      await page.getByRole('link', { name: 'Steps of a day' }).click()
      await page.getByRole('textbox', { name: 'Person' }).fill('ines')
      await page.getByRole('option', { name: /Ines Walker/ }).click()
      await page.getByRole('heading', { name: 'Evaluations' }).waitFor()
      assert.deepEqual(await findViolations(page), [])
      await page.setViewportSize({ width: 360, height: 740 })
      assert.equal(await isTooWide(page), false)
    },
    { isCampaign: true },
  )
}
