import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { startSalus } from '../../../cli/src/testing/salus-command.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'
import {
  askForErasure,
  environmentOf,
  eraseNow,
  makePerson,
  placeHold,
  releaseHolds,
} from './rights-data.ts'

const NARROW = { viewport: { width: 390, height: 740 } }

/** Copies, legal holds, erasures and retention periods. */
export function testRights(fixture: ConsoleFixture): void {
  testPage('a copy of a person is made, saved and handed over', fixture, makeCopy)
  testPage(
    'a legal hold blocks the erasure until it is released',
    fixture,
    releasing(holdAndRelease),
    // What the hold blocks.
    { refused: /\/erasure$/ },
  )
  testPage('an erasure ends with a receipt that the command line verifies', fixture, erase, {
    // Who was erased is looked for once more.
    refused: /^\/v2\/(timeseries\/[^/]+\/charts|user\/[^/]+\/glance)$/,
  })
  testPage('a period that is too short is refused, and one that is not is set', fixture, retain, {
    refused: /\/retention\/dry_run$/,
  })
  testPage('a key of another team is offered nothing, and refused', fixture, beForeign, {
    refused: /^\/v1\/org\//,
  })
  testPage('data rights fit a narrow screen', fixture, releasing(lookNarrow), NARROW)
}

type Act = (page: Page, site: ConsoleSite) => Promise<void>

/** Releases the hold, for the tests that follow. */
const releasing =
  (act: Act): Act =>
  async (page, site) => {
    try {
      await act(page, site)
    } finally {
      await releaseHolds(site)
    }
  }

const rightsOf = (userId: string): string => `people/${userId}?tab=rights`
const dialogOf = (page: Page) => page.getByRole('dialog')
const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true })
const sectionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Presses a button that saves a file. @returns where it is */
async function save(page: Page, name: string, folder: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  const path = join(folder, download.suggestedFilename())
  await download.saveAs(path)
  return path
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'salus-rights-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeCopy(page: Page, site: ConsoleSite): Promise<void> {
  await site.open(page, rightsOf(await makePerson(site)))
  const exports = sectionOf(page, 'Exports')
  await exports.getByText('No exports yet.').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await exports.getByLabel('Format').selectOption('fhir')
  await button(page, 'Start export').press('Enter')
  await exports.getByText('Ready').waitFor()
  await exports.getByText(/^\d+ rows, \d+ kB$/).waitFor()
  await exports.getByText(/Started .*, expires /).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await inFolder(async (folder) => {
    const archive = await save(page, 'Save', folder)
    assert.match(archive, /export-[0-9a-f-]{36}\.zip$/)
    assert.equal(readFileSync(archive).subarray(0, 2).toString(), 'PK')
  })

  await button(page, 'Create link').click()
  await page.getByLabel('Valid for').selectOption('3600')
  await button(dialogOf(page), 'Create link').click()
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue()
  assert.deepEqual(await findViolations(page), [])
  const handedOver = await fetch(link)
  assert.equal(handedOver.headers.get('content-type'), 'application/zip')
  await handedOver.body?.cancel()
  await page.keyboard.press('Escape')
  await exports.getByText(/link valid until/).waitFor()
  await button(page, 'Remove the FHIR R4 export').click()
  await exports.getByText('No exports yet.').waitFor()
  assert.equal((await fetch(link)).status, 404)
}

async function holdAndRelease(page: Page, site: ConsoleSite): Promise<void> {
  const userId = await makePerson(site, 'who-is-held')
  await site.open(page, rightsOf(userId))
  await button(page, 'Place hold').press('Enter')
  await page.getByLabel('Reason').fill('Case 2026-17')
  assert.deepEqual(await findViolations(page), [])
  await button(dialogOf(page), 'Place hold').press('Enter')
  await sectionOf(page, 'Legal holds')
    .getByText(/^Placed .* by .* \(you\)$/)
    .waitFor()
  const erasure = sectionOf(page, 'Erasure')
  await erasure.getByText(/^Blocked by the legal hold “Case 2026-17”, placed .* \(you\)/).waitFor()
  assert.equal(await button(page, 'Erase person').isDisabled(), true)
  assert.equal(await button(page, 'Place hold').count(), 0)
  assert.deepEqual(await findViolations(page), [])

  await site.open(page, 'rights?tab=holds')
  const row = page.getByRole('row').filter({ hasText: 'who-is-held' })
  await row.getByText('Case 2026-17').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await row.getByRole('link').click()
  await button(page, 'Release Case 2026-17').click()
  await button(page, 'Release hold').click()
  await sectionOf(page, 'Legal holds')
    .getByText(/, released .* \(you\)$/)
    .waitFor()
  await button(page, 'Erase person').click()
  // A hold that is placed while the dialog is open: the server refuses.
  await page.getByLabel(/^Type the client id/).fill('who-is-held')
  await placeHold(site, userId)
  await button(dialogOf(page), 'Erase person').click()
  await page.getByRole('alert').filter({ hasText: 'under a legal hold' }).waitFor()
  assert.equal((await site.ask('GET', `/v2/user/${userId}`)).user_id, userId)
  await assert.rejects(site.manage('DELETE', '/demo_team'), /409 .*legal_hold/)
  assert.equal((await site.manage('GET', '/demo_team')).status, 'ready')
}

async function erase(page: Page, site: ConsoleSite): Promise<void> {
  const userId = await makePerson(site, 'who-leaves')
  await site.open(page, rightsOf(userId))
  await button(page, 'Erase person').click()
  await page.getByText('By table').press('Enter')
  await page.getByRole('row', { name: 'users 1', exact: true }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  const confirmation = page.getByLabel(/^Type the client id/)
  await confirmation.fill('who-leave')
  assert.equal(await button(dialogOf(page), 'Erase person').isDisabled(), true)
  await confirmation.fill('who-leaves')
  await confirmation.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Erasure' }).waitFor()
  await page.getByText(/^The person is already hidden/).waitFor()
  assert.deepEqual(await findViolations(page), [])
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await eraseNow(site, id)
  await page.getByText(/^All data are erased/).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await inFolder(async (folder) => {
    const receipt = await save(page, 'Save receipt', folder)
    const keys = await save(page, 'Save public keys', folder)
    const { code, stdout } = await startSalus(['receipt', 'verify', receipt, '--keys', keys]).result
    assert.equal(code, 0)
    assert.match(stdout, new RegExp(`The signature is valid: ${userId}`))
  })
  await site.open(page, rightsOf(userId))
  await page.getByRole('link', { name: 'erasures' }).click()
  const row = page.getByRole('row').filter({ has: page.locator(`[title="${userId}"]`) })
  await row.getByText('Erased').waitFor()
  assert.deepEqual(await findViolations(page), [])
}

async function retain(page: Page, site: ConsoleSite): Promise<void> {
  const address = `${environmentOf(site)}/retention`
  await site.manage('PUT', address, { rules: [{ resource: 'heartrate', days: 3650 }] })
  await site.open(page, 'rights')
  const table = page.getByRole('table', { name: 'Retention periods' })
  await table.getByText('3,650 days').waitFor()
  await page.getByLabel('Search').fill('orders')
  const row = table.getByRole('row').filter({ hasText: 'Orders with their results' })
  await row.getByText('Forever (default)').waitFor()
  await row.getByText('730 days').waitFor()
  await button(page, 'Change Orders with their results').press('Enter')
  const days = page.getByLabel('Days')
  await days.fill('30')
  await days.press('Enter')
  await page.getByText('The resource is kept for at least 730 days').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await days.fill('36501')
  await days.press('Enter')
  await page.locator('.mantine-TextInput-error').waitFor()
  await days.fill('800')
  await days.press('Enter')
  await page.getByText(/^(No data are older than|The next run removes)/).waitFor()
  await button(page, 'Set period').click()
  await row.getByText('800 days').waitFor()
  const { rules } = await site.manage('GET', address)
  const set = rules.map(({ resource, days }: { resource: string; days: number }) => [
    resource,
    days,
  ])
  assert.deepEqual(Object.fromEntries(set), { heartrate: 3650, lab_order: 800 })
  await site.harness.dependencies.audit.flush()
  await page.reload()
  await page.getByText(/^Last changed .* by /).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByLabel('Kind').selectOption('ruled')
  await button(page, 'Change Orders with their results').click()
  await button(page, 'Keep forever').click()
  await row.waitFor({ state: 'detached' })
  await site.manage('PUT', address, { rules: [] })
  await page.reload()
  await page.getByText('No retention periods.').waitFor()
}

/** There is no role that only looks: a key acts for all of a team, or for nothing of it. */
async function beForeign(page: Page, site: ConsoleSite): Promise<void> {
  const { id: otherTeam } = await site.manage('POST', '/team', { name: 'Another', region: 'us' })
  const { key } = await site.manage('POST', '/management_key', {
    label: 'Support of another team',
    role: 'team_admin',
    team_role_bindings: [{ team_id: otherTeam }],
  })
  const userId = await makePerson(site)
  await site.signIn(page, key)
  const offers = page.locator('main').getByRole('button', {
    name: /hold|Erase|export|Change|Release|Save|Set/,
  })
  for (const path of ['rights', 'rights?tab=holds', 'rights?tab=erasures']) {
    await site.open(page, path)
    await page.getByRole('alert').first().waitFor()
    assert.equal(await offers.count(), 0, path)
  }
  const team = `/v1/org/${site.orgId}/team/${site.teamId}`
  const headers = { 'x-management-key': key }
  for (const [method, address, body] of [
    ['PUT', `${team}/sandbox/retention`, { rules: [] }],
    ['POST', `${team}/sandbox/legal_hold`, { user_id: userId, reason: 'x' }],
    // Without a token of the team there is no export and no erasure.
    ['POST', `${team}/create_api_access_token`, { env: 'sandbox' }],
  ] as const) {
    assert.equal((await site.harness.call(method, address, body, headers)).status, 404, address)
  }
  await site.manage('DELETE', `/team/${otherTeam}`)
}

async function lookNarrow(page: Page, site: ConsoleSite): Promise<void> {
  const userId = await makePerson(site)
  await placeHold(site, userId, 'A reason that is long enough to need more than one line')
  const erasure = `rights/erasures/${await askForErasure(site)}`
  const tabs = ['rights', 'rights?tab=holds', 'rights?tab=erasures']
  for (const path of [...tabs, rightsOf(userId), erasure]) {
    await site.open(page, path)
    await page.locator('.waiting').first().waitFor({ state: 'detached' })
    await page.locator('section h2').first().waitFor()
    assert.equal(await isTooWide(page), false, path)
    assert.deepEqual(await findViolations(page), [], path)
  }
}
