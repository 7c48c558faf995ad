import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

const APPLICATION = 'd89443d2-327c-4a6f-89e5-496bbb0317db'

let vendors: EmulatedVendors
beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const post = (path: string, json: object) =>
  vendors.call('POST', `dexcom/api/ShareWebServices/Services/${path}`, { json })
const authenticate = (password: string, accountName = 'mia', applicationId = APPLICATION) =>
  post('General/AuthenticatePublisherAccount', { accountName, password, applicationId })
const login = (accountId: string, password = 'correct') =>
  post('General/LoginPublisherAccountById', { accountId, password, applicationId: APPLICATION })
const read = (sessionId: string, minutes = 1440, maxCount = 288) =>
  post(
    `Publisher/ReadPublisherLatestGlucoseValues?sessionId=${sessionId}&minutes=${minutes}&maxCount=${maxCount}`,
    {},
  )

async function openSession(account = 'mia'): Promise<string> {
  const { body } = await authenticate('correct', account)
  assert.equal(body, vendors.emulator.accountIdOf('dexcom', account))
  return (await login(body)).body
}

describe('Dexcom Share', () => {
  test('answers the readings of a day, the newest first', async () => {
    const session = await openSession()
    const to = vendors.now.getTime()
    const { readings = [] } = vendors.emulator.truthOf('dexcom', 'mia', { from: to - DAY_MS, to })
    const { body } = await read(session)
    assert.ok(body.length > 200)
    assert.deepEqual(body, readings.slice(0, 288))
    assert.deepEqual((await read(session, 1440, 3)).body, readings.slice(0, 3))
    assert.deepEqual((await read(session, 1440, 0)).body, [])
    const recent = (await read(session, 60)).body
    assert.ok(recent.length > 5 && recent.length < 30)
    for (const [minutes, count] of [
      [1441, 288],
      [0, 288],
      [60, 289],
    ] as const) {
      assert.equal((await read(session, minutes, count)).body.Code, 'InvalidArgument')
    }
  })

  test('refuses passwords with the status 500, and then for a while', async () => {
    const wrong = await authenticate('wrong')
    assert.deepEqual([wrong.status, wrong.body.Code], [500, 'AccountPasswordInvalid'])
    assert.match((await authenticate('elsewhere')).body, /^[0-]+$/)
    assert.equal((await authenticate('down')).status, 503)
    assert.equal((await authenticate('correct', 'mia', 'x')).body.Code, 'InvalidArgument')
    for (let tries = 0; tries < 4; tries++) await authenticate('wrong')
    assert.equal((await authenticate('wrong')).body.Code, 'SSO_AuthenticateMaxAttemptsExceeded')
  })

  test('ends sessions, and all with the password', async () => {
    const session = await openSession()
    assert.equal((await read('no-session')).body.Code, 'SessionIdNotFound')
    vendors.pass(DAY_MS)
    assert.equal((await read(session)).body.Code, 'SessionIdNotFound')
    const next = await openSession()
    assert.equal((await read(next)).status, 200)
    await vendors.emulator.revoke('dexcom', 'mia')
    assert.equal((await read(next)).status, 500)
    assert.equal((await authenticate('correct')).body.Code, 'AccountPasswordInvalid')
  })
})
