import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

describe('LibreView', () => {
  const APP = { product: 'llu.android', version: '4.16.0' }
  const post = (path: string, json: object, token?: string) =>
    vendors.call('POST', `abbott_libreview/${path}`, {
      json,
      headers: APP,
      ...(token !== undefined && { token }),
    })
  const signIn = (password: string, host = 'api', email = 'mia') =>
    post(`${host}/llu/auth/login`, { email, password })

  test('says by the password what happens', async () => {
    const { body } = await signIn('correct')
    assert.equal(body.status, 0)
    assert.equal(body.data.user.id, vendors.emulator.accountIdOf('abbott_libreview', 'mia'))
    assert.equal((await signIn('wrong')).body.status, 2)
    assert.equal((await signIn('expired')).body.data.step.type, 'passwordExpired')
    assert.deepEqual((await signIn('elsewhere')).body.data, { redirect: true, region: 'xx' })
    assert.equal((await signIn('consent')).body.data.step.type, 'tou')
    assert.equal((await signIn('locked')).body.data.data.lockout, 300)
    const robot = await signIn('robot')
    assert.equal(robot.status, 403)
    assert.match(String(robot.headers['content-type']), /text.html/)
    assert.equal((await signIn('down')).status, 503)
    const elsewhere = await signIn('correct', 'api', 'mia+eu')
    assert.deepEqual(elsewhere.body.data, { redirect: true, region: 'eu' })
    assert.equal((await signIn('correct', 'api-eu', 'mia+eu')).body.status, 0)
  })

  test('takes the right code once, and gives up after five wrong ones', async () => {
    const step = await signIn('code')
    assert.equal(step.body.data.step.props.primaryMethod, 'phone')
    const { token } = step.body.data.authTicket
    assert.equal(
      (await vendors.call('GET', 'abbott_libreview/api/llu/connections', { token, headers: APP }))
        .status,
      401,
    )
    const { body } = await post('api/auth/continue/2fa/sendcode', { isPrimaryMethod: true }, token)
    const result = (code: string) =>
      post('api/auth/continue/2fa/result', { code, isPrimaryMethod: true }, body.ticket.token)
    assert.equal((await result('000000')).body.status, 2)
    assert.equal((await result('123456')).body.data.user.id.length, 36)
    assert.equal((await result('123456')).status, 401)

    const again = (await signIn('code')).body.data.authTicket.token
    for (let tries = 0; tries < 5; tries += 1) {
      await post('api/auth/continue/2fa/result', { code: '1' }, again)
    }
    assert.equal(
      (await post('api/auth/continue/2fa/result', { code: '123456' }, again)).status,
      401,
    )
  })

  const read = (path: string, token: string, id: string) =>
    vendors.call('GET', `abbott_libreview/api/llu/connections${path}`, {
      token,
      headers: { ...APP, 'account-id': createHash('sha256').update(id).digest('hex') },
    })

  test('shows the last hours, the newest value and the logbook as the truth says', async () => {
    const { data } = (await signIn('correct')).body
    const [{ token }, { id }] = [data.authTicket, data.user]
    const to = vendors.now.getTime()
    const span = { from: to - 20 * DAY_SECONDS * 1000, to: to + 1 }
    const truth = vendors.emulator.truthOf('abbott_libreview', 'mia', span)
    const { body } = await read(`/${id}/graph`, token, id)
    assert.deepEqual(body.data.graphData, truth.graph)
    assert.deepEqual([body.data.connection.glucoseMeasurement], truth.newest)
    assert.ok((truth.graph?.length ?? 0) > 20)
    const logbook = (await read(`/${id}/logbook`, token, id)).body.data
    assert.deepEqual(logbook, truth.logbook)
    const types = new Set((truth.logbook as { type: number }[]).map(({ type }) => type))
    assert.deepEqual([...types].sort(), [1, 2])
    const other = vendors.emulator.accountIdOf('abbott_libreview', 'bob')
    assert.equal((await read(`/${other}/graph`, token, id)).body.status, 4)
  })

  test('shows nothing of people who do not share, and requires the account and a new app', async () => {
    const { data } = (await signIn('unshared')).body
    const [{ token }, { id }] = [data.authTicket, data.user]
    assert.deepEqual((await read('', token, id)).body.data, [])
    assert.equal((await read(`/${id}/graph`, token, id)).body.error.message, 'couldNotLoadPatient')
    assert.equal((await read('', token, 'other')).status, 400)
    const old = {
      json: { email: 'mia', password: 'correct' },
      headers: { ...APP, version: '4.9.0' },
    }
    const refused = await vendors.call('POST', 'abbott_libreview/api/llu/auth/login', old)
    assert.deepEqual([refused.status, refused.body.status], [403, 920])
  })

  test('ends sessions when the password changes, and refuses the old one', async () => {
    const { data } = (await signIn('correct')).body
    const connections = () => read('', data.authTicket.token, data.user.id)
    assert.equal((await connections()).status, 200)
    await vendors.emulator.revoke('abbott_libreview', 'mia')
    assert.equal((await connections()).status, 401)
    assert.equal((await signIn('correct')).body.status, 2)
  })
})
