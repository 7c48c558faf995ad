import type { OrderUpdate } from '@salus/contracts/lab-gateway'
import { type Message, readAck } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { refusalOf } from '../exchange/answers.ts'
import { groupSegments, type TestGroup } from './message-groups.ts'
import { groupByOrder, type OrderGroup, referTo } from './order-groups.ts'
import { readReport } from './read-report.ts'
import { readReportedTime } from './times.ts'

/** Control codes (table 0119) of a laboratory for an order as a whole. */
const CANCELLED = ['OC', 'CA', 'CR', 'DC', 'OD']
const REFUSED = ['UA']
const ACCEPTED = ['OK', 'SC', 'NA']

/**
 * Reads a message about orders that a laboratory sends (ORM, OML): it cancelled an order or cannot
 * accept it. An order of which only some tests are cancelled gets a report of the cancelled tests.
 * Other control codes say nothing that changes an order.
 */
export function readControlUpdates(
  message: Message,
  connection: ResolvedConnection,
): OrderUpdate[] {
  return updatesByControl(message, connection, { isAccepting: false })
}

/**
 * Reads an answer on the feed of results, in a message of its own: ORR, ORL, or an ACK. A bare ACK
 * names no order; it moves that of the message which it answers when it is received.
 */
export function readAnswerUpdates(message: Message, connection: ResolvedConnection): OrderUpdate[] {
  const ack = readAck(message)
  const isRefusal = ack?.code === 'AE' || ack?.code === 'AR'
  if (!isRefusal || ack === undefined) {
    return updatesByControl(message, connection, { isAccepting: ack?.code === 'AA' })
  }
  const refused = orderGroupsOf(message, connection).filter(
    // Unable to cancel or to change: the order itself stands.
    ({ order }) => !order.tests.every((test) => ['UC', 'UD', 'UX'].includes(controlOf(test))),
  )
  return refused.map(({ order }) => ({
    kind: 'requisition_refused',
    order: referTo(order, connection),
    ...atOf(message, connection),
    ...refusalOf(ack),
  }))
}

function updatesByControl(
  message: Message,
  connection: ResolvedConnection,
  { isAccepting }: { isAccepting: boolean },
): OrderUpdate[] {
  const groups = groupSegments(message)
  return orderGroupsOf(message, connection).flatMap(({ order, patient }): OrderUpdate[] => {
    const reference = referTo(order, connection)
    const shared = { order: reference, ...atOf(message, connection) }
    const every = (codes: readonly string[]) =>
      order.tests.every((test) => codes.includes(controlOf(test)))
    if (every(CANCELLED) && !isPerTest(order, connection)) {
      return [{ kind: 'cancelled_by_lab', ...shared }]
    }
    if (every(REFUSED)) {
      return [{ kind: 'requisition_refused', ...shared, code: 'ORC UA', location: null }]
    }
    const sampleId = reference.sampleId ?? null
    const ended = order.tests.filter((test) => [...CANCELLED, ...REFUSED].includes(controlOf(test)))
    const accepted = order.tests.some((test) => ACCEPTED.includes(controlOf(test)))
    const updates: OrderUpdate[] = []
    if (accepted && isAccepting) updates.push({ kind: 'requisition_accepted', ...shared, sampleId })
    const cancelled = ended.filter(({ obr }) => obr !== undefined)
    if (cancelled.length > 0) {
      const part = pick(order, cancelled)
      const context = { groups, patient, connection, sampleId, isFirst: false }
      const report = { ...readReport(part, context), scope: 'part' as const }
      updates.push({ kind: 'report', ...shared, report })
    }
    return updates
  })
}

const controlOf = ({ orc, sharedOrc }: TestGroup): string =>
  (orc ?? sharedOrc)?.text(1).trim().toUpperCase() ?? ''

/** Whether the message may be about some tests only, since each has a number of its own. */
const isPerTest = ({ tests }: OrderGroup, { numbers }: ResolvedConnection): boolean =>
  numbers.placer.per === 'test' && tests.some(({ obr }) => obr !== undefined)

function orderGroupsOf(message: Message, connection: ResolvedConnection) {
  return groupSegments(message).patients.flatMap((patient) =>
    groupByOrder(patient, connection).map((order) => ({ order, patient })),
  )
}

function pick({ tests, numbers }: OrderGroup, chosen: readonly TestGroup[]): OrderGroup {
  const isChosen = (_: unknown, index: number) => chosen.some((test) => test === tests[index])
  return { tests: tests.filter(isChosen), numbers: numbers.filter(isChosen) }
}

function atOf(message: Message, { time_zone }: ResolvedConnection): { at?: string } {
  const time = readReportedTime(message.header.text(7), time_zone)
  return time === null ? {} : { at: time.timestamp }
}
