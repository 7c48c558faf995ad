import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { DAY_MS } from '../../src/time-units.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

/** What a timeline shows first. */
const SHOWN_DAYS = 30
const DRAG_PIXELS = 150

const dayAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

async function openTimeline(page: Page, site: ConsoleSite, query = ''): Promise<void> {
  // biome-ignore lint/style/noNonNullAssertion: the demo team has people
  const userId = Object.values(site.users)[0]!
  await site.open(page, `people/${userId}${query}`)
  await page.locator('.chart canvas').first().waitFor()
  await settled(page)
}

/** All charts have come. */
const settled = (page: Page): Promise<void> =>
  page.locator('.chart[aria-busy="true"]').first().waitFor({ state: 'detached' })

/** Looks until something is so; the content security policy lets no condition into the page. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await isSo()); ) {
    assert.ok(Date.now() < end, 'waited in vain')
    await delay(30)
  }
}

const rangeOf = (page: Page) => page.locator('.timeline-range').innerText()
const heartRate = (page: Page) => page.getByRole('group', { name: /^Heart rate/ })

/** The first day of the range, in milliseconds. */
async function firstDayOf(page: Page): Promise<number> {
  const [first = ''] = (await rangeOf(page)).split(' – ')
  return Date.parse(`${first} UTC`)
}

/** Waits until the range has become another one. */
async function rangeAfter(page: Page, act: () => Promise<unknown>): Promise<string> {
  const before = await rangeOf(page)
  await act()
  await waitUntil(async () => (await rangeOf(page)) !== before)
  return rangeOf(page)
}

/** Thirty days of steps, each begun where the person is, half an hour from midnight. */
async function makeWalker(site: ConsoleSite, { time, offset }: { time: string; offset: string }) {
  const { user_id: userId } = await site.ask('POST', '/v2/user', { client_user_id: 'walker' })
  await site.ask('POST', '/v2/link/provider/manual/samsung_health', { user_id: userId })
  const days = Array.from({ length: 30 }, (_, index) => dayAgo(32 - index))
  const data = days.map((day, index) => {
    const at = `${day}T${time}:00${offset}`
    return { value: 1_000 + index, unit: 'count', start_date: at, end_date: at }
  })
  const body = { stage: 'daily', provider: 'samsung_health', data }
  await site.ask('POST', `/v2/timeseries/${userId}/steps`, body)
  return { userId, days }
}

const DAY = new Intl.DateTimeFormat('en', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  timeZone: 'UTC',
})

/** Who looks is on the other side of the earth. */
const APART = [
  { viewer: 'America/Los_Angeles', place: { time: '00:30', offset: '+09:00' } },
  { viewer: 'Asia/Tokyo', place: { time: '23:30', offset: '-08:00' } },
]

export function testTimeline(fixture: ConsoleFixture): void {
  for (const { viewer, place } of APART) {
    testPage(
      `days recorded at ${place.offset} are those of the person for who looks from ${viewer}`,
      fixture,
      async (page, site) => {
        const { userId, days } = await makeWalker(site, place)
        await site.open(page, `people/${userId}`)
        await page.getByRole('button', { name: 'Steps as a table' }).click()
        const rows = page.getByRole('region', { name: 'Values as a table' }).getByRole('row')
        await rows.nth(days.length).waitFor()
        const shown = await rows.locator('th[scope="row"], td:nth-of-type(1)').allInnerTexts()
        const expected = days.flatMap((day, index) => [
          DAY.format(new Date(day)),
          `1,${String(index).padStart(3, '0')}`,
        ])
        assert.deepEqual(shown, expected)
        await site.open(page, `people/${userId}?tab=data`)
        const times = page.locator('.local-times li')
        await times.first().waitFor()
        assert.equal(await times.count(), 1)
        const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(place.time) ?? []
        const clock = `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`
        assert.match((await times.innerText()).replace(/\s/g, ' '), new RegExp(clock))
        await site.ask('DELETE', `/v2/user/${userId}`)
      },
      { timezoneId: viewer },
    )
  }

  testPage(
    'the timeline is read, moved, zoomed and explained by keyboard',
    fixture,
    async (page, site) => {
      await openTimeline(page, site)
      const chart = heartRate(page)
      await chart.focus()
      assert.match(
        (await chart.locator('.only-read').textContent()) ?? '',
        /Heart rate: [\d.]+ bpm on average/,
      )
      const month = await rangeOf(page)
      assert.notEqual(await rangeAfter(page, () => page.keyboard.press('ArrowLeft')), month)
      await rangeAfter(page, () => page.keyboard.press('+'))
      await settled(page)
      await page.keyboard.press('Shift+ArrowRight')
      const readout = page.locator('.chart', { has: chart }).locator('.chart-readout')
      assert.match(await readout.innerText(), /\d+(\.\d)? bpm/)
      await page.keyboard.press('Enter')
      const explanation = page.getByRole('region', { name: 'Where this value comes from' })
      await explanation.getByText(/^Counted \(\d+\)$/).waitFor()
      assert.deepEqual(await findViolations(page), [])
    },
  )

  testPage(
    'the range is in the address, and comes back with it',
    fixture,
    async (page, site) => {
      const query = `?from=${dayAgo(9)}T00:00:00&to=${dayAgo(8)}T00:00:00`
      await openTimeline(page, site, query)
      const shown = await rangeOf(page)
      await rangeAfter(page, () => page.getByRole('button', { name: 'Zoom out' }).click())
      await waitUntil(async () => !page.url().includes(`to=${dayAgo(8)}T00`))
      const wide = await rangeOf(page)
      assert.notEqual(wide, shown)
      await page.reload()
      await page.locator('.chart canvas').first().waitFor()
      assert.equal(await rangeOf(page), wide)
    },
    { isCampaign: true },
  )

  testPage(
    'a drag moves all charts, and Ctrl with the wheel zooms',
    fixture,
    async (page, site) => {
      await openTimeline(page, site)
      // It is above the charts, and moves them when it comes.
      await page.locator('.attention, .attention-well').waitFor()
      const over = heartRate(page).locator('.u-over')
      await over.scrollIntoViewIfNeeded()
      const box = await over.boundingBox()
      assert.ok(box !== null)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const before = await firstDayOf(page)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + DRAG_PIXELS, y, { steps: 5 })
      await page.mouse.up()
      // All of the drag counts, though the plot is drawn anew on its way.
      const expected = before - Math.floor((DRAG_PIXELS / box.width) * SHOWN_DAYS) * DAY_MS
      await waitUntil(async () => (await firstDayOf(page)) <= expected)
      await page.keyboard.down('Control')
      await rangeAfter(page, () => page.mouse.wheel(0, -600))
      await page.keyboard.up('Control')
      await settled(page)
    },
  )

  testPage(
    'charts are chosen and read as a table on a phone',
    fixture,
    async (page, site) => {
      await openTimeline(page, site)
      const choice = page.getByRole('group', { name: 'Charts' })
      await choice.getByLabel('Heart rate', { exact: true }).uncheck()
      await heartRate(page).waitFor({ state: 'detached' })
      await choice.getByLabel('Heart rate', { exact: true }).check()
      await page.getByRole('button', { name: 'Heart rate as a table' }).click()
      const table = page.getByRole('region', { name: 'Values as a table' })
      assert.ok((await table.getByRole('row').count()) > 2)
      assert.match(await table.getByRole('row').nth(1).innerText(), /bpm/)
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
    },
    { viewport: { width: 360, height: 760 }, isCampaign: true },
  )
}
