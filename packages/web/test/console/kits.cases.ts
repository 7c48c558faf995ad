import assert from 'node:assert/strict'
import { findViolations } from '../accessibility.ts'
import { type ConsoleFixture, testPage } from './console-site.ts'

/** A kit that is sent before its user is known. */
export function testKit(fixture: ConsoleFixture): void {
  testPage(
    'a kit is sent to a front desk, and registered by who uses it',
    fixture,
    async (page, site) => {
      await site.open(page, 'orders')
      await page.getByRole('button', { name: 'Send kit' }).click()
      const sending = page.getByRole('dialog', { name: 'Send kit' })
      await sending.getByLabel('Find a person').fill('fischer')
      await sending.getByRole('option', { name: /Lena Fischer/ }).click()
      await sending.getByLabel('Find a kit').fill('a1c')
      await sending.getByRole('option', { name: /A1c/ }).first().click()
      await sending.getByLabel('City').and(page.locator('[value="Chicago"]')).waitFor()
      await sending.getByRole('button', { name: 'Send kit' }).click()
      await sending.getByRole('alert').waitFor()
      await sending.getByLabel('Receiver').and(page.locator('[aria-invalid="true"]')).waitFor()
      assert.deepEqual(await findViolations(page), [])
      await sending.getByLabel('Receiver').fill('Front desk')
      await sending.getByRole('button', { name: 'Send kit' }).click()
      await page.getByText('whoever registers the kit').waitFor()

      const orderId = page.url().split('/').at(-1) ?? ''
      const sent = 'collecting_sample.testkit.with_customer'
      await site.ask('POST', `/v3/order/${orderId}/test?final_status=${sent}`, {})
      await page
        .getByRole('region', { name: 'Progress' })
        .getByText('Kit with the person', { exact: false })
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Register kit' }).click()
      const form = page.getByRole('dialog', { name: 'Register kit' })
      assert.match(await form.getByLabel('Number of the kit').inputValue(), /^\d{10}$/)
      await form.getByRole('button', { name: 'Register kit' }).click()
      await form.getByText('This field is required.').first().waitFor()
      await form.getByRole('textbox', { name: 'Find a person' }).fill('nguyen')
      await form.getByRole('option', { name: /Tom Nguyen/ }).click()
      await form.getByLabel('ZIP code').and(page.locator('[value="60614"]')).waitFor()
      assert.deepEqual(await findViolations(page), [])
      await form.getByRole('button', { name: 'Register kit' }).click()
      await form.getByText('Consents of the patient are missing.').waitFor()
      for (const text of [/HIPAA/, /terms of use/, /telehealth/]) {
        await form.getByRole('checkbox', { name: text }).check()
      }
      await form.getByRole('button', { name: 'Register kit' }).click()
      await form.waitFor({ state: 'hidden' })
      await page.getByRole('link', { name: 'Tom Nguyen' }).waitFor()
      const order = await site.ask('GET', `/v3/order/${orderId}`)
      assert.equal(order.user_id, site.users.tom)
      assert.equal(order.patient_details.last_name, 'Nguyen')
    },
    // A receiver, then the consents, are forgotten at first.
    { isCampaign: true, refused: /^\/v3\/order\/testkit/ },
  )
}
