import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import { VendorError, type VendorFailure } from '../vendor-client.ts'
import { parseVendorJson } from '../vendor-json.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'renpho'

export type Fields = Record<string, unknown>

/** Constants of the vendor's app. The key is a secret of the vendor, so it has no default. */
export const SETTINGS = {
  encryption_key: {
    meaning:
      'Key of 16 characters by which the app encrypts requests and answers. It is a constant of the app; public clients of the interface show it.',
    isRequired: true,
    sandbox: 'key-of-a-sandbox',
  },
  app_version: { meaning: 'Version of the app in each request.', default: '6.6.0' },
} as const

const CIPHER = 'aes-128-ecb'
const PLATFORM = 'android'

const unexpected = (status: number | null = null): VendorError =>
  new VendorError(SLUG, { kind: 'unexpected', status })

/** Encrypts the content of a request; without one, no bytes. @throws VendorError `unexpected` */
export function encrypt(key: string | undefined, content: unknown): { encryptData: string } {
  const text = content === undefined ? '' : JSON.stringify(content)
  return withKey(key, (bytes) => {
    const cipher = createCipheriv(CIPHER, bytes, null)
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return { encryptData: data.toString('base64') }
  })
}

/**
 * Decrypts the content of an answer, whose ids are too long for numbers and become texts.
 * @throws VendorError `unexpected`
 */
export function decrypt(key: string | undefined, data: unknown): unknown {
  if (typeof data !== 'string') throw unexpected()
  return withKey(key, (bytes) => {
    const decipher = createDecipheriv(CIPHER, bytes, null)
    const text = Buffer.concat([decipher.update(data, 'base64'), decipher.final()])
    return parseVendorJson(text.toString('utf8'))
  })
}

/** A wrong key fails here, or leads to text that is no JSON. */
function withKey<Result>(key: string | undefined, work: (bytes: Buffer) => Result): Result {
  try {
    return work(Buffer.from(key ?? '', 'utf8'))
  } catch {
    throw unexpected()
  }
}

/** Headers of requests with a token. */
export const headersOf = (token: string, userId: string, appVersion = '') => ({
  token,
  userId,
  appVersion,
  platform: PLATFORM,
})

const SUCCESS = new Set(['0', '101', '200', '20000'])

/** Returns the code and the text of an answer that is no success; undefined for other answers. */
export function problemOf(answer: OutboundAnswer): { code: string; text: string } | undefined {
  let content: unknown
  try {
    content = answer.json()
  } catch {
    return undefined
  }
  if (!isFields(content) || content.code === undefined) return undefined
  const code = String(content.code)
  const text = String(content.msg ?? '')
  return SUCCESS.has(code) || /^success$/i.test(text) ? undefined : { code, text }
}

/** The codes are not published, so the text decides where the code says nothing. */
const FAILURES: readonly (readonly [problem: RegExp, failure: VendorFailure])[] = [
  [/^(401|40101) |token|log ?in|session/i, { kind: 'unauthorized' }],
  [/^429 |frequent|too many|limit/i, { kind: 'rate_limited', retryAfterMs: null }],
  [/^5\d\d |busy|system|server/i, { kind: 'unavailable' }],
]

/** Reads the failure of an answer for data, which has HTTP status 200. */
export function failureOfData(answer: OutboundAnswer): VendorFailure | undefined {
  const problem = problemOf(answer)
  if (problem === undefined) return undefined
  const known = FAILURES.find(([pattern]) => pattern.test(`${problem.code} ${problem.text}`))
  return known?.[1] ?? { kind: 'unexpected', status: answer.status }
}

/** Reads the content of a good answer. @throws VendorError `unexpected` */
export function contentOf(bytes: Buffer, key: string | undefined): unknown {
  const envelope: unknown = JSON.parse(bytes.toString('utf8'))
  if (!isFields(envelope)) throw unexpected()
  // An account without a scale.
  if (envelope.data === undefined || envelope.data === null || envelope.data === '') return {}
  return decrypt(key, envelope.data)
}

export const PLATFORM_FIELDS = { platform: PLATFORM, systemType: '11' } as const
