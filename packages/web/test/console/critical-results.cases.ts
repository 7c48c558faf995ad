import assert from 'node:assert/strict'
import { PEOPLE } from '../../../ops/src/demo-team/filling/people.registry.ts'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, type ConsoleSite, isTooWide, testPage } from './console-site.ts'

const PATIENCE_MS = 30_000

/** Has a laboratory report a critical value of an order. Returns the ids of order and task. */
async function makeTask(site: ConsoleSite): Promise<{ orderId: string; taskId: string }> {
  const { first_name, last_name, gender, dob, address } = PEOPLE.tom.info
  const { data } = await site.ask('GET', '/v3/lab_test?name=lipid&collection_method=walk_in_test')
  const { order } = await site.ask('POST', '/v3/order', {
    user_id: site.users.tom,
    order_set: { lab_test_ids: [data[0].id] },
    patient_details: {
      ...{ first_name, last_name, gender, dob },
      phone_number: '+13125550142',
      email: 'tom@example.com',
    },
    patient_address: { ...address, country: 'US' },
  })
  await site.ask('POST', `/v3/order/${order.id}/test`, { interpretation: 'critical' })
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const { data: tasks } = await site.ask('GET', `/v3/critical_result_task?order_id=${order.id}`)
    if (tasks.length > 0) return { orderId: order.id, taskId: tasks[0].id }
    if (Date.now() > end) throw new Error('No task was opened.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The page of critical results. */
export function testCriticalResults(fixture: ConsoleFixture): void {
  testPage(
    'a critical result is seen, acknowledged with a note, and listed as acknowledged',
    fixture,
    async (page, site) => {
      const { orderId, taskId } = await makeTask(site)
      const short = orderId.slice(0, 8)
      await site.open(page, 'critical-results')
      const button = page.getByRole('button', { name: `Acknowledge the result of order ${short}` })
      await button.click()
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: 'Acknowledge', exact: true })
      assert.ok(await confirm.isDisabled(), 'without a name')
      await dialog.getByLabel('Name').fill('Nurse Lopez')
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByRole('button', { name: 'Only seen' }).click()
      const row = page.getByRole('row').filter({ hasText: short })
      await row.getByText('Nurse Lopez').waitFor()

      await button.click()
      assert.equal(await dialog.getByRole('button', { name: 'Only seen' }).count(), 0)
      await dialog.getByLabel('Name').fill('Dr. Park')
      await dialog.getByLabel('Note').fill('Called the patient.')
      await confirm.click()
      await row.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Acknowledged' }).click()
      await row.getByText('Called the patient.').waitFor()
      assert.equal(await isTooWide(page), false)
      assert.deepEqual(await findViolations(page), [])
      const task = await site.ask('GET', `/v3/critical_result_task/${taskId}`)
      assert.deepEqual(
        [task.status, task.received_by.name, task.acknowledged_by.name],
        ['completed', 'Nurse Lopez', 'Dr. Park'],
      )
    },
    { viewport: { width: 1280, height: 800 } },
  )
}
