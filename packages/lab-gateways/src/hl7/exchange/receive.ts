import type {
  ConnectionStore,
  Deliver,
  LabConnection,
  StoredMessage,
  UnreadableReason,
} from '@salus/contracts/lab-gateway'
import {
  decodeMessages,
  type Message,
  type RawMessage,
  readAck,
  readMessage,
  readTime,
} from '@salus/hl7v2'
import type { Clock } from '@salus/kernel/time/clock'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { acknowledge } from './acknowledge.ts'
import { AnswerNotFinal, readAnswer } from './answers.ts'
import { findInboundProblem } from './inbound-problems.ts'
import { requisitionOf, toStored } from './send.ts'

/** Content type of messages of HL7 v2 in their pipe form. */
export const HL7_CONTENT_TYPE = 'x-application/hl7-v2+er7'

/** What receiving needs. */
export interface Reception {
  connection: LabConnection
  rules: ResolvedConnection
  deliver: Deliver
  store: ConnectionStore
  clock: Clock
}

/** Messages of a batch that are stored at a time, so that they share a commit. */
const MOST_AT_ONCE = 100

/**
 * Stores the messages of a frame, file or body and returns their answers. What
 * cannot be read is stored as well, with its problem. A message that was stored before gets the
 * same answer again.
 * @throws Error when a message could not be stored; then nothing is answered, and the sender has to
 *   send all of it again
 */
export async function receive(content: Buffer, reception: Reception): Promise<readonly Buffer[]> {
  const { messages, envelope } = decodeMessages(content)
  const answers: Buffer[] = []
  if (messages.length === 0) {
    await keep(content, undefined, 'not_hl7', reception)
    answers.push(...(await answer(undefined, 'not_hl7', reception)))
  }
  // All are stored before any is answered, so a file that fails half way is sent again.
  for (let at = 0; at < messages.length; at += MOST_AT_ONCE) {
    answers.push(...(await receiveSome(messages.slice(at, at + MOST_AT_ONCE), reception)))
  }
  const isSilent = envelope !== null && reception.rules.ack.batch === 'none'
  return isSilent ? [] : answers
}

/** Stores messages at once, and returns their answers. */
async function receiveSome(
  some: readonly RawMessage[],
  reception: Reception,
): Promise<readonly Buffer[]> {
  const read: { message: Message; problem: UnreadableReason | undefined }[] = []
  for (const raw of some) {
    const message = readMessage(raw)
    const problem =
      findInboundProblem(message, reception.rules) ?? (await findStrayRefusal(message, reception))
    read.push({ message, problem })
  }
  await Promise.all(
    read.map(({ message, problem }) => keep(message.raw.content, message, problem, reception)),
  )
  const answers: Buffer[] = []
  for (const { message, problem } of read) {
    if (problem === undefined) await recordLateAnswer(message, reception)
    answers.push(...(await answer(message, problem, reception)))
  }
  return answers
}

async function keep(
  content: Buffer,
  message: Message | undefined,
  problem: UnreadableReason | undefined,
  { connection, rules, deliver, clock }: Reception,
): Promise<void> {
  await deliver({
    contentType: HL7_CONTENT_TYPE,
    content,
    environmentId: connection.environmentId,
    controlId: message?.controlId.trim() || null,
    ...(problem !== undefined && { problem }),
    at: sentAt(message, rules, clock.now()),
  })
}

/** A bare refusal of a message that is not ours is left to the operator. */
async function findStrayRefusal(
  message: Message,
  { store }: Reception,
): Promise<UnreadableReason | undefined> {
  const ack = readAck(message)
  const isBare = message.type.code === 'ACK' && message.first('ORC') === undefined
  if (!isBare || !/^[AC][ER]$/.test(ack?.code ?? '')) return undefined
  const sent = ack === undefined ? null : await store.findSent(ack.controlId)
  return sent === null ? 'wrong_message_type' : undefined
}

/**
 * Records the answer to a message of ours that comes in a message of its own, as the application's
 * does after a commit. An answer that is not final changes nothing.
 */
async function recordLateAnswer(message: Message, { rules, store }: Reception): Promise<void> {
  const ack = readAck(message)
  if (ack === undefined) return
  const sent = await store.findSent(ack.controlId)
  if (sent === null) return
  const { content } = message.raw
  try {
    const answer = readAnswer(content, sent.controlId)
    const number = requisitionOf(sent, answer, rules)
    await store.recordLateAnswer(sent.id, toStored(answer, content, rules), number)
  } catch (error) {
    if (!(error instanceof AnswerNotFinal)) throw error
  }
}

/** MSH-7, unless it is missing or after the present, as with a wrong clock. */
function sentAt(message: Message | undefined, rules: ResolvedConnection, now: Date): Date {
  const time = readTime(message?.header.text(7) ?? '', { zone: rules.time_zone })
  const isUsable = time !== undefined && time.at <= now.getTime()
  return isUsable && time.precision !== 'year' && time.precision !== 'month'
    ? new Date(time.at)
    : now
}

function answer(
  message: Message | undefined,
  problem: UnreadableReason | undefined,
  { rules, clock, store }: Reception,
): Promise<Buffer[]> {
  return acknowledge(message, problem, {
    connection: rules,
    at: clock.now(),
    nextControlId: () => store.nextControlId(),
  })
}

/** Takes a frame or file apart into messages as they are stored; other content stays one. */
export function splitStored(content: Buffer): StoredMessage[] {
  const contents = decodeMessages(content).messages.map((message) => message.content)
  return (contents.length === 0 ? [content] : contents).map((each) => ({
    contentType: HL7_CONTENT_TYPE,
    content: each,
  }))
}
