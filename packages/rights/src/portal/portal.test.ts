import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addResults, makePerson } from '../../../server/test/persons-rights/portal-person.ts'
import {
  codeOf,
  createPortalClient,
  makePortalCode,
  openLink,
  openPortal,
  sendCode,
} from '../../../server/test/persons-rights/portal-subject.ts'
import { importOrder } from '../../../server/test/results/lipid-reports.ts'
import { createResultsFixture } from '../../../server/test/results/results-fixture.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createResultsFixture)
before(() => salus.startJobs())

const { send, succeed } = createPortalClient(salus)
const open = (code: string) => sendCode(salus, code)

const typeOf = ({ status, body }: { status: number; body: { detail: { error_type: string } } }) =>
  `${status} ${body.detail.error_type}`

describe('a link to the page of a person', () => {
  test('opens once, also when it is opened twice at the same time', async () => {
    const userId = await salus.makeUser()
    const code = await makePortalCode(salus, userId, { context: 'launch', language: 'de' })
    const answers = await Promise.all([open(code), open(code)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    const opened = answers.find(({ status }) => status === 200)
    assert.equal(opened?.body.language, 'de')
    assert.equal(opened?.body.share, null)
    assert.match(String(opened?.headers['set-cookie']), /Path=\/me; HttpOnly; SameSite=Strict/)
    assert.equal(typeOf(await open(code)), '400 invalid_code')
    assert.equal(typeOf(await open('pl_unknown')), '400 invalid_code')
  })

  test('expires, as its session does without use and after half a day', async () => {
    const userId = await salus.makeUser()
    const code = await makePortalCode(salus, userId)
    const later = await makePortalCode(salus, userId, { context: 'communications' })
    salus.clock.advance(601)
    assert.equal(typeOf(await open(code)), '400 invalid_code')
    const idle = await openLink(salus, later)
    salus.clock.advance(3601)
    assert.equal(typeOf(await send(idle, 'GET', '/me/session')), '401 invalid_session')
    const used = await openPortal(salus, userId)
    for (let hour = 0; hour < 12; hour += 1) {
      assert.equal((await send(used, 'GET', '/me/session')).status, 200)
      salus.clock.advance(3599)
    }
    salus.clock.advance(60)
    assert.equal(typeOf(await send(used, 'GET', '/me/session')), '401 invalid_session')
  })

  test('is kept as hashes, and can be listed and ended by the team', async () => {
    const userId = await salus.makeUser()
    const code = await makePortalCode(salus, userId)
    const token = await openPortal(salus, userId)
    const { rows } = await salus.database.pool.query(
      'select row_to_json(s)::text as text from portal_sessions s where user_id = $1',
      [userId],
    )
    const stored = rows.map(({ text }) => text).join()
    assert.ok(!stored.includes(code) && !stored.includes(token))
    const list = `/v2/user/${userId}/portal_session`
    const { data } = (await salus.call('GET', list)).body
    assert.equal(data.length, 2)
    const active = data.find(({ status }: { status: string }) => status === 'active')
    assert.equal((await salus.call('DELETE', `${list}/${active.id}`)).status, 200)
    assert.equal((await salus.call('DELETE', `${list}/${active.id}`)).status, 404)
    assert.equal(typeOf(await send(token, 'GET', '/me/session')), '401 invalid_session')
    assert.deepEqual((await salus.call('DELETE', list)).body, { ended: 1 })
    assert.equal(typeOf(await open(code)), '400 invalid_code')
  })

  test('names only orders of the person, and ends with the person', async () => {
    const [userId, other] = [await salus.makeUser(), await salus.makeUser()]
    const order = await importOrder(salus, { userId: other })
    const body = { context: 'launch', order_id: order.id }
    const path = (id: string) => `/v2/user/${id}/create_portal_url`
    assert.equal((await salus.call('POST', path(userId), body)).status, 404)
    const code = codeOf((await salus.call('POST', path(other), body)).body.url)
    const unused = await makePortalCode(salus, other)
    const opened = await open(code)
    assert.equal(opened.body.order_id, order.id)
    const token = /salus-portal=([^;]+)/.exec(String(opened.headers['set-cookie']))?.[1] ?? ''
    await salus.call('DELETE', `/v2/user/${other}`)
    assert.equal(typeOf(await send(token, 'GET', '/me/data')), '401 invalid_session')
    assert.equal(typeOf(await open(unused)), '400 invalid_code')
  })
})

describe('the session of a person', () => {
  test('needs the header of the page and its origin', async () => {
    const { token } = await makePerson(salus)
    const refused = [
      { 'x-salus-portal': '' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://elsewhere.example' },
    ]
    for (const headers of refused) {
      const answer = await send(token, 'GET', '/me/data', undefined, headers)
      assert.equal(typeOf(answer), '403 cross_site_request', JSON.stringify(headers))
    }
    const plain = { 'x-salus-portal': '', 'sec-fetch-site': 'same-origin' }
    assert.equal((await send(token, 'GET', '/me/data', undefined, plain)).status, 200)
    const change = await send(token, 'POST', '/me/erasure_request', undefined, plain)
    assert.equal(typeOf(change), '403 cross_site_request')
  })

  test('shows the days of the person in their own time, and nothing of another person', async () => {
    const { userId, token } = await makePerson(salus)
    await salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'America/Phoenix' })
    const { days, series } = await succeed(token, 'GET', '/me/data')
    assert.deepEqual([days.length, days.at(-1)], [30, '2026-03-01'])
    const steps = series.find(({ resource }: { resource: string }) => resource === 'steps')
    assert.deepEqual([steps.values.at(-1), steps.values.at(-2)], [2000, null])
    assert.deepEqual([steps.of, steps.kind, steps.sources], ['sum', 'activity', ['Manual']])
    const empty = await openPortal(salus, await salus.makeUser())
    assert.deepEqual((await succeed(empty, 'GET', '/me/data')).series, [])
  })

  test('shows results with their place in the range, and documents of the person alone', async () => {
    const { userId, token } = await makePerson(salus)
    const orderId = await addResults(salus, userId)
    const { panels } = await succeed(token, 'GET', '/me/result')
    assert.deepEqual([panels.length, panels[0].id, panels[0].source], [1, orderId, 'order'])
    assert.deepEqual(
      panels[0].results.map(({ value, position }: Record<string, unknown>) => [value, position]),
      [
        ['300', 'above'],
        ['<100', 'within'],
      ],
    )
    const other = await openPortal(salus, await salus.makeUser())
    const url = `/me/result/${orderId}/pdf`
    assert.equal((await send(other, 'GET', url)).status, 404)
    assert.deepEqual((await succeed(other, 'GET', '/me/result')).panels, [])
  })

  test('connects by the link page, which returns to it, and disconnects', async () => {
    const { userId, token } = await makePerson(salus)
    await salus.set({ link_redirect_urls: ['https://app.example.com/'] })
    const { link_web_url } = await succeed(token, 'POST', '/me/connection', {})
    const linkToken = new URL(link_web_url).searchParams.get('token') ?? ''
    const config = await salus.app.inject({
      url: '/v2/team/link/config',
      headers: { 'x-service-link-token': linkToken },
    })
    assert.match(config.json().redirect_url, /\/me$/)
    const { providers } = await succeed(token, 'GET', '/me/connection')
    assert.deepEqual(
      providers.map(({ slug }: { slug: string }) => slug),
      ['manual'],
    )
    await succeed(token, 'DELETE', '/me/connection/manual')
    const { body } = await salus.call('GET', `/v2/user/providers/${userId}`)
    assert.deepEqual(body.providers, [])
    assert.equal((await send(token, 'DELETE', '/me/connection/manual')).status, 404)
    await salus.set({ link_redirect_urls: null })
  })

  test('imports a file in parts', async () => {
    const { token } = await makePerson(salus)
    const tus = { 'tus-resumable': '1.0.0' }
    const file = Buffer.from('date,weight (kg)\n2026-02-20,70.5\n')
    const made = await send(token, 'POST', '/me/import/uploads', undefined, {
      ...tus,
      'upload-length': `${file.length}`,
    })
    assert.equal(made.status, 201, made.text)
    const url = `/me/import/uploads/${made.body.id}`
    for (const [from, to] of [
      [0, 10],
      [10, file.length],
    ] as const) {
      assert.equal((await send(token, 'GET', url)).body.offset, from)
      const sent = await send(token, 'PATCH', url, file.subarray(from, to), {
        ...tus,
        'upload-offset': `${from}`,
        'content-type': 'application/offset+octet-stream',
      })
      assert.equal(sent.status, 204, sent.text)
    }
    const stranger = await openPortal(salus, await salus.makeUser())
    assert.equal((await send(stranger, 'GET', url)).status, 404)
    const body = { upload_id: made.body.id }
    assert.equal((await send(stranger, 'POST', '/me/import', body)).status, 404)
    assert.equal((await send(token, 'POST', '/me/import', body)).status, 202)
    const { jobs } = await succeed(token, 'GET', '/me/import')
    assert.deepEqual(
      jobs.map(({ id }: { id: string }) => id),
      [made.body.id],
    )
  })

  test('asks for the erasure by a task, and withdraws it', async () => {
    const { userId, token } = await makePerson(salus)
    const asked = await succeed(token, 'POST', '/me/erasure_request')
    assert.equal(asked.status, 'requested')
    assert.deepEqual(await succeed(token, 'POST', '/me/erasure_request'), asked)
    const { data } = (await salus.call('GET', `/v3/task?user_id=${userId}`)).body
    assert.deepEqual(
      data.map(({ kind, focus }: { kind: string; focus: object }) => [kind, focus]),
      [['erasure_request', { type: 'user', id: userId }]],
    )
    const { erasure_requested_at: at } = await succeed(token, 'GET', '/me/session')
    assert.equal(at, asked.requested_at)
    await succeed(token, 'DELETE', '/me/erasure_request')
    assert.equal((await send(token, 'DELETE', '/me/erasure_request')).status, 404)
    assert.equal((await succeed(token, 'GET', '/me/session')).erasure_requested_at, null)
  })

  test('is erased at once where the team wants that, but not under a legal hold', async () => {
    await salus.set({ portal_erasure_at_once: true })
    const { userId, token } = await makePerson(salus)
    const holds = `/team/${salus.teamId}/sandbox/legal_hold`
    const { body: hold } = await salus.manage('POST', holds, { user_id: userId, reason: 'Dispute' })
    const url = '/me/erasure_request'
    assert.equal((await succeed(token, 'POST', url)).status, 'requested')
    await salus.manage('POST', `${holds}/${hold.id}/release`)
    assert.equal((await succeed(token, 'POST', url)).status, 'scheduled')
    assert.equal(typeOf(await send(token, 'GET', '/me/session')), '401 invalid_session')
    await salus.set({ portal_erasure_at_once: false })
  })
})
