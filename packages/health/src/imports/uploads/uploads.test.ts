import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  exportXml,
  followImport,
  hasFile,
  stepRecord,
  totalOf,
} from '../../../../server/test/imports/import-client.ts'
import {
  addressOf,
  append,
  BYTES,
  createUpload,
  offsetOf,
  openAppend,
  TUS,
  uploadsOf,
} from '../../../../server/test/imports/upload-client.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { importJobs } from '../imports.jobs.ts'

const MAX_BYTES = 500_000
const XML = Buffer.from(exportXml(stepRecord(0) + stepRecord(1)))
const UNKNOWN = '00000000-0000-4000-8000-00000000dead'
const DAY_S = 86_400

const salus = useFixture(() => createHarness({ importMaxBytes: MAX_BYTES }))
let served: { baseUrl: string; apiKey: string }
before(async () => {
  const baseUrl = await salus.app.listen({ port: 0, host: '127.0.0.1' })
  served = { baseUrl, apiKey: salus.apiKey }
  await salus.startJobs()
})

const idOf = (url: string): string => url.split('/').at(-1) ?? ''
const importOf = (userId: string, id: string, query = '') =>
  salus.call('POST', `/v2/user/${userId}/import/apple_health?upload_id=${id}${query}`)
const storedFiles = (): string[] =>
  readdirSync(join(salus.config.dataDirectory, 'files', 'imports')).sort()

async function waitForOffset(url: string, offset: number): Promise<void> {
  for (let n = 0; n < 500 && (await offsetOf(salus, url)) < offset; n++) await sleep(10)
  assert.equal(await offsetOf(salus, url), offset)
}

test('OPTIONS names version, extensions and limit of the protocol', async () => {
  const userId = await salus.makeUser()
  const { status, headers } = await salus.call('OPTIONS', uploadsOf(userId))
  assert.equal(status, 204)
  assert.equal(headers['tus-version'], '1.0.0')
  assert.equal(headers['tus-extension'], 'creation,creation-with-upload,termination,expiration')
  assert.equal(headers['tus-max-size'], String(MAX_BYTES))
})

test('a file in three parts becomes an import under the id of its upload', async () => {
  const userId = await salus.makeUser()
  const metadata = 'filename ZXhwb3J0LnppcA==,is_final'
  const url = await createUpload(salus, userId, XML.length, { 'upload-metadata': metadata })
  const cuts = [0, 7, XML.length - 30, XML.length]
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    assert.equal(await offsetOf(salus, url), start)
    const incomplete = await importOf(userId, idOf(url))
    assert.deepEqual(
      [incomplete.status, incomplete.body.detail.error_type, incomplete.body.detail.offset],
      [409, 'upload_incomplete', start],
    )
    const end = cuts[index + 1] ?? 0
    const { status, headers } = await append(salus, url, start, XML.subarray(start, end))
    assert.deepEqual([status, headers['upload-offset']], [204, String(end)])
    assert.equal(headers['tus-resumable'], '1.0.0')
    const expires = Date.parse(String(headers['upload-expires']))
    assert.equal(expires, Math.floor(salus.clock.now().getTime() / 1000) * 1000 + DAY_S * 1000)
  }
  const head = await salus.call('HEAD', url, undefined, TUS)
  assert.equal(head.headers['upload-length'], String(XML.length))
  assert.equal(head.headers['upload-metadata'], metadata)
  assert.equal(head.headers['cache-control'], 'no-store')
  const { status, body } = await importOf(userId, idOf(url))
  assert.deepEqual([status, body.id, body.file_bytes], [202, idOf(url), XML.length])
  const job = await followImport(salus, userId, body.id)
  assert.deepEqual([job.status, totalOf(job, 'imported')], ['completed', 2])
  assert.equal((await salus.call('HEAD', url, undefined, TUS)).status, 404)
  assert.equal((await importOf(userId, idOf(url))).status, 404)
})

test('a creation may have the first bytes, or all of them', async () => {
  const userId = await salus.makeUser()
  for (const bytes of [XML, XML.subarray(0, 10)]) {
    const headers = { ...BYTES, 'upload-length': String(XML.length) }
    const created = await salus.call('POST', uploadsOf(userId), bytes, headers)
    assert.deepEqual([created.status, created.headers['upload-offset']], [201, `${bytes.length}`])
    assert.equal(created.body.offset, bytes.length)
    const { body } = await salus.call('GET', addressOf(userId, created))
    assert.deepEqual(body, created.body)
  }
})

test('requests against the protocol are refused, and the upload stays as it is', async () => {
  const userId = await salus.makeUser()
  const url = await createUpload(salus, userId, 20)
  await append(salus, url, 0, '0123456789')
  const create = uploadsOf(userId)
  const length = { 'upload-length': '5' }
  const cases: [status: number, code: string, method: string, url: string, headers: object][] = [
    [412, 'unsupported_tus_version', 'POST', create, length],
    [412, 'unsupported_tus_version', 'POST', create, { ...length, 'tus-resumable': '0.2.2' }],
    [412, 'unsupported_tus_version', 'PATCH', url, { ...BYTES, 'tus-resumable': '2' }],
    [412, 'unsupported_tus_version', 'DELETE', url, {}],
    [422, 'missing', 'POST', create, TUS],
    [422, 'type', 'POST', create, { ...TUS, 'upload-length': 'many' }],
    [422, 'greater_than_equal', 'POST', create, { ...TUS, 'upload-length': '0' }],
    [413, 'body_too_large', 'POST', create, { ...TUS, 'upload-length': `${MAX_BYTES + 1}` }],
    [400, 'unsupported_tus_extension', 'POST', create, { ...TUS, 'upload-defer-length': '1' }],
    [415, 'unsupported_media_type', 'POST', create, { ...TUS, ...length, 'content-type': 'a/b' }],
    [422, 'missing', 'PATCH', url, BYTES],
    [409, 'upload_offset_conflict', 'PATCH', url, { ...BYTES, 'upload-offset': '9' }],
    [409, 'upload_offset_conflict', 'PATCH', url, { ...BYTES, 'upload-offset': '11' }],
    [415, 'unsupported_media_type', 'PATCH', url, { ...TUS, 'upload-offset': '10' }],
    [
      ...([415, 'unsupported_media_type', 'PATCH', url] as const),
      { ...TUS, 'upload-offset': '10', 'content-type': 'application/octet-stream' },
    ],
    [
      ...([400, 'unsupported_tus_extension', 'PATCH', url] as const),
      { ...BYTES, 'upload-offset': '10', 'upload-checksum': 'sha1 abc' },
    ],
  ]
  for (const [status, code, method, address, headers] of cases) {
    const hasBody = 'content-type' in headers
    const answer = await salus.call(method, address, hasBody ? 'x' : undefined, headers)
    const { detail } = answer.body
    const found = Array.isArray(detail) ? detail[0].type : detail.error_type
    assert.deepEqual([answer.status, found], [status, code], `${method} ${JSON.stringify(headers)}`)
    assert.equal(answer.headers['tus-resumable'], '1.0.0')
  }
  assert.equal(await offsetOf(salus, url), 10)
})

test('bytes beyond the length are refused', async () => {
  const userId = await salus.makeUser()
  const url = await createUpload(salus, userId, 20)
  const { status, body } = await append(salus, url, 0, 'x'.repeat(21))
  assert.deepEqual([status, body.detail.error_type], [413, 'body_too_large'])
  assert.equal(await offsetOf(salus, url), 0)
  assert.equal((await append(salus, url, 0, 'x'.repeat(20))).status, 204)
})

test('an upload is of one user of one team', async () => {
  const userId = await salus.makeUser()
  const neighbour = await salus.makeUser()
  const url = await createUpload(salus, userId, XML.length)
  await append(salus, url, 0, XML)
  const team = await salus.makeTeam()
  const strangers: [url: string, headers: object][] = [
    [url, { 'x-service-api-key': team.sandboxKey }],
    [`${uploadsOf(neighbour)}/${idOf(url)}`, {}],
    [`${uploadsOf(userId)}/${UNKNOWN}`, {}],
  ]
  for (const [address, headers] of strangers) {
    for (const method of ['HEAD', 'GET', 'PATCH', 'DELETE']) {
      const all = { ...(method === 'PATCH' ? BYTES : TUS), 'upload-offset': '0', ...headers }
      const body = method === 'PATCH' ? 'x' : undefined
      assert.equal((await salus.call(method, address, body, all)).status, 404, method)
    }
  }
  assert.equal((await importOf(neighbour, idOf(url))).status, 404)
  const unsigned = await salus.call('HEAD', url, undefined, { ...TUS, 'x-service-api-key': '' })
  assert.equal(unsigned.status, 401)
  assert.equal(await offsetOf(salus, url), XML.length)
})

test('while a request writes, others are refused, and its bytes count when it breaks off', async () => {
  const userId = await salus.makeUser()
  const content = randomBytes(200_000)
  const url = await createUpload(salus, userId, content.length)
  const { sending } = openAppend(served, url, 0, content.length)
  sending.write(content.subarray(0, 70_000))
  await waitForOffset(url, 70_000)
  for (const answer of [
    await append(salus, url, 70_000, content.subarray(70_000)),
    await append(salus, url, 0, content),
    await salus.call('DELETE', url, undefined, TUS),
    await importOf(userId, idOf(url)),
  ]) {
    assert.deepEqual([answer.status, answer.body.detail.error_type], [423, 'upload_locked'])
  }
  sending.destroy()
  let rest = await append(salus, url, 70_000, content.subarray(70_000))
  for (let n = 0; n < 200 && rest.status === 423; n++) {
    await sleep(10)
    rest = await append(salus, url, 70_000, content.subarray(70_000))
  }
  assert.equal(rest.status, 204)
  const stored = await salus.files.read('imports', idOf(url))
  assert.ok(stored.equals(content))
})

test('a silent writer is replaced after ten seconds, and refused when it goes on', async () => {
  const userId = await salus.makeUser()
  const content = randomBytes(100_000)
  const url = await createUpload(salus, userId, content.length)
  const { sending, answer } = openAppend(served, url, 0, content.length)
  sending.write(content.subarray(0, 10_000))
  await waitForOffset(url, 10_000)
  salus.clock.advance(11)
  assert.equal((await append(salus, url, 10_000, content.subarray(10_000))).status, 204)
  sending.write(content.subarray(10_000, 20_000))
  const { status, body } = await answer
  assert.deepEqual([status, JSON.parse(body).detail.error_type], [423, 'upload_locked'])
  assert.ok((await salus.files.read('imports', idOf(url))).equals(content))
})

test('a deleted upload is gone with its bytes', async () => {
  const userId = await salus.makeUser()
  const before = storedFiles()
  const url = await createUpload(salus, userId, 20)
  await append(salus, url, 0, '0123456789')
  assert.notDeepEqual(storedFiles(), before)
  const { status, text } = await salus.call('DELETE', url, undefined, TUS)
  assert.deepEqual([status, text], [204, ''])
  assert.equal((await salus.call('DELETE', url, undefined, TUS)).status, 404)
  assert.deepEqual(storedFiles(), before)
})

test('an upload expires a day after its last byte, and the daily job removes row and file', async () => {
  const userId = await salus.makeUser()
  const growing = await createUpload(salus, userId, 20)
  const complete = await createUpload(salus, userId, 5)
  await append(salus, growing, 0, '01234')
  await append(salus, complete, 0, '01234')
  salus.clock.advance(DAY_S - 1)
  await append(salus, growing, 5, '56789')
  salus.clock.advance(2)
  assert.equal((await salus.call('HEAD', complete, undefined, TUS)).status, 404)
  assert.equal((await append(salus, complete, 5, '')).status, 404)
  assert.equal((await importOf(userId, idOf(complete))).status, 404)
  assert.equal(await offsetOf(salus, growing), 10)

  const { handlers } = importJobs({ ...salus.dependencies, maxBytes: MAX_BYTES })
  const removeLeftovers = handlers.remove_import_leftovers as () => Promise<void>
  await removeLeftovers()
  assert.equal(await hasFile(salus.files, idOf(complete)), false)
  assert.equal(await offsetOf(salus, growing), 10)
  salus.clock.advance(DAY_S)
  await removeLeftovers()
  // Of all tests: they are older.
  assert.deepEqual(storedFiles(), [])
  const { rows } = await salus.database.pool.query('select id from import_uploads where id = $1', [
    idOf(growing),
  ])
  assert.deepEqual(rows, [])
})

test('an upload whose file was lost begins again', async () => {
  const userId = await salus.makeUser()
  const url = await createUpload(salus, userId, XML.length)
  await append(salus, url, 0, XML.subarray(0, 9))
  await salus.files.growing.discard({ kind: 'imports', name: idOf(url), bytes: XML.length })
  assert.equal(await offsetOf(salus, url), 0)
  assert.equal((await append(salus, url, 0, XML)).status, 204)
  assert.equal((await importOf(userId, idOf(url))).status, 202)
})

test('an import takes an upload or a body, not both, and an upload once', async () => {
  const userId = await salus.makeUser()
  const url = await createUpload(salus, userId, XML.length)
  await append(salus, url, 0, XML)
  const target = `/v2/user/${userId}/import/apple_health?upload_id=${idOf(url)}`
  const both = await salus.call('POST', target, XML, { 'content-type': 'application/xml' })
  assert.deepEqual([both.status, both.body.detail.error_type], [400, 'upload_and_body'])
  const answers = await Promise.all([1, 2, 3].map(() => importOf(userId, idOf(url))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 404, 404])
  const job = await followImport(salus, userId, idOf(url))
  assert.equal(job.status, 'completed')
})

test('a person has at most twenty open uploads; others, finished and expired ones do not count', async () => {
  const userId = await salus.makeUser()
  const urls: string[] = []
  for (let count = 0; count < 20; count++) urls.push(await createUpload(salus, userId, XML.length))
  const start = () =>
    salus.call('POST', uploadsOf(userId), undefined, { ...TUS, 'upload-length': '9' })
  const refused = await start()
  assert.deepEqual([refused.status, refused.body.detail.error_type], [400, 'too_many_uploads'])
  await createUpload(salus, await salus.makeUser(), 9)
  assert.equal((await salus.call('DELETE', urls[0] ?? '', undefined, TUS)).status, 204)
  assert.equal((await start()).status, 201)
  assert.equal((await start()).status, 400)
  salus.clock.advance(DAY_S + 1)
  assert.equal((await start()).status, 201)
})
