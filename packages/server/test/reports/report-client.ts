import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Harness } from '../harness.ts'

export const JOBS = '/lab_report/v1/parser/job'
const PATIENCE_MS = 60_000

/** A PDF as far as its signature goes: fakes of parsers look no further. */
export const pdf = (text = 'a report'): Buffer => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`)
export const png = (text = 'a page'): Buffer =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)])
export const jpeg = (text = 'a photo'): Buffer =>
  Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), Buffer.from(text)])

/** A part of a form: a text, or a file with its declared type. */
export type Part =
  | [name: string, text: string]
  | [name: string, content: Buffer, type: string | undefined]

/** A form as the body of a request. */
export class UploadForm {
  readonly bytes: Buffer
  readonly type: string

  constructor(parts: readonly Part[]) {
    ;[this.bytes, this.type] = formOf(parts)
  }
}

function formOf(parts: readonly Part[]): [body: Buffer, type: string] {
  const boundary = `boundary-${randomUUID()}`
  const body = parts.flatMap(([name, content, type]) => {
    const isFile = typeof content !== 'string'
    const head = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${name}"${isFile ? '; filename="of zebediah.pdf"' : ''}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ]
    return [Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]
  })
  const form = Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)])
  return [form, `multipart/form-data; boundary=${boundary}`]
}

type Caller = Pick<Harness, 'call'>

export function sendParts(
  { call }: Caller,
  parts: readonly Part[],
  headers: object = {},
): Promise<Answer> {
  const { bytes, type } = new UploadForm(parts)
  return call('POST', JOBS, bytes, { 'content-type': type, ...headers })
}

/** Uploads a PDF of a user; what the API answers. */
export function upload(
  salus: Caller,
  userId: string,
  content: Buffer = pdf(),
  more: readonly Part[] = [],
  headers: object = {},
): Promise<Answer> {
  const parts: Part[] = [['user_id', userId], ...more, ['file', content, 'application/pdf']]
  return sendParts(salus, parts, headers)
}

const ENDED = ['completed', 'failed', 'pending_review']

/** Follows a job until nothing goes on by itself; some worker must be running. */
export async function followJob({ call }: Caller, id: string): Promise<Answer['body']> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(20)) {
    const { body } = await call('GET', `${JOBS}/${id}`)
    if (ENDED.includes(body.status)) return body
  }
  throw new Error('The job did not end in time.')
}
