import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleFixture, type ConsoleSite, testPage } from './console-site.ts'
import { makeOrder } from './laboratories.cases.ts'

/** Most clicks from the overview to what was wanted; keys do not count. */
const MOST_CLICKS = 3

interface Work {
  page: Page
  site: ConsoleSite
  click: (target: Locator) => Promise<void>
  /** Opens something with Ctrl K. */
  find: (words: string, heading: string | RegExp) => Promise<void>
}

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const inTable = (page: Page, name: string) =>
  page.getByRole('table', { name }).getByRole('row').nth(1).getByRole('link').first()

const hasFile = async (page: Page, act: () => Promise<void>) => {
  const download = page.waitForEvent('download')
  await act()
  return (await download).suggestedFilename()
}

/** What users do most, each from the overview. */
const TASKS: Readonly<Record<string, (work: Work) => Promise<unknown>>> = {
  'find a person': ({ find }) => find('walker ines', 'Ines Walker'),
  'see the last night of a person': async ({ page, find, click }) => {
    await find('walker ines', 'Ines Walker')
    await click(page.getByRole('navigation').getByRole('link', { name: /^Sleep/ }))
    await page.locator('.night-detail h3').waitFor()
  },
  'see why a count is what it is': async ({ page, find, click }) => {
    await find('walker ines', 'Ines Walker')
    await page.locator('.chart[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await click(page.getByRole('group', { name: /^Heart rate/ }).locator('.u-over'))
    await page.getByRole('region', { name: 'Where this value comes from' }).waitFor()
  },
  'read the history of an order': async ({ page, click }) => {
    await click(link(page, 'Orders'))
    await click(inTable(page, 'Orders'))
    await page.getByRole('region', { name: 'Progress' }).waitFor()
  },
  'replay a webhook': async ({ page, click }) => {
    await click(link(page, 'Events'))
    await click(inTable(page, 'Events'))
    await button(page, /^Send (again|to this endpoint|now)$/).waitFor()
    await click(button(page, /^Send (again|to this endpoint|now)$/))
  },
  'add a webhook': async ({ page, site, click }) => {
    await click(link(page, 'Webhooks'))
    await click(button(page, 'Add endpoint'))
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9/clicks')
    await click(dialog.getByRole('button', { name: 'Add endpoint' }))
    await page.getByRole('heading', { level: 1, name: '127.0.0.1:9' }).waitFor()
    const id = /webhooks\/([0-9a-f-]{36})/.exec(page.url())?.[1]
    await site.manage('DELETE', `/team/${site.teamId}/sandbox/webhook/${id}`)
  },
  'find the broken connections': async ({ page, click }) => {
    await click(link(page, /of (a person does|people do) not work$/))
    await page
      .getByRole('table', { name: 'People' })
      .getByText('1 broken connection')
      .first()
      .waitFor()
  },
  'review a report': async ({ page, click }) => {
    await click(link(page, 'Lab reports'))
    await click(inTable(page, 'Lab reports'))
    await page.getByRole('img', { name: 'Page 1 of the report' }).waitFor()
  },
  'book an appointment': async ({ page, site, find, click }) => {
    await find(await makeOrder(site), /./)
    const times = page.getByRole('list', { name: /^Free times/ })
    await click(times.getByRole('button').first())
    await click(button(page, 'Book appointment'))
    await page.getByText('Confirmed', { exact: true }).waitFor()
  },
  'download a list': async ({ page, click }) => {
    await click(link(page, 'People'))
    const name = await hasFile(page, () => click(button(page, 'Download CSV')))
    assert.equal(name, 'people.csv')
  },
}

/** The ten tasks that users do most. */
export function testClicks(fixture: ConsoleFixture): void {
  testPage(`ten tasks take ${MOST_CLICKS} clicks each at most`, fixture, async (page, site) => {
    for (const [name, act] of Object.entries(TASKS)) {
      let clicks = 0
      const click = async (target: Locator): Promise<void> => {
        clicks += 1
        await target.click()
      }
      const find = async (words: string, heading: string | RegExp): Promise<void> => {
        await page.keyboard.press('Control+k')
        const palette = page.getByRole('dialog', { name: 'Search' })
        await palette.getByRole('combobox').waitFor()
        await page.keyboard.type(words)
        await palette.getByRole('option').first().waitFor()
        await palette.getByRole('status').filter({ hasText: 'found' }).waitFor()
        await page.keyboard.press('Enter')
        await page.waitForURL(/people|orders/)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      }
      await site.open(page, 'overview')
      await act({ page, site, click, find })
      assert.ok(clicks <= MOST_CLICKS, `${name}: ${clicks} clicks`)
    }
  })
}
