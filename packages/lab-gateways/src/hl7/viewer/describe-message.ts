import { decodeMessages, readMessage, type Segment } from '@salus/hl7v2'
import { HL7_CONTENT_TYPE } from '../exchange/receive.ts'
import { SEGMENT_FIELDS } from './segment-fields.registry.ts'

/** A segment of a message with its fields by name, for people. */
export interface DescribedSegment {
  segment: string
  /** Null for a segment of the laboratory's own. */
  title: string | null
  fields: DescribedField[]
}

/** A field that was sent. */
export interface DescribedField {
  /** Such as `OBX-5`. */
  field: string
  name: string | null
  /** As sent, with the separators of its parts; the beginning of a long one. */
  value: string
  is_cut: boolean
}

/** Documents and long texts are cut; the content has all of them. */
const MOST_CHARACTERS = 2000
const MOST_SEGMENTS = 2000

/**
 * Returns the segments of a message with named fields; null for what is no message of HL7 v2. Empty
 * fields and the separators of headers are left out.
 */
export function describeMessage({
  contentType,
  content,
}: {
  contentType: string
  content: Buffer
}): DescribedSegment[] | null {
  if (contentType.split(';')[0]?.trim().toLowerCase() !== HL7_CONTENT_TYPE) return null
  const { messages } = decodeMessages(content)
  const segments = messages.flatMap((raw) => readMessage(raw).segments)
  return messages.length === 0 ? null : segments.slice(0, MOST_SEGMENTS).map(describeSegment)
}

function describeSegment(segment: Segment): DescribedSegment {
  const [title = null, names = ''] = SEGMENT_FIELDS[segment.name] ?? []
  const nameOf = names.split('|')
  const fields: DescribedField[] = []
  for (let position = 1; position <= segment.length; position++) {
    const { raw } = segment.field(position)
    const name = nameOf[position - 1] || null
    const isSeparator = name === 'Field separator' || name === 'Encoding characters'
    if (raw === '' || isSeparator) continue
    fields.push({
      field: `${segment.name}-${position}`,
      name,
      value: raw.slice(0, MOST_CHARACTERS),
      is_cut: raw.length > MOST_CHARACTERS,
    })
  }
  return { segment: segment.name, title, fields }
}

/** Fields that the problem of a message is about, the first of them that was sent. */
const LOCATIONS: Readonly<Record<string, readonly string[]>> = {
  no_message_type: ['MSH-9'],
  wrong_message_type: ['MSH-9'],
  no_control_id: ['MSH-10'],
  wrong_processing_id: ['MSH-11'],
  wrong_receiver: ['MSH-6'],
  wrong_shape: ['PID'],
  unknown_order: ['ORC-2', 'OBR-2', 'ORC-3', 'OBR-3'],
  several_orders: ['ORC-2', 'OBR-2', 'ORC-3', 'OBR-3'],
  sample_id_taken: ['SPM-2', 'OBR-3'],
}

/** Returns the segment and field that a problem is about, such as `MSH-11`; null when unknown. */
export function locateProblem(
  problem: string,
  segments: readonly DescribedSegment[],
): string | null {
  const locations = LOCATIONS[problem] ?? []
  const sent = new Set(segments.flatMap(({ fields }) => fields.map(({ field }) => field)))
  return locations.find((location) => sent.has(location)) ?? locations[0] ?? null
}
