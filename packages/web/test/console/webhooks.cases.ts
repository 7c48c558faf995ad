import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { type MessageSink, openMessageSink } from '../../../server/test/webhooks/message-sink.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

const STEPS = 'daily.data.steps.created'

/** Endpoints, messages and events in use. */
export function testWebhooks(fixture: ConsoleFixture): void {
  testPage(
    'an endpoint is added by keyboard alone, and an example reaches it',
    fixture,
    addEndpoint,
  )
  testPage('a message that failed shows why, and is sent again', fixture, sendAgain)
  testPage('events appear while they happen, and one that did not is explained', fixture, follow)
  testPage('event types are found by words and lead to their events', fixture, findType, {
    isCampaign: true,
  })
  testPage('webhooks and events fit a narrow screen', fixture, lookNarrow, {
    ...NARROW,
    isCampaign: true,
  })
}

const NARROW = { viewport: { width: 360, height: 740 } }

const environmentOf = ({ teamId }: ConsoleSite): string => `/team/${teamId}/sandbox`

async function makeWebhook(site: ConsoleSite): Promise<{ id: string; sink: MessageSink }> {
  const sink = await openMessageSink({ after })
  const { id } = await site.manage('POST', `${environmentOf(site)}/webhook`, {
    url: `${sink.url}/hooks`,
    filter_types: [STEPS],
  })
  return { id, sink }
}

const sendExample = async (site: ConsoleSite, webhookId: string): Promise<string> => {
  const path = `${environmentOf(site)}/webhook/${webhookId}/send_example`
  return (await site.manage('POST', path, { event_type: STEPS })).event_id
}

/** Presses Tab until something of that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.locator(':focus').first()
    if ((await focused.textContent())?.includes(name)) return
  }
  assert.fail(`${name} cannot be reached by keyboard`)
}

async function addEndpoint(page: Page, site: ConsoleSite): Promise<void> {
  const sink = await openMessageSink({ after })
  await site.open(page, 'webhooks')
  await tabTo(page, 'Add endpoint')
  await page.keyboard.press('Enter')
  const address = page.getByLabel('Address')
  await address.focus()
  await page.keyboard.type('not an address')
  await page.keyboard.press('Backspace')
  await address.fill(`${sink.url}/salus`)
  assert.deepEqual(await findViolations(page), [])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: new URL(sink.url).host }).waitFor()
  await page.getByRole('button', { name: 'Show secret' }).click()
  await page.getByText(/^whsec_/).waitFor()

  await page.getByRole('button', { name: 'Send example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send example' }).click()
  await page.getByRole('link', { name: 'See delivery' }).click()
  await page.getByText('Status 200').waitFor()
  assert.equal(sink.messages.length, 1)
  assert.deepEqual(await findViolations(page), [])
}

async function sendAgain(page: Page, site: ConsoleSite): Promise<void> {
  const { id, sink } = await makeWebhook(site)
  sink.answer = () => 503
  const eventId = await sendExample(site, id)
  await site.open(page, `webhooks/${id}?tab=attempts`)
  await page.getByText('Status 503').first().waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('link', { name: STEPS }).first().click()
  await page.getByText('Waiting for retry').first().waitFor()
  await page.getByText('Response body').first().click()
  await page.getByText(`answer to ${eventId}`).first().waitFor()
  sink.answer = () => 200
  const card = page.locator('article', { hasText: sink.url })
  await card.getByRole('button', { name: 'Send again' }).click()
  await card.getByText('Delivered').waitFor()
  await site.manage('DELETE', `${environmentOf(site)}/webhook/${id}`)
}

async function follow(page: Page, site: ConsoleSite): Promise<void> {
  await site.open(page, 'events?tab=live')
  await page.getByText('Following').waitFor()
  const { user_id } = await site.ask('POST', '/v2/user', { client_user_id: 'seen-live' })
  await site.ask('POST', '/v2/link/provider/manual/omron_ble', { user_id })
  const item = page.getByRole('listitem').filter({ hasText: 'provider.connection.created' })
  await item.locator('summary').click()
  await item.getByText('"event_type"').waitFor()
  assert.deepEqual(await findViolations(page), [])

  await site.open(page, `events?tab=why&user=${user_id}&type=daily.data.vo2_max.created`)
  await page
    .getByText(/^(There was no|The last) daily\.data\.vo2_max\.created about this person/)
    .waitFor()
  assert.ok((await page.locator('.event-explanation-reasons > li').count()) >= 1)
  assert.deepEqual(await findViolations(page), [])
}

async function findType(page: Page, site: ConsoleSite): Promise<void> {
  await site.open(page, 'event-types')
  await page.getByLabel('Search event types').fill('critical')
  await page.getByRole('link', { name: 'labtest.result.critical' }).click()
  await page.getByRole('heading', { name: 'Example' }).waitFor()
  assert.match(page.url(), /type=labtest\.result\.critical$/)
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('link', { name: 'Events of this type' }).click()
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
  const table = page.getByRole('table', { name: 'Events' })
  await table.getByRole('link', { name: 'labtest.result.critical' }).first().waitFor()
}

async function lookNarrow(page: Page, site: ConsoleSite): Promise<void> {
  const { id } = await makeWebhook(site)
  const eventId = await sendExample(site, id)
  const paths = ['webhooks', `webhooks/${id}`, `webhooks/${id}?tab=settings`, 'events']
  for (const path of [...paths, `events/${eventId}`, 'event-types', `event-types?type=${STEPS}`]) {
    await site.open(page, path)
    await page.waitForLoadState('networkidle')
    assert.equal(await isTooWide(page), false, path)
  }
}
