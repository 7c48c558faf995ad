import { Ajv, type ValidateFunction } from 'ajv'
import { parseDate, parseInstant } from '../../../platform/time/instants.ts'
import { type LabGateway, type StoredMessage, UnreadableMessage } from '../lab-gateway.ts'
import type { LabNews } from '../lab-news.ts'
import { SandboxMessage } from './sandbox-message.schema.ts'

/** Of messages in the sandbox's own format. */
export const SANDBOX_CONTENT_TYPE = 'application/vnd.salus.sandbox+json'

let isSandboxMessage: ValidateFunction<SandboxMessage> | undefined

/** Made with the first message: compiling the schema takes a tenth of a start. */
function compileSandboxMessage(): ValidateFunction<SandboxMessage> {
  const ajv = new Ajv({
    strict: false,
    formats: {
      'date-time': (text: string) => parseInstant(text) !== undefined,
      date: (text: string) => parseDate(text) === text,
    },
  })
  return ajv.compile<SandboxMessage>(SandboxMessage)
}

function parse(content: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (cause) {
    throw new UnreadableMessage('not_utf8', { cause })
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words quote the message.
    throw new UnreadableMessage('not_json')
  }
}

/** Reads the sandbox's messages, with problems `wrong_content_type`, `not_utf8`, `not_json` and
 * `wrong_shape`. */
function read({ contentType, content }: StoredMessage): LabNews[] {
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== SANDBOX_CONTENT_TYPE) throw new UnreadableMessage('wrong_content_type')
  const message = parse(content)
  isSandboxMessage ??= compileSandboxMessage()
  if (!isSandboxMessage(message)) throw new UnreadableMessage('wrong_shape')
  return message.map(({ at, ...news }) =>
    at === undefined ? news : { ...news, at: new Date(parseInstant(at)?.epochMilliseconds ?? 0) },
  )
}

/**
 * A laboratory in which nothing happens by itself: it takes every requisition and waits until the
 * sandbox writes what has happened.
 */
export function createSandboxGateway(): LabGateway {
  return {
    name: 'sandbox',
    place: async () => ({ state: 'waiting' }),
    cancel: async () => {},
    read,
  }
}

/** The message by which the sandbox tells news; `read` of its gateway is the inverse. */
export function writeSandboxMessage(news: readonly LabNews[]): StoredMessage {
  return { contentType: SANDBOX_CONTENT_TYPE, content: Buffer.from(JSON.stringify(news)) }
}
