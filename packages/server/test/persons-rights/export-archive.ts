import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { fromBufferPromise } from 'yauzl'
import type { Harness } from '../harness.ts'

/** The files of an archive by their names. */
export async function readArchive(zip: Buffer): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(zip)
  const files = new Map<string, Buffer>()
  for await (const entry of archive.eachEntry()) {
    const stream = await archive.openReadStreamPromise(entry)
    files.set(String(entry.fileName), Buffer.concat(await Array.fromAsync(stream)))
  }
  return files
}

export const sha256 = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex')

/** Makes an export, waits until it is done, and downloads it. Jobs have to run. */
export async function exportPerson(
  { call }: Pick<Harness, 'call'>,
  userId: string,
  format: string,
): Promise<{ made: { id: string; rows_total: number }; files: Map<string, Buffer>; zip: Buffer }> {
  const url = `/v2/user/${userId}/export`
  const created = await call('POST', url, { format })
  assert.equal(created.status, 200, created.text)
  const made = await waitForExport(call, `${url}/${created.body.id}`)
  assert.equal(made.status, 'completed')
  assert.equal(made.rows_written, made.rows_total)
  const { bytes, headers } = await call('GET', `${url}/${made.id}/download`)
  assert.equal(headers['content-type'], 'application/zip')
  assert.equal(bytes.length, made.file_bytes)
  assert.equal(sha256(bytes), made.file_sha256)
  return { made, files: await readArchive(bytes), zip: bytes }
}

/** The export when it has ended, one way or the other. */
export async function waitForExport(call: Harness['call'], url: string) {
  for (;;) {
    const { body } = await call('GET', url)
    if (body.status === 'completed' || body.status === 'failed') return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
