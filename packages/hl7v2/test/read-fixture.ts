import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeMessages, type Message, readMessage } from '../src/index.ts'

/** Returns the bytes of a file of `fixtures`, whose name is given without its ending. */
export function readFixture(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../fixtures', `${name}.hl7`))
}

/** Returns the only message of some bytes or of a text. */
export function onlyMessage(content: Buffer | string): Message {
  const { messages } = decodeMessages(Buffer.from(content))
  const [first] = messages
  if (first === undefined || messages.length > 1) throw new Error(`${messages.length} messages`)
  return readMessage(first)
}
