import assert from 'node:assert/strict'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

const MESSAGE = [
  'MSH|^~\\&|LAB|QUEST|SALUS|1234567890|20260301120000||ORU^R01|R1|P|2.3',
  'PID|1|A17|||MUSTER^PAT||19900412|F',
].join('\r')

/** Stores a connection that sends nothing, with a message that was rejected. */
async function makeConnection({ harness, manage, teamId }: ConsoleSite): Promise<void> {
  const config = {
    connection: 'mtl-test',
    lab: 'mtl',
    profile: 'hl7-2.3-legacy',
    time_zone: 'America/New_York',
    orders: { kind: 'folder', dir: '/nonexistent' },
  }
  const path = `/team/${teamId}/sandbox/lab_connection/mtl-test`
  const { connection } = await manage('PUT', path, { config })
  await harness.database.pool.query(
    `insert into lab_messages (id, gateway, environment_id, control_id, content_type, content,
      state, problem_class, problem, received_at)
    select gen_random_uuid(), 'hl7:mtl-test', environment_id, 'R1', 'x-application/hl7-v2+er7', $2,
      'failed', 'unreadable', 'wrong_processing_id', now()
    from lab_connections where id = $1`,
    [connection.id, Buffer.from(MESSAGE)],
  )
}

/** The pages of connections to laboratories. */
export function testConnections(fixture: ConsoleFixture): void {
  testPage(
    'a connection is listed with its alerts, held, and its rejected message is read and retried',
    fixture,
    async (page, site) => {
      await makeConnection(site)
      await site.open(page, 'connections')
      const row = page.getByRole('row').filter({ hasText: 'mtl-test' })
      await row.getByText('Rejected').waitFor()
      assert.deepEqual(await findViolations(page), [])
      await row.getByRole('link', { name: 'mtl-test' }).click()
      await page.getByRole('button', { name: 'Hold orders back' }).click()
      await page.getByRole('button', { name: 'Send orders again' }).waitFor()
      await page.getByRole('link', { name: 'Rejected' }).click()
      await page.getByRole('button', { name: 'Show' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('cell', { name: 'MUSTER^PAT' }).waitFor()
      await dialog.getByRole('status').getByText('MSH-11').waitFor()
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByRole('button', { name: 'Retry' }).click()
      await dialog.waitFor({ state: 'detached' })
    },
    { viewport: { width: 1280, height: 800 } },
  )
}
