import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addResults, makePerson } from '../../../server/test/persons-rights/portal-person.ts'
import {
  codeOf,
  createPortalClient,
  openLink,
  openPortal,
  sendCode,
} from '../../../server/test/persons-rights/portal-subject.ts'
import { createResultsFixture } from '../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createResultsFixture)
before(() => salus.startJobs())

const { send, succeed } = createPortalClient(salus)
const open = (code: string) => sendCode(salus, code)

const typeOf = ({ status, body }: { status: number; body: { detail: { error_type: string } } }) =>
  `${status} ${body.detail.error_type}`

describe('a share', () => {
  const share = async (token: string, kinds: string[], days = 7) =>
    succeed(token, 'POST', '/me/share', { label: ' Dr. Weber ', kinds, expires_in_days: days })

  test('shows what the person chose, as often as it is opened, and nothing else', async () => {
    const { userId, token } = await makePerson(salus)
    const orderId = await addResults(salus, userId)
    const made = await share(token, ['heart'])
    assert.deepEqual([made.label, made.kinds, made.status], ['Dr. Weber', ['heart'], 'active'])
    const visitor = await openLink(salus, codeOf(made.url))
    await openLink(salus, codeOf(made.url))
    const { series } = await succeed(visitor, 'GET', '/me/data')
    assert.deepEqual(
      series.map(({ resource }: { resource: string }) => resource),
      ['heartrate'],
    )
    const { share: shown } = await succeed(visitor, 'GET', '/me/session')
    assert.deepEqual([shown.label, shown.kinds], ['Dr. Weber', ['heart']])
    const refused = [
      ...['result', `result/${orderId}/pdf`, 'connection', 'share', 'access_log', 'export'],
      ...['import', `import/uploads/${orderId}`, `export/${orderId}/download`],
    ].map((path) => ['GET', `/me/${path}`, undefined] as const)
    const changes = [
      ['POST', '/me/connection', {}],
      ['DELETE', '/me/connection/manual', undefined],
      ['POST', '/me/share', { label: 'Me', kinds: ['results'], expires_in_days: 1 }],
      ['DELETE', `/me/share/${made.id}`, undefined],
      ['POST', '/me/export', { format: 'csv' }],
      ['POST', '/me/import', { upload_id: orderId }],
      ['POST', '/me/erasure_request', undefined],
      ['DELETE', '/me/erasure_request', undefined],
    ] as const
    for (const [method, url, body] of [...refused, ...changes]) {
      const answer = await send(visitor, method, url, body)
      assert.equal(typeOf(answer), '403 not_shared', `${method} ${url}`)
    }
    const withResults = await openLink(salus, codeOf((await share(token, ['results'])).url))
    assert.equal((await succeed(withResults, 'GET', '/me/result')).panels.length, 1)
    assert.deepEqual((await succeed(withResults, 'GET', '/me/data')).series, [])
  })

  test('ends when it is revoked by the person or the team, and with its time', async () => {
    const { userId, token } = await makePerson(salus)
    const [first, second, third] = [
      await share(token, ['sleep']),
      await share(token, ['sleep']),
      await share(token, ['sleep'], 1),
    ]
    const visitor = await openLink(salus, codeOf(first.url))
    assert.equal((await succeed(token, 'DELETE', `/me/share/${first.id}`)).status, 'revoked')
    assert.equal(typeOf(await send(visitor, 'GET', '/me/data')), '410 share_ended')
    assert.equal(typeOf(await open(codeOf(first.url))), '410 share_ended')
    const shares = `/v2/user/${userId}/portal_share`
    const listed = (await salus.call('GET', shares)).text
    for (const { url } of [first, second]) assert.ok(!listed.includes(codeOf(url)))
    assert.equal((await salus.call('DELETE', `${shares}/${second.id}`)).body.status, 'revoked')
    assert.equal(typeOf(await open(codeOf(second.url))), '410 share_ended')
    salus.clock.advance(24 * 3600)
    assert.equal(typeOf(await open(codeOf(third.url))), '410 share_ended')
    const other = await openPortal(salus, await salus.makeUser())
    assert.equal((await send(other, 'DELETE', `/me/share/${third.id}`)).status, 404)
  })

  test('is in the list of who looked, under its label; the label is not in the audit log', async () => {
    const { userId, token } = await makePerson(salus)
    const visitor = await openLink(salus, codeOf((await share(token, ['heart'])).url))
    await succeed(visitor, 'GET', '/me/data')
    await succeed(visitor, 'GET', '/me/data')
    await salus.call('GET', `/v3/user/${userId}/result`)
    await salus.dependencies.audit.flush()
    const { data, is_complete } = await succeed(token, 'GET', '/me/access_log')
    assert.equal(is_complete, true)
    const found = (actor: string, about: string) =>
      data.find((one: Record<string, unknown>) => one.actor === actor && one.about === about)
    const { label, action, count } = found('share', 'health')
    assert.deepEqual([label, action, count], ['Dr. Weber', 'read', 2])
    assert.equal(found('team', 'results').action, 'read')
    assert.equal(found('you', 'rights').action, 'changed')
    const { rows } = await salus.database.pool.query(
      'select row_to_json(r)::text as text from audit_rows r where user_id = $1',
      [userId],
    )
    assert.ok(rows.length > 3)
    assert.doesNotMatch(rows.map(({ text }) => text).join(), /Weber/)
  })

  test('needs a label, a kind and an end', async () => {
    const { token } = await makePerson(salus)
    const right = { label: 'A', kinds: ['heart'], expires_in_days: 1 }
    const wrong = [
      { ...right, label: ' ' },
      { ...right, kinds: [] },
      { ...right, kinds: ['everything'] },
      { ...right, kinds: ['heart', 'heart'] },
      { ...right, expires_in_days: 366 },
      { ...right, user_id: 'other' },
    ]
    for (const body of wrong) {
      assert.equal((await send(token, 'POST', '/me/share', body)).status, 422, JSON.stringify(body))
    }
  })
})
