import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import {
  makeOrganization,
  makeTeam,
  type TestOrganization,
  useTeamsApp,
} from '../../../../server/test/teams-app.ts'
import { deleteManagementKey } from './management-keys.service.ts'

const { app, clock, database } = useTeamsApp()
let ours: TestOrganization
let theirs: TestOrganization
let firstTeam: string
let secondTeam: string

beforeEach(async () => {
  ours = await makeOrganization(app, database.db, clock)
  theirs = await makeOrganization(app, database.db, clock)
  firstTeam = await makeTeam(ours)
  secondTeam = await makeTeam(ours)
})

function create(body: object, key?: string) {
  clock.advance(1)
  return ours.call('POST', '/management_key', { label: 'Key', ...body }, key)
}

function bound(...teamIds: string[]) {
  return { role: 'team_admin', team_role_bindings: teamIds.map((team_id) => ({ team_id })) }
}

async function idsSeenBy(key?: string, query = ''): Promise<string[]> {
  const { body } = await ours.call('GET', `/management_key${query}`, undefined, key)
  return body.data.map((item: { id: string }) => item.id)
}

test('a management key is shown once and works at once', async () => {
  const [own] = await idsSeenBy()
  const { status, body } = await create({ label: 'CI', ...bound(firstTeam.toUpperCase()) })
  assert.equal(status, 200)
  const { key, ...rest } = body
  assert.match(key, /^mg_[0-9A-Za-z]{43}$/)
  assert.deepEqual(rest.team_role_bindings, [{ team_id: firstTeam }])
  assert.deepEqual(rest.creator, { type: 'management_key', id: own })
  assert.match(rest.created_at, /\+00:00$/)
  const list = await ours.call('GET', '/management_key', undefined, key)
  assert.deepEqual(list.body, { data: [rest], next_cursor: null })
  const { rows } = await database.pool.query('select * from management_keys')
  assert.equal(JSON.stringify(rows).includes(key), false)
})

test('bindings name live teams of the organization, and an org_admin has none', async () => {
  assert.equal((await create(bound(await makeTeam(theirs)))).status, 404)
  const mixed = await create({ ...bound(firstTeam), role: 'org_admin' })
  assert.equal(mixed.status, 422)
  assert.equal((await create({ role: 'owner' })).status, 422)
  assert.equal((await create({ role: 'org_admin', team_role_bindings: null })).status, 200)
})

test('a team_admin makes no key that reaches further than its own', async () => {
  const { key } = (await create(bound(firstTeam))).body
  const refused = [
    create({ role: 'org_admin' }, key),
    create({ role: 'team_admin' }, key),
    create(bound(firstTeam, secondTeam), key),
  ]
  for (const { status, body } of await Promise.all(refused)) {
    assert.equal(status, 403)
    assert.equal(body.detail.error_type, 'role_too_low')
  }
  assert.equal((await create(bound(firstTeam), key)).status, 200)
  const everyTeam = (await create({ role: 'team_admin' })).body.key
  assert.equal((await create(bound(secondTeam), everyTeam)).status, 200)
  assert.equal((await create({ role: 'org_admin' }, everyTeam)).status, 403)
})

test('a team_admin sees, changes and deletes no key beyond its own power', async () => {
  const [orgAdmin] = await idsSeenBy()
  const first = (await create(bound(firstTeam))).body
  const both = (await create(bound(firstTeam, secondTeam))).body
  const every = (await create({ role: 'team_admin' })).body
  assert.deepEqual(await idsSeenBy(first.key), [first.id])
  assert.deepEqual(await idsSeenBy(both.key), [first.id, both.id])
  assert.deepEqual(await idsSeenBy(every.key), [first.id, both.id, every.id])
  assert.deepEqual(await idsSeenBy(every.key, '?role=org_admin'), [])
  for (const id of [orgAdmin, both.id, every.id]) {
    const path = `/management_key/${id}`
    assert.equal((await ours.call('DELETE', path, undefined, first.key)).status, 403)
    assert.equal((await ours.call('PATCH', path, { label: 'x' }, first.key)).status, 403)
  }
  const wider = { team_role_bindings: null }
  const own = `/management_key/${first.id}`
  assert.equal((await ours.call('PATCH', own, wider, first.key)).status, 403)
  assert.equal((await ours.call('PATCH', own, { label: 'Mine' }, first.key)).status, 200)
})

test('the list filters by role and by bound team', async () => {
  const [orgAdmin] = await idsSeenBy()
  const first = (await create(bound(firstTeam))).body.id
  const second = (await create(bound(secondTeam))).body.id
  assert.deepEqual(await idsSeenBy(undefined, '?role=org_admin'), [orgAdmin])
  assert.deepEqual(await idsSeenBy(undefined, '?role=team_admin'), [first, second])
  assert.deepEqual(await idsSeenBy(undefined, `?team_id=${secondTeam.toUpperCase()}`), [second])
})

test('the list has pages', async () => {
  for (let count = 0; count < 50; count += 1) await create(bound(firstTeam))
  const { body } = await ours.call('GET', '/management_key')
  assert.equal(body.data.length, 50)
  assert.equal((await idsSeenBy(undefined, `?next_cursor=${body.next_cursor}`)).length, 1)
  const foreign = `/management_key?role=team_admin&next_cursor=${body.next_cursor}`
  assert.equal((await ours.call('GET', foreign)).status, 400)
})

test('label and bindings change, and the key obeys them at once', async () => {
  const made = (await create(bound(firstTeam))).body
  const path = `/management_key/${made.id}`
  const changed = await ours.call('PATCH', path, {
    label: 'Moved',
    team_role_bindings: [{ team_id: secondTeam }],
  })
  assert.equal(changed.body.label, 'Moved')
  assert.equal((await ours.call('GET', `/team/${firstTeam}`, undefined, made.key)).status, 404)
  assert.equal((await ours.call('GET', `/team/${secondTeam}`, undefined, made.key)).status, 200)
  assert.equal((await ours.call('PATCH', path, {})).body.label, 'Moved')
})

test('a deleted key is 401, and unknown or foreign ones are 404', async () => {
  const made = (await create(bound(firstTeam))).body
  const path = `/management_key/${made.id}`
  assert.equal((await theirs.call('DELETE', path)).status, 404)
  assert.equal((await theirs.call('PATCH', path, { label: 'x' })).status, 404)
  assert.deepEqual((await ours.call('DELETE', path)).body, { success: true })
  assert.equal((await ours.call('GET', '/team', undefined, made.key)).status, 401)
  assert.equal((await ours.call('DELETE', path)).status, 404)
})

test('the last org_admin key cannot be deleted, even by two deletes at once', async () => {
  const [first] = await idsSeenBy()
  const alone = await ours.call('DELETE', `/management_key/${first}`)
  assert.equal(alone.status, 400)
  assert.equal(alone.body.detail.error_type, 'last_org_admin_key')
  const second = (await create({ role: 'org_admin' })).body
  // Past the hook, where both callers are already let in.
  const deps = { db: database.db, clock, forgetCredentials: () => {}, eventTypes: [] }
  const caller = {
    id: second.id,
    organizationId: ours.id,
    role: 'org_admin',
    teamIds: null,
    environments: null,
  } as const
  const both = await Promise.allSettled([
    deleteManagementKey(deps, caller, first ?? ''),
    deleteManagementKey(deps, caller, second.id),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})
