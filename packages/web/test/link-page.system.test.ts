import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { skipBrowserTests } from './browser.ts'
import { createBrowserFixture } from './browser-fixture.ts'
import { type FakeSalus, startFakeSalus } from './fake-salus.ts'
import { agree, choose, seeStep, signIn } from './page-visits.ts'

/**
 * What a person does on the link page, in a real browser, against the link endpoints of the
 * contract.
 */

const fixture = createBrowserFixture(startFakeSalus)

describe('the link page', { skip: skipBrowserTests }, () => {
  let site: FakeSalus
  before(() => {
    site = fixture.site
  })
  /** A test that is done in a page of its own. */
  const visit = (name: string, act: (page: Page) => Promise<void>): void => {
    test(name, () => fixture.visit(act))
  }

  visit('connects by OAuth, and the token is sent to no other host', async (page) => {
    const url = await site.openLink()
    await page.goto(url)
    await seeStep(page, 'Share your health data with Example Health')
    assert.equal(page.url(), `${site.baseUrl}/link`, 'the token is taken out of the address')
    const kept = await page.evaluate('JSON.stringify(localStorage) + document.cookie')
    assert.doesNotMatch(String(kept), /token/)
    await agree(page)
    await seeStep(page, 'Choose your provider')
    await page.getByLabel('Search providers').fill('OÜRA')
    await page.getByText('1 provider', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Oura' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await seeStep(page, 'Oura is connected')
    await page.getByText('Your data will now go to Example Health').waitFor()
    assert.ok(site.vendorRequests.length >= 2)
    const [authorize] = site.vendorRequests
    assert.equal(authorize?.referrer, undefined)
  })

  visit(
    'says how to go on when access was denied at the vendor, and the same link works again',
    async (page) => {
      await page.goto(await site.openLink())
      await choose(page, 'Oura')
      await page.getByRole('button', { name: 'Allow some' }).click()
      await seeStep(page, 'A permission is missing')
      await page.getByRole('button', { name: 'Try again' }).click()
      await choose(page, 'Oura')
      await page.getByRole('button', { name: 'Deny' }).click()
      await seeStep(page, 'The sign-in to Oura failed')
      await page.getByRole('button', { name: 'Try again' }).click()
      await choose(page, 'Oura')
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await seeStep(page, 'Oura is connected')
    },
  )

  visit('whoever comes back from the vendor by the browser can go on', async (page) => {
    await page.goto(await site.openLink())
    await choose(page, 'Oura')
    await page.getByRole('heading', { name: 'Allow access' }).waitFor()
    await page.goBack()
    await choose(page, 'Abbott')
    await seeStep(page, 'Sign in to Abbott LibreView')
  })

  visit('says before a sign-in what it does to the app on the phone', async (page) => {
    await page.goto(await site.openLink({ provider: 'renpho' }))
    await agree(page)
    await seeStep(page, 'Sign in to Renpho')
    await page.getByText('signs you out of the Renpho app on your phone').waitFor()
  })

  visit('connects by a password and a code, with everything mistyped once', async (page) => {
    await page.goto(await site.openLink({ provider: 'abbott_libreview' }))
    await seeStep(page, 'Share your Abbott LibreView data with Example Health')
    await agree(page)
    await seeStep(page, 'Sign in to Abbott LibreView')
    const submit = page.getByRole('button', { name: 'Connect' })
    await submit.click()
    const username = page.getByLabel('User name or e-mail')
    await assertWrong(username, 'Enter your user name or e-mail.')
    for (const password of ['mistyped', 'again']) {
      await signIn(page, password)
      await assertWrong(
        page.getByLabel('Password', { exact: true }),
        'Abbott LibreView does not accept this user name and password.',
      )
    }
    await signIn(page, 'code')
    await seeStep(page, 'Enter your code')
    await page.getByText('by text message to ••• ••12').waitFor()
    const code = page.getByLabel('Code')
    for (const typed of ['111111', '222222']) {
      await code.fill(typed)
      await page.keyboard.press('Enter')
      await assertWrong(code, 'The code is incorrect.')
      assert.equal(await code.inputValue(), '')
    }
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await page.getByText('A new code is on its way.').waitFor()
    await code.fill('123456')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await seeStep(page, 'Abbott LibreView is connected')
    await page.reload()
    await seeStep(page, 'This link has been used')
  })

  visit('after five wrong codes one signs in again', async (page) => {
    await page.goto(await site.openLink({ provider: 'abbott_libreview' }))
    await agree(page)
    await signIn(page, 'code')
    const code = page.getByLabel('Code')
    for (const typed of ['1', '2', '3', '4', '5']) {
      await code.fill(typed)
      await page.getByRole('button', { name: 'Confirm' }).click()
      if (typed !== '5') await page.getByText('The code is incorrect.').waitFor()
    }
    await seeStep(page, 'The sign-in to Abbott LibreView failed')
    await page.getByRole('button', { name: 'Try again' }).click()
    await signIn(page, 'correct')
    await seeStep(page, 'Abbott LibreView is connected')
  })

  visit(
    'asks for a region where the vendor has several, and says what each refusal means',
    async (page) => {
      await page.goto(await site.openLink())
      await choose(page, 'Dexcom')
      await signIn(page, 'elsewhere')
      const region = page.getByLabel('Country or region of your account')
      await assertWrong(region, 'Choose where your account is registered.')
      await region.selectOption({ label: 'Germany' })
      await page.getByRole('button', { name: 'Connect' }).click()
      await assertWrong(region, 'is not available in this country or region here.')
      const refusals: [string, string][] = [
        ['expired', 'Your password has expired'],
        ['down', 'Dexcom (G6 and older) cannot be reached'],
        ['taken', 'This account is already connected'],
      ]
      for (const [password, title] of refusals) {
        await signIn(page, password)
        await seeStep(page, title)
        await page.getByRole('button', { name: 'Try again' }).click()
        await region.selectOption('de')
      }
      await signIn(page, 'correct')
      await seeStep(page, 'Dexcom (G6 and older) is connected')
    },
  )

  visit('connects by e-mail', async (page) => {
    await page.goto(await site.openLink())
    await choose(page, 'Freestyle Libre')
    await seeStep(page, 'Connect Freestyle Libre')
    const email = page.getByLabel('E-mail address')
    const region = page.getByLabel('Country or region of your account')
    const submit = page.getByRole('button', { name: 'Connect' })
    assert.equal(await region.inputValue(), 'us')
    await email.fill('known@')
    await submit.click()
    await assertWrong(email, 'Enter an e-mail address')
    await email.fill('stranger@example.com')
    await submit.click()
    await assertWrong(email, 'Freestyle Libre does not know this e-mail address.')
    await email.fill('known@example.com')
    await region.selectOption('hk')
    await submit.click()
    await assertWrong(region, 'is not available in this country or region here.')
    await region.selectOption('us')
    await submit.click()
    await seeStep(page, 'Freestyle Libre is connected')
  })

  visit('shows the providers of the link, and what cannot be connected here', async (page) => {
    await page.goto(await site.openLink({ filter_on_providers: ['garmin', 'fitbit'] }))
    await agree(page)
    assert.deepEqual(await page.getByRole('listitem').allInnerTexts(), ['Fitbit', 'Garmin'])
    await page.getByRole('button', { name: 'Garmin' }).click()
    await seeStep(page, 'Garmin cannot be connected here')
    await page.getByRole('button', { name: 'Choose another provider' }).click()
    await seeStep(page, 'Choose your provider')
  })

  visit('says so when the one provider of a link cannot be connected here', async (page) => {
    await page.goto(await site.openLink({ provider: 'my_fitness_pal' }))
    await seeStep(page, 'My Fitness Pal cannot be connected here')
  })

  visit('explains a long wait', async (page) => {
    let answer: () => void = () => {}
    site.vendorAnswers = new Promise((resolve) => {
      answer = () => resolve()
    })
    await page.clock.install()
    await page.goto(await site.openLink({ provider: 'abbott_libreview' }))
    await agree(page)
    await signIn(page, 'correct')
    await page.getByText('Contacting Abbott LibreView…').waitFor()
    await page.clock.fastForward(5000)
    await page.getByText('Abbott LibreView can take up to a minute').waitFor()
    answer()
    site.vendorAnswers = Promise.resolve()
    await seeStep(page, 'Abbott LibreView is connected')
  })

  visit('goes on when the network and the server are back', async (page) => {
    const url = await site.openLink({ provider: 'abbott_libreview' })
    site.faults = [503]
    await page.goto(url)
    await seeStep(page, 'Something went wrong')
    await page.getByRole('button', { name: 'Try again' }).click()
    await agree(page)
    await page.context().setOffline(true)
    await signIn(page, 'correct')
    await seeStep(page, 'No connection')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await signIn(page, 'correct')
    await seeStep(page, 'Abbott LibreView is connected')
  })

  visit('says what is wrong with a link that opens nothing', async (page) => {
    for (const [query, title] of [
      ['', 'This link does not work'],
      ['?token=', 'This link does not work'],
      ['?token=made-up', 'This link does not work'],
      ['?token=expired', 'This link has expired'],
    ] as const) {
      await page.goto(`${site.baseUrl}/link${query}`)
      await seeStep(page, title)
    }
  })

  visit('shows no text of the query on its last page', async (page) => {
    const query = 'state=error&error_type=%3Cb%3E&error=Call+555+0199&provider=Call+555+0199'
    await page.goto(`${site.baseUrl}/link/done?${query}`)
    await seeStep(page, 'Something went wrong')
    assert.doesNotMatch(await page.locator('body').innerText(), /555/)
  })

  visit('is done with the keyboard alone', async (page) => {
    await page.goto(await site.openLink({ filter_on_providers: ['abbott_libreview', 'oura'] }))
    await seeStep(page, /Share your health data/)
    await pressUntil(page, 'Agree and continue')
    await pressUntil(page, 'Abbott LibreView')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type('code')
    await page.keyboard.press('Enter')
    await seeStep(page, 'Enter your code')
    await page.keyboard.press('Tab')
    await page.keyboard.type('123456')
    await page.keyboard.press('Enter')
    await seeStep(page, 'Abbott LibreView is connected')
  })
})

/** The field has the focus, and shows that error. */
async function assertWrong(field: Locator, text: string): Promise<void> {
  const wrong = field.and(field.page().locator('[aria-invalid="true"]:focus'))
  await wrong.waitFor()
  const described = await wrong.getAttribute('aria-describedby')
  const id = described?.split(' ').find((part) => part.endsWith('-error'))
  await field.page().locator(`[id="${id}"]`).getByText(text).waitFor()
}

/** Goes on with Tab to what has that name, and presses Enter there. */
async function pressUntil(page: Page, name: string): Promise<void> {
  const goal = page.getByRole('button', { name }).and(page.locator(':focus'))
  for (let count = 0; count < 20; count += 1) {
    await page.keyboard.press('Tab')
    if ((await goal.count()) === 1) return page.keyboard.press('Enter')
  }
  assert.fail(`Tab does not lead to ${name}`)
}
