import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import {
  type ConsoleBrowser,
  openConsoleBrowser,
} from '../../../../server/test/console/console-browser.ts'
import {
  acceptWith,
  codeOf,
  inviteUser,
  makeActiveUser,
  PASSWORD,
  signInAs,
} from '../../../../server/test/console/organization-user.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { createSignInAddress } from '../sign-in-codes.service.ts'

const harness = useFixture(createHarness)
// The limits of a minute are of one test alone.
beforeEach(() => harness.clock.advance(60))

const SESSION = '/v1/console/session'
const INVITATION = '/v1/console/invitation'
const errorOf = ({ status, body }: { status: number; body: { detail: { error_type: string } } }) =>
  `${status} ${body.detail.error_type}`
const change = (id: string, body: object, key?: string) =>
  harness.manage('PATCH', `/user/${id}`, body, key)
const statusOf = async (browser: ConsoleBrowser) =>
  (await browser.send('GET', `/v1/org/${harness.organizationId}`)).status

async function makeKey(role: string, more: object = {}): Promise<string> {
  const body = { label: role, role, ...more }
  return (await harness.manage('POST', '/management_key', body)).body.key
}

describe('an invitation', () => {
  test('works once, and is stored only as a hash', async () => {
    const { user, url, expires_at } = await inviteUser(harness, { role: 'clinician' })
    assert.deepEqual([user.status, user.has_password, user.role], ['invited', false, 'clinician'])
    assert.equal(user.invitation_expires_at, expires_at)
    const code = codeOf(url)
    assert.match(url, /^http:\/\/localhost(:80)?\/console\/invitation#code=iv_\w{43}$/)
    const { rows } = await harness.database.pool.query('select * from organization_invitations')
    assert.ok(!JSON.stringify(rows).includes(code))
    const page = await openConsoleBrowser(harness).send('POST', INVITATION, { code })
    const { name, is_new, organization } = page.body
    assert.deepEqual([page.body.email, name, is_new], [user.email, user.name, true])
    assert.equal(organization.id, harness.organizationId)
    const attempts = [acceptWith(harness, code), acceptWith(harness, code)]
    const answers = await Promise.all(attempts)
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    assert.equal(errorOf(await acceptWith(harness, code)), '400 invalid_invitation')
    const browser = await signInAs(harness, user.email)
    const { body } = await browser.send('GET', SESSION)
    assert.deepEqual(body.user, { id: user.id, email: user.email, name: user.name })
    assert.deepEqual([body.key.role, body.signed_in_with], ['clinician', 'password'])
    const after = (await harness.manage('GET', `/user/${user.id}`)).body
    assert.deepEqual([after.status, after.has_password], ['active', true])
    assert.equal(after.invitation_expires_at, null)
    assert.ok(after.last_sign_in_at)
  })

  test('expires, is revoked, and is replaced by the next one', async () => {
    const { user, url } = await inviteUser(harness)
    const next = await harness.manage('POST', `/user/${user.id}/invitation`)
    assert.equal(errorOf(await acceptWith(harness, codeOf(url))), '400 invalid_invitation')
    assert.equal((await harness.manage('DELETE', `/user/${user.id}/invitation`)).status, 200)
    assert.equal((await harness.manage('DELETE', `/user/${user.id}/invitation`)).status, 404)
    const revoked = await acceptWith(harness, codeOf(next.body.url))
    assert.equal(errorOf(revoked), '400 invalid_invitation')
    const last = await harness.manage('POST', `/user/${user.id}/invitation`)
    harness.clock.advance(7 * 24 * 3600)
    const expired = await acceptWith(harness, codeOf(last.body.url))
    assert.equal(errorOf(expired), '400 invalid_invitation')
  })

  test('takes no password that is short, common or about the user', async () => {
    const { user, url } = await inviteUser(harness, { name: 'Grace Murray Hopper' })
    const give = async (password: string) => {
      const { status, body } = await acceptWith(harness, codeOf(url), password)
      return status === 422 ? body.detail[0].type : status
    }
    assert.equal(await give('short one'), 'too_short')
    for (const common of [
      'passwordpassword',
      '123456789012345',
      'qwertyuiop123',
      'aaaaaaaaaaaaa',
    ]) {
      assert.equal(await give(common), 'password_too_common', common)
    }
    assert.equal(await give('gracemurrayhopper'), 'password_too_common')
    assert.equal(await give(user.email), 'password_too_common')
    harness.clock.advance(60)
    assert.equal(await give(PASSWORD), 200)
  })

  test('sets a new password for an active user, and ends sessions with the old one', async () => {
    const { user, browser } = await activeUser()
    const { body } = await harness.manage('POST', `/user/${user.id}/invitation`)
    const details = await openConsoleBrowser(harness).send('POST', INVITATION, {
      code: codeOf(body.url),
    })
    assert.equal(details.body.is_new, false)
    assert.equal(await statusOf(browser), 200)
    const next = 'another four words entirely'
    assert.equal((await acceptWith(harness, codeOf(body.url), next)).status, 200)
    assert.equal(await statusOf(browser), 401)
    const former = { email: user.email, password: PASSWORD }
    const refused = await openConsoleBrowser(harness).send('POST', SESSION, former)
    assert.equal(errorOf(refused), '401 invalid_credentials')
    assert.equal(await statusOf(await signInAs(harness, user.email, next)), 200)
  })
})

const activeUser = (more: object = {}) => makeActiveUser(harness, more)

describe('a user', () => {
  test('is one of an organization for each e-mail address, whose case does not count', async () => {
    const { user } = await inviteUser(harness)
    const body = { email: user.email.toUpperCase(), name: 'Again', role: 'viewer' }
    assert.equal(errorOf(await harness.manage('POST', '/user', body)), '409 user_exists')
    const keys = await harness.database.pool.query(
      "select 1 from management_keys where label = 'Again'",
    )
    assert.equal(keys.rowCount, 0)
    const found = await harness.manage('GET', `/user?email=${body.email}`)
    assert.deepEqual(
      found.body.data.map(({ id }: { id: string }) => id),
      [user.id],
    )
    for (const wrong of [{ email: 'no address' }, { role: 'owner' }, { name: '' }]) {
      const { status } = await harness.manage('POST', '/user', { ...body, ...wrong })
      assert.equal(status, 422, JSON.stringify(wrong))
    }
  })

  test('has the rights of the role, and the audit log names the user', async () => {
    const bindings = [{ team_id: harness.teamId }]
    const { user, browser } = await activeUser({ role: 'developer', team_role_bindings: bindings })
    const keys = `/v1/org/${harness.organizationId}/team_api_keys/sandbox/us`
    const own = { label: 'By a user', team_id: harness.teamId, scopes: ['connections:read'] }
    assert.equal((await browser.send('POST', keys, own)).status, 200)
    const wider = { ...own, scopes: ['health:read'] }
    assert.equal(errorOf(await browser.send('POST', keys, wider)), '403 insufficient_scope')
    await harness.dependencies.audit.flush()
    const log = await harness.manage(
      'GET',
      `/team/${harness.teamId}/sandbox/audit_log?actor_id=${user.management_key_id}`,
    )
    const labels = new Set(log.body.data.map((row: { actor_label: string }) => row.actor_label))
    assert.ok(
      [...labels].every((label) => label === user.name),
      JSON.stringify(log.body),
    )
    // Users are no management keys.
    const list = await harness.manage('GET', '/management_key')
    assert.ok(!list.text.includes(user.management_key_id))
    const path = `/management_key/${user.management_key_id}`
    assert.equal((await harness.manage('DELETE', path)).status, 404)
  })

  test('gives and changes only rights within their own', async () => {
    const { user: viewer } = await inviteUser(harness, { role: 'viewer' })
    const { user: admin } = await inviteUser(harness, { role: 'org_admin' })
    const developer = await makeKey('developer')
    const teamAdmin = await makeKey('team_admin', {
      team_role_bindings: [{ team_id: harness.teamId }],
    })
    const give = (role: string, key: string, more: object = {}) =>
      harness.manage(
        'POST',
        '/user',
        { email: `${role}@example.org`, name: 'N', role, ...more },
        key,
      )
    assert.equal(errorOf(await give('viewer', developer)), '403 role_too_low')
    assert.equal(errorOf(await give('org_admin', teamAdmin)), '403 role_too_low')
    assert.equal(errorOf(await give('viewer', teamAdmin)), '403 role_too_low')
    const bound = { team_role_bindings: [{ team_id: harness.teamId }] }
    const made = await give('viewer', teamAdmin, bound)
    assert.equal(made.status, 200)
    assert.equal(errorOf(await change(admin.id, { role: 'viewer' }, teamAdmin)), '403 role_too_low')
    assert.equal(
      errorOf(await change(made.body.user.id, { role: 'org_admin' }, teamAdmin)),
      '403 role_too_low',
    )
    for (const path of ['/invitation', '/second_factor']) {
      const method = path === '/invitation' ? 'POST' : 'DELETE'
      const answer = await harness.manage(method, `/user/${viewer.id}${path}`, undefined, teamAdmin)
      assert.equal(errorOf(answer), '403 role_too_low', path)
    }
    const listed = await harness.manage('GET', '/user', undefined, teamAdmin)
    const ids = listed.body.data.map(({ id }: { id: string }) => id)
    assert.ok(ids.includes(made.body.user.id))
    assert.ok(!ids.includes(viewer.id) && !ids.includes(admin.id))
  })

  test('loses rights at once with the role, and teams with the bindings', async () => {
    const { user, browser } = await activeUser({ role: 'org_admin' })
    const rename = () =>
      browser.send('PATCH', `/v1/org/${harness.organizationId}`, { name: 'Renamed' })
    assert.equal((await rename()).status, 200)
    const bindings = [{ team_id: harness.teamId }]
    const lowered = { role: 'team_admin', team_role_bindings: bindings, environments: ['sandbox'] }
    assert.deepEqual((await change(user.id, lowered)).body.environments, ['sandbox'])
    assert.equal((await rename()).status, 403)
    const raised = await change(user.id, { role: 'org_admin' })
    assert.deepEqual(
      [raised.body.role, raised.body.team_role_bindings, raised.body.environments],
      ['org_admin', null, null],
    )
    assert.equal((await rename()).status, 200)
  })

  test('who is suspended has no session, no sign-in and no invitation, until active again', async () => {
    const { user, browser } = await activeUser()
    assert.equal((await change(user.id, { status: 'suspended' })).body.status, 'suspended')
    assert.equal(await statusOf(browser), 401)
    const body = { email: user.email, password: PASSWORD }
    const refused = await openConsoleBrowser(harness).send('POST', SESSION, body)
    assert.equal(errorOf(refused), '401 invalid_credentials')
    const invited = await harness.manage('POST', `/user/${user.id}/invitation`)
    assert.equal(errorOf(invited), '400 user_suspended')
    await change(user.id, { status: 'active' })
    assert.equal(await statusOf(await signInAs(harness, user.email)), 200)
    const { user: never } = await inviteUser(harness)
    await change(never.id, { status: 'suspended' })
    assert.equal((await change(never.id, { status: 'active' })).body.status, 'invited')
  })

  test('who is removed is gone with the sessions; the name stays in the audit log', async () => {
    const { user, browser } = await activeUser()
    assert.equal((await harness.manage('DELETE', `/user/${user.id}`)).status, 200)
    assert.equal(await statusOf(browser), 401)
    assert.equal((await harness.manage('GET', `/user/${user.id}`)).status, 404)
    const { rows } = await harness.database.pool.query(
      'select label, deleted_at from management_keys where id = $1',
      [user.management_key_id],
    )
    assert.equal(rows[0].label, user.name)
    assert.notEqual(rows[0].deleted_at, null)
    // The address is free again.
    await inviteUser(harness, { email: user.email })
  })

  test('does not change the own role, status or access', async () => {
    const { user, browser } = await activeUser({ role: 'org_admin' })
    const path = `/v1/org/${harness.organizationId}/user/${user.id}`
    const attempts: [string, string, object?][] = [
      ['PATCH', path, { role: 'viewer' }],
      ['PATCH', path, { status: 'suspended' }],
      ['DELETE', path],
      ['POST', `${path}/invitation`],
      ['DELETE', `${path}/second_factor`],
    ]
    for (const [method, url, body] of attempts) {
      assert.equal(errorOf(await browser.send(method, url, body)), '400 own_user', url)
    }
    assert.equal((await browser.send('PATCH', path, { name: 'Renamed' })).body.name, 'Renamed')
  })
})

test('the last org_admin stays, be it a key or a user', async () => {
  const { body: list } = await harness.manage('GET', '/user')
  for (const { id } of list.data) await harness.manage('DELETE', `/user/${id}`)
  const keys = (await harness.manage('GET', '/management_key?role=org_admin')).body.data
  const [first, ...others] = keys
  for (const { id } of others) await harness.manage('DELETE', `/management_key/${id}`)
  const end = () => harness.manage('DELETE', `/management_key/${first.id}`)
  assert.equal(errorOf(await end()), '400 last_org_admin_key')
  // An invited org_admin cannot sign in yet.
  await inviteUser(harness, { role: 'org_admin' })
  assert.equal(errorOf(await end()), '400 last_org_admin_key')
  const one = await activeUser({ role: 'org_admin' })
  const two = await activeUser({ role: 'org_admin' })
  assert.equal((await end()).status, 200)
  const path = (id: string) => `/v1/org/${harness.organizationId}/user/${id}`
  // A link of the server signs in as a key, and never as a user.
  const { db } = harness.database
  const address = await createSignInAddress({ db, clock: harness.clock }, 'http://localhost')
  assert.equal(address, undefined)
  // Two at once may each see the other as the one that remains.
  const answers = await Promise.all([
    one.browser.send('PATCH', path(two.user.id), { role: 'viewer' }),
    two.browser.send('PATCH', path(one.user.id), { role: 'viewer' }),
  ])
  const statuses = answers.map(({ status }) => status).sort()
  assert.ok(statuses[0] === 200 && [400, 403].includes(statuses[1] as number), `${statuses}`)
  const { rows } = await harness.database.pool.query(
    "select count(*)::int as count from management_keys where role = 'org_admin' and deleted_at is null and creator ->> 'type' = 'user'",
  )
  assert.ok(rows[0].count >= 1)
})
