import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Answer, Harness } from '../harness.ts'

export const TUS = { 'tus-resumable': '1.0.0' }
export const BYTES = { ...TUS, 'content-type': 'application/offset+octet-stream' }

export const uploadsOf = (userId: string): string => `/v2/user/${userId}/import/uploads`

/** Creates an upload, as a client of the protocol does; the address of its resource. */
export async function createUpload(
  salus: Harness,
  userId: string,
  length: number,
  headers: object = {},
): Promise<string> {
  const answer = await salus.call('POST', uploadsOf(userId), undefined, {
    ...TUS,
    'upload-length': String(length),
    ...headers,
  })
  assert.equal(answer.status, 201, answer.text)
  return addressOf(userId, answer)
}

/** Resolves the header `Location` as a client does. */
export function addressOf(userId: string, { headers }: Answer): string {
  return new URL(String(headers.location), `http://salus.test${uploadsOf(userId)}`).pathname
}

export const append = (salus: Harness, url: string, offset: number, bytes: Buffer | string) =>
  salus.call('PATCH', url, Buffer.from(bytes), { ...BYTES, 'upload-offset': String(offset) })

/** Number of bytes that the server has, by HEAD. */
export async function offsetOf(salus: Harness, url: string): Promise<number> {
  const { status, headers } = await salus.call('HEAD', url, undefined, TUS)
  assert.equal(status, 200)
  return Number(headers['upload-offset'])
}

/** A request whose body the test writes as it goes on. */
export function openAppend(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  url: string,
  offset: number,
  length: number,
): { sending: ClientRequest; answer: Promise<{ status: number; body: string }> } {
  const sending = request(baseUrl + url, {
    ...{ method: 'PATCH', agent: false },
    headers: {
      ...BYTES,
      'x-service-api-key': apiKey,
      'upload-offset': String(offset),
      'content-length': String(length),
    },
  })
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    sending.once('error', reject)
    sending.once('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) })
    })
  })
  // A test that breaks the connection off reads no answer.
  answer.catch(() => undefined)
  return { sending, answer }
}
