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

/** The inbox of tasks. */
export function testTasks(fixture: ConsoleFixture): void {
  testPage(
    'a task is chosen by keys, seen, assigned, acknowledged with a note, and then gone',
    fixture,
    async (page, site) => {
      const { orderId, taskId } = await makeTask(site)
      await site.open(page, 'critical-results')
      await page.waitForURL(/tasks\?kind=critical_result/)
      await page
        .getByRole('button', { name: /^Critical result/ })
        .first()
        .waitFor()
      await page.goto(`${page.url()}&task=${taskId}`)
      const detail = page.getByRole('region', { name: 'Task' })
      await detail.getByRole('link', { name: 'Tom' }).waitFor()
      await page.getByLabel('Your name').fill('Nurse Lopez')
      await detail.getByRole('button', { name: 'Only seen' }).click()
      await detail.getByText('Nurse Lopez').waitFor()
      await detail.getByRole('button', { name: 'Assign to me' }).click()
      await detail.getByRole('button', { name: 'Release' }).waitFor()
      assert.deepEqual(await findViolations(page), [])
      assert.equal(await isTooWide(page), false)

      await page.getByLabel('Your name').fill('Dr. Park')
      await detail.getByLabel('Note').fill('Called the patient.')
      await detail.getByRole('button', { name: 'Acknowledge' }).click()
      await page.getByRole('link', { name: 'Completed' }).click()
      await detail.getByText('Called the patient.').waitFor()
      const task = await site.ask('GET', `/v3/task/${taskId}`)
      assert.deepEqual(
        [task.status, task.received_by.name, task.acknowledged_by.name, task.owner.name],
        ['completed', 'Nurse Lopez', 'Dr. Park', 'Nurse Lopez'],
      )

      await page.goto(`${site.baseUrl}/console/${site.teamId}/sandbox/tasks`)
      const rows = page.getByRole('list', { name: 'Tasks' }).getByRole('button')
      await rows.nth(1).waitFor()
      await page.keyboard.press('j')
      await page.waitForURL(/task=/)
      assert.equal(await rows.nth(1).getAttribute('aria-pressed'), 'true')
      await page.keyboard.press('k')
      assert.equal(await rows.nth(0).getAttribute('aria-pressed'), 'true')
      await page.goto(`${page.url().split('?')[0]}?tab=completed&task=${taskId}`)
      await detail.getByText('Called the patient.').waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(orderId))
    },
    { viewport: { width: 1280, height: 800 } },
  )
}
