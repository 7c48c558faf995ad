import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { PEOPLE } from '../../../ops/src/demo-team/filling/people.registry.ts'
import { STATE_ZONES } from '../../src/console/components/state-zones.generated.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'
import { testKit } from './kits.cases.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const

interface StoredOrder {
  id: string
  created_at: string
  patient_address: { state: string } | null
  last_event: { status: string }
}

const listOrders = async (site: ConsoleSite, query: string): Promise<StoredOrder[]> =>
  (await site.ask('GET', `/v3/orders?size=100&${query}`)).orders

/**
 * Orders a lipid panel for a person of the demo team, past the page, and has the laboratory accept
 * it.
 */
export async function makeOrder(site: ConsoleSite): Promise<string> {
  const { info } = PEOPLE.tom
  const { first_name, last_name, gender, dob, address } = info
  const { data } = await site.ask('GET', '/v3/lab_test?name=lipid&collection_method=walk_in_test')
  const { order } = await site.ask('POST', '/v3/order', {
    user_id: site.users.tom,
    order_set: { lab_test_ids: [data[0].id] },
    patient_details: {
      ...{ first_name, last_name, gender, dob },
      phone_number: '+13125550142',
      email: 'tom@example.com',
    },
    patient_address: { ...address, country: 'US' },
  })
  const accepted = 'received.walk_in_test.requisition_created'
  await site.ask('POST', `/v3/order/${order.id}/test?final_status=${accepted}`, {})
  return order.id
}

/** A time of a page, as far as it is looked at. */
interface ShownTime {
  dateTime: string
  innerText: string
}

/** Who looks is so far in the east that it is tomorrow there for most of the day. */
function testDaysOfOrders(fixture: ConsoleFixture): void {
  testPage(
    'the list of orders has the days of the places where the patients are',
    fixture,
    async (page, site) => {
      const orders = await listOrders(site, '')
      const days = orders.map(({ created_at: at, patient_address: address }) => {
        const timeZone = STATE_ZONES[address?.state ?? '']
        return [
          at,
          new Date(at).toLocaleDateString('en', { ...DAY, ...(timeZone && { timeZone }) }),
        ]
      })
      await site.open(page, 'orders')
      await page.locator('.data-table time').first().waitFor()
      const times = page.locator('.data-table time')
      const shown = await times.evaluateAll((elements) =>
        (elements as unknown as ShownTime[]).map((time) => [time.dateTime, time.innerText]),
      )
      // Of the last week it says how long ago.
      const dated = shown.filter(([, text = '']) => /\d{4}$/.test(text))
      assert.ok(dated.length > 3)
      const known = new Set(days.map((day) => day.join()))
      assert.deepEqual(
        dated.filter((day) => !known.has(day.join())),
        [],
      )
    },
    { timezoneId: 'Pacific/Kiritimati' },
  )
}

/** The catalog, orders and what belongs to them, and the sandbox. */
export function testLaboratories(fixture: ConsoleFixture): void {
  testPlacing(fixture)
  testDaysOfOrders(fixture)
  testAppointment(fixture)
  testKit(fixture)
  testSimulation(fixture)
  testSavedView(fixture)
  testLabTest(fixture)
}

function testPlacing(fixture: ConsoleFixture): void {
  testPage(
    'an order is filled in, what would be refused is said before, and it is placed once',
    fixture,
    async (page, site) => {
      const before = await listOrders(site, `user_id=${site.users.nora}`)
      await site.open(page, 'orders')
      await page.getByRole('link', { name: 'New order' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'New order' }).waitFor()
      await page.getByLabel('Find a person').fill('lindq')
      await page.getByRole('option', { name: /Nora Lindqvist/ }).click()
      await page.getByLabel('Find a test').fill('lipid panel')
      await page.getByRole('option', { name: /Lipid Panel.*Walk-in/ }).click()
      const patient = section(page, 'Patient')
      await patient.getByLabel('First name').and(page.locator('[value="Nora"]')).waitFor()
      await section(page, 'Tests')
        .getByText(/The laboratory is/)
        .waitFor()

      await patient.getByLabel('ZIP code').fill('8020')
      await patient.getByText('Enter a ZIP code of five digits').waitFor()
      const payment = section(page, 'Payment')
      await payment.getByRole('radio', { name: /^Insurance/ }).check()
      await payment.getByText('The person has no insurance yet', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Place order' }).click()
      await payment.locator('.part-problems').waitFor()
      await page.getByRole('heading', { name: 'Not ready yet' }).waitFor()
      assert.deepEqual(await findViolations(page), [])
      const meanwhile = await listOrders(site, `user_id=${site.users.nora}`)
      assert.equal(meanwhile.length, before.length, 'nothing was placed')

      await patient.getByLabel('ZIP code').fill('80202')
      await payment.getByRole('radio', { name: /^Your team pays/ }).check()
      await page.getByRole('heading', { name: 'Ready', exact: true }).waitFor()
      assert.doesNotMatch(page.url(), /nora|lindq|lipid|8020/i)
      await page.getByRole('button', { name: 'Place order' }).dblclick()
      await page.getByRole('heading', { level: 1, name: 'Lipid Panel' }).waitFor()
      await section(page, 'Progress').getByRole('list', { name: 'Progress of the order' }).waitFor()
      const placed = await listOrders(site, `user_id=${site.users.nora}`)
      assert.equal(placed.length, before.length + 1)
      assert.ok(placed.some(({ id }) => page.url().endsWith(id)))
    },
  )
}

function testAppointment(fixture: ConsoleFixture): void {
  testPage(
    'an appointment is booked at a site, moved and cancelled',
    fixture,
    async (page, site) => {
      const orderId = await makeOrder(site)
      const read = () => site.ask('GET', `/v3/order/${orderId}/psc/appointment`)
      await site.open(page, `orders/${orderId}`)
      const visit = section(page, 'Appointment at a site')
      const times = visit.getByRole('list', { name: /^Free times/ })
      await times.getByRole('button').first().click()
      await visit.getByRole('button', { name: 'Book appointment' }).click()
      await visit.getByText('Confirmed', { exact: true }).waitFor()
      const booked = await read()
      const shown = await visit.locator('.appointment-time').innerText()

      await visit.getByRole('button', { name: 'Move appointment' }).click()
      await times.getByRole('button').last().click()
      assert.deepEqual(await findViolations(page), [])
      await visit.getByRole('button', { name: 'Move appointment' }).click()
      await visit.getByRole('button', { name: 'Move appointment' }).waitFor()
      await visit.locator('.appointment-time').filter({ hasNotText: shown }).waitFor()
      const moved = await read()
      assert.notEqual(moved.start_at, booked.start_at)

      await visit.getByRole('button', { name: 'Cancel appointment' }).click()
      const dialog = page.getByRole('dialog', { name: 'Cancel the appointment?' })
      await dialog.getByLabel('Notes').fill('The patient is away.')
      await dialog.getByRole('button', { name: 'Cancel appointment' }).click()
      await visit.getByText('Cancelled', { exact: true }).waitFor()
      assert.equal((await read()).status, 'cancelled')
      await visit.getByRole('button', { name: 'Book appointment' }).waitFor()
      await section(page, 'Progress')
        .getByText('Appointment cancelled', { exact: false })
        .first()
        .waitFor()
    },
  )
}

function testSimulation(fixture: ConsoleFixture): void {
  testPage(
    'in the sandbox time goes on, and an order is led to results that are looked at',
    fixture,
    async (page, site) => {
      const orderId = await makeOrder(site)
      await site.open(page, 'sandbox')
      const clock = section(page, 'Clock')
      await clock.getByLabel('Unit').selectOption({ label: 'minutes' })
      await clock.getByRole('button', { name: 'Move clock forward' }).click()
      await clock.getByText(/^The clock was moved/).waitFor()
      assert.deepEqual(await findViolations(page), [])
      await page.locator(`a[href$="${orderId}"]`).click()

      const simulation = section(page, 'Simulate')
      await simulation.getByLabel('Interpretation').selectOption('critical')
      await simulation.getByLabel('Some results are missing').check()
      await simulation.getByRole('button', { name: 'Simulate status' }).click()
      const results = section(page, 'Results')
      await results.getByText('Critical', { exact: false }).first().waitFor()
      await results.getByRole('heading', { name: 'Not reported' }).waitFor()
      const { results: stored } = await site.ask('GET', `/v3/order/${orderId}/result`)
      assert.equal(await results.getByRole('row').count(), stored.length + 1)
      await results.getByRole('rowheader', { name: stored[0].name }).first().waitFor()
      await simulation.getByRole('status').waitFor({ state: 'detached' })
      assert.equal(await simulation.getByRole('alert').count(), 0)
      assert.deepEqual(await findViolations(page), [])
    },
  )
}

function testSavedView(fixture: ConsoleFixture): void {
  testPage(
    'in a narrow window a view of the orders is saved, used and deleted',
    fixture,
    async (page, site) => {
      const all = await listOrders(site, '')
      const abnormal = await listOrders(site, 'interpretation=abnormal')
      const countOf = ({ length }: readonly unknown[]) => `${length} orders`
      await site.open(page, 'orders')
      await page.getByText(countOf(all), { exact: true }).waitFor()
      await page.getByLabel('Result', { exact: true }).selectOption('abnormal')
      await page.getByText(`${countOf(abnormal)} match`, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('To call back')
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
      const views = page.getByRole('navigation', { name: 'Saved views' })
      const saved = views.getByRole('button', { name: 'To call back', exact: true })
      await saved.and(page.locator('[aria-pressed="true"]')).waitFor()
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])

      await views.getByRole('button', { name: 'All orders' }).click()
      await page.getByText(countOf(all), { exact: true }).waitFor()
      await page.reload()
      await saved.click()
      await page.waitForURL(/interpretation=abnormal/)
      await page.getByText(`${countOf(abnormal)} match`, { exact: true }).waitFor()
      await views.getByRole('button', { name: 'Delete view' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
      await saved.waitFor({ state: 'detached' })
      await page.getByText(countOf(all), { exact: true }).waitFor()

      const [{ id } = { id: '' }] = abnormal
      for (const path of [
        `orders/${id}`,
        'orders/new',
        'catalog',
        'catalog?tab=markers',
        'sandbox',
      ]) {
        await site.open(page, path)
        await page.waitForLoadState('networkidle')
        assert.equal(await isTooWide(page), false, path)
      }
    },
    { viewport: { width: 360, height: 740 } },
  )
}

function testLabTest(fixture: ConsoleFixture): void {
  testPage(
    'a test is made of markers and archived by keyboard alone',
    fixture,
    async (page, site) => {
      const name = 'Sugar after meals'
      await site.open(page, 'catalog')
      await page.getByRole('button', { name: 'New test' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'New test' })
      await dialog.getByLabel('Name', { exact: false }).first().focus()
      await page.keyboard.type(name)
      await dialog.getByLabel('Add a marker').focus()
      await page.keyboard.type('glucose')
      await dialog
        .getByRole('option', { name: /Glucose/i })
        .first()
        .waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await dialog.getByRole('list', { name: 'Chosen markers' }).waitFor()
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByRole('button', { name: 'Create test' }).press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      const isBack = 'document.activeElement?.textContent === "New test"'
      assert.equal(await page.evaluate(isBack), true, 'the focus is back')

      const state = page.getByLabel('State of the test')
      await state.selectOption('any')
      await page.getByLabel('Search tests').focus()
      await page.keyboard.type(name.slice(0, 8))
      await page.getByRole('button', { name, exact: true }).press('Enter')
      const opened = page.getByRole('dialog', { name })
      const approve = opened.getByRole('button', { name: 'Approve test' })
      const archive = opened.getByRole('button', { name: 'Archive test' })
      await approve.or(archive).waitFor()
      if (await approve.isVisible()) {
        await approve.press('Enter')
        await opened.waitFor({ state: 'hidden' })
        await page.getByRole('button', { name, exact: true }).press('Enter')
      }
      await archive.press('Enter')
      await opened.waitFor({ state: 'hidden' })
      await page.getByText('Archived', { exact: true }).last().waitFor()
      await state.selectOption('active')
      await page.getByText('No tests match.').waitFor()
    },
  )
}
