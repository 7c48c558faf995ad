import type {
  AllocatedNumbers,
  Requisition,
  RequisitionPatient,
} from '@salus/contracts/lab-gateway'
import {
  charsetNamed,
  escapeText,
  type FieldValue,
  type NewSegment,
  UnencodableTextError,
  USUAL_SEPARATORS,
  writeMessage,
} from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { Formats } from './formats.ts'
import { insuranceSegments } from './insurance-segments.ts'
import { OrderNotWritable } from './order-not-writable.ts'
import { patientSegments } from './patient-segments.ts'
import { commentSegments, type TestContext, testSegments } from './test-segments.ts'

/**
 * Writes the message of a requisition by the rules of a connection. The same requisition and
 * numbers give the same bytes: its time (MSH-7) is that of the order.
 * @throws OrderNotWritable for an order without a patient or a test without the laboratory's code,
 *   and for letters that the character set lacks
 */
export function writeOrder(
  connection: ResolvedConnection,
  requisition: Requisition,
  numbers: AllocatedNumbers,
): Buffer {
  return write(connection, requisition, { numbers, control: 'NW' })
}

/**
 * Writes the cancellation of an order. Its tests and numbers are repeated, since laboratories
 * cancel by test.
 * @throws OrderNotWritable as for `writeOrder`
 */
export function writeCancellation(
  connection: ResolvedConnection,
  requisition: Requisition,
  numbers: AllocatedNumbers,
): Buffer {
  return write(connection, requisition, { numbers, control: 'CA' })
}

function write(
  connection: ResolvedConnection,
  requisition: Requisition,
  of: Pick<TestContext, 'numbers' | 'control'>,
): Buffer {
  const { patient } = requisition
  if (patient === null) throw new OrderNotWritable('NO_PATIENT', 'PID')
  const formats = new Formats(connection)
  const person = { ...requisition, patient }
  const segments = [
    headerOf(connection, requisition, of.numbers, formats),
    ...patientGroup(person, connection, { formats, control: of.control }),
    ...testSegments({ requisition, connection, formats, ...of }),
  ]
  const ruled = segments.map((segment) => applyRules(segment, connection, requisition))
  return encode(ruled, connection)
}

function patientGroup(
  person: Requisition & { patient: RequisitionPatient },
  connection: ResolvedConnection,
  { formats, control }: { formats: Formats; control: 'NW' | 'CA' },
): NewSegment[] {
  const [pid, ...visit] = patientSegments(person, connection, formats)
  if (control === 'CA') return [pid as NewSegment, ...visit]
  return [
    pid as NewSegment,
    ...commentSegments({ requisition: person, connection }, 'PID'),
    ...visit,
    ...insuranceSegments(person, connection, formats),
  ]
}

function headerOf(
  connection: ResolvedConnection,
  { accountId, orderedAt }: Requisition,
  { controlId }: AllocatedNumbers,
  formats: Formats,
): NewSegment {
  const { envelope, processing_id, ack } = connection
  const name = (template: string): FieldValue =>
    // A name that an operator wrote with components is written as it is.
    template.includes('^')
      ? { raw: withAccount(template, accountId) }
      : template.replaceAll('{account}', accountId)
  const [type = '', trigger = ''] = envelope.message.split('^')
  const isModern = /^2\.[45]/.test(envelope.version)
  const isEnhanced = ack.mode === 'enhanced'
  const profiles = envelope.profile_ids.map((id) => profileOf(id))
  return {
    name: 'MSH',
    fields: {
      3: name(envelope.sending_app),
      4: name(envelope.sending_facility),
      5: name(envelope.receiving_app),
      6: name(envelope.receiving_facility),
      7: formats.time(orderedAt),
      9: isModern ? [type, trigger, `${type}_${trigger}`] : [type, trigger],
      10: controlId,
      11: processing_id,
      12: envelope.version,
      15: isEnhanced ? 'AL' : undefined,
      16: isEnhanced ? 'AL' : undefined,
      21: profiles.length > 0 ? { repetitions: profiles } : undefined,
    },
  }
}

const withAccount = (raw: string, accountId: string): string =>
  raw.replaceAll('{account}', escapeText(accountId, USUAL_SEPARATORS))

/** An entity identifier (EI): the object identifier, unless the operator wrote the components. */
const profileOf = (id: string) =>
  id.includes('^') ? { raw: id } : ['', '', id, /^[\d.]+$/.test(id) ? 'ISO' : '']

/** Sets and empties fields by the rules of the connection. */
function applyRules(
  { name, fields }: NewSegment,
  { order }: ResolvedConnection,
  { accountId }: Requisition,
): NewSegment {
  const changed: Record<number, FieldValue> = { ...fields }
  for (const [field, value] of Object.entries(order.set)) {
    const position = positionIn(field, name)
    if (position !== undefined) changed[position] = { raw: withAccount(value, accountId) }
  }
  for (const field of order.omit) {
    const position = positionIn(field, name)
    if (position !== undefined) changed[position] = undefined
  }
  return { name, fields: changed }
}

/** The position of a field such as `PV1-2` in a segment; undefined in another one. */
function positionIn(field: string, name: string): number | undefined {
  return field.startsWith(`${name}-`) ? Number(field.slice(name.length + 1)) : undefined
}

function encode(segments: readonly NewSegment[], { envelope }: ResolvedConnection): Buffer {
  const charset = charsetNamed(envelope.charset) ?? 'us-ascii'
  const [header, ...rest] = segments as [NewSegment, ...NewSegment[]]
  const named = charset === 'us-ascii' ? undefined : envelope.charset
  const first = { ...header, fields: { ...header.fields, 18: named } }
  try {
    return writeMessage([first, ...rest], {
      charset: envelope.ascii_fold ? 'us-ascii' : charset,
      transliterates: envelope.ascii_fold,
      segmentEnd: envelope.segment_end === 'CRLF' ? '\r\n' : '\r',
    })
  } catch (error) {
    if (error instanceof UnencodableTextError) throw new OrderNotWritable('UNENCODABLE_TEXT', null)
    throw error
  }
}
