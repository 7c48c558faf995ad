import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

const VERIFIER = 'a-verifier-of-some-length-that-is-long-enough'
const CLIENT_ID = '0oa27ho9tpZE9Arjy4h7'
const CALLBACK = 'https://sso.tandemdiabetes.com/auth/callback'
const ORIGIN = { origin: 'https://source.tandemdiabetes.com' }

let vendors: EmulatedVendors
beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const login = (password: string, username = 'mia') =>
  vendors.call('POST', 'tandem_source/accounts/accounts/api/login', {
    json: { username, password },
  })

async function signIn(username = 'mia') {
  const { headers } = await login('correct', username)
  const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: CALLBACK,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const path = `tandem_source/accounts/accounts/api/connect/authorize?${query}`
  const back = await vendors.call('GET', path, { headers: { cookie } })
  const without = await vendors.call('GET', path)
  assert.equal(without.headers.location, 'https://sso.tandemdiabetes.com/')
  const code = new URL(String(back.headers.location)).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    client_id: CLIENT_ID,
    redirect_uri: CALLBACK,
    code,
    code_verifier: VERIFIER,
  }
  const answer = await vendors.post('tandem_source/accounts/accounts/api/connect/token', form)
  const { access_token, id_token } = answer.json()
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString())
  return { token: access_token as string, ...(claims as { pumperId: string; accountId: string }) }
}

const read = (path: string, token: string, headers: object = ORIGIN) =>
  vendors.call('GET', `tandem_source/api/api/reports/bff/${path}`, { token, headers })

describe('Tandem Source', () => {
  test('serves the pumps of a person and the events of days of its clock', async () => {
    const { token, pumperId, accountId } = await signIn()
    assert.equal(accountId, vendors.emulator.accountIdOf('tandem_source', 'mia'))
    const { body } = await read(`pumper/${pumperId}`, token)
    assert.deepEqual(
      body.pumps.map(({ maxDateOfEvents }: { maxDateOfEvents: unknown }) => typeof maxDateOfEvents),
      ['string', 'object'],
    )
    const pump = body.pumps[0].assignmentId
    const query = `pumperId=${pumperId}&startDate=2026-02-20T00:00:00Z&endDate=2026-02-22T23:59:59Z`
    const all = '16,20,21,64,66,279,280,399'
    const logs = await read(`pump-logs/${pump}?${query}&eventCodes=${all}`, token)
    const span = { from: Date.UTC(2026, 1, 20), to: Date.UTC(2026, 1, 23) }
    const { events } = vendors.emulator.truthOf('tandem_source', 'mia', span)
    assert.deepEqual(logs.body.events, events)
    assert.ok(logs.body.events.length > 3 * 2 * 280)
    const numbers = logs.body.events.map((one: { sequenceNumber: number }) => one.sequenceNumber)
    assert.equal(new Set(numbers).size, numbers.length)
    const basal = await read(`pump-logs/${pump}?${query}&eventCodes=279`, token)
    assert.ok(basal.body.events.every((one: { eventCode: number }) => one.eventCode === 279))
    // The name of the parameter until September 2026.
    assert.equal((await read(`pump-logs/${pump}?${query}&eventIds=279`, token)).status, 400)
    const long = query.replace('2026-02-20', '2026-01-20')
    assert.equal((await read(`pump-logs/${pump}?${long}&eventCodes=279`, token)).status, 400)
    assert.equal((await read('pumper/other', token)).status, 404)
    assert.equal((await read(`pumper/${pumperId}`, token, {})).status, 403)
  })

  test('says by the password what happens, and ends sessions with it', async () => {
    assert.equal((await login('wrong')).body.status, 'AUTHENTICATION_FAILED')
    assert.equal((await login('expired')).body.status, 'PASSWORD_EXPIRED')
    assert.equal((await login('elsewhere')).status, 401)
    assert.equal((await login('down')).status, 503)
    const { token, pumperId } = await signIn()
    assert.equal((await read(`pumper/${pumperId}`, token)).status, 200)
    vendors.pass(DAY_MS)
    assert.equal((await read(`pumper/${pumperId}`, token)).status, 401)
    const again = await signIn()
    await vendors.emulator.revoke('tandem_source', 'mia')
    assert.equal((await read(`pumper/${pumperId}`, again.token)).status, 401)
    assert.equal((await login('correct')).body.status, 'AUTHENTICATION_FAILED')
  })
})
