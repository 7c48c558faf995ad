import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser } from '../kill-during-uploads.ts'
import type { KilledServer } from '../killed-server.ts'
import { API_KEY, request, type ServerProcess } from '../server-process.ts'
import { BYTES, openAppend, uploadsOf } from './upload-client.ts'

const FILE_BYTES = 48 * 1024 ** 2
const CHUNK_BYTES = 512 * 1024
const PATIENCE_MS = 30_000

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Kills the server three times while a client uploads one file, each time in the middle of a
 * request. The client continues at the offset that the next server returns, and the file has the
 * same bytes.
 */
export async function killDuringUpload(killed: KilledServer): Promise<void> {
  const content = randomBytes(FILE_BYTES)
  const userId = await makeUser(killed.current().baseUrl, 'uploader')
  const created = await fetch(killed.current().baseUrl + uploadsOf(userId), {
    method: 'POST',
    headers: {
      'x-service-api-key': API_KEY,
      'tus-resumable': '1.0.0',
      'upload-length': String(content.length),
    },
  })
  assert.equal(created.status, 201)
  const { id } = (await created.json()) as { id: string }
  const url = `${uploadsOf(userId)}/${id}`
  const readOffset = async ({ baseUrl }: ServerProcess): Promise<number> => {
    const { body } = await request(baseUrl, 'GET', url)
    return (body as { offset: number }).offset
  }

  let offset = 0
  for (let kill = 1; kill <= 3; kill++) {
    const server = killed.current()
    const served = { baseUrl: server.baseUrl, apiKey: API_KEY }
    // The writer that was killed holds the upload for some seconds.
    await waitUntilFree(server, url, offset)
    const { sending } = openAppend(served, url, offset, content.length - offset)
    sending.on('error', () => undefined)
    const until = Math.floor((content.length * kill) / 4)
    for (let at = offset; at < until; at += CHUNK_BYTES) {
      sending.write(content.subarray(at, Math.min(at + CHUNK_BYTES, until)))
    }
    while ((await readOffset(server)) <= offset) await sleep(2)
    const before = await readOffset(server)
    offset = await readOffset(await killed.killAndStart())
    assert.ok(offset >= before && offset <= until, `${before}, ${offset}, ${until}`)
  }
  await waitUntilFree(killed.current(), url, offset)
  const response = await patch(killed.current(), url, offset, content.subarray(offset))
  assert.equal(response.status, 204)
  const path = join(killed.directory, 'files', 'imports', id)
  assert.equal(await hashOfFile(path), hashOf(content))
}

const patch = ({ baseUrl }: ServerProcess, url: string, offset: number, bytes: Buffer) =>
  fetch(baseUrl + url, {
    method: 'PATCH',
    headers: { ...BYTES, 'x-service-api-key': API_KEY, 'upload-offset': String(offset) },
    body: new Uint8Array(bytes),
  })

async function waitUntilFree(server: ServerProcess, url: string, offset: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(200)) {
    const { status } = await patch(server, url, offset, Buffer.alloc(0))
    if (status === 204) return
    assert.equal(status, 423)
  }
  assert.fail('The upload stays locked.')
}
