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
  vendors.call('POST', 'kardia/api/v1/sessions', { json: { email, password } })

test('recordings come the newest first, page by page, and their voltages one by one', async () => {
  const { token, patientID } = (await signIn('mia', 'correct')).body
  assert.equal(patientID, vendors.emulator.accountIdOf('kardia', 'mia'))
  const list = `kardia/api/v1/patients/${patientID}/recordings`
  const read = (path: string) => vendors.call('GET', path, { token })
  const records: { id: string; recordedAt: string }[] = []
  for (let start = ''; ; ) {
    const { body } = await read(`${list}?limit=20${start}`)
    records.push(...body.data)
    if (!body.pageInfo.hasNextPage) break
    start = `&start=${body.pageInfo.endCursor}`
  }
  assert.ok(records.length > 190 && records.length <= 201)
  const times = records.map(({ recordedAt }) => Date.parse(recordedAt))
  assert.deepEqual(
    times,
    times.toSorted((one, other) => other - one),
  )
  const [first] = records
  const { body } = await read(`kardia/api/v1/recordings/${first?.id}`)
  assert.equal(body.data.raw.samples.leadI.length, 9000)
  const now = vendors.now.getTime()
  const span = { from: now - 3 * DAY_MS, to: now + 1 }
  const { recordings = [] } = vendors.emulator.truthOf('kardia', 'mia', span)
  const [newest] = recordings as { data: object }[]
  assert.deepEqual(body.data, newest?.data)
  assert.equal((await read(`kardia/api/v1/patients/other/recordings`)).status, 404)
  assert.equal((await read(`${list}?start=x`)).status, 422)
  assert.equal((await read('kardia/api/v1/recordings/x')).status, 404)
})

test('the password decides, and ends with its change', async () => {
  assert.equal((await signIn('mia', 'wrong')).status, 401)
  assert.equal((await signIn('mia', 'down')).status, 503)
  await vendors.emulator.revoke('kardia', 'mia')
  assert.equal((await signIn('mia', 'correct')).status, 401)
})
