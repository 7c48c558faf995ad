import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const SCOPES = ['OpenApiBP', 'OpenApiBG', 'OpenApiWeight', 'OpenApiSpO2', 'OpenApiActivity']

type Body = Record<string, unknown>

async function get(account: string, file: string, query: Record<string, string>, id?: string) {
  const userId = id ?? vendors.emulator.accountIdOf('ihealth', account)
  const all = new URLSearchParams({ client_id: 'sandbox', client_secret: 'sandbox', ...query })
  const answer = await vendors.emulator.app.inject({
    method: 'GET',
    url: `/sandbox/providers/ihealth/api/openapiv2/user/${userId}/${file}/?${all}`,
  })
  return { status: answer.statusCode, body: answer.json() as Body }
}

const grant = async (account: string, scopes = SCOPES) =>
  (await vendors.emulator.grant('ihealth', account, scopes)).access_token

const local = (text: string): string => String(Date.parse(`${text}Z`) / 1000)

describe('iHealth', () => {
  test('serves the records between two local times, 50 a page', async () => {
    const access_token = await grant('anna')
    const { emulator, now } = vendors
    const span = { from: now.getTime() - 60 * DAY_MS, to: now.getTime() }
    const truth = emulator.truthOf('ihealth', 'anna', span).glucose as Body[]
    const bounds = {
      start_time: local('2026-01-10T00:00:00'),
      end_time: local('2026-02-20T00:00:00'),
    }
    const records: Body[] = []
    for (let page = 1; ; page++) {
      const query = { access_token, ...bounds, page_index: String(page) }
      const { body } = await get('anna', 'glucose.json', query)
      assert.equal(body.PageNumber, page)
      records.push(...(body.BGDataList as Body[]))
      if (body.NextPageUrl === '') break
    }
    const isWithin = ({ MDate }: Body) =>
      Number(MDate) >= Number(bounds.start_time) && Number(MDate) <= Number(bounds.end_time)
    assert.ok(records.length > 50)
    assert.deepEqual(records, truth.filter(isWithin))
  })

  test('errors have numbers and HTTP 200, or 500 where the server failed', async () => {
    const access_token = await grant('anna', ['OpenApiBP'])
    const codeOf = async (file: string, query: Record<string, string>, id?: string) =>
      (await get('anna', file, query, id)).body.ErrorCode
    assert.equal(await codeOf('bp.json', { access_token }), undefined)
    assert.equal(await codeOf('bp.json', { access_token: 'x' }), 5008)
    assert.equal(await codeOf('bp.json', { access_token }, 'another'), 5003)
    assert.equal(await codeOf('spo2.json', { access_token }), 5004)
    assert.equal(await codeOf('constructor', { access_token }), 5001)
    assert.equal(
      await codeOf('bp.json', { access_token, client_id: 'x', client_secret: 'y' }),
      5002,
    )
    await vendors.emulator.setFaults('ihealth', 'anna', [{ kind: 'server_error' }])
    const { status, body } = await get('anna', 'bp.json', { access_token })
    assert.deepEqual([status, body.ErrorCode], [500, 5000])
  })

  test('tokens have names of their own, and are refreshed for their person', async () => {
    const { refresh_token } = await vendors.emulator.grant('ihealth', 'anna', SCOPES)
    const UserID = vendors.emulator.accountIdOf('ihealth', 'anna')
    const form = {
      grant_type: 'refresh_token',
      response_type: 'refresh_token',
      client_id: 'sandbox',
      client_secret: 'sandbox',
      refresh_token,
      UserID,
    }
    const path = 'ihealth/auth/OpenApiV2/OAuthv2/userauthorization/'
    const refresh = async (change: object) =>
      (await vendors.post(path, { ...form, ...change })).json() as Body
    assert.equal((await refresh({ UserID: 'another' })).ErrorCode, 5006)
    assert.equal((await refresh({ response_type: 'code' })).ErrorCode, 5006)
    const tokens = await refresh({})
    assert.deepEqual([tokens.UserID, tokens.Expires], [UserID, 3_672_000])
    assert.equal(tokens.APIName, SCOPES.join(' '))
    assert.equal((await refresh({})).Error, 'invalid_grant')
    const page = await vendors.call(
      'GET',
      'ihealth/web/OpenApiV2/OAuthv2/userauthorization/?scope=OpenApiBP',
    )
    assert.equal(page.body.ErrorCode, 5005)
  })
})
