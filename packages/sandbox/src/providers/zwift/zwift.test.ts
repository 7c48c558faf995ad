import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

const APP = { platform: 'OSX', source: 'Game Client' }

let vendors: EmulatedVendors
beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const tokenPath = 'zwift/auth/auth/realms/zwift/protocol/openid-connect/token'
async function signIn(password: string, username = 'mia', clientId = 'Zwift Game Client') {
  const form = { client_id: clientId, grant_type: 'password', username, password }
  const answer = await vendors.post(tokenPath, form)
  return { status: answer.statusCode, body: answer.statusCode < 500 ? answer.json() : undefined }
}
const read = (path: string, token: string, headers: object = APP) =>
  vendors.call('GET', `zwift/api/api/${path}`, { token, headers })

describe('Zwift', () => {
  test('says by the password what happens', async () => {
    const { body } = await signIn('correct')
    assert.equal(body.expires_in, 21_600)
    const wrong = await signIn('wrong')
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_grant'])
    assert.match((await signIn('consent')).body.error_description, /not fully set up/)
    assert.equal((await signIn('down')).status, 503)
    assert.equal((await signIn('correct', 'mia', 'Zwift_Mobile_Link')).status, 400)
    const profile = await read('profiles/me', body.access_token)
    assert.equal(String(profile.body.id), vendors.emulator.accountIdOf('zwift', 'mia'))
    assert.equal((await read('profiles/me', body.access_token, {})).status, 403)
  })

  test('lists activities from the newest back, with long ids and sessions that were not used', async () => {
    const account = ['mia', 'bob', 'cleo', 'dan'].find((name) => {
      const span = { from: 0, to: vendors.now.getTime() }
      return (vendors.emulator.truthOf('zwift', name, span).activities ?? []).length > 40
    })
    assert.ok(account)
    const token = (await signIn('correct', account)).body.access_token
    const id = vendors.emulator.accountIdOf('zwift', account)
    const listed: { id_str: string; autoClosed: boolean; startDate: string }[] = []
    for (let start = 0; ; start += 50) {
      const { body, text } = await read(`profiles/${id}/activities?start=${start}&limit=50`, token)
      assert.match(text, /^\[(?:\]|\{"id":\d{18,},)/)
      listed.push(...body)
      if (body.length < 50) break
    }
    const span = { from: 0, to: vendors.now.getTime() }
    const { activities } = vendors.emulator.truthOf('zwift', account, span)
    const used = listed.filter(({ autoClosed }) => !autoClosed)
    assert.ok(used.length < listed.length)
    const ids = (list: unknown[] = []) => (list as typeof listed).map(({ id_str }) => id_str)
    assert.deepEqual(ids(used), ids(activities))
    const { body } = await read(`activities/${used[0]?.id_str}`, token)
    assert.equal(body.fitnessData.status, 'AVAILABLE')
    const seconds = await read(`activities/${used[0]?.id_str}/file/full`, token)
    assert.equal(seconds.body.timeInSec.length, seconds.body.powerInWatts.length)
    assert.equal((await read('activities/1', token)).status, 404)
    assert.equal((await read('profiles/1/activities', token)).status, 404)
  })

  test('refreshes sessions until the password is another one', async () => {
    const { body } = await signIn('correct')
    const refresh = () =>
      vendors.post(tokenPath, {
        client_id: 'Zwift Game Client',
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
      })
    await vendors.emulator.expire('zwift', 'mia')
    assert.equal((await read('profiles/me', body.access_token)).status, 401)
    vendors.pass(1)
    const next = (await refresh()).json()
    assert.equal((await read('profiles/me', next.access_token)).status, 200)
    await vendors.emulator.revoke('zwift', 'mia')
    assert.equal((await refresh()).statusCode, 401)
    assert.equal((await signIn('correct')).status, 401)
  })
})
