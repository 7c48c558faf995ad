import assert from 'node:assert/strict'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Page } from 'playwright-core'
import { RECOVER_WEBHOOK } from '../../../server/src/webhooks/messages/recovery.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

/** What whoever runs the installation looks at. */
export function testOperation(fixture: ConsoleFixture): void {
  testPage('operation shows versions, sizes, delivery and providers', fixture, lookAround)
  testPage(
    'a job that fails shows why, is run again, and that is in the audit log',
    fixture,
    retryJob,
  )
  testPage('jobs that are forgotten say what can still be done', fixture, lookAtForgotten)
  testPage('operation fits a narrow screen', fixture, lookNarrow, { ...NARROW, isCampaign: true })
  testPage('a key of a team sees that operation is not for it', fixture, beRefused, {
    isCampaign: true,
  })
}

const NARROW = { viewport: { width: 360, height: 740 } }
const PATHS = ['', '?tab=jobs', '?tab=delivery', '?tab=providers', '/audit']

async function lookAround(page: Page, site: ConsoleSite): Promise<void> {
  await site.open(page, '/operation')
  await page.getByRole('table', { name: 'Tables of PostgreSQL' }).waitFor()
  await page.getByText('Memory of the process').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('link', { name: 'Delivery' }).click()
  await page.getByText('Undispatched events').waitFor()
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('link', { name: 'Providers' }).click()
  await page.getByRole('table', { name: 'Providers', exact: true }).getByText('oura').waitFor()
  const setups = page.getByRole('table', { name: 'Setup of providers' })
  await setups.getByText('documented schema').first().waitFor()
  assert.deepEqual(await findViolations(page), [])
}

async function retryJob(page: Page, site: ConsoleSite): Promise<void> {
  site.harness.errors.expect('(recover_webhook,')
  const person = 'Ada Moreau'
  const payload = { environmentId: site.teamId, endpointId: person, fromId: '', toId: 'msg_' }
  await addJob(site.harness.database.db, RECOVER_WEBHOOK, payload)
  const isKept = async (): Promise<boolean> => {
    const { data } = await site.harness
      .call('GET', '/v1/operation/job?state=failing', undefined, {
        'x-management-key': site.managementKey,
      })
      .then(({ body }) => body)
    return data.some(({ failure }: { failure: object | null }) => failure !== null)
  }
  for (const end = Date.now() + 20_000; !(await isKept()); ) {
    assert.ok(Date.now() < end, 'the job fails')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await site.open(page, '/operation?tab=jobs')
  const row = page.getByRole('row').filter({ hasText: 'recover_webhook' }).first()
  await row.getByText('22P02').waitFor()
  assert.equal(await page.getByText(person).count(), 0)
  assert.deepEqual(await findViolations(page), [])
  await row.getByRole('button', { name: 'Run job' }).click()
  await site.harness.dependencies.audit.flush()
  await site.open(page, '/operation/audit')
  await page.getByText('/v1/operation/job/retry').first().waitFor()
  assert.deepEqual(await findViolations(page), [])
  await site.harness.database.pool.query(
    'delete from graphile_worker._private_jobs where last_error is not null',
  )
}

async function lookAtForgotten(page: Page, { open, harness }: ConsoleSite): Promise<void> {
  await open(page, '/operation?tab=jobs')
  await page.getByRole('heading', { name: 'By kind' }).waitFor()
  const forgotten = page.getByRole('region', { name: 'Deleted jobs' })
  assert.equal(await forgotten.count(), 0)
  await harness.database.pool.query(
    `insert into forgotten_jobs (kind, jobs, forgotten_at)
     values ('recover_webhook', 3, now()), ('settle_booking_attempt', 1, now())`,
  )
  await page.reload()
  await forgotten.getByText('recover_webhook, 3 jobs').waitFor()
  await forgotten.getByText(/salus webhooks recover/).waitFor()
  await forgotten.getByText(/Mend their cause/).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await harness.database.pool.query('delete from forgotten_jobs')
}

async function lookNarrow(page: Page, site: ConsoleSite): Promise<void> {
  for (const path of PATHS) {
    await site.open(page, `/operation${path}`)
    await page.waitForLoadState('networkidle')
    assert.equal(await isTooWide(page), false, path)
  }
}

async function beRefused(page: Page, site: ConsoleSite): Promise<void> {
  const { key } = await site.manage('POST', '/management_key', {
    label: 'Support',
    role: 'team_admin',
    team_role_bindings: [{ team_id: site.teamId }],
  })
  await site.signIn(page, key)
  await site.open(page, '/operation')
  await page.getByText('This page is for the operator of the installation.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Operation' }).count(), 0)
}
