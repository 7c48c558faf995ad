import { randomBytes } from 'node:crypto'
import {
  type AllocatedNumbers,
  type ConnectionStore,
  type LabConnection,
  numberRulesOf,
  type OutgoingMessage,
  type StoredAnswer,
} from '@salus/contracts/lab-gateway'
import { newTimedId } from '@salus/kernel/ids'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import { applyLateAnswer, listNumbersOfOrder, lockOrder, recordNumbers } from '../orders/index.ts'
import {
  isHeld,
  lockConnection,
  readPollPosition,
  updateConnection,
} from './connections.repository.ts'
import { allocateNumbers } from './numbers.ts'
import * as outgoing from './outgoing-messages.repository.ts'
import type { SendingTurns } from './sending-turns.ts'

/** Thrown while the operator holds back the orders of a connection. */
class ConnectionHeld extends Error {
  constructor() {
    super('The connection is held.')
    this.name = 'ConnectionHeld'
  }
}

/**
 * Creates what a gateway keeps in the database about its connection.
 * @param enter returns the scope of the connection's environment
 */
export function createConnectionStore(
  connection: LabConnection,
  { turns, clock, enter }: { turns: SendingTurns; clock: Clock; enter: () => Promise<Scope> },
): ConnectionStore {
  const { id: connectionId } = connection
  return {
    prepare: async (about, make) => prepareMessage(await enter(), connection, about, make),
    async beginAttempt(messageId) {
      const scope = await enter()
      await outgoing.beginAttempt(scope, messageId, scope.clock.now())
    },
    async recordAttempt(messageId, problem) {
      const scope = await enter()
      await outgoing.countAttempt(scope, messageId, { problem, at: scope.clock.now() })
    },
    async findSent(controlId) {
      // None of ours has a NUL, which PostgreSQL refuses in a text.
      if (controlId.includes('\0')) return null
      const row = await outgoing.findByControlId(await enter(), connectionId, controlId)
      return row === undefined ? null : toOutgoingMessage(row)
    },
    recordAnswer: async (messageId, answer) =>
      recordAnswer(await enter(), connection, messageId, answer),
    recordLateAnswer: async (messageId, answer, requisition) =>
      recordLateAnswer(await enter(), connection, { messageId, answer, requisition }),
    exclusively: (send) =>
      turns.take(connectionId, async () => {
        if (await isHeld(await enter(), connectionId)) throw new ConnectionHeld()
        return send()
      }),
    readPosition: async () => readPollPosition(await enter(), connectionId),
    async writePosition(position) {
      await updateConnection(await enter(), connectionId, { poll_position: position })
    },
    nextControlId: async () => newControlId(clock.now()),
  }
}

type Prepare = Parameters<ConnectionStore['prepare']>

function prepareMessage(
  scope: Scope,
  connection: LabConnection,
  about: Prepare[0],
  make: Prepare[1],
): Promise<OutgoingMessage> {
  const { id: connectionId } = connection
  const { orderId, purpose } = about
  return scope.transaction(async (tx) => {
    const findKnown = async (): Promise<OutgoingMessage | undefined> => {
      const known = await outgoing.findNewestOfOrder(tx, { connectionId, orderId, purpose })
      // After a refusal the order may have changed, so that another message is worth a try.
      return known === undefined || known.state === 'refused' ? undefined : toOutgoingMessage(known)
    }
    const known = await findKnown()
    if (known !== undefined) return known
    // Two jobs may cancel one order at a time, and must not make two messages.
    await lockConnection(tx, connectionId)
    const made = await findKnown()
    if (made !== undefined) return made
    const numbers = await takeNumbers(tx, connection, about)
    const { controlId, placer, requisition } = numbers
    const row = await outgoing.insertOutgoing(tx, {
      id: newTimedId(),
      connection_id: connectionId,
      order_id: orderId,
      purpose,
      control_id: controlId,
      placer,
      requisition,
      content: make(numbers),
      state: 'waiting',
      created_at: tx.clock.now(),
    })
    return toOutgoingMessage(row)
  })
}

function recordAnswer(
  scope: Scope,
  connection: LabConnection,
  messageId: string,
  answer: StoredAnswer,
): Promise<void> {
  return scope.transaction((tx) => writeAnswer(tx, connection, messageId, answer))
}

async function writeAnswer(
  tx: TransactionScope,
  { id: connectionId, gatewayName }: LabConnection,
  messageId: string,
  answer: StoredAnswer,
): Promise<void> {
  const at = tx.clock.now()
  await outgoing.answerOutgoing(tx, messageId, { at, answer })
  const row = await outgoing.findOutgoing(tx, connectionId, messageId)
  if (row === undefined) return
  if (row.purpose === 'cancellation' && answer.state !== 'committed') {
    // The order is not sent any more, so nothing else would end its message.
    const end = { state: answer.state, answer_code: answer.code, answered_at: at }
    await outgoing.endWaitingOrder(tx, { connectionId, orderId: row.order_id }, end)
  }
  await recordFillers(tx, gatewayName, row.order_id, answer)
}

/** Records an answer that came later, and moves the order unless the message has a final answer. */
function recordLateAnswer(
  scope: Scope,
  connection: LabConnection,
  late: { messageId: string; answer: StoredAnswer; requisition: string | null },
): Promise<void> {
  const { messageId, answer, requisition } = late
  const { id: connectionId, config } = connection
  return scope.transaction(async (tx) => {
    const seen = await outgoing.findOutgoing(tx, connectionId, messageId)
    if (seen === undefined) return
    // Orders are locked before their messages, as where they are sent.
    await lockOrder(tx, seen.order_id)
    const row = await outgoing.findOutgoing(tx, connectionId, messageId)
    await writeAnswer(tx, connection, messageId, answer)
    if (row?.state !== 'waiting' && row?.state !== 'committed') return
    if (answer.state === 'committed') return
    const { order_id: orderId, purpose } = row
    const { code, location, state } = answer
    const refusal = state === 'refused' ? { code: code ?? 'AE', location } : null
    const about = { orderId, labSlug: config.lab, purpose, refusal, sampleId: requisition }
    await applyLateAnswer(tx, about)
  })
}

/** Records the numbers that the laboratory gave the tests of an order in its answer. */
export async function recordFillers(
  tx: TransactionScope,
  gatewayName: string,
  orderId: string,
  { fillerNumbers = [] }: StoredAnswer,
): Promise<void> {
  const numbers = fillerNumbers.map((number) => ({ kind: 'filler' as const, number }))
  await recordNumbers(tx, gatewayName, orderId, numbers)
}

/** Returns the numbers of an order. The first message allocates them, and later ones keep them. */
async function takeNumbers(
  tx: TransactionScope,
  { id, gatewayName, config }: LabConnection,
  order: { orderId: string; markerIds: readonly number[]; sampleId: string | null },
): Promise<AllocatedNumbers> {
  const row = await lockConnection(tx, id)
  if (row === undefined) throw new Error('The connection of a message is gone.')
  const known = await listNumbersOfOrder(tx, gatewayName, order.orderId)
  const { numbers, next, recorded } = allocateNumbers({
    rules: numberRulesOf(config),
    next: { placer: Number(row.next_placer), requisition: toNumber(row.next_requisition) },
    known,
    order,
  })
  await updateConnection(tx, id, {
    next_placer: String(next.placer),
    next_requisition: next.requisition === null ? null : String(next.requisition),
  })
  await recordNumbers(tx, gatewayName, order.orderId, recorded)
  return { ...numbers, controlId: newControlId(tx.clock.now()) }
}

const toNumber = (text: string | null): number | null => (text === null ? null : Number(text))

/** Returns a stored message as its gateway gets it. */
export function toOutgoingMessage(row: outgoing.OutgoingRow): OutgoingMessage {
  return {
    id: row.id,
    controlId: row.control_id,
    placer: row.placer,
    requisition: row.requisition,
    content: row.content,
    wasSent: row.attempted_at !== null,
    answer: answerOf(row),
  }
}

function answerOf(row: outgoing.OutgoingRow): StoredAnswer | null {
  if (row.state === 'waiting') return null
  const { state, answer_code: code, answer_location: location, answer_content: content } = row
  return { state, code, location, content }
}

const TIME_DIGITS = 9
const RANDOM_BYTES = 6

/**
 * Returns a message id of at most 20 characters. A counter could repeat after a restore of a
 * backup, and a laboratory drops what it takes for a repetition.
 */
function newControlId(now: Date): string {
  const time = now.getTime().toString(36).padStart(TIME_DIGITS, '0')
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`).toString(36)
  return `${time}${random}`.toUpperCase()
}
