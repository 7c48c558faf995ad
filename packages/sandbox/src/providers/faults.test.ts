import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { ALL_SCOPES, EmulatedVendors } from '../../test/emulated-vendors.ts'
import type { Fault } from './faults.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

describe('faults', () => {
  const statusWith = async (fault: Fault, path = 'daily_sleep'): Promise<number> => {
    await vendors.emulator.setFaults('oura', 'anna', [fault])
    return (await vendors.read(path, await vendors.grant('anna'))).status
  }

  test('are answered as the vendor would', async () => {
    assert.equal(await statusWith({ kind: 'rate_limit', milliseconds: 7000 }), 429)
    assert.equal(await statusWith({ kind: 'server_error' }), 500)
    assert.equal(await statusWith({ kind: 'unavailable' }), 503)
    assert.equal(await statusWith({ kind: 'unauthorized' }), 401)
    assert.equal(await statusWith({ kind: 'server_error', collection: 'sleep' }), 200)
    await vendors.emulator.setFaults('oura', 'anna', [{ kind: 'malformed' }])
    const { text } = await vendors.read(
      'daily_sleep?start_date=2026-02-01',
      await vendors.grant('anna'),
    )
    assert.throws(() => JSON.parse(text))
  })

  test('end after so many requests, or after a while, and befall one account or all', async () => {
    const token = await vendors.grant('anna')
    await vendors.emulator.setFaults('oura', 'anna', [{ kind: 'server_error', times: 2 }])
    const statuses = []
    for (let count = 0; count < 3; count += 1)
      statuses.push((await vendors.read('tag', token)).status)
    assert.deepEqual(statuses, [500, 500, 200])
    const until = vendors.now.getTime() + 60_000
    await vendors.emulator.setFaults('oura', null, [{ kind: 'unavailable', until }])
    const other = await vendors.grant('bob')
    assert.equal((await vendors.read('tag', other)).status, 503)
    vendors.pass(60_000)
    assert.equal((await vendors.read('tag', other)).status, 200)
  })

  test('make every page come twice', async () => {
    const token = await vendors.grant('anna')
    const path = 'tag?start_date=2025-12-01&end_date=2026-02-28'
    const once = await vendors.readAll(path, token)
    await vendors.emulator.setFaults('oura', 'anna', [{ kind: 'duplicate_pages' }])
    const twice = await vendors.readAll(path, token)
    assert.equal(twice.length, 2 * once.length)
    assert.deepEqual(new Set(twice.map((one) => JSON.stringify(one))).size, once.length)
  })

  test('of a token request use nothing up', async () => {
    const { refresh_token } = await vendors.emulator.grant('oura', 'anna', ALL_SCOPES)
    const json = {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: 'sandbox',
      client_secret: 'sandbox',
    }
    await vendors.emulator.setFaults('oura', 'anna', [
      { kind: 'server_error', on: 'token', times: 1 },
    ])
    const refresh = () => vendors.call('POST', 'oura/api/oauth/token', { json })
    assert.deepEqual(
      [(await refresh()).status, (await refresh()).status, (await refresh()).status],
      [500, 200, 400],
    )
  })

  test('can be wished for in the name of an account', async () => {
    const token = await vendors.grant('anna+flaky')
    const statuses = await Promise.all(Array.from({ length: 8 }, () => vendors.read('tag', token)))
    assert.equal(statuses.filter(({ status }) => status === 500).length, 2)
  })
})

describe('people on the page of their account', () => {
  const send = (form: Record<string, string>) => vendors.post('oura/account', form)
  const signIn = async (username: string): Promise<string> => {
    const { body } = await send({ step: 'sign_in', username, password: 'correct' })
    return /name="ticket" value="([^"]+)"/.exec(body)?.[1] ?? ''
  }

  test('end the access of apps, and let things go wrong for a while', async () => {
    const token = await vendors.grant('anna')
    const ticket = await signIn('anna')
    await send({ ticket, action: 'fault', fault: 'unavailable', minutes: '5' })
    assert.equal((await vendors.read('tag', token)).status, 503)
    await send({ ticket, action: 'none' })
    assert.equal((await vendors.read('tag', token)).status, 200)
    await send({ ticket, action: 'revoke' })
    assert.equal((await vendors.read('tag', token)).status, 401)
  })

  test('need to have signed in', async () => {
    const token = await vendors.grant('anna')
    await send({ ticket: await signIn('bob'), action: 'revoke' })
    await send({ ticket: 'nonsense', action: 'revoke' })
    assert.equal((await vendors.read('tag', token)).status, 200)
  })
})
