import { type OrderUpdate, UnreadableMessage } from '@salus/contracts/lab-gateway'
import { decodeMessages, type Message, readMessage } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { groupSegments, type PatientGroup } from './message-groups.ts'
import { groupByOrder, referTo } from './order-groups.ts'
import { readAnswerUpdates, readControlUpdates } from './read-control-updates.ts'
import { readDocumentMessage } from './read-document-message.ts'
import { readReport } from './read-report.ts'
import { readReportedTime } from './times.ts'

/** Messages that are read, by MSH-9.1. */
const READERS: Readonly<
  Record<string, (message: Message, connection: ResolvedConnection) => OrderUpdate[]>
> = {
  ORU: readReports,
  OUL: readReports,
  MDM: readDocumentMessage,
  ORM: readControlUpdates,
  OML: readControlUpdates,
  OMG: readControlUpdates,
  ACK: readAnswerUpdates,
  ORR: readAnswerUpdates,
  ORL: readAnswerUpdates,
  ORG: readAnswerUpdates,
}

/** Messages that answer a message of ours and are not acknowledged themselves. */
const ANSWERS = ['ACK', 'ORR', 'ORL', 'ORG']

export const isReadable = ({ type }: Message): boolean => Object.hasOwn(READERS, type.code)
export const isAnswer = ({ type }: Message): boolean => ANSWERS.includes(type.code)

/**
 * Reads the messages in a content into updates of orders, one for each order.
 * @throws UnreadableMessage for what is no message, or none of a type that laboratories send
 */
export function readMessages(connection: ResolvedConnection, content: Buffer): OrderUpdate[] {
  const { messages } = decodeMessages(content)
  if (messages.length === 0) throw new UnreadableMessage('not_hl7')
  return messages.flatMap((raw) => {
    const message = readMessage(raw)
    const { code } = message.type
    if (code === '') throw new UnreadableMessage('no_message_type')
    const read = Object.hasOwn(READERS, code) ? READERS[code] : undefined
    if (read === undefined) throw new UnreadableMessage('wrong_message_type')
    if (hasBrokenPatient(message)) throw new UnreadableMessage('wrong_shape')
    return read(message, connection)
  })
}

/**
 * Whether a line has PID alone where a person would begin: before a separator, or before an order.
 * As text of the segment before it would give the results that follow to the person before.
 */
function hasBrokenPatient({ raw, separators, continuedLines }: Message): boolean {
  if (continuedLines === 0) return false
  const lines = raw.text.split(/[\r\n]+/).map((line) => line.trim())
  return lines.some((line, index) => {
    if (line !== 'PID') return false
    const next = lines[index + 1] ?? ''
    return next.startsWith(separators.field) || /^(?:PD1|PV1|ORC|OBR|SPM)\b/.test(next)
  })
}

function readReports(message: Message, connection: ResolvedConnection): OrderUpdate[] {
  const groups = groupSegments(message)
  const at = readReportedTime(message.header.text(7), connection.time_zone)
  return groups.patients.flatMap((patient) =>
    ordersOf(patient, connection).map((order, index): OrderUpdate => {
      const reference = referTo(order, connection)
      const report = readReport(order, {
        groups,
        patient,
        connection,
        sampleId: reference.sampleId ?? null,
        isFirst: index === 0,
      })
      const time = report.reported_at ?? at
      return { kind: 'report', order: reference, ...(time && { at: time.timestamp }), report }
    }),
  )
}

/** A patient with results and without any OBR has a report that belongs to no known order. */
function ordersOf(patient: PatientGroup, connection: ResolvedConnection) {
  const orders = groupByOrder(patient, connection)
  const hasContent = patient.observations.length + patient.documents.length > 0
  return orders.length === 0 && hasContent ? [{ tests: [], numbers: [] }] : orders
}
