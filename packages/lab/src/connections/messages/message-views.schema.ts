import type { StoredMessage } from '@salus/contracts/lab-gateway'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { LabMessage, MESSAGE_STATES } from '../../inbox/index.ts'
import { OutgoingLabMessage } from '../connections.schema.ts'

/** Messages of a laboratory connection as an operator reads them. */

export const LabMessageSegment = Type.Object(
  {
    segment: Type.String({ description: 'Name of the segment, such as `OBX`.' }),
    title: Nullable(
      Type.String({ description: 'Title of the segment; null for one of the laboratory’s own.' }),
    ),
    fields: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Segment and position of the field, such as `OBX-5`.' }),
        name: Nullable(Type.String()),
        value: Type.String({ description: 'The field as sent; the beginning of a long one.' }),
        is_cut: Type.Boolean({ description: 'Whether `value` is only the beginning.' }),
      }),
      { description: 'Fields that were sent.' },
    ),
  },
  { title: 'LabMessageSegment' },
)
export type LabMessageSegment = Type.Static<typeof LabMessageSegment>

const Segments = Nullable(
  Type.Array(LabMessageSegment, {
    description: 'Segments with named fields; null for content that is no HL7 v2.',
  }),
)

/** How the gateways show a message; the composition root has the implementations. */
export interface MessageViewParts {
  /** Returns the segments of a message; null for what is no HL7 v2. */
  describeMessage: (message: StoredMessage) => LabMessageSegment[] | null
  /** Returns the segment and field that a problem is about. */
  locateProblem: (problem: string, segments: readonly LabMessageSegment[]) => string | null
}

const AboutUser = Nullable(
  Type.Unsafe<string>({ ...Uuid, description: 'Person of the order; null without one.' }),
)

export const OutgoingLabMessageDetail = Type.Object(
  {
    ...OutgoingLabMessage.properties,
    user_id: AboutUser,
    content: Type.String({ description: 'Bytes of the message in base64.' }),
    segments: Segments,
    answer: Nullable(Type.String({ description: 'Bytes of the answer in base64.' })),
    answer_segments: Segments,
  },
  { title: 'OutgoingLabMessageDetail' },
)
export type OutgoingLabMessageDetail = Type.Static<typeof OutgoingLabMessageDetail>

export const ReceivedLabMessage = Type.Object(
  {
    ...LabMessage.properties,
    control_id: Nullable(Type.String({ description: 'Id that the laboratory gave it (MSH-10).' })),
  },
  { title: 'ReceivedLabMessage' },
)
export type ReceivedLabMessage = Type.Static<typeof ReceivedLabMessage>

export const ReceivedLabMessageDetail = Type.Object(
  {
    ...ReceivedLabMessage.properties,
    user_id: AboutUser,
    problem_location: Nullable(
      Type.String({
        description: 'Segment and field that the problem is about, such as `MSH-11`.',
      }),
    ),
    content: Type.String({ description: 'Bytes of the message in base64; empty when discarded.' }),
    segments: Segments,
  },
  { title: 'ReceivedLabMessageDetail' },
)
export type ReceivedLabMessageDetail = Type.Static<typeof ReceivedLabMessageDetail>

export const ReceivedLabMessageQuery = Type.Object({
  state: Type.Optional(
    TextEnum(MESSAGE_STATES, { description: 'State of the messages to list; all by default.' }),
  ),
  ...pageQuery(200),
})
export type ReceivedLabMessageQuery = Type.Static<typeof ReceivedLabMessageQuery>

export const ReceivedLabMessageList = Type.Object(
  { data: Type.Array(ReceivedLabMessage), next_cursor: Nullable(Type.String()) },
  { title: 'ReceivedLabMessageList' },
)
