import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, isTooWide, testPage } from './console-site.ts'
import { createReviewData, drawReport, makeHannah } from './review-data.ts'

/** Lab reports and held results. */
export function testReview(fixture: ConsoleFixture): void {
  testReports(fixture)
  testWrongPerson(fixture)
  testUpload(fixture)
  testHeldResults(fixture)
  testOperator(fixture)
}

/** Goes on by the Tab key until something of that name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? '') + ''`,
    )
    if (name.test(focused as string)) return
  }
  assert.fail(`${name} cannot be reached by keyboard`)
}

function testReports(fixture: ConsoleFixture): void {
  testPage(
    'a reviewer compares a report with its pages, corrects a value and approves it',
    fixture,
    async (page, site) => {
      const data = createReviewData(site)
      const job = await data.makeReport(await drawReport(6), true)
      await site.open(page, `reports/${job.id}`)
      const picture = page.getByRole('img', { name: 'Page 1 of the report' })
      await picture.waitFor()
      await page.waitForFunction(`document.querySelector('.report-page img').naturalWidth >= 600`)

      const row = page.getByRole('button', { name: /HEMATOCRIT/ })
      await row.hover()
      const boxes = page.locator('.report-boxes [data-pointed]')
      assert.ok((await boxes.count()) >= 3, 'name, value and interval stand out')
      const [box, paper] = [await boxes.first().boundingBox(), await picture.boundingBox()]
      assert.ok(box && paper && box.x > paper.x && box.y > paper.y && box.width < paper.width / 2)

      assert.equal(await row.getAttribute('aria-expanded'), 'false')
      await boxes.first().click()
      assert.equal(await row.getAttribute('aria-expanded'), 'true')
      await page.getByLabel('Value', { exact: true }).fill('41.5')
      await page.getByText('1 correction').waitFor()
      await page.getByLabel('Last name').fill('Whitfield-Moore')
      await page.getByText('2 corrections').waitFor()
      assert.deepEqual(await findViolations(page), [])

      await page.getByRole('button', { name: 'Approve report' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Note').fill('A smudge')
      await dialog.getByRole('button', { name: 'Approve report' }).click()
      await page.getByText(/^Approved .* with corrections/).waitFor()
      await page.getByText('A smudge').waitFor()
      await row.locator('del', { hasText: '49.0' }).waitFor()

      const body = await site.ask('GET', `/lab_report/v1/parser/job/${job.id}`)
      assert.deepEqual([body.status, body.is_reviewed], ['completed', true])
      assert.equal(body.data.metadata.patient_last_name, 'Whitfield-Moore')
      const corrected = body.data.results.find(
        ({ test_name: name }: { test_name: string }) => name === 'HEMATOCRIT',
      )
      assert.deepEqual([corrected.value, corrected.is_above_max_range], ['41.5', false])
    },
  )

  testPage(
    'rows are added and taken away, and a report can be rejected',
    fixture,
    async (page, site) => {
      const job = await createReviewData(site).makeReport(await drawReport(6), true)
      await site.open(page, `reports/${job.id}`)
      await page.getByRole('button', { name: /Add result/ }).click()
      // What lacks a value is no result yet.
      const approve = page.getByRole('button', { name: 'Approve report' })
      assert.ok(await approve.isDisabled())
      await page.getByLabel('Name', { exact: true }).fill('Ferritin')
      await page.getByLabel('Value', { exact: true }).fill('88')
      assert.ok(await approve.isEnabled())
      await page.getByRole('button', { name: /GLUCOSE, SERUM/ }).click()
      await page.getByRole('button', { name: 'Not a result' }).click()
      await page.getByText('2 corrections').waitFor()
      await page.getByRole('button', { name: 'Restore result' }).click()
      await page.getByText('1 correction').waitFor()
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
      await page.getByText(/^Rejected/).waitFor()
      const body = await site.ask('GET', `/lab_report/v1/parser/job/${job.id}`)
      assert.deepEqual([body.status, body.data], ['failed', null])
    },
    { isCampaign: true },
  )
}

/** Chooses a person in the dialog of an upload by their name. */
async function choosePerson(page: Page, name: string): Promise<void> {
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Person' })
  await field.fill(name)
  await page.getByRole('option', { name }).first().click()
}

function testWrongPerson(fixture: ConsoleFixture): void {
  testPage(
    'a report of another person is compared with the person, and stored only when a reviewer says so',
    fixture,
    async (page, site) => {
      await site.open(page, 'reports')
      await page.getByRole('button', { name: 'Upload report' }).first().click()
      const dialog = page.getByRole('dialog')
      await choosePerson(page, 'Omar Haddad')
      const report = { name: 'r.pdf', mimeType: 'application/pdf', buffer: await drawReport(6) }
      await dialog.locator('input[type=file]').setInputFiles([report])
      await dialog.getByRole('button', { name: 'Upload report' }).click()

      const compared = page.getByRole('region', { name: 'The patient and the person' })
      await compared
        .getByRole('row', { name: /^Name HANNAH WHITFIELD Different Omar Haddad/ })
        .waitFor()
      assert.equal(await compared.getByText('Different').count(), 3)
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
      await page.getByRole('button', { name: 'Approve report' }).click()
      const approve = dialog.getByRole('button', { name: 'Approve report' })
      assert.ok(await approve.isDisabled())
      await dialog.getByRole('checkbox', { name: /report belongs to this person/ }).check()
      assert.deepEqual(await findViolations(page), [])
      await approve.click()
      await page.getByText('A reviewer confirmed that the report belongs to this person.').waitFor()
      const { jobs } = await site.ask(
        'GET',
        `/lab_report/v1/parser/job?user_id=${site.users.omar}&limit=1`,
      )
      assert.deepEqual([jobs[0].status, jobs[0].patient_match.is_confirmed], ['completed', true])
    },
  )
}

function testUpload(fixture: ConsoleFixture): void {
  testPage(
    'an upload is followed until it is read, and what cannot be read is refused before',
    fixture,
    async (page, site) => {
      const buffer = await drawReport(6)
      await makeHannah(site)
      await site.open(page, 'reports')
      await page.getByRole('button', { name: 'Upload report' }).first().click()
      const dialog = page.getByRole('dialog')
      const files = dialog.locator('input[type=file]')
      const report = { name: 'report.pdf', mimeType: 'application/pdf', buffer }
      await files.setInputFiles([report, { ...report, name: 'photo.png', mimeType: 'image/png' }])
      await dialog.getByText('A PDF is a report of its own').waitFor()
      await dialog.getByRole('button', { name: 'Remove photo.png' }).click()
      assert.ok(
        await dialog.getByRole('button', { name: 'Upload report' }).isDisabled(),
        'without a person',
      )
      await choosePerson(page, 'Hannah Whitfield')
      await dialog.getByRole('button', { name: 'Upload report' }).click()
      await page.getByRole('heading', { name: /^\d+ results$/ }).waitFor()
      await page.getByText('The patient of the report is the person.').waitFor()
      assert.ok((await page.locator('.report-boxes polygon').count()) > 10)
      await page.getByRole('link', { name: 'All lab reports' }).click()
      await page
        .getByRole('table', { name: 'Lab reports' })
        .getByText('Completed')
        .first()
        .waitFor()
    },
    { isCampaign: true },
  )
}

function testHeldResults(fixture: ConsoleFixture): void {
  testPage(
    'a held result is given to the order that it fits by keyboard alone, and taken back',
    fixture,
    async (page, site) => {
      await createReviewData(site).makeHeld('match_demo')
      await site.open(page, 'matching')
      await page
        .getByRole('link', { name: /^Test Review-/ })
        .first()
        .waitFor()
      await tabTo(page, /^Test Review-/)
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: 'The same:' }).first().waitFor()
      assert.ok(
        (await page.getByRole('img', { name: 'Different:' }).count()) > 0,
        'the sample differs',
      )
      await page.getByRole('button', { name: /^Accept for order/ }).waitFor()
      await tabTo(page, /^Accept for order/)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await tabTo(page, /^Accept$/)
      await page.keyboard.press('Enter')
      await page.getByText(/^Accepted/).waitFor()
      await page.getByRole('link', { name: /^order …[0-9a-f]{8}$/ }).waitFor()
      await tabTo(page, /^Undo decision$/)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^Accept for order/ }).waitFor()
    },
  )

  testPage(
    'a case is tried, passed on, handed back and rejected',
    fixture,
    async (page, site) => {
      await site.open(page, 'matching')
      await page.getByRole('button', { name: 'Simulate case' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Case').selectOption('no_match')
      await dialog.getByRole('button', { name: 'Simulate case' }).click()
      await page.getByText('No order matches.', { exact: true }).waitFor()
      const name = await page.getByRole('heading', { name: /^Nobody Nobody-/ }).innerText()
      await page.getByRole('button', { name: 'Pass on' }).click()
      await dialog.getByRole('button', { name: 'Pass on' }).click()
      await page.getByText(/^Passed to operator/).waitFor()

      await page.getByRole('link', { name: 'Operator queue' }).click()
      await page.getByRole('link', { name }).click()
      await page.getByRole('button', { name: 'Return to team' }).click()
      await page.getByText('The result is no longer with the operator.').waitFor()

      await page.getByRole('link', { name: 'To decide' }).click()
      await page.getByRole('link', { name }).click()
      await page.getByRole('button', { name: 'Reject' }).click()
      await dialog.getByRole('button', { name: 'Reject' }).click()
      await page.getByText(/^Rejected/).waitFor()
    },
    { isCampaign: true },
  )
}

const NARROW = { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' } as const

function testOperator(fixture: ConsoleFixture): void {
  testPage(
    'what is stuck is tried again or given up, and all of it is usable at 360 pixels',
    fixture,
    async (page, site) => {
      const data = createReviewData(site)
      await data.makeStuckOrder()
      await data.failMessage()
      const held = await data.makeHeld('multiple_demo_match')
      const job = await data.makeReport(await drawReport(6), true)
      const paths = [
        'reports',
        `reports/${job.id}`,
        'matching',
        `matching?result=${held}`,
        'matching?tab=orders',
        'matching?tab=messages',
      ]
      for (const path of paths) {
        await site.open(page, path)
        await page.waitForLoadState('networkidle')
        assert.equal(await isTooWide(page), false, path)
        assert.deepEqual(await findViolations(page), [], path)
      }
      await page.getByRole('button', { name: 'Details', exact: true }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('not readable', { exact: true }).waitFor()
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByRole('button', { name: 'Give up' }).click()
      await dialog.getByRole('button', { name: 'Confirm and give up' }).click()
      await page.getByText('No failed messages.').waitFor()

      await page.getByRole('link', { name: 'Stuck orders' }).click()
      await page.getByRole('button', { name: /^Retry order/ }).click()
      await page.getByText('No stuck orders.').waitFor()
    },
    NARROW,
  )
}
