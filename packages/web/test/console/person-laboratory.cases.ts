import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

const openTab = (site: ConsoleSite, page: Page, person: string, tab: string): Promise<void> =>
  site.open(page, `people/${person}?tab=${tab}`)
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Orders, results, documents and events of a person. */
export function testPersonLaboratory(fixture: ConsoleFixture): void {
  testOrdersAndResults(fixture)
  testInsurance(fixture)
  testDocuments(fixture)
  testEvents(fixture)
  testNarrow(fixture)
}

function testOrdersAndResults(fixture: ConsoleFixture): void {
  testPage(
    'orders of a person show their lives, and results of orders and reports are in one unit',
    fixture,
    async (page, site) => {
      await openTab(site, page, site.users.omar, 'laboratory')
      const orders = section(page, 'Orders')
      await orders.getByRole('list', { name: 'Progress of the order' }).first().waitFor()
      const { orders: stored } = await site.ask('GET', `/v3/orders?user_id=${site.users.omar}`)
      assert.equal(
        await orders.getByRole('list', { name: 'Progress of the order' }).count(),
        stored.length,
      )
      const results = section(page, 'Results')
      const first = results.locator('summary').first()
      assert.match(await first.innerText(), /Critically high|High|Low/)
      const glucose = results.locator('details', { hasText: 'Glucose' }).first()
      await glucose.locator('summary').press('Enter')
      const chart = glucose.getByRole('img', { name: /^Glucose: \d+ values from .* mg\/dL/ })
      await chart.waitFor()
      assert.match(page.url(), /analyte=\d+-\d/)
      const rows = await glucose.getByRole('row').allInnerTexts()
      assert.ok(rows.some((row) => row.includes('mmol/') && row.includes('Report')))
      assert.ok(rows.some((row) => row.includes('Order')))
      assert.deepEqual(await findViolations(page), [])
      await page.reload()
      await chart.waitFor()
    },
  )
}

function testInsurance(fixture: ConsoleFixture): void {
  testPage(
    'insurance of a spouse is added with its guarantor, refused at its fields, and replaced',
    fixture,
    async (page, site) => {
      const person = await site.ask('POST', '/v2/user', { client_user_id: 'insured' })
      const address = {
        ...{ first_line: '1 Main St', second_line: null, city: 'Phoenix', state: 'AZ' },
        ...{ country: 'US', zip: '85004' },
      }
      await site.ask('PATCH', `/v2/user/${person.user_id}/info`, {
        ...{ first_name: 'Ada', last_name: 'Moreau', dob: '1990-04-12', gender: 'female', address },
        ...{ phone_number: '+15555550100', email: 'ada.moreau@example.com' },
      })
      await openTab(site, page, person.user_id, 'laboratory')
      await page.getByRole('button', { name: 'Add insurance' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add insurance' })
      assert.equal(await dialog.getByLabel('First name').inputValue(), 'Ada')
      await dialog.getByLabel('Insurer').fill('aetna')
      await dialog.getByRole('listbox').getByRole('option').first().click()
      await dialog.getByLabel('Relationship').selectOption('Spouse')
      const save = dialog.getByRole('button', { name: 'Save insurance' })
      await save.click()
      await dialog.getByText('Fill in the fields that are marked.').waitFor()
      await dialog.getByLabel('Member number').fill('W123')
      const holder = dialog.getByRole('group', { name: 'Policy holder' })
      for (const [label, value] of [
        ...[['First name', 'Ben'] as const, ['Last name', 'Moreau'] as const],
        ...[['Phone number', '+15555550101'] as const, ['City', 'Phoenix'] as const],
        ...[['Street and number', '1 Main St'] as const, ['ZIP code', '850'] as const],
      ]) {
        await holder.getByLabel(label).fill(value)
      }
      await holder.getByLabel('State').selectOption('AZ')
      await save.click()
      const zip = holder.getByLabel('ZIP code')
      await dialog
        .getByRole('alert')
        .getByText(/zip_code/)
        .waitFor()
      assert.equal(await zip.getAttribute('aria-invalid'), 'true')
      assert.deepEqual(await findViolations(page), [])
      await zip.fill('85004')
      await save.click()
      await dialog.waitFor({ state: 'hidden' })
      const shown = section(page, 'Insurance')
      await shown.getByText('Member W123').waitFor()
      await shown.getByRole('button', { name: /^Replace the policy/ }).click()
      const again = page.getByRole('dialog', { name: 'Replace insurance' })
      await again.getByLabel('Member number').fill('W124')
      await again.getByRole('button', { name: 'Save insurance' }).click()
      await shown.getByText('Replaced by a newer one').waitFor()
      const { data } = await site.ask('GET', `/v2/user/${person.user_id}/insurance`)
      assert.deepEqual(
        data.map(({ member_id, guarantor, is_billed }: Policy) => [
          ...[member_id, guarantor.first_name, is_billed],
        ]),
        [
          ['W124', 'Ben', true],
          ['W123', 'Ben', false],
        ],
      )
    },
    // The ZIP code that is too short.
    { refused: /\/insurance$/ },
  )
}

interface Policy {
  member_id: string
  guarantor: { first_name: string }
  is_billed: boolean
}

function testDocuments(fixture: ConsoleFixture): void {
  testPage(
    'documents of a person are saved, and what is typed stays out of the address',
    fixture,
    async (page, site) => {
      await openTab(site, page, site.users.ines, 'laboratory')
      await section(page, 'Appointments').getByText('Service center').waitFor()
      const documents = section(page, 'Documents')
      await documents.getByLabel('Kind of document').selectOption('result')
      const save = documents.getByRole('button', { name: /^Save Result of / }).first()
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
      assert.match(download.suggestedFilename(), /^result-\d{4}-\d\d-\d\d\.pdf$/)
      const results = section(page, 'Results')
      await results.getByLabel('Search analytes').fill('triglyc')
      await results.locator('summary').nth(1).waitFor({ state: 'detached' })
      assert.match(await results.locator('summary').innerText(), /Triglycerides/)
      await results.getByLabel('Search analytes').fill('nothing like it')
      await results.getByText('No analytes match.').waitFor()
      assert.doesNotMatch(page.url(), /triglyc|nothing/)
      assert.match(page.url(), /document=result/)
    },
    { isCampaign: true },
  )
}

/** Reads come into the audit log a moment after they were answered. */
async function waitForAudit(site: ConsoleSite, userId: string, route: string): Promise<void> {
  const path = `/team/${site.teamId}/sandbox/audit_log?user_id=${userId}&reads=true&limit=10`
  for (const end = Date.now() + 20_000; ; await delay(50)) {
    const { data } = await site.manage('GET', path)
    if (data.some((row: { route: string }) => row.route.includes(route))) return
    assert.ok(Date.now() < end, `no ${route} in the audit log`)
  }
}

function testEvents(fixture: ConsoleFixture): void {
  testPage(
    'events of a person come with their deliveries, and their absence with a reason',
    fixture,
    async (page, site) => {
      await openTab(site, page, site.users.ines, 'events')
      const events = section(page, 'Events')
      await events.getByRole('row').nth(3).waitFor()
      await events.getByLabel('Kind of event').selectOption('labtest.order.*')
      await events.getByText('provider.connection.created').first().waitFor({ state: 'detached' })
      await events.getByText('labtest.order.updated').first().waitFor()
      const why = section(page, 'Missing event')
      await why.getByLabel('Type of the event').fill('labtest.result.critical')
      await page.keyboard.press('Enter')
      await why.getByText('No result of the user is critical.').waitFor()
      await why.getByLabel('Type of the event').fill('labtest.result.crucial')
      await page.keyboard.press('Enter')
      await why.getByRole('alert').getByText('There is no such event type').waitFor()
      await waitForAudit(site, site.users.ines, 'event_explanation')
      const access = section(page, 'Access log')
      await access.getByRole('button', { name: 'Show requests' }).click()
      await access
        .getByRole('row', { name: /event_explanation/ })
        .first()
        .waitFor()
      // What was opened above pushed the list down; its rows are there all the same.
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await events.getByRole('row').last().waitFor()
      const lowest = await events.getByRole('row').last().boundingBox()
      assert.ok(lowest && lowest.y > 0 && lowest.y < 800, `the last row is at ${lowest?.y}`)
      assert.deepEqual(await findViolations(page), [])
    },
    // A type that is mistyped is refused.
    { refused: /\/event_explanation\?/ },
  )
}

function testNarrow(fixture: ConsoleFixture): void {
  testPage(
    'on a narrow screen nothing of laboratories and events is wider than it',
    fixture,
    async (page, site) => {
      for (const tab of ['laboratory', 'events']) {
        await openTab(site, page, site.users.omar, tab)
        await page.getByRole('region').first().waitFor()
        await page.waitForLoadState('networkidle')
        assert.equal(await isTooWide(page), false, tab)
      }
      await openTab(site, page, site.users.omar, 'laboratory')
      const results = section(page, 'Results')
      await results.locator('summary').first().click()
      await results.getByRole('table').waitFor()
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
    },
    { viewport: { width: 360, height: 780 }, isCampaign: true },
  )
}
