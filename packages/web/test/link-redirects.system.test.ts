import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isSafeRedirect, withOutcome } from '../src/link/redirect.ts'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { startFakeSalus } from './fake-salus.ts'
import { agree, choose, seeStep, signIn } from './page-visits.ts'

/** Where a person is sent at the end (docs/contract/03-link.md#delivery). */

test('an outcome is added to an address, and what it holds stays letter by letter', () => {
  const success = { state: 'success', provider: 'oura' } as const
  const query = 'state=success&provider=oura'
  const addresses: [string, string][] = [
    ['https://a.example', `https://a.example?${query}`],
    ['https://a.example/b?x=%20+&y', `https://a.example/b?x=%20+&y&${query}`],
    ['https://a.example/b?', `https://a.example/b?${query}`],
    ['https://a.example/#/end?z', `https://a.example/?${query}#/end?z`],
    ['salus-app://linked', `salus-app://linked?${query}`],
  ]
  for (const [address, expected] of addresses) assert.equal(withOutcome(address, success), expected)
  const error = { state: 'error', error_type: 'user_cancelled', provider: undefined } as const
  assert.equal(withOutcome('app:x', error), 'app:x?state=error&error_type=user_cancelled')
})

test('no person is redirected to an address that runs a script', () => {
  const bad = ['javascript:alert(1)', 'JavaScript:x', 'data:text/html,x', 'file:///x', '/path', '']
  for (const url of bad) assert.equal(isSafeRedirect(url), false, url)
  const good = ['https://a.example', 'http://localhost:3000', 'my.app+x-1://done', 'app:x']
  for (const url of good) assert.equal(isSafeRedirect(url), true, url)
})

const fixture = createBrowserFixture(startFakeSalus)

/** Visits a link whose ends are pages of a team, and returns the address of the end. */
async function visit(
  options: { on_error?: 'redirect'; on_close?: 'redirect' },
  act: (page: Page) => Promise<void>,
): Promise<URL> {
  const { site, visit: open } = fixture
  let end = ''
  await open(async (page) => {
    await page.route('https://team.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>The app of the team</h1>' }),
    )
    const redirect_url = 'https://team.example/after?plan=a%20b#top'
    await page.goto(await site.openLink({ ...options, redirect_url }))
    const gone = page.waitForRequest('https://team.example/**')
    await act(page)
    const request = await gone
    // A redirect of a provider is followed by the browser itself, and that site does not exist.
    if (request.redirectedFrom() !== null) end = request.url()
    else {
      await page.getByRole('heading', { name: 'The app of the team' }).waitFor()
      end = page.url()
    }
  })
  assert.ok(end.startsWith('https://team.example/after?plan=a%20b&'), end)
  return new URL(end)
}

describe('the way back to the team', { skip: skipBrowserTests }, () => {
  test('is gone after a connection, by password and by OAuth', async () => {
    const byPassword = await visit({}, async (page) => {
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'correct')
    })
    assert.equal(byPassword.searchParams.get('state'), 'success')
    assert.equal(byPassword.searchParams.get('provider'), 'abbott_libreview')
    const byOAuth = await visit({}, async (page) => {
      await choose(page, 'Oura')
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
    })
    assert.equal(byOAuth.searchParams.get('state'), 'success')
    assert.equal(byOAuth.searchParams.get('provider'), 'oura')
  })

  test('is gone after an error too, where the link says so, but not for a mistyped code', async () => {
    const end = await visit({ on_error: 'redirect' }, async (page) => {
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'code')
      await page.getByLabel('Code').fill('1')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('The code is incorrect.').waitFor()
      await page.getByRole('button', { name: 'Back' }).click()
      await signIn(page, 'wrong')
    })
    assert.equal(end.searchParams.get('state'), 'error')
    assert.equal(end.searchParams.get('error_type'), 'provider_credential_error')
    assert.equal(end.searchParams.get('provider'), 'abbott_libreview')
  })

  test('is gone when the page is closed, where the link says so', async () => {
    const atOnce = await visit({ on_close: 'redirect' }, (page) =>
      page.getByRole('button', { name: 'Close' }).click(),
    )
    assert.equal(atOnce.searchParams.get('error_type'), 'user_cancelled')
    assert.equal(atOnce.searchParams.has('provider'), false)
    const later = await visit({ on_close: 'redirect' }, async (page) => {
      await choose(page, 'Abbott LibreView')
      await page.getByRole('button', { name: 'Close' }).click()
    })
    assert.equal(later.searchParams.get('error_type'), 'user_cancelled')
    assert.equal(later.searchParams.get('provider'), 'abbott_libreview')
    assert.equal(later.hash, '#top')
  })

  test('is not gone when the link says nothing of closing', async () => {
    await fixture.visit(async (page) => {
      await page.goto(await fixture.site.openLink({ redirect_url: 'https://team.example' }))
      await page.getByRole('button', { name: 'Close' }).click()
      await seeStep(page, 'Nothing was connected')
      await page.getByRole('button', { name: 'Start again' }).click()
      await agree(page)
      await seeStep(page, 'Choose your provider')
    })
  })

  test('to an app is not waited for: the page says how it went', async () => {
    await fixture.visit(async (page) => {
      const ends = { on_error: 'redirect', on_close: 'redirect' } as const
      await page.goto(
        await fixture.site.openLink({ ...ends, redirect_url: 'example-health://end' }),
      )
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'wrong')
      await page.getByText('does not accept this user name and password').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await seeStep(page, 'Nothing was connected')
    })
  })

  test('to an app stays on the screen, because a browser may ask first or do nothing', async () => {
    await fixture.visit(async (page) => {
      const redirect_url = 'example-health://linked?from=link'
      const options = { provider: 'abbott_libreview', redirect_url }
      await page.goto(await fixture.site.openLink(options))
      await agree(page)
      await signIn(page, 'correct')
      await seeStep(page, 'Abbott LibreView is connected')
      const way = page.getByRole('link', { name: 'Return to Example Health' })
      const expected = `${redirect_url}&state=success&provider=abbott_libreview`
      assert.equal(await way.getAttribute('href'), expected)
    })
  })
})
