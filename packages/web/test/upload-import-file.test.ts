import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createHarness } from '../../server/test/harness.ts'
import { useFixture as provideFixture } from '../../server/test/use-fixture.ts'
import { type UploadAccess, uploadImportFile } from '../src/console/api/upload-import-file.ts'

const MIB = 1024 ** 2
const salus = provideFixture(createHarness)

interface Sent {
  method: string
  offset: string | null
}

let sent: Sent[] = []
/** Sees a request before it goes out; throws to stand for a connection that breaks. */
let interfere: (request: Sent) => void = () => undefined
let uploads: UploadAccess
let mintToken: () => Promise<string>

/** Node.js has no storage that outlives a page. */
const stored = new Map<string, string>()
const storage = {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
}
const send = globalThis.fetch
const original = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')

before(async () => {
  const baseUrl = await salus.app.listen({ port: 0, host: '127.0.0.1' })
  mintToken = async () => {
    const path = `/team/${salus.teamId}/create_api_access_token`
    return (await salus.manage('POST', path, { env: 'sandbox' })).body.access_token
  }
  const token = await mintToken()
  uploads = {
    ...{ baseUrl, environment: `${salus.teamId}/sandbox` },
    ...{ findToken: async () => token, forgetToken: () => undefined },
  }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  globalThis.fetch = async (input, init) => {
    const request = new Request(input as Request, init)
    const found = { method: request.method, offset: request.headers.get('upload-offset') }
    sent.push(found)
    interfere(found)
    return send(request)
  }
})
after(() => {
  globalThis.fetch = send
  if (original === undefined) Reflect.deleteProperty(globalThis, 'localStorage')
  else Object.defineProperty(globalThis, 'localStorage', original)
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
  const id = await uploadImportFile(userId, file, { uploads, onProgress })
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
  const id = await uploadImportFile(userId, file, { uploads })
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
  const options = { uploads, signal: stop.signal }
  await assert.rejects(uploadImportFile(userId, file, options), reason)
  interfere = () => undefined
  sent = []
  const id = await uploadImportFile(userId, file, { uploads })
  assert.deepEqual(methods()[0], 'GET')
  assert.ok(Number(sent[1]?.offset) >= 4 * MIB)
  assert.ok((await salus.files.read('imports', id)).equals(content))
  const kept = [...stored].flat().join(' ')
  assert.ok(kept.includes(id) && !kept.includes('Moreau'))

  sent = []
  assert.equal(await uploadImportFile(userId, file, { uploads }), id)
  assert.deepEqual(methods(), ['GET'])
})

test('an upload that was imported or removed is created anew', async () => {
  const userId = await salus.makeUser()
  const { file } = makeFile(100)
  const id = await uploadImportFile(userId, file, { uploads })
  const url = `/v2/user/${userId}/import/uploads/${id}`
  await salus.call('DELETE', url, undefined, { 'tus-resumable': '1.0.0' })
  assert.notEqual(await uploadImportFile(userId, file, { uploads }), id)
})

test('a token that ended is renewed once, and a session that ended is the error', async () => {
  const userId = await salus.makeUser()
  const { file } = makeFile(100)
  let token = 'ended'
  const renewed: UploadAccess = { ...uploads, findToken: async () => token, forgetToken() {} }
  const refused = uploadImportFile(userId, file, { uploads: renewed })
  await assert.rejects(refused, { status: 401 })
  const forgetToken = () => {
    token = fresh
  }
  const fresh = await mintToken()
  await uploadImportFile(userId, file, { uploads: { ...renewed, forgetToken } })
})

test('a refusal of the server is the error', async () => {
  const { file } = makeFile(100)
  const unknown = '00000000-0000-4000-8000-00000000dead'
  const refused = uploadImportFile(unknown, file, { uploads })
  await assert.rejects(refused, { status: 404 })
})
