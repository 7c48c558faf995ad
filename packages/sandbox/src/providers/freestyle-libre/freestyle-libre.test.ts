import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

describe('the practice', () => {
  const open = async (): Promise<string> => {
    const json = { client_id: 'sandbox', client_secret: 'sandbox' }
    return (await vendors.call('POST', 'freestyle_libre/api/v1/sessions', { json })).body
      .session_token
  }
  const invite = (token: string, email: string, region = 'de') =>
    vendors.call('POST', 'freestyle_libre/api/v1/invitations', { token, json: { email, region } })

  test('sees those who accept its invitation, in any case of letters, until they take it back', async () => {
    const token = await open()
    assert.equal((await invite(token, 'Mia@Example.com')).status, 201)
    const { status, body } = await invite(token, 'mia@example.com')
    assert.equal(status, 200)
    const path = `freestyle_libre/api/v1/patients/${body.patient.id}/glucose`
    const range = '?from=2026-02-26T00:00:00Z&to=2026-02-28T00:00:00Z'
    const { body: page } = await vendors.call('GET', `${path}${range}`, { token })
    const span = { from: Date.parse('2026-02-26'), to: Date.parse('2026-02-28') }
    assert.deepEqual(
      page.data,
      vendors.emulator.truthOf('freestyle_libre', 'MIA@example.com', span).glucose,
    )
    await vendors.emulator.revoke('freestyle_libre', 'mia@example.com')
    assert.equal((await vendors.call('GET', `${path}${range}`, { token })).status, 403)
    assert.equal((await invite(token, 'mia@example.com')).status, 201)
    assert.equal((await vendors.call('GET', `${path}${range}`, { token })).status, 200)
  })

  test('hears by the address what becomes of an invitation', async () => {
    const token = await open()
    const { body } = await invite(token, 'declined@example.com')
    assert.deepEqual([body.invitation.status, body.patient], ['declined', undefined])
    assert.equal((await invite(token, 'pending@example.com')).body.invitation.status, 'pending')
    assert.equal((await invite(token, 'unknown@example.com')).status, 404)
    assert.equal((await invite(token, 'elsewhere@example.com')).status, 422)
    assert.equal((await invite(token, 'mia@example.com', 'zz')).status, 422)
    assert.equal((await invite(token, 'down@example.com')).status, 503)
    assert.equal((await invite('nonsense', 'mia@example.com')).status, 401)
  })
})
