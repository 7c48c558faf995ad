import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  buildTeamsApp,
  makeTeam,
  makeTeamKey,
  send,
  useTeamsApp,
} from '../../../../server/test/teams-app.ts'

const { app, clock, database, ours, theirs } = useTeamsApp()

describe('organization', () => {
  test('is read and renamed by its org_admin', async () => {
    const before = await ours.call('GET', '')
    assert.deepEqual(before.body, {
      id: ours.id,
      name: 'Test organization',
      expires_at: null,
      second_factor_required: false,
    })
    const renamed = await ours.call('PATCH', '', { name: 'Übung & Söhne (2)' })
    assert.equal(renamed.body.name, 'Übung & Söhne (2)')
    assert.equal((await ours.call('PATCH', '', { name: 'no <tags>' })).status, 422)
    assert.equal((await ours.call('PATCH', '', { name: 'x'.repeat(81) })).status, 422)
  })

  test('of another customer is 404 on every path', async () => {
    const team = await makeTeam(theirs)
    const paths = [
      ['GET', ''],
      ['GET', '/team'],
      ['GET', `/team/${team}`],
      ['DELETE', `/team/${team}`],
      ['GET', '/team_api_keys/sandbox/us'],
      ['GET', '/management_key'],
    ] as const
    for (const [method, path] of paths) {
      const answer = await theirs.call(method, path, undefined, ours.key)
      assert.equal(answer.status, 404, path)
      assert.equal(answer.body.detail, 'Organization not found.')
    }
  })

  test('accepts its id in upper case', async () => {
    const answer = await send(app, {
      url: `/v1/org/${ours.id.toUpperCase()}/`,
      headers: { 'x-management-key': ours.key },
    })
    assert.equal(answer.status, 200)
  })
})

describe('management credentials', () => {
  const urlOf = () => `/v1/org/${ours.id}`

  test('are refused when missing, unknown or a team key', async () => {
    const team = await makeTeam(ours)
    const made = await makeTeamKey(ours, team)
    const attempts = [
      {},
      { 'x-management-key': 'mg_unknown' },
      { 'x-management-key': made.value },
      { 'x-service-api-key': made.value },
      { 'x-service-api-key': ours.key },
    ]
    for (const headers of attempts) {
      const answer = await send(app, { url: urlOf(), headers: headers as Record<string, string> })
      assert.equal(answer.status, 401)
      assert.equal(answer.body.detail.error_type, 'invalid_api_key')
    }
  })

  test('may come under the older header name only while aliases are on', async () => {
    const headers = { 'x-vital-org-key': ours.key }
    assert.equal((await send(app, { url: urlOf(), headers })).status, 200)
    const strict = buildTeamsApp(database.db, clock, { aliasesEnabled: false })
    assert.equal((await send(strict, { url: urlOf(), headers })).status, 401)
    await strict.close()
  })
})
