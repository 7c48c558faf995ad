import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, isTooWide, testPage } from './console-site.ts'

const NARROW = { viewport: { width: 360, height: 740 } }
const UNKNOWN = '11111111-2222-4333-8444-555555555555'
const TABS = ['', 'timeline', 'sleep', 'data', 'profile']

/** Personal data, which no address may contain. */
const namesSomebody = (page: Page): boolean => /walker|ines|rivera|example\.com/i.test(page.url())

interface Merged {
  merged: { set_aside: unknown[] }
}

/** Waits until nothing is waited for any more. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('.waiting').first().waitFor({ state: 'detached' })
}

export function testPeople(fixture: ConsoleFixture): void {
  testPage(
    'people are found by name, and the address does not contain it',
    fixture,
    async (page, site) => {
      await site.open(page, 'people')
      await page.getByText('7 people', { exact: true }).waitFor()
      await page.getByLabel('Search').fill('walker ines')
      await page.getByText('1 person found').waitFor()
      assert.deepEqual(await findViolations(page), [])
      assert.equal(namesSomebody(page), false, page.url())
      await page.getByLabel('Search').fill('no such name')
      await page.getByText('No people match.').waitFor()
      await page.getByLabel('Search').fill(site.users.sam.slice(0, 14))
      await page.getByRole('link', { name: 'Sam Rivera' }).click()
      await page.getByRole('heading', { level: 1, name: 'Sam Rivera' }).waitFor()
      assert.match(page.url(), new RegExp(`/people/${site.users.sam}$`))
      assert.equal(await page.title(), 'Person · Salus')
    },
  )

  testPage(
    'people are sorted, chosen with Shift, refreshed with an outcome for each, and saved as a view',
    fixture,
    async (page, site) => {
      await site.open(page, 'people')
      const table = page.getByRole('table', { name: 'People' })
      await table.getByRole('button', { name: 'Newest data' }).click()
      await page.waitForURL(/sort=newest_data&direction=desc|direction=desc&sort=newest_data/)
      const boxes = table.getByRole('checkbox', { name: /^Choose (?!all)/ })
      await boxes.first().check()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Shift+Space')
      const bar = page.getByRole('region', { name: 'Chosen rows' })
      await bar.getByText('3 people chosen').waitFor()
      assert.deepEqual(await findViolations(page), [])
      await bar.getByRole('button', { name: 'Delete people' }).click()
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: 'Delete people' })
      assert.equal(await confirm.isDisabled(), true)
      await dialog.getByLabel('Type 3 to confirm').fill('2')
      assert.equal(await confirm.isDisabled(), true)
      await dialog.getByRole('button', { name: 'Do nothing' }).click()
      await bar.getByRole('button', { name: 'Refresh' }).click()
      await dialog.getByRole('button', { name: 'Refresh' }).click()
      await dialog.getByText(/^\d of 3 done/).waitFor()
      await dialog.getByText(/waiting/).waitFor({ state: 'detached' })
      await dialog.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()
      await bar.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Save view' }).click()
      await dialog.getByLabel('Name').fill('Who sent last')
      await dialog.getByRole('button', { name: 'Save view' }).click()
      await dialog.waitFor({ state: 'detached' })
      await site.open(page, 'overview')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('who sent')
      await page.getByRole('option', { name: /Who sent last/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/people\?.*sort=newest_data/)
      await page.getByRole('button', { name: 'Delete view' }).click()
      await dialog.getByRole('button', { name: 'Delete view' }).click()
      await page.waitForURL(/people$/)
    },
  )

  testPage(
    'a failed connection is found and explained, and gets a link',
    fixture,
    async (page, site) => {
      await site.open(page, 'people?state=error')
      await page.getByRole('link', { name: 'Sam Rivera' }).click()
      await page.getByText(/Oura stopped working/).waitFor()
      await page.getByText('The person must sign in again.', { exact: false }).waitFor()
      assert.deepEqual(await findViolations(page), [])
      await page.getByRole('button', { name: 'Link to reconnect' }).click()
      await page.getByRole('button', { name: 'Create link' }).click()
      const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue()
      assert.ok(link.startsWith(site.baseUrl), link)
      await page.keyboard.press('Escape')
      const isBack = 'document.activeElement?.textContent === "Link to reconnect"'
      assert.equal(await page.evaluate(isBack), true, 'the focus is back')
    },
  )

  testPage('every part of a person is there, without violations', fixture, async (page, site) => {
    for (const tab of TABS) {
      await site.open(page, `people/${site.users.ines}${tab && `?tab=${tab}`}`)
      await settle(page)
      assert.deepEqual(await findViolations(page), [], tab)
      assert.equal(await page.getByRole('alert').count(), 0, tab)
    }
  })

  testPage(
    'a night is chosen, its stages shown and kept in the address',
    fixture,
    async (page, site) => {
      await site.open(page, `people/${site.users.ines}?tab=sleep`)
      const nights = page.locator('.night')
      await nights.nth(3).click()
      await page.waitForURL(/night=[0-9a-f-]{36}/)
      const day = await nights.nth(3).locator('.night-day').innerText()
      assert.equal(await page.locator('.night-detail h3').innerText(), day)
      await page.getByRole('img', { name: /^Stages of the night: awake/ }).waitFor()
      await page.reload()
      assert.equal(await page.locator('.night[aria-pressed="true"] .night-day').innerText(), day)
      await page.getByRole('button', { name: 'Earlier' }).click()
      await page.waitForURL(/until=\d{4}-\d\d-\d\d/)
      assert.ok((await nights.count()) > 0)
    },
    { isCampaign: true },
  )

  testPage(
    'a night that two sources recorded names both, and the one that counts',
    fixture,
    async (page, site) => {
      const { ines } = site.users
      const path = `/v2/summary/sleep/${ines}/merged?start_date=2000-01-01`
      const { sleep } = await site.ask('GET', path)
      const night = sleep.findLast((one: Merged) => one.merged.set_aside.length > 0)
      await site.open(page, `people/${ines}?tab=sleep&night=${night.id}`)
      await page
        .locator('.night-detail')
        .getByText(/^Merged of \d records/)
        .click()
      const records = page.getByRole('region', { name: 'Records of this sleep' })
      await records.getByText(/: counts, and is shown here$/).waitFor()
      await records.getByText(/: .*; the other one (has|is|covers) /).waitFor()
      assert.equal(await records.getByRole('listitem').count(), night.merged.set_aside.length + 1)
      assert.deepEqual(await findViolations(page), [])
    },
  )

  testPage(
    'tiles show the newest figures in the units of the person, and lead to their tabs',
    fixture,
    async (page, site) => {
      const { ines } = site.users
      const { figures } = await site.ask('GET', `/v2/user/${ines}/glance`)
      type Figure = { name: string; value: number }
      const figureOf = (name: string) => figures.find((one: Figure) => one.name === name).value
      await site.open(page, `people/${ines}`)
      const tiles = page.getByRole('list', { name: 'At a glance' })
      const tile = (name: string | RegExp) => tiles.getByRole('listitem').filter({ hasText: name })
      const steps = figureOf('steps').toLocaleString('en')
      await tile('Steps').getByText(steps, { exact: true }).waitFor()
      await site.ask('PATCH', `/v2/user/${ines}`, { units: { weight: 'lb' } })
      await page.reload()
      const pounds = (figureOf('weight') / 0.45359237).toFixed(1)
      await tile('Weight').getByText(`${pounds} lb`).waitFor()
      // In the small hours of the person the night before is the newest one.
      await tile(/^(Last|Newest) night/)
        .getByRole('link')
        .click()
      await page.waitForURL(/tab=sleep/)
      await page.getByRole('img', { name: /^Heart rate of the night/ }).waitFor()
      await site.ask('PATCH', `/v2/user/${ines}`, { units: null })
    },
  )

  testPage(
    'a note is written, found, changed and kept in its versions',
    fixture,
    async (page, site) => {
      await site.open(page, `people/${site.users.sam}?tab=timeline`)
      const text = page.getByLabel('Text of the note')
      await text.fill('Prefers calls in the morning')
      await page.getByRole('button', { name: 'Save note' }).click()
      const list = page.getByRole('region', { name: 'Timeline' })
      await list.getByText('Prefers calls in the morning').waitFor()
      await page.getByLabel('Search the timeline').fill('no such word')
      await page.getByText('Nothing matches.').waitFor()
      await page.getByLabel('Search the timeline').fill('MORNING calls')
      await list.getByRole('button', { name: 'Versions' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Text of the note').fill('Prefers calls in the evening')
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByRole('button', { name: 'Save new version' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByLabel('Search the timeline').fill('evening')
      await list.getByRole('button', { name: 'Versions' }).click()
      await dialog.getByText('Prefers calls in the morning').waitFor()
      assert.doesNotMatch(page.url(), /morning|evening/i)
      await dialog.getByRole('button', { name: 'Entered in error' }).click()
      await page.getByText('Nothing matches.').waitFor()
    },
  )

  testPage(
    'what could not be stored is said with its reason',
    fixture,
    async (page, site) => {
      await site.open(page, `people/${site.users.omar}`)
      await page.getByText(/Some data could not be stored/).waitFor()
      await page.getByRole('link', { name: 'See quarantine' }).click()
      await page.locator('.quarantine summary').first().click()
      await page.locator('.quarantine pre').first().waitFor()
      assert.deepEqual(await findViolations(page), [])
    },
    { isCampaign: true },
  )

  testPage(
    'a person is added, changed and deleted by keyboard alone',
    fixture,
    async (page, site) => {
      await site.open(page, 'people')
      await page.getByRole('button', { name: 'Add person' }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Client id').focus()
      await page.keyboard.type('by-keyboard')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'by-keyboard' }).waitFor()
      await page.getByRole('link', { name: 'Profile' }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await page.getByRole('button', { name: 'Save settings' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('Saved').waitFor()
      await page.getByText('Asia/Tokyo', { exact: true }).first().waitFor()
      await page.getByRole('button', { name: 'Delete person' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete person' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
      await page.getByText('7 people', { exact: true }).waitFor()
    },
  )

  testPage(
    'people and a person fit a narrow window',
    fixture,
    async (page, site) => {
      await site.open(page, 'people')
      await page.getByText('7 people', { exact: true }).waitFor()
      assert.equal(await isTooWide(page), false)
      for (const tab of TABS) {
        await site.open(page, `people/${site.users.ines}${tab && `?tab=${tab}`}`)
        await settle(page)
        assert.equal(await isTooWide(page), false, tab)
      }
      assert.deepEqual(await findViolations(page), [])
    },
    NARROW,
  )

  testPage(
    'a missing person is reported',
    fixture,
    async (page, site) => {
      await site.open(page, `people/${UNKNOWN}`)
      await page.getByText('The person was not found.').waitFor()
      assert.deepEqual(await findViolations(page), [])
    },
    { isCampaign: true, refused: /^\/v2\/(timeseries\/[^/]+\/charts|user\/[^/]+\/glance)$/ },
  )
}
