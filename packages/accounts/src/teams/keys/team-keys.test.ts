import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  buildTeamsApp,
  makeTeam,
  makeTeamAdmin,
  makeTeamKey,
  send,
  useTeamsApp,
} from '../../../../server/test/teams-app.ts'

const { app, clock, database, ours, theirs } = useTeamsApp()
let teamId: string

before(async () => {
  teamId = await makeTeam(ours)
})

async function makeKey(env = 'sandbox', team = teamId, organization = ours) {
  clock.advance(1)
  return makeTeamKey(organization, team, env)
}

function whoami(headers: Record<string, string>, server = app) {
  return send(server, { url: '/whoami', headers })
}

function withKey(value: string) {
  return whoami({ 'x-service-api-key': value })
}

const KEYS = '/team_api_keys/sandbox/us'

describe('a team key', () => {
  test('is shown in full once, stored as a hash and listed masked', async () => {
    const made = await makeKey()
    assert.match(made.value, /^sk_us_[0-9A-Za-z]{43}$/)
    assert.match((await makeKey('production')).value, /^pk_us_/)
    const list = await ours.call('GET', `${KEYS}?team_id=${teamId}`)
    assert.deepEqual(list.body, {
      api_keys: [{ ...made, value: `sk_us_****${made.value.slice(-4)}` }],
      next_cursor: null,
    })
    const { rows } = await database.pool.query('select * from team_api_keys')
    assert.equal(JSON.stringify(rows).includes(made.value), false)
  })

  test('opens its own environment and no other', async () => {
    const sandbox = await withKey((await makeKey()).value)
    const production = await withKey((await makeKey('production')).value)
    assert.deepEqual([sandbox.status, production.status], [200, 200])
    assert.equal(sandbox.body.teamId, teamId)
    assert.equal(sandbox.body.organizationId, ours.id)
    assert.equal(sandbox.body.region, 'us')
    assert.equal(sandbox.body.kind, 'sandbox')
    assert.equal(production.body.kind, 'production')
    assert.notEqual(sandbox.body.id, production.body.id)
  })

  test('that expires is refused from then on, also while it is remembered', async () => {
    const at = new Date(clock.now().getTime() + 4_000).toISOString()
    const made = await ours.call('POST', KEYS, { label: 'Brief', team_id: teamId, expires_at: at })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    assert.equal(made.body.expires_at.slice(0, 19), at.slice(0, 19))
    assert.equal((await withKey(made.body.value)).status, 200)
    clock.advance(3)
    assert.equal((await withKey(made.body.value)).status, 200)
    clock.advance(1)
    const refused = await withKey(made.body.value)
    assert.deepEqual([refused.status, refused.body.detail.error_type], [401, 'invalid_api_key'])
    for (const wrong of [clock.now().toISOString(), '2020-01-01T00:00:00Z', 'tomorrow']) {
      const body = { label: 'Wrong', team_id: teamId, expires_at: wrong }
      assert.equal((await ours.call('POST', KEYS, body)).status, 422, wrong)
    }
    const never = await ours.call('POST', KEYS, { label: 'k', team_id: teamId, expires_at: null })
    assert.equal(never.body.expires_at, null)
  })

  test('shows when it was used last, written once a minute at most', async () => {
    const own = await makeTeam(ours)
    const made = await makeKey('sandbox', own)
    const lastUse = async () =>
      (await ours.call('GET', `${KEYS}?team_id=${own}`)).body.api_keys[0].last_used_at
    assert.equal(await lastUse(), null)
    await withKey(made.value)
    const first = await lastUse()
    assert.equal(Date.parse(first), Math.floor(clock.now().getTime() / 1000) * 1000)
    clock.advance(59)
    await withKey(made.value)
    assert.equal(await lastUse(), first)
    clock.advance(1)
    await withKey(made.value)
    assert.equal(Date.parse(await lastUse()) - Date.parse(first), 60_000)
  })

  test('is refused when missing, unknown, malformed or a management key', async () => {
    const attempts = [
      {},
      { 'x-service-api-key': '' },
      { 'x-service-api-key': 'sk_us_unknown' },
      { 'x-service-api-key': ours.key },
      { 'x-management-key': ours.key },
    ]
    for (const headers of attempts) {
      const answer = await whoami(headers as Record<string, string>)
      assert.equal(answer.status, 401)
      assert.equal(answer.body.detail.error_type, 'invalid_api_key')
      assert.equal(answer.headers['www-authenticate'], undefined)
    }
  })

  test('may come under the public header name only while aliases are on', async () => {
    const { value } = await makeKey()
    assert.equal((await whoami({ 'x-vital-api-key': value })).status, 200)
    const strict = buildTeamsApp(database.db, clock, { aliasesEnabled: false })
    assert.equal((await whoami({ 'x-vital-api-key': value }, strict)).status, 401)
    assert.equal((await whoami({ 'X-Service-API-Key': value }, strict)).status, 200)
    await strict.close()
  })

  test('is rotated without a gap: the new one works before the old one ends', async () => {
    const old = await makeKey()
    assert.equal((await withKey(old.value)).status, 200)
    const fresh = await makeKey()
    assert.equal((await withKey(old.value)).status, 200)
    assert.equal((await withKey(fresh.value)).status, 200)
    const gone = await ours.call('DELETE', `${KEYS}?api_key_id=${old.id}`)
    assert.deepEqual(gone.body, { success: [old.id], failure: [], not_found: [] })
    assert.equal((await withKey(old.value)).status, 401)
    assert.equal((await withKey(fresh.value)).status, 200)
  })

  test('that another process deleted ends within five seconds', async () => {
    const other = buildTeamsApp(database.db, clock)
    const { id, value } = await makeKey()
    assert.equal((await whoami({ 'x-service-api-key': value }, other)).status, 200)
    await ours.call('DELETE', `${KEYS}?api_key_id=${id}`)
    clock.advance(5)
    assert.equal((await whoami({ 'x-service-api-key': value }, other)).status, 401)
    await other.close()
  })

  test('shows changed settings at once, and ends with its team', async () => {
    const team = await makeTeam(ours)
    const { value } = await makeKey('sandbox', team)
    assert.equal((await withKey(value)).body.settings.minor_ordering_enabled, false)
    await ours.call('PATCH', `/team/${team}`, { sandbox: { minor_ordering_enabled: true } })
    assert.equal((await withKey(value)).body.settings.minor_ordering_enabled, true)
    await ours.call('DELETE', `/team/${team}`)
    assert.equal((await withKey(value)).status, 401)
  })
})

describe('team key management', () => {
  test('refuses unknown places, other regions and foreign teams', async () => {
    const body = { label: 'k', team_id: teamId }
    const elsewhere = await ours.call('POST', '/team_api_keys/sandbox/eu', body)
    assert.equal(elsewhere.status, 422)
    assert.equal(elsewhere.body.detail[0].type, 'region_mismatch')
    const list = await ours.call('GET', `/team_api_keys/sandbox/eu?team_id=${teamId}`)
    assert.equal(list.status, 422)
    assert.equal((await ours.call('POST', '/team_api_keys/staging/us', body)).status, 422)
    assert.equal((await ours.call('POST', KEYS, { team_id: teamId })).status, 422)
    assert.equal((await theirs.call('POST', KEYS, body)).status, 404)
    assert.equal((await theirs.call('GET', `${KEYS}?team_id=${teamId}`)).status, 404)
    assert.equal((await theirs.call('GET', KEYS)).body.api_keys.length, 0)
    assert.equal((await ours.call('DELETE', KEYS)).status, 422)
  })

  test('deletes several, and does not find foreign, gone or misplaced ones', async () => {
    const one = await makeKey()
    const two = await makeKey()
    const production = await makeKey('production')
    const foreign = await makeKey('sandbox', await makeTeam(theirs), theirs)
    const gone = await makeKey()
    await ours.call('DELETE', `${KEYS}?api_key_id=${gone.id}`)
    const ids = [one.id.toUpperCase(), two.id, two.id, production.id, foreign.id, gone.id]
    const query = ids.map((id) => `api_key_id=${id}`).join('&')
    const { body } = await ours.call('DELETE', `${KEYS}?${query}`)
    assert.deepEqual(body, {
      success: [one.id, two.id],
      failure: [],
      not_found: [production.id, foreign.id, gone.id],
    })
    assert.equal((await withKey(foreign.value)).status, 200)
    assert.equal((await withKey(production.value)).status, 200)
  })

  test('pages through keys', async () => {
    const team = await makeTeam(ours)
    for (let count = 0; count < 51; count += 1) await makeKey('sandbox', team)
    const first = await ours.call('GET', `${KEYS}?team_id=${team}`)
    assert.equal(first.body.api_keys.length, 50)
    const path = `${KEYS}?team_id=${team}&next_cursor=${first.body.next_cursor}`
    const second = await ours.call('GET', path)
    assert.equal(second.body.api_keys.length, 1)
    assert.equal(second.body.next_cursor, null)
    const bad = await ours.call('GET', `${KEYS}?next_cursor=${first.body.next_cursor}`)
    assert.equal(bad.body.detail.error_type, 'invalid_cursor')
  })

  test('lets a team_admin handle the keys of bound teams only', async () => {
    const own = await makeTeam(ours)
    const admin = await makeTeamAdmin(ours, [own])
    const other = await makeKey()
    const body = { label: 'k', team_id: own }
    const made = await ours.call('POST', KEYS, body, admin)
    assert.equal(made.status, 200)
    const list = await ours.call('GET', KEYS, undefined, admin)
    assert.deepEqual(
      list.body.api_keys.map((key: { id: string }) => key.id),
      [made.body.id],
    )
    const refused = await ours.call('POST', KEYS, { label: 'k', team_id: teamId }, admin)
    assert.equal(refused.status, 404)
    const query = `${KEYS}?api_key_id=${other.id}&api_key_id=${made.body.id}`
    const { body: report } = await ours.call('DELETE', query, undefined, admin)
    assert.deepEqual(report, { success: [made.body.id], failure: [], not_found: [other.id] })
  })
})
