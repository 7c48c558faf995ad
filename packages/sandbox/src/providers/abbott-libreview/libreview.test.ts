import assert from 'node:assert/strict'
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
    assert.deepEqual((await signIn('elsewhere')).body.data, { redirect: true, region: 'ru' })
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

  test('pages through a history as the truth says, each record once', async () => {
    const { data } = (await signIn('correct')).body
    const { token } = data.authTicket
    const to = vendors.now.getTime() / 1000
    const from = to - 60 * DAY_SECONDS
    const path = `abbott_libreview/api/patients/${data.user.id}/measurements?from=${from}&to=${to}&limit=777`
    const records: unknown[] = []
    for (let cursor = ''; ; ) {
      const { body } = await vendors.call('GET', `${path}${cursor}`, { token })
      records.push(...body.data.measurements)
      if (body.data.next === null) break
      cursor = `&cursor=${body.data.next}`
    }
    const span = { from: from * 1000, to: to * 1000 }
    assert.deepEqual(
      records,
      vendors.emulator.truthOf('abbott_libreview', 'mia', span).measurements,
    )
    const other = path.replace(
      data.user.id,
      vendors.emulator.accountIdOf('abbott_libreview', 'bob'),
    )
    assert.equal((await vendors.call('GET', other, { token })).status, 404)
  })

  test('ends sessions when the password changes, and refuses the old one', async () => {
    const { token } = (await signIn('correct')).body.data.authTicket
    const read = () =>
      vendors.call('GET', 'abbott_libreview/api/llu/connections', { token, headers: APP })
    assert.equal((await read()).status, 200)
    await vendors.emulator.revoke('abbott_libreview', 'mia')
    assert.equal((await read()).status, 401)
    assert.equal((await signIn('correct')).body.status, 2)
  })
})
