import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createHarness } from '../../server/test/harness.ts'
import { useFixture as provideFixture } from '../../server/test/use-fixture.ts'
import type { uploadImportFile as Upload } from '../src/console/api/upload-import-file.ts'

const MIB = 1024 ** 2
const salus = provideFixture(createHarness)

/** What a page has and Node.js does not: an address, and storage that outlives it. */
const stored = new Map<string, string>()
const page = {
  localStorage: {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  },
  document: {},
  fetch: globalThis.fetch,
}
const original = Object.fromEntries(
  Object.keys(page).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
)

interface Sent {
  method: string
  offset: string | null
}

let sent: Sent[] = []
/** Changes a request before it goes out, or stands for a connection that breaks. */
let interfere: (request: Sent) => void = () => undefined
let uploadImportFile: typeof Upload
let environment: Parameters<typeof Upload>[2]['environment']

before(async () => {
  const baseUrl = await salus.app.listen({ port: 0, host: '127.0.0.1' })
  const send = globalThis.fetch
  page.document = { baseURI: `${baseUrl}/` }
  page.fetch = (input, init) => {
    const request = new Request(input as Request, init)
    // In a browser the cookie of the session stands for this key.
    if (request.url.includes('/v1/')) request.headers.set('x-management-key', salus.managementKey)
    if (request.url.includes('/uploads')) {
      const found = { method: request.method, offset: request.headers.get('upload-offset') }
      sent.push(found)
      try {
        interfere(found)
      } catch (error) {
        return Promise.reject(error)
      }
    }
    return send(request)
  }
  for (const [name, value] of Object.entries(page)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  ;({ uploadImportFile } = await import('../src/console/api/upload-import-file.ts'))
  environment = { org_id: salus.organizationId, team_id: salus.teamId, env: 'sandbox' }
})
after(() => {
  for (const [name, descriptor] of Object.entries(original)) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, descriptor)
  }
})

/** A file of a person; its name must not be kept. */
function makeFile(bytes: number): { file: File; content: Buffer } {
  const content = randomBytes(bytes)
  const file = new File([new Uint8Array(content)], 'export of Ada Moreau.zip', { lastModified: 7 })
  sent = []
  interfere = () => undefined
  return { file, content }
}

const methods = (): string[] => sent.map(({ method }) => method)

test('a file is uploaded in parts, with progress', async () => {
  const userId = await salus.makeUser()
  const { file, content } = makeFile(9 * MIB)
  const shares: number[] = []
  const onProgress = (share: number) => shares.push(Math.round(share * 100))
  const id = await uploadImportFile(userId, file, { environment, onProgress })
  assert.deepEqual(methods(), ['POST', 'PATCH', 'PATCH', 'PATCH'])
  assert.deepEqual(shares, [0, 44, 89, 100])
  assert.ok((await salus.files.read('imports', id)).equals(content))
  const target = `/v2/user/${userId}/import/apple_health?upload_id=${id}`
  assert.equal((await salus.call('POST', target)).status, 202)
})

test('a connection that breaks costs no part twice', async () => {
  const userId = await salus.makeUser()
  const { file, content } = makeFile(9 * MIB)
  let failures = 2
  interfere = ({ offset }) => {
    if (offset === String(4 * MIB) && failures-- > 0) throw new TypeError('network error')
  }
  const id = await uploadImportFile(userId, file, { environment })
  const offsets = sent.flatMap(({ offset }) => (offset === null ? [] : [Number(offset) / MIB]))
  assert.deepEqual(offsets, [0, 4, 4, 4, 8])
  assert.ok((await salus.files.read('imports', id)).equals(content))
})

test('an upload that the person stopped continues when the file is chosen again', async () => {
  const userId = await salus.makeUser()
  const { file, content } = makeFile(9 * MIB)
  const stop = new AbortController()
  const reason = new Error('the page was left')
  interfere = ({ offset }) => {
    if (offset === String(4 * MIB)) stop.abort(reason)
  }
  const options = { environment, signal: stop.signal }
  await assert.rejects(uploadImportFile(userId, file, options), reason)
  interfere = () => undefined
  sent = []
  const id = await uploadImportFile(userId, file, { environment })
  assert.deepEqual(methods()[0], 'GET')
  assert.ok(Number(sent[1]?.offset) >= 4 * MIB)
  assert.ok((await salus.files.read('imports', id)).equals(content))
  const kept = [...stored].flat().join(' ')
  assert.ok(kept.includes(id) && !kept.includes('Moreau'))

  sent = []
  assert.equal(await uploadImportFile(userId, file, { environment }), id)
  assert.deepEqual(methods(), ['GET'])
})

test('an upload that was imported or removed is created anew', async () => {
  const userId = await salus.makeUser()
  const { file } = makeFile(100)
  const id = await uploadImportFile(userId, file, { environment })
  const url = `/v2/user/${userId}/import/uploads/${id}`
  await salus.call('DELETE', url, undefined, { 'tus-resumable': '1.0.0' })
  assert.notEqual(await uploadImportFile(userId, file, { environment }), id)
})

test('a refusal of the server is the error', async () => {
  const { file } = makeFile(100)
  const unknown = '00000000-0000-4000-8000-00000000dead'
  const refused = uploadImportFile(unknown, file, { environment })
  await assert.rejects(refused, { status: 404 })
})
