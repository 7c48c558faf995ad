import { type AckCode, type AckError, buildAck, type NewSegment } from '@salus/hl7v2'
import { hasModernFields, headerOf, type NewHeader } from './header.ts'
import type { ReceivedOrder } from './received-order.ts'
import { encode } from './result-message.ts'

type About = Omit<NewHeader, 'type'>

/** Table 0357: the code of a test is unknown. */
const UNKNOWN_TEST: AckError = {
  code: '204',
  severity: 'E',
  location: { segment: 'OBR', sequence: 1, field: 4 },
  text: 'The laboratory refuses the order.',
}

/** Writes an acknowledgment (ACK) of a message about an order. */
export function writeAck(
  { message: to }: Pick<ReceivedOrder, 'message'>,
  code: AckCode,
  { controlId, at, zone }: About,
): Buffer {
  const isRefusal = code !== 'AA' && code !== 'CA'
  const errors = isRefusal ? [UNKNOWN_TEST] : []
  return buildAck({ to, code, controlId, at, zone, errors })
}

/** ORC-1 of an answer: accepted, unable to accept, cancelled, unable to cancel. */
export type AnswerControl = 'OK' | 'UA' | 'CR' | 'UC'

/** Writes the answer of the application with the order (ORR^O02, since 2.5 ORL^O22). */
export function writeOrderAnswer(
  order: ReceivedOrder,
  control: AnswerControl,
  about: About & { specimenNumber: string },
): Buffer {
  const isModern = hasModernFields(order.message.version)
  const code = control === 'UA' ? 'AR' : 'AA'
  const header = headerOf(order, { ...about, type: isModern ? ['ORL', 'O22'] : ['ORR', 'O02'] })
  // An answer wants no answer of the application.
  const { 15: commit, 16: _, ...fields } = header.fields
  const error: NewSegment = {
    name: 'ERR',
    fields: { 2: ['OBR', '1', '4'], 3: ['204', '', 'HL70357'], 4: 'E' },
  }
  return encode(order, [
    { name: 'MSH', fields: { ...fields, 15: commit, 16: commit && 'NE' } },
    { name: 'MSA', fields: { 1: code, 2: { raw: order.message.header.field(10).raw } } },
    ...(code === 'AR' && isModern ? [error] : []),
    ...orderSegments(order, control, about.specimenNumber),
  ])
}

/** Writes the cancellation of an order by the laboratory: its order message with ORC-1 OC. */
export function writeCancellation(
  order: ReceivedOrder,
  about: About & { specimenNumber: string },
): Buffer {
  const isModern = hasModernFields(order.message.version)
  const pid = order.message.first('PID')
  return encode(order, [
    headerOf(order, { ...about, type: isModern ? ['OML', 'O21'] : ['ORM', 'O01'] }),
    ...(pid === undefined ? [] : [{ name: 'PID', fields: { 1: { raw: pid.raw.slice(4) } } }]),
    ...orderSegments(order, 'OC', about.specimenNumber),
  ])
}

function orderSegments(
  { tests, message }: ReceivedOrder,
  control: AnswerControl | 'OC',
  specimenNumber: string,
): NewSegment[] {
  const group = message.first('ORC')?.field(4).raw ?? ''
  return tests.flatMap(({ placer, obr }, index) => {
    const filler = `${specimenNumber}-${index + 1}`
    const shared = group === '' ? {} : { 4: { raw: group } }
    const numbers = { 2: placer, 3: filler }
    return [
      { name: 'ORC', fields: { 1: control, ...numbers, ...shared } },
      {
        name: 'OBR',
        fields: { 1: String(index + 1), ...numbers, 4: { raw: obr.field(4).raw } },
      },
    ]
  })
}
