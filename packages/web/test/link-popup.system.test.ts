import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { startFakeSalus } from './fake-salus.ts'
import { type ForeignSite, startForeignSite } from './foreign-site.ts'
import { agree, choose, seeStep, signIn } from './page-visits.ts'

/** A page of another origin opens the link page in a pop-up, and learns the outcome. */

const fixture = createBrowserFixture(startFakeSalus)

const PASSWORD = { provider: 'abbott_libreview' }

const reportsOf = (page: Page): Promise<unknown> => page.evaluate('window.reports')

async function awaitReports(page: Page, expected: unknown[]): Promise<void> {
  await page.waitForFunction(`window.reports.length >= ${expected.length}`)
  assert.deepEqual(await reportsOf(page), expected)
}

/** Clicks on the page of the team; returns the window that it opens. */
async function openPopup(page: Page): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Connect' }).click(),
  ])
  return popup
}

describe('the link page in a pop-up', { skip: skipBrowserTests }, () => {
  let team: ForeignSite
  before(async () => {
    team = await startForeignSite(fixture.site.baseUrl, '127.0.0.3')
  })
  after(() => team?.close())
  beforeEach(() => {
    fixture.site.origins = [team.origin]
    fixture.site.vendorSeparates = false
  })

  const visit = (
    name: string,
    options: Parameters<typeof fixture.site.openLink>[0],
    act: (page: Page) => Promise<void>,
  ): void => {
    test(name, () =>
      fixture.visit(
        async (page) => {
          await page.goto(team.pageFor(await fixture.site.openLink(options)))
          await act(page)
        },
        { others: [team.origin] },
      ),
    )
  }

  visit('reports a failed attempt, the success after it, and the end', PASSWORD, async (page) => {
    const popup = await openPopup(page)
    await agree(popup)
    await signIn(popup, 'mistyped')
    const failed = ['error', 'provider_credential_error', 'abbott_libreview']
    await awaitReports(page, [failed])
    await signIn(popup, 'correct')
    await seeStep(popup, 'Abbott LibreView is connected')
    await awaitReports(page, [failed, ['success', 'abbott_libreview']])
    await popup.getByRole('button', { name: 'Close this window' }).click()
    await awaitReports(page, [failed, ['success', 'abbott_libreview'], ['close']])
  })

  visit('reports what came of a visit to a vendor, and of another account', {}, async (page) => {
    const popup = await openPopup(page)
    await choose(popup, 'Oura')
    await popup.getByRole('button', { name: 'Deny' }).click()
    await seeStep(popup, 'The sign-in to Oura failed')
    const denied = ['error', 'provider_credential_error', 'oura']
    await awaitReports(page, [denied])
    await popup.getByRole('button', { name: 'Try again' }).click()
    await choose(popup, 'Oura')
    await popup.getByRole('button', { name: 'Allow', exact: true }).click()
    await seeStep(popup, 'Oura is connected')
    await awaitReports(page, [denied, ['success', 'oura']])
    await popup.getByRole('button', { name: 'Connect another account' }).click()
    await seeStep(popup, 'Choose your provider')
    await popup.getByRole('button', { name: 'Polar' }).click()
    await popup.getByRole('button', { name: 'Allow', exact: true }).click()
    await awaitReports(page, [denied, ['success', 'oura'], ['success', 'polar']])
  })

  visit('reports that the person closed it', {}, async (page) => {
    const popup = await openPopup(page)
    await popup.getByRole('button', { name: 'Close' }).click()
    await awaitReports(page, [['close']])
    const again = await openPopup(page)
    await again.close()
    await awaitReports(page, [['close'], ['close']])
  })

  test('is closed by the page that opened it, and then reports nothing', async () => {
    await fixture.visit(
      async (page) => {
        await page.goto(team.pageFor(await fixture.site.openLink(PASSWORD)))
        const popup = await openPopup(page)
        await agree(popup)
        const closed = popup.waitForEvent('close')
        await page.evaluate('window.link.close()')
        await closed
        await page.waitForTimeout(600)
        assert.deepEqual(await reportsOf(page), [])
      },
      { others: [team.origin] },
    )
  })

  test('closes after a success where the page wishes it', async () => {
    await fixture.visit(
      async (page) => {
        const link = await fixture.site.openLink(PASSWORD)
        await page.goto(team.pageFor(link, '{"closeOnSuccess":true}'))
        const popup = await openPopup(page)
        await agree(popup)
        await signIn(popup, 'correct')
        await awaitReports(page, [['success', 'abbott_libreview'], ['close']])
      },
      { others: [team.origin] },
    )
  })

  visit('asks the server when a page of the vendor separates the windows', {}, async (page) => {
    fixture.site.vendorSeparates = true
    const popup = await openPopup(page)
    await choose(popup, 'Oura')
    await popup.getByRole('button', { name: 'Allow', exact: true }).waitFor()
    // A separated window looks closed.
    await awaitReports(page, [['close']])
    await popup.getByRole('button', { name: 'Allow', exact: true }).click()
    await seeStep(popup, 'Oura is connected')
    await awaitReports(page, [['close'], ['success', 'oura']])
  })

  test('reads a redirect to the origin of its opener, and closes there', async () => {
    await fixture.visit(
      async (page) => {
        const options = { ...PASSWORD, redirect_url: `${team.origin}/linked` }
        fixture.site.origins = []
        await page.goto(team.pageFor(await fixture.site.openLink(options)))
        const popup = await openPopup(page)
        await agree(popup)
        await signIn(popup, 'correct')
        await awaitReports(page, [['success', 'abbott_libreview'], ['close']])
      },
      { others: [team.origin] },
    )
  })

  visit('reports nothing to an origin that the team does not allow', PASSWORD, async (page) => {
    const { port } = new URL(team.origin)
    fixture.site.origins = [`http://127.0.0.4:${port}`, `${team.origin}/`, 'null', '*']
    const popup = await openPopup(page)
    await agree(popup)
    await signIn(popup, 'correct')
    await seeStep(popup, 'Abbott LibreView is connected')
    await popup.close()
    await awaitReports(page, [['close']])
  })

  test('reports to an allowed origin only while the opener shows it', async () => {
    const evil = await startForeignSite(fixture.site.baseUrl, '127.0.0.5')
    try {
      await fixture.visit(
        async (page) => {
          // Names the origin of the team in the address that it opens itself.
          const link = new URL(await fixture.site.openLink(PASSWORD))
          link.searchParams.set('opener', team.origin)
          await page.goto(evil.pageFor('about:blank'))
          await page.evaluate(`addEventListener('message', ({ data }) => reports.push(data))`)
          const [popup] = await Promise.all([
            page.waitForEvent('popup'),
            page.evaluate(`void open(${JSON.stringify(link.href)}, 'x', 'popup')`),
          ])
          await agree(popup)
          await signIn(popup, 'correct')
          await seeStep(popup, 'Abbott LibreView is connected')
          assert.deepEqual(await reportsOf(page), [])
        },
        { others: [evil.origin] },
      )
    } finally {
      await evil.close()
    }
  })

  visit('is believed only itself: other windows and origins are not', PASSWORD, async (page) => {
    const popup = await openPopup(page)
    await agree(popup)
    const forged = `{ type: 'salus-link', event: 'success', provider: 'forged' }`
    // Of this page itself, and of a frame of another origin.
    await page.evaluate(`postMessage(${forged}, '*')`)
    await page.evaluate(`dispatchEvent(new MessageEvent('message', {
      data: ${forged}, origin: '${fixture.site.baseUrl}', source: window }))`)
    await page.evaluate(`dispatchEvent(new MessageEvent('message', {
      data: ${forged}, origin: 'https://evil.example' }))`)
    // Of the window itself, but in another form.
    for (const data of [
      'null',
      '"success"',
      '{}',
      '{"type":"salus-link"}',
      '{"event":"success"}',
    ]) {
      await popup.evaluate(`opener.postMessage(${data}, '${team.origin}')`)
    }
    await signIn(popup, 'correct')
    await awaitReports(page, [['success', 'abbott_libreview']])
  })

  visit('says so when the window is blocked or there is no address', PASSWORD, async (page) => {
    await page.evaluate('window.open = () => null')
    await page.getByRole('button', { name: 'Connect' }).click()
    await awaitReports(page, [['error', 'popup_blocked', null]])
    await page.goto(team.pageFor('javascript:alert(1)'))
    const popup = await openPopup(page)
    await awaitReports(page, [['error', 'no_url', null]])
    assert.equal(popup.isClosed(), true)
    assert.deepEqual(await page.evaluate('addedNames'), ['SalusLink'])
  })
})
