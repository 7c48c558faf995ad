import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { type ForeignSite, startForeignSite } from './foreign-site.ts'
import { agree, seeStep } from './page-visits.ts'
import { startRealSalus } from './real-salus.ts'

/** Pages of another origin against the whole server, in a real browser: by CORS and by pop-up. */

const fixture = createBrowserFixture(startRealSalus)

/** Sends from the page; `blocked` where the browser does not let it read the answer. */
function send(page: Page, path: string, init: object): Promise<{ status: number; body: unknown }> {
  const url = JSON.stringify(`${fixture.site.baseUrl}${path}`)
  return page.evaluate(`fetch(${url}, ${JSON.stringify(init)}).then(
    async (answer) => ({ status: answer.status, body: await answer.json() }),
    () => 'blocked')`)
}

describe('a page of another origin', { skip: skipBrowserTests }, () => {
  let team: ForeignSite
  before(async () => {
    team = await startForeignSite(fixture.site.baseUrl, '127.0.0.1')
  })
  after(() => team?.close())

  test('connects a person by its own form once the team allows its origin, and not before', () =>
    fixture.visit(
      async (page) => {
        const { site } = fixture
        const link = await site.openLink()
        const token = new URL(link).searchParams.get('token') ?? ''
        const headers = { 'x-service-link-token': token, 'content-type': 'application/json' }
        const body = JSON.stringify({ username: 'ada', password: 'correct' })
        const path = '/v2/link/provider/password/abbott_libreview'
        await page.goto(team.pageFor(link))
        assert.equal(await send(page, path, { method: 'POST', headers, body }), 'blocked')
        assert.deepEqual(await site.listConnected(), [])
        await site.allowOrigins([team.origin])
        const answer = await send(page, path, { method: 'POST', headers, body })
        assert.equal((answer.body as { state: string }).state, 'success')
        assert.equal((await site.listConnected()).length, 1)
        const used = await send(page, '/v2/link/providers', { headers })
        assert.equal(used.status, 401)
        // Cookies are of no use, and a browser does not send them.
        const withCookies = { headers, credentials: 'include' }
        assert.equal(await send(page, '/v2/link/providers', withCookies), 'blocked')
        const created = { method: 'POST', headers, body: '{}' }
        assert.equal(await send(page, '/v2/link/token', created), 'blocked')
        await site.allowOrigins(null)
      },
      { others: [team.origin, fixture.site.baseUrl], complaints: /CORS policy/ },
    ))

  test('opens the link page in a pop-up, and learns that the person is connected', () =>
    fixture.visit(
      async (page) => {
        await fixture.site.allowOrigins([team.origin])
        await page.goto(team.pageFor(await fixture.site.openLink({ provider: 'oura' })))
        const [popup] = await Promise.all([
          page.waitForEvent('popup'),
          page.getByRole('button', { name: 'Connect' }).click(),
        ])
        await agree(popup)
        await popup.getByLabel('User name or e-mail').fill('ada')
        await popup.getByLabel('Password').fill('correct')
        await popup.getByRole('button', { name: 'Sign in' }).click()
        await popup.getByRole('button', { name: 'Allow', exact: true }).click()
        await seeStep(popup, 'Oura is connected')
        await page.waitForFunction('window.reports.length === 1')
        assert.deepEqual(await page.evaluate('window.reports'), [['success', 'oura']])
        await popup.getByRole('button', { name: 'Close this window' }).click()
        await page.waitForFunction('window.reports.length === 2')
        await fixture.site.allowOrigins(null)
      },
      { others: [team.origin] },
    ))
})
