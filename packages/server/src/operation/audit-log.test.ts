import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { appendEntries } from '@salus/kernel/audit/audit-log.global.repository'
import { auditEntry } from '../../test/audit-fixture.ts'
import { createHarness } from '../../test/harness.ts'
import { useFixture } from '../../test/use-fixture.ts'
import {
  openEnvironment,
  type WebhookEnvironment,
} from '../../test/webhooks/webhook-environment.ts'

const salus = useFixture(createHarness)
let environment: WebhookEnvironment
before(async () => {
  environment = await openEnvironment(salus)
})

interface Row {
  action: string | null
  actor_kind: string
  at: string
  route: string
  method: string
  user_id: string | null
  actor_label: string | null
  team: { id: string } | null
}

async function list(query = '', path = '/v1/operation/audit_log') {
  await salus.dependencies.audit.flush()
  const headers = { 'x-management-key': salus.managementKey }
  const answer = await salus.call('GET', `${path}${query}`, undefined, headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as {
    data: Row[]
    next_cursor: string | null
    searched_back_to: string | null
  }
}

describe('the audit log', () => {
  test('shows changes with who made them, and reads when asked for', async () => {
    const userId = await salus.makeUser()
    await salus.call('GET', `/v2/user/${userId}`)
    const changes = (await list()).data
    assert.deepEqual([changes[0]?.method, changes[0]?.route], ['POST', '/v2/user'])
    assert.equal(changes[0]?.user_id, userId)
    assert.equal(changes[0]?.team?.id, salus.teamId)
    const ofPerson = (await list(`?user_id=${userId}&reads=true`)).data
    assert.deepEqual(
      ofPerson.map(({ route }) => route),
      ['/v2/user/:user_id', '/v2/user'],
    )
    assert.ok(ofPerson.every(({ actor_label: label }) => label !== null))
    assert.deepEqual(
      ofPerson.map(({ action }) => action),
      ['Get a user', 'Create a user'],
    )
  })

  test('leaves out the tokens that the console makes for itself, and no others, where asked to', async () => {
    const { db } = salus.database
    const route = '/v1/org/:org_id/team/:team_id/create_api_access_token'
    const at = new Date('2026-02-20T12:00:00Z')
    const minted = (actorKind: 'console_session' | 'management_key') =>
      auditEntry({ at, method: 'POST', route, actorKind })
    await appendEntries(db, [minted('console_session'), minted('management_key')], { key: null })
    const kinds = async (query: string) => {
      const { data } = await list(`?since=2026-02-20&until=2026-02-20${query}`)
      return data.map(({ actor_kind: kind }) => kind).sort()
    }
    assert.deepEqual(await kinds(''), ['console_session', 'management_key'])
    assert.deepEqual(await kinds('&console_tokens=false'), ['management_key'])
  })

  test('is filtered by actor, team, route, outcome and time', async () => {
    const team = await salus.makeTeam()
    await salus.manage('PATCH', `/team/${team.id}`, { name: 'Renamed' })
    await salus.manage('PATCH', '', { name: '' })
    const { data } = await list(`?team_id=${team.id}&route=/v1/*&actor_kind=management_key`)
    assert.equal(data[0]?.method, 'PATCH')
    assert.ok(data.every(({ route }) => route.startsWith('/v1/org/')))
    assert.deepEqual(
      (await list('?outcome=refused')).data.map(({ method }) => method),
      ['PATCH'],
    )
    assert.deepEqual((await list('?until=2026-02-01')).data, [])
    assert.deepEqual((await list('?method=DELETE')).data, [])
    const wrong = await salus.call(
      'GET',
      '/v1/operation/audit_log?since=2026-03-02&until=2026-03-01',
      undefined,
      {
        'x-management-key': salus.managementKey,
      },
    )
    assert.deepEqual([wrong.status, wrong.body.detail.error_type], [400, 'invalid_date_range'])
  })

  test('of an environment has nothing of another one', async () => {
    const other = await salus.makeTeam()
    await salus.call(
      'POST',
      '/v2/user',
      { client_user_id: 'theirs' },
      { 'x-service-api-key': other.sandboxKey },
    )
    const ours = await list('?reads=true', `${environment.base}/audit_log`)
    assert.ok(ours.data.length > 0)
    assert.ok(ours.data.every(({ team }) => team?.id === salus.teamId))
  })

  test('is read in pages, each row once, and a rare one is found behind many others', async () => {
    const { db } = salus.database
    const at = new Date('2026-02-10T12:00:00Z')
    const rare = auditEntry({ at, route: '/v1/rare', method: 'POST' })
    const many = Array.from({ length: 21_000 }, (_, number) =>
      auditEntry({ at: new Date(at.getTime() + number), method: 'PUT' }),
    )
    await appendEntries(db, [rare, ...many], { key: null })
    const found: Row[] = []
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null && pages < 50; pages += 1) {
      const page = await list(`?route=/v1/rare${cursor && `&next_cursor=${cursor}`}`)
      assert.equal(page.searched_back_to === null, page.next_cursor === null)
      found.push(...page.data)
      cursor = page.next_cursor
    }
    assert.equal(found.length, 1)
    assert.ok(pages >= 2)

    const first = await list('?method=PUT&limit=200&until=2026-02-11')
    const second = await list(
      `?method=PUT&limit=200&until=2026-02-11&next_cursor=${first.next_cursor}`,
    )
    const times = [...first.data, ...second.data].map((row) => row.at)
    assert.equal(times.length, 400)
    assert.deepEqual(times, [...times].sort().reverse())
  })
})
