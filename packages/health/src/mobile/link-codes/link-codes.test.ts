import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { createHarness } from '../../../../server/test/harness.ts'
import { createAppClient, openSignInToken } from '../../../../server/test/mobile/app-client.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
let app: ReturnType<typeof createAppClient>
let userId: string
before(async () => {
  app = createAppClient(salus)
  userId = await salus.makeUser()
})

const create = (query: Record<string, string> = {}, headers?: object) =>
  salus.call(
    'POST',
    `/v2/link/code/create?${new URLSearchParams({ user_id: userId, ...query })}`,
    undefined,
    headers,
  )
const exchange = (code: string, grantType = 'sign_in_token', from?: string) =>
  app.post(
    `/v2/link/code/exchange?${new URLSearchParams({ code, ...(grantType && { grant_type: grantType }) })}`,
    undefined,
    from === undefined ? {} : { from },
  )
const codeOf = ({ status, body }: { status: number; body: { detail: { error_type: string } } }) => [
  status,
  body.detail.error_type,
]

describe('a link code', () => {
  test('has the form that clients check, an address that opens the app, and an hour', async () => {
    const { body } = await create()
    assert.deepEqual(Object.keys(body), ['code', 'exchange_url', 'expires_at'])
    assert.match(body.code, /^skus[0-9a-f]{8}$/)
    assert.equal(body.exchange_url, `salus://salus?code=${body.code}`)
    const now = salus.clock.now().getTime()
    assert.equal(Date.parse(body.expires_at), Math.floor(now / 1000) * 1000 + 3_600_000)
  })

  test('of production says so', async () => {
    const { productionKey } = await salus.makeTeam()
    const key = { 'x-service-api-key': productionKey }
    const made = await salus.call('POST', '/v2/user', { client_user_id: 'p' }, key)
    const { body } = await create({ user_id: made.body.user_id }, key)
    assert.match(body.code, /^pkus[0-9a-f]{8}$/)
    assert.equal((await exchange(body.code)).body.user_id, made.body.user_id)
  })

  test('signs the person in, once', async () => {
    await salus.manage('PATCH', `/team/${salus.teamId}`, {
      name: 'Clinic',
      sandbox: { logo_url: 'https://clinic.example.com/logo.png' },
    })
    const { code } = (await create()).body
    salus.clock.advance(5)
    const { status, body, headers } = await exchange(code)
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    const { sign_in_token: token, ...others } = body
    assert.deepEqual(others, {
      user_id: userId,
      team: { name: 'Clinic', logo_url: 'https://clinic.example.com/logo.png' },
    })
    assert.equal((await app.exchange(openSignInToken(token).user_token)).status, 200)
    assert.deepEqual(codeOf(await exchange(code)), [400, 'invalid_code'])
  })

  test('that many use at once is given to one', async () => {
    const { code } = (await create()).body
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(400)])
  })

  test('ends when its time is over, and with its person', async () => {
    const soon = new Date(salus.clock.now().getTime() + 60_000).toISOString()
    const { code, expires_at: expiresAt } = (await create({ expires_at: soon })).body
    assert.equal(expiresAt, `${soon.slice(0, 19)}+00:00`)
    salus.clock.advance(60)
    assert.deepEqual(codeOf(await exchange(code)), [400, 'invalid_code'])
    const gone = await salus.makeUser()
    const ofGone = (await create({ user_id: gone })).body.code
    await salus.call('DELETE', `/v2/user/${gone}`)
    assert.deepEqual(codeOf(await exchange(ofGone)), [400, 'invalid_code'])
    assert.equal((await create({ user_id: gone })).status, 404)
  })

  test('is refused for wrong times and for people of others', async () => {
    const at = (ms: number) => new Date(salus.clock.now().getTime() + ms).toISOString()
    const problemOf = async (expiresAt: string) => {
      const { status, body } = await create({ expires_at: expiresAt })
      return [status, body.detail[0].loc.join('.'), body.detail[0].type]
    }
    assert.deepEqual(await problemOf(at(0)), [422, 'query.expires_at', 'date_future'])
    assert.deepEqual(await problemOf(at(-1000)), [422, 'query.expires_at', 'date_future'])
    assert.equal((await create({ expires_at: at(400 * DAY_MS) })).status, 200)
    assert.deepEqual(await problemOf('soon'), [422, 'query.expires_at', 'datetime_parsing'])
    assert.equal((await create({ expires_at: '' })).status, 200)
    const { sandboxKey } = await salus.makeTeam()
    assert.equal((await create({}, { 'x-service-api-key': sandboxKey })).status, 404)
  })

  test('gives no team key, and is not used up by who asks for one', async () => {
    const { code } = (await create()).body
    for (const grant of ['', 'api_key']) {
      assert.deepEqual(codeOf(await exchange(code, grant)), [400, 'unsupported_grant_type'])
    }
    assert.equal((await exchange(code)).status, 200)
  })
})

describe('who guesses codes', () => {
  test('gets 30 tries of an address in a minute', async () => {
    salus.clock.advance(60)
    const from = '198.51.100.7'
    const { code } = (await create()).body
    for (let count = 0; count < 30; count += 1) {
      const guess = await exchange(`skus${String(count).padStart(8, '0')}`, undefined, from)
      assert.equal(guess.status, 400)
    }
    assert.deepEqual(codeOf(await exchange(code, undefined, from)), [429, 'rate_limited'])
    assert.equal((await exchange(code)).status, 200)
  })

  test('from many addresses gets 100 wrong ones in a minute, of each kind', async () => {
    salus.clock.advance(60)
    const { code } = (await create()).body
    for (const text of ['x', 'skus', 'SKUS00000000', `${code}0`, 'skeu0000000g', '\0']) {
      assert.deepEqual(codeOf(await exchange(text)), [400, 'invalid_code'])
    }
    for (let count = 0; count < 100; count += 1) {
      assert.equal((await exchange(`skus${String(count).padStart(8, '0')}`)).status, 400)
    }
    // A right code must not be distinguishable to a guesser.
    const { status, headers } = await exchange(code)
    assert.equal(status, 429)
    assert.equal((await exchange('pkus00000000')).status, 400)
    salus.clock.advance(Number(headers['retry-after']))
    assert.equal((await exchange(code)).status, 200)
  })
})

test('the clean-up call of companion apps does nothing, for people who are there', async () => {
  const { status, body } = await salus.call('POST', `/v2/user/${userId}/revoke_app_api_key`)
  assert.deepEqual([status, body], [200, { success: true }])
  const { sandboxKey } = await salus.makeTeam()
  const key = { 'x-service-api-key': sandboxKey }
  const url = `/v2/user/${userId}/revoke_app_api_key`
  assert.equal((await salus.call('POST', url, undefined, key)).status, 404)
})
