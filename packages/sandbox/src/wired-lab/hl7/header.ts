import { type FieldValue, type NewSegment, type RawValue, writeTime } from '@salus/hl7v2'
import type { ReceivedOrder } from './received-order.ts'

/** What is new in the header of a message of the laboratory. */
export interface NewHeader {
  /** MSH-9: code and trigger. */
  type: readonly [code: string, trigger: string]
  controlId: string
  /** Time of the message, epoch milliseconds. */
  at: number
  /** IANA */
  zone: string
}

/** Whether a version has the fields that came with 2.5: SPM, OBX-23 to 25, MSH-21 as a list. */
export const hasModernFields = (version: string): boolean => /^2\.[5-9]/.test(version)

/** LRI_Common_Component, GU (ids with their assigner), RN (a filler number for each result). */
const LRI_PROFILES = ['2.16.840.1.113883.9.16', '2.16.840.1.113883.9.12', '2.16.840.1.113883.9.15']

/** Returns the header of a message to the sender of an order, in the version of the order. */
export function headerOf({ message }: ReceivedOrder, header: NewHeader): NewSegment {
  const copied = (field: number): RawValue | undefined => {
    const { raw } = message.header.field(field)
    return raw === '' ? undefined : { raw }
  }
  const [code, trigger] = header.type
  const isModern = hasModernFields(message.version)
  const profiles = LRI_PROFILES.map((id) => ['', '', id, 'ISO'])
  const isReport = code === 'ORU'
  const fields: Record<number, FieldValue> = {
    3: copied(5),
    4: copied(6) ?? 'SANDBOX',
    5: copied(3),
    6: copied(4),
    7: writeTime(header.at, { zone: header.zone }),
    9: isModern ? [code, trigger, `${code}_${trigger}`] : [code, trigger],
    10: header.controlId,
    11: copied(11),
    12: copied(12),
    // The same acknowledgments as the order wants: of the commit, and of the application.
    15: copied(15),
    16: copied(16),
    21: isModern && isReport ? { repetitions: profiles } : undefined,
  }
  return { name: 'MSH', fields }
}

/** Whether the sender of a message wants enhanced mode: a commit, and an answer of its own. */
export const isEnhanced = ({ message }: ReceivedOrder): boolean =>
  [15, 16].some((field) => message.header.text(field).trim() !== '')
