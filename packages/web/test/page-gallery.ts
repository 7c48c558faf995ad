import type { Page } from 'playwright-core'
import { FAKE_PROVIDERS, THIRTY_PROVIDERS } from './fake-providers.registry.ts'
import type { FakeSalus } from './fake-salus.ts'
import { agree, choose, seeStep, signIn } from './page-visits.ts'

type Lead = (page: Page, site: FakeSalus) => Promise<void>

const open =
  (options: Parameters<FakeSalus['openLink']>[0], go: (page: Page) => Promise<void>): Lead =>
  async (page, site) => {
    await page.goto(await site.openLink(options))
    await go(page)
  }

const at =
  (path: string): Lead =>
  async (page, site) => {
    await page.goto(`${site.baseUrl}${path}`)
    await page.locator('h1').waitFor()
  }

/** The choice of the region of a provider with OAuth. */
const openRegion =
  (go: (page: Page) => Promise<void>): Lead =>
  async (page, site) => {
    site.providers = THIRTY_PROVIDERS
    await page.goto(await site.openLink({ provider: 'dexcom_v3' }))
    await agree(page)
    await seeStep(page, 'Choose the region of your Dexcom account')
    site.providers = FAKE_PROVIDERS
    await go(page)
  }

/**
 * Every page of a link but those of errors, by name, and how a person gets there. Titles are in
 * English.
 */
export const GALLERY: readonly [name: string, lead: Lead][] = [
  ['consent', open({}, (page) => seeStep(page, /Share your health data/))],
  ['consent to one', open({ provider: 'oura' }, (page) => seeStep(page, /Share your Oura/))],
  [
    'providers',
    open({}, async (page) => {
      await agree(page)
      await seeStep(page, 'Choose your provider')
    }),
  ],
  [
    'no provider found',
    open({}, async (page) => {
      await agree(page)
      await page.getByLabel('Search providers').fill('telescope')
    }),
  ],
  [
    'thirty providers',
    async (page, site) => {
      site.providers = THIRTY_PROVIDERS
      site.connections = { oura: 'connected', whoop_v2: 'error', apple_health_kit: 'connected' }
      await page.goto(await site.openLink())
      await agree(page)
      await seeStep(page, 'Choose your provider')
      site.providers = FAKE_PROVIDERS
      site.connections = {}
    },
  ],
  [
    'data of an iPhone',
    open({}, async (page) => {
      await choose(page, 'Apple Health')
      await seeStep(page, 'Apple Health is on your phone')
    }),
  ],
  [
    'data of an Android phone',
    open({}, async (page) => {
      await choose(page, 'Health Connect')
      await seeStep(page, 'Health Connect is on your phone')
    }),
  ],
  ['password', open({}, (page) => choose(page, 'Abbott LibreView'))],
  [
    'password refused',
    open({}, async (page) => {
      await choose(page, 'Dexcom')
      await page.getByLabel('Country or region of your account').selectOption('us')
      await signIn(page, 'mistyped')
      await page.locator('[aria-invalid="true"]').waitFor()
    }),
  ],
  [
    'nothing filled in',
    open({}, async (page) => {
      await choose(page, 'Dexcom')
      await page.getByRole('button', { name: 'Connect' }).click()
    }),
  ],
  ['region', openRegion(async () => {})],
  [
    'region refused',
    openRegion(async (page) => {
      await page.getByLabel('Country or region of your account').selectOption('jp')
      await page.getByRole('button', { name: 'Continue to Dexcom' }).click()
      await page.locator('[aria-invalid="true"]').waitFor()
    }),
  ],
  ['email', open({}, (page) => choose(page, 'Freestyle Libre'))],
  [
    'code',
    open({}, async (page) => {
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'code')
      await seeStep(page, 'Enter your code')
    }),
  ],
  [
    'waiting',
    async (page, site) => {
      let answer: () => void = () => {}
      site.vendorAnswers = new Promise((resolve) => {
        answer = () => resolve()
      })
      await page.clock.install()
      await page.goto(await site.openLink({ provider: 'abbott_libreview' }))
      await agree(page)
      await signIn(page, 'correct')
      await page.clock.fastForward(5000)
      await page.getByText('up to a minute').waitFor()
      page.once('close', answer)
      site.vendorAnswers = Promise.resolve()
    },
  ],
  [
    'done',
    open({}, async (page) => {
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'correct')
      await seeStep(page, 'Abbott LibreView is connected')
    }),
  ],
  [
    'closed',
    open({}, async (page) => {
      await page.getByRole('button', { name: 'Close' }).click()
      await seeStep(page, 'Nothing was connected')
    }),
  ],
  [
    'vendor down',
    open({}, async (page) => {
      await choose(page, 'Abbott LibreView')
      await signIn(page, 'down')
      await seeStep(page, 'Abbott LibreView cannot be reached')
    }),
  ],
  ['no token', at('/link')],
  ['done by OAuth', at('/link/done?state=success&provider=oura')],
]

/** docs/contract/03-link.md#linkerrortype-and-conditions */
export const LINK_ERRORS = [
  'invalid_token',
  'token_expired',
  'token_not_validated',
  'token_consumed',
  'provider_credential_error',
  'provider_password_expired',
  'provider_consent_needed',
  'provider_nothing_shared',
  'provider_blocked',
  'provider_api_error',
  'unsupported_region',
  'duplicate_connection',
  'required_scopes_not_granted',
  'incorrect_mfa_code',
  'user_cancelled',
]
