import type {
  ConnectionStore,
  OutgoingMessage,
  OutgoingPurpose,
  Requisition,
  StoredAnswer,
} from '@salus/contracts/lab-gateway'
import { type Sender, TransportError } from '../../transports/transport.ts'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { stripNumber } from '../connection/strip-number.ts'
import { writeCancellation, writeOrder } from '../orders/write-order.ts'
import { AnswerNotFinal, isAnswerTo, type ReadAnswer, readAnswer } from './answers.ts'

/** What sending needs. */
export interface Dispatch {
  rules: ResolvedConnection
  store: ConnectionStore
  sender: Sender
}

/** An outgoing message with its answer. */
export interface Answered {
  message: OutgoingMessage
  answer: Omit<StoredAnswer, 'content'>
  /** The number of the requisition: ours, or the laboratory's from its answer. */
  requisition: string | null
}

/**
 * Sends the message of an order and records the answer. The message is stored before it is sent, so
 * every repetition has the same bytes; one that has an answer is not sent again.
 * @throws Error when it is to be sent again
 */
export async function send(
  purpose: OutgoingPurpose,
  requisition: Requisition,
  dispatch: Dispatch,
): Promise<Answered> {
  const { rules, store } = dispatch
  const write = purpose === 'order' ? writeOrder : writeCancellation
  const message = await store.prepare(
    {
      orderId: requisition.orderId,
      purpose,
      markerIds: requisition.tests.map(({ marker_id }) => marker_id),
      sampleId: requisition.sampleId,
    },
    (numbers) => write(rules, requisition, numbers),
  )
  const { stored, read } =
    knownAnswer(message) ?? (await store.exclusively(() => sendOnce(message, dispatch)))
  return { message, answer: stored, requisition: requisitionOf(message, read, rules) }
}

/** Sends a message unless another process did so while this one waited for its turn. */
async function sendOnce({ controlId }: OutgoingMessage, dispatch: Dispatch): Promise<Transmitted> {
  const { store } = dispatch
  const message = await store.findSent(controlId)
  if (message === null) throw new Error('A message that is to be sent is gone.')
  const known = knownAnswer(message)
  if (known !== null) return known
  const transmitted = await transmit(message, dispatch)
  await store.recordAnswer(message.id, transmitted.stored)
  return transmitted
}

function knownAnswer({ answer, controlId }: OutgoingMessage): Transmitted | null {
  return answer && { stored: answer, read: answer.content && readAgain(answer.content, controlId) }
}

interface Transmitted {
  stored: StoredAnswer
  read: ReadAnswer | null
}

/**
 * Sends the bytes of a message and returns the answer; an attempt without one is recorded.
 * @throws Error when there is no answer
 */
export async function transmit(message: OutgoingMessage, dispatch: Dispatch): Promise<Transmitted> {
  const { store, sender, rules } = dispatch
  const { controlId, content, requisition, wasSent } = message
  const isRepetition = wasSent && message.answer === null
  if (!wasSent) await store.beginAttempt(message.id)
  try {
    const isAnswer = (bytes: Buffer) => isAnswerTo(bytes, controlId)
    const answer = await sender.send({ content, controlId, requisition, isAnswer })
    if (answer === null) return { stored: unanswered(rules), read: null }
    const read = readAnswer(answer, controlId, { isRepetition })
    return { stored: toStored(read, answer, rules), read }
  } catch (error) {
    await store.recordAttempt(message.id, problemOf(error))
    throw error
  }
}

/** An answer as it is stored; its numbers are stripped as those of results are. */
export function toStored(
  { state, code, location, fillerNumbers }: ReadAnswer,
  content: Buffer,
  { numbers }: ResolvedConnection,
): StoredAnswer {
  const stripped = fillerNumbers.map((number) => stripNumber(numbers.strip_from_results, number))
  return { state, code, location, content, fillerNumbers: stripped }
}

/** The kind of a trouble. Other errors may name hosts, and are not stored. */
function problemOf(error: unknown): string {
  if (error instanceof AnswerNotFinal) return error.problem
  return error instanceof TransportError ? error.code : 'not_sent'
}

/**
 * A transport without answers: a laboratory that acknowledges nothing has accepted with the file;
 * another one says later, in a message, whether it accepts.
 */
const unanswered = ({ ack }: ResolvedConnection): StoredAnswer => ({
  state: ack.mode === 'none' ? 'accepted' : 'committed',
  code: null,
  location: null,
  content: null,
})

function readAgain(content: Buffer, controlId: string): ReadAnswer | null {
  try {
    return readAnswer(content, controlId)
  } catch {
    return null
  }
}

/** The number of a requisition: ours, else the laboratory's from its answer. */
export function requisitionOf(
  { requisition }: OutgoingMessage,
  answer: ReadAnswer | null,
  { numbers }: ResolvedConnection,
): string | null {
  if (requisition !== null) return requisition
  const isOfLaboratory = numbers.requisition.source === 'laboratory'
  return answer?.groupNumber ?? (isOfLaboratory ? answer?.fillerNumbers[0] : null) ?? null
}
