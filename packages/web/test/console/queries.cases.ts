import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

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
  testBuilder(fixture)
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
    await page.getByRole('slider', { name: 'Chart of sum.steps.value' }).waitFor()

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

/** Returns the query of the editor. */
async function readQuery(page: Page) {
  const lines = await page.locator('.cm-line').allInnerTexts()
  return JSON.parse(lines.join('\n'))
}

function testBuilder(fixture: ConsoleFixture): void {
  testPage(
    'a query is made by clicks and as text in step, for two people, and read by keyboard',
    fixture,
    async (page, site) => {
      const { ines, tom } = site.users
      await site.open(page, `queries?user=${ines},${tom}`)
      await page.getByLabel('Series 1').selectOption('heartrate.value')
      await page.getByLabel('Function 1').selectOption('mean')
      await page.getByRole('button', { name: 'Add value' }).click()
      await page.getByLabel('Series 2').selectOption('steps.value')
      await page.getByLabel('By time').selectOption('week')
      await page.getByRole('button', { name: 'Add filter' }).click()
      await page.getByLabel('Column of filter 1').selectOption('value')
      await page.getByLabel('Comparison of filter 1').selectOption('>')
      const { queries } = await readQuery(page)
      assert.deepEqual(queries, [
        {
          select: [
            { group_key: '*' },
            { func: 'mean', arg: { merged: 'heartrate', field: 'value' } },
            { func: 'sum', arg: { merged: 'steps', field: 'value' } },
          ],
          group_by: [{ date_trunc: { value: 1, unit: 'week' }, arg: { index: 'merged' } }],
          where: 'value > 0',
        },
      ])
      await page.getByRole('button', { name: 'Run query' }).click()
      const chart = page.getByRole('slider', { name: /^Chart of Ines Walker · mean\.heartrate/ })
      await chart.press('End')
      assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /Tom Nguyen .+: [\d.]+ bpm/)
      assert.equal(await page.getByRole('slider').count(), 2)
      await page.getByRole('columnheader', { name: 'sum.steps.value (count)' }).waitFor()
      assert.deepEqual(await findViolations(page), [])

      await page.waitForURL(/#query=/)
      await page.reload()
      await page.getByLabel('Function 2').waitFor()
      assert.deepEqual((await readQuery(page)).queries, queries)
      await writeQuery(page, requestOf({ ...queries[0], where: 'value > 0 OR value < 9' }))
      await page.getByText('Its where has OR, NOT or brackets', { exact: false }).waitFor()
      await writeQuery(page, requestOf({ select: [{ index: 'sleep' }, { sleep: 'efficiency' }] }))
      assert.equal(await page.getByLabel('Column 1').inputValue(), 'efficiency')
      await page.setViewportSize({ width: 390, height: 780 })
      assert.equal(await isTooWide(page), false)
    },
  )

  testPage(
    'an order of sources is changed by keyboard, with its effect before it is saved',
    fixture,
    async (page, site) => {
      const userId = await makeWalker(site)
      await site.open(page, `people/${userId}?tab=data`)
      const order = page.getByRole('region', { name: 'Order of sources' })
      await order.getByText('The whole day: 900, unchanged').waitFor()
      const [first] = await order.getByRole('listitem').allInnerTexts()
      assert.match(first ?? '', /watch/)
      const up = order.getByRole('button', { name: /^Move .*phone up$/ })
      await up.focus()
      await page.keyboard.press('Enter')
      await order.getByText(/phone is at place 1 of 3/).waitFor()
      const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")')
      assert.match(String(focused), /phone up$/)
      await order.getByText('The whole day: 900 before, 1,000 after').waitFor()
      assert.deepEqual(await findViolations(page), [])
      const path = `/v2/user/${userId}/source_priorities`
      assert.deepEqual(await site.ask('GET', path), { source_priorities: [] })
      await order.getByRole('button', { name: 'Save order' }).click()
      await order.getByText('The whole day: 1,000, unchanged').waitFor()
      const { source_priorities: rules } = await site.ask('GET', path)
      assert.deepEqual(
        rules.map(({ source_type, priority }: { source_type: string; priority: number }) => [
          source_type,
          priority,
        ]),
        [
          ['phone', 2],
          ['watch', 1],
        ],
      )
      await order.getByRole('button', { name: 'Undo the last save' }).click()
      await order.getByText('The whole day: 900, unchanged').waitFor()
      assert.deepEqual(await site.ask('GET', path), { source_priorities: [] })
    },
  )
}

/** A person whose phone and watch count the same hour differently. */
async function makeWalker(site: ConsoleSite): Promise<string> {
  const { user_id: userId } = await site.ask('POST', '/v2/user', { client_user_id: 'walker' })
  const time = { start_date: '2026-02-10T10:00:00Z', end_date: '2026-02-10T11:00:00Z' }
  for (const [provider, type, value] of [
    ['apple_health_kit', 'phone', 1000],
    ['samsung_health', 'watch', 900],
  ] as const) {
    await site.ask('POST', `/v2/link/provider/manual/${provider}`, { user_id: userId })
    const data = [{ ...time, value, unit: 'count', type }]
    const body = { stage: 'daily', provider, data }
    await site.ask('POST', `/v2/timeseries/${userId}/steps`, body)
  }
  return userId
}
