import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const signIn = (email: string, password: string) =>
  vendors.call('POST', 'beurer_api/api/v1/sessions', { json: { email, password } })

test('measurements come page by page, as the truth says', async () => {
  const { session_token: token, user_id: id } = (await signIn('mia', 'correct')).body
  assert.equal(id, vendors.emulator.accountIdOf('beurer_api', 'mia'))
  const span = { from: vendors.now.getTime() - 60 * DAY_MS, to: vendors.now.getTime() }
  const truth = vendors.emulator.truthOf('beurer_api', 'mia', span)
  const [from, to] = [span.from, span.to].map((at) => new Date(at).toISOString())
  for (const [kind, expected] of Object.entries(truth)) {
    const records: unknown[] = []
    for (let cursor = ''; ; ) {
      const path = `beurer_api/api/v1/measurements/${kind}?from=${from}&to=${to}${cursor}`
      const { body } = await vendors.call('GET', path, { token })
      records.push(...body.data)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    assert.deepEqual(records, expected)
    assert.ok(records.length > 30, kind)
  }
})

test('the password decides, and ends with its change', async () => {
  assert.equal((await signIn('mia', 'wrong')).status, 401)
  const { session_token: token } = (await signIn('mia', 'correct')).body
  await vendors.emulator.revoke('beurer_api', 'mia')
  const { status } = await vendors.call('GET', 'beurer_api/api/v1/measurements/weight', { token })
  assert.equal(status, 401)
  assert.equal((await signIn('mia', 'correct')).status, 401)
})
