import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

const ALL = ['activity:read']

let vendors: EmulatedVendors
beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const grant = async (account: string, scopes = ALL) =>
  (await vendors.emulator.grant('hammerhead', account, scopes, 'app')).access_token
const read = (path: string, token: string) =>
  vendors.call('GET', `hammerhead/api/v1/api/activities${path}`, { token })
const span = () => ({ from: 0, to: vendors.now.getTime() })

/** An account of someone who rides. */
const riderOf = (): string =>
  ['anna', 'bob', 'cleo', 'dan', 'eve'].find(
    (name) => (vendors.emulator.truthOf('hammerhead', name, span()).activities ?? []).length > 30,
  ) ?? assert.fail()

describe('Hammerhead', () => {
  test('serves all activities page by page since a day, with their fields and files', async () => {
    const account = riderOf()
    const token = await grant(account)
    const ids: string[] = []
    for (let page = 1; ; page++) {
      const { body } = await read(`?page=${page}&perPage=20`, token)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      if (page >= body.totalPages) break
    }
    const { activities = [] } = vendors.emulator.truthOf('hammerhead', account, span())
    const truth = activities as { id: string; createdAt: string }[]
    assert.deepEqual(
      ids,
      truth.map(({ id }) => id),
    )
    const [newest] = truth
    const day = newest?.createdAt.slice(0, 10)
    assert.equal((await read(`?startDate=${day}`, token)).body.totalItems, 1)
    assert.deepEqual((await read(`/${newest?.id}`, token)).body, newest)
    const file = await vendors.emulator.app.inject({
      url: `/sandbox/providers/hammerhead/api/v1/api/activities/${newest?.id}/file`,
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(file.rawPayload.subarray(8, 12).toString(), '.FIT')
    assert.equal((await read('/other', token)).status, 404)
    assert.equal((await read('?perPage=500', token)).status, 400)
    assert.equal((await read('?startDate=today', token)).status, 400)
  })

  test('refuses missing scopes, unknown and revoked tokens', async () => {
    const token = await grant('anna', [])
    assert.equal((await read('', token)).status, 403)
    assert.equal((await read('', 'nonsense')).status, 401)
    const own = await grant('anna')
    await vendors.emulator.revoke('hammerhead', 'anna')
    assert.equal((await read('', own)).status, 401)
  })

  test('signs messages about new activities', async () => {
    const account = riderOf()
    const callback_url = 'https://salus.example.com/push'
    const json = { client_id: 'app', client_secret: 'hook', callback_url }
    await vendors.call('PUT', 'hammerhead/console/push_address', { json })
    await grant(account)
    const to = vendors.now.getTime()
    const sent = await vendors.emulator.push('hammerhead', account, { from: to - 90 * DAY_MS, to })
    assert.ok(sent > 5)
    for (const { body, headers } of vendors.pushed) {
      const expected = createHmac('sha256', 'hook').update(body).digest('hex')
      assert.equal(headers['x-hmac-signature'], expected)
      assert.equal(JSON.parse(body).userId, vendors.emulator.accountIdOf('hammerhead', account))
    }
    await vendors.emulator.setFaults('hammerhead', account, [{ kind: 'push_silent' }])
    const silent = { from: to - 90 * DAY_MS, to }
    assert.equal(await vendors.emulator.push('hammerhead', account, silent), 0)
  })
})
