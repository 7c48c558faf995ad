import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createLogger } from '@salus/kernel/log'
import {
  type ConsoleBrowser,
  openConsoleBrowser,
} from '../../../server/test/console/console-browser.ts'
import { makeSignInCode } from '../../../server/test/console/console-subject.ts'
import { createHarness, type Harness } from '../../../server/test/harness.ts'

const SESSION = '/v1/console/session'
const lines: string[] = []
let harness: Harness
let organization: string

before(async () => {
  const log = createLogger('debug', { write: (line) => void lines.push(line) })
  harness = await createHarness({}, { log })
  organization = `/v1/org/${harness.organizationId}`
})
after(() => harness.close())
// The limits of a minute are of one test alone.
beforeEach(() => harness.clock.advance(60))

async function signIn(key = harness.managementKey): Promise<ConsoleBrowser> {
  const browser = openConsoleBrowser(harness)
  const answer = await browser.send('POST', SESSION, { management_key: key })
  assert.equal(answer.status, 200, answer.text)
  return browser
}

async function statusOf(browser: ConsoleBrowser, url = organization): Promise<number> {
  return (await browser.send('GET', url)).status
}

async function makeKey(
  role = 'org_admin',
  bindings?: object,
): Promise<{ id: string; key: string }> {
  const body = { label: 'Made', role, team_role_bindings: bindings }
  return (await harness.manage('POST', '/management_key', body)).body
}

describe('signing in with a management key', () => {
  test('gives a cookie that no script reads, and returns the session', async () => {
    const browser = openConsoleBrowser(harness)
    const body = { management_key: harness.managementKey }
    const answer = await browser.send('POST', SESSION, body)
    assert.match(
      String(answer.headers['set-cookie']),
      /^salus-console=cs_\w{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    assert.equal(answer.headers['cache-control'], 'no-store')
    const { key, organization, team_ids, is_operator, is_empty } = answer.body
    assert.equal(key.role, 'org_admin')
    assert.equal(organization.id, harness.organizationId)
    assert.deepEqual([team_ids, is_operator, is_empty], [null, true, true])
    assert.deepEqual((await browser.send('GET', SESSION)).body, answer.body)
    await harness.makeUser()
    assert.equal((await browser.send('GET', SESSION)).body.is_empty, false)
  })

  test('can be requested without an error by a browser without a session', async () => {
    const isSignedIn = async (browser: ConsoleBrowser) => {
      const { status, body } = await browser.send('GET', '/v1/console/sign_in_methods')
      assert.equal(status, 200)
      return body.is_signed_in
    }
    const browser = openConsoleBrowser(harness)
    assert.equal(await isSignedIn(browser), false)
    const signedIn = await signIn()
    assert.equal(await isSignedIn(signedIn), true)
    await harness.database.pool.query('delete from console_sessions')
    assert.equal(await isSignedIn(signedIn), false)
  })

  test('opens the management API with the role of the key, and no data of a team', async () => {
    const browser = await signIn()
    const renamed = await browser.send('PATCH', organization, { name: 'Ours' })
    assert.equal(renamed.status, 200)
    assert.equal(await statusOf(browser, '/v2/user'), 401)
    const bound = [{ team_id: harness.teamId }]
    const admin = await signIn((await makeKey('team_admin', bound)).key)
    const described = await admin.send('GET', SESSION)
    assert.deepEqual(described.body.team_ids, [harness.teamId])
    assert.equal(described.body.is_operator, false)
    assert.equal((await admin.send('PATCH', organization, { name: 'Mine' })).status, 403)
  })

  test('refuses what is no key, and both or none of the two secrets', async () => {
    const browser = openConsoleBrowser(harness)
    const give = async (body: object) => (await browser.send('POST', SESSION, body)).status
    assert.equal(await give({ management_key: 'mg_wrongwrongwrongwrong' }), 401)
    // The hash of a key, as it is stored, is none.
    assert.equal(await give({ management_key: harness.apiKey }), 401)
    assert.equal(await give({}), 422)
    assert.equal(await give({ management_key: harness.managementKey, code: 'x' }), 422)
    assert.equal(browser.token, undefined)
  })

  test('makes a new session each time, and ends the one that the browser had', async () => {
    const browser = await signIn()
    const first = browser.token
    await browser.send('POST', SESSION, { management_key: harness.managementKey })
    assert.notEqual(browser.token, first)
    assert.equal(await statusOf(browser), 200)
    browser.token = first
    assert.equal(await statusOf(browser), 401)
    // A cookie that someone planted is not accepted.
    const victim = openConsoleBrowser(harness)
    victim.token = 'cs_planted'
    await victim.send('POST', SESSION, { management_key: harness.managementKey })
    assert.notEqual(victim.token, 'cs_planted')
  })
})

describe('a one-time code', () => {
  test('signs in once, as the first key of the operator', async () => {
    const code = await makeSignInCode(harness)
    const browsers = Array.from({ length: 5 }, () => openConsoleBrowser(harness))
    const answers = await Promise.all(
      browsers.map((browser) => browser.send('POST', SESSION, { code })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
    const done = answers.find(({ status }) => status === 200)
    assert.deepEqual([done?.body.is_operator, done?.body.signed_in_with], [true, 'code'])
  })

  test('ends after 15 minutes, and is kept only as a hash', async () => {
    const code = await makeSignInCode(harness)
    const { rows } = await harness.database.pool.query('select * from console_sign_in_codes')
    assert.ok(!JSON.stringify(rows).includes(code))
    harness.clock.advance(15 * 60)
    const answer = await openConsoleBrowser(harness).send('POST', SESSION, { code })
    assert.equal(answer.body.detail.error_type, 'invalid_code')
  })
})

describe('a session ends', () => {
  test('after half an hour without use, and after eight hours with it', async () => {
    const [idle, used] = [await signIn(), await signIn()]
    harness.clock.advance(29 * 60)
    assert.equal(await statusOf(used), 200)
    harness.clock.advance(60)
    assert.equal(await statusOf(idle), 401)
    for (let minutes = 30; minutes < 480; minutes += 25) {
      assert.equal(await statusOf(used), 200, `${minutes} minutes`)
      harness.clock.advance(25 * 60)
    }
    assert.equal(await statusOf(used), 401)
  })

  test('with its key: revoked, or bound to fewer teams, at once', async () => {
    const { id, key } = await makeKey()
    const browser = await signIn(key)
    const bound = await makeKey('team_admin', [{ team_id: harness.teamId }])
    const admin = await signIn(bound.key)
    const team = `${organization}/team/${harness.teamId}`
    assert.equal(await statusOf(admin, team), 200)
    await harness.manage('PATCH', `/management_key/${bound.id}`, { team_role_bindings: [] })
    assert.equal(await statusOf(admin, team), 404)
    await harness.manage('DELETE', `/management_key/${id}`)
    assert.equal(await statusOf(browser), 401)
  })

  test('when the user signs out, with the access tokens that it created', async () => {
    const browser = await signIn()
    const path = `${organization}/team/${harness.teamId}/create_api_access_token`
    const { body } = await browser.send('POST', path, { env: 'sandbox' })
    const headers = { authorization: `Bearer ${body.access_token}` }
    const open = async () => (await browser.send('GET', '/v2/user', undefined, headers)).status
    assert.equal(await open(), 200)
    const out = await browser.send('DELETE', SESSION)
    assert.match(String(out.headers['set-cookie']), /^salus-console=; Max-Age=0; Path=\//)
    assert.equal(await open(), 401)
    assert.equal((await browser.send('GET', SESSION)).status, 401)
  })

  test('and its access tokens live no longer than the session may', async () => {
    const browser = await signIn()
    for (let minutes = 0; minutes < 475; minutes += 25) {
      await browser.send('GET', SESSION)
      harness.clock.advance(25 * 60)
    }
    const path = `${organization}/team/${harness.teamId}/create_api_access_token`
    const { body } = await browser.send('POST', path, { env: 'sandbox' })
    assert.equal(body.expires_in, 300)
  })
})

describe('sessions of others', () => {
  test('are listed with what signed in, and ended one by one or but for the own', async () => {
    const { key } = await makeKey()
    const [mine, other, third] = [await signIn(key), await signIn(key), await signIn(key)]
    const list = `${organization}/console_session`
    const { body } = await mine.send('GET', list)
    const current = body.data.filter((session: { is_current: boolean }) => session.is_current)
    assert.equal(current.length, 1)
    assert.ok(!JSON.stringify(body).includes('cs_'))
    const { id } = (await other.send('GET', SESSION)).body
    assert.equal((await mine.send('DELETE', `${list}/${id}`)).status, 200)
    assert.equal(await statusOf(other), 401)
    assert.equal((await mine.send('DELETE', `${list}/${id}`)).status, 404)
    assert.deepEqual((await mine.send('DELETE', list)).body, { ended: 1 })
    assert.deepEqual([await statusOf(third), await statusOf(mine)], [401, 200])
  })

  test('of stronger keys are nothing to a team_admin', async () => {
    const strong = await signIn()
    const admin = await signIn((await makeKey('team_admin', [{ team_id: harness.teamId }])).key)
    const list = `${organization}/console_session`
    const { body } = await admin.send('GET', list)
    assert.ok(body.data.every(({ key }: { key: { role: string } }) => key.role === 'team_admin'))
    const { id } = (await strong.send('GET', SESSION)).body
    assert.equal((await admin.send('DELETE', `${list}/${id}`)).status, 403)
    assert.equal(await statusOf(strong), 200)
  })
})

describe('what is kept of it', () => {
  test('is in the audit log with the key and the console, and no log has a secret', async () => {
    const { id, key } = await makeKey()
    const code = await makeSignInCode(harness)
    const browser = await signIn(key)
    const token = browser.token ?? ''
    await browser.send('PATCH', organization, { name: 'Audited' })
    await openConsoleBrowser(harness).send('POST', SESSION, { code })
    await openConsoleBrowser(harness).send('POST', `${SESSION}?code=${code}`, { code })
    await harness.dependencies.audit.flush()
    const { rows } = await harness.database.pool.query(
      'select method, route from audit_rows where actor_kind = $1 and actor_id = $2 order by at, chain_id, sequence',
      ['console_session', id],
    )
    assert.deepEqual(
      rows.map(({ method, route }) => `${method} ${route}`),
      [`POST ${SESSION}`, 'PATCH /v1/org/:org_id'],
    )
    const log = lines.join('')
    for (const secret of [key, code, token, harness.managementKey]) {
      assert.ok(!log.includes(secret))
    }
    const stored = await harness.database.pool.query('select * from console_sessions')
    assert.ok(!JSON.stringify(stored.rows).includes(token))
  })
})
