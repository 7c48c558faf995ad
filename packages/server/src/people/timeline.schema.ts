import { DateOrDateTime, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'

/**
 * Everything about a person, in order of time
 * (docs/contract/02-users.md#post-v2useruser_idtimeline).
 */

export const TIMELINE_KINDS = [
  'connection',
  'sync',
  'historical_pull',
  'import',
  'order',
  'appointment',
  'result',
  'lab_report',
  'task',
  'note',
  'export',
  'webhook_failure',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

const NullableText = (description: string) => Nullable(Type.String({ description }))

export const TimelineItem = Type.Object(
  {
    kind: TextEnum(TIMELINE_KINDS),
    action: Type.String({
      description: 'Change of the record, such as `created`, or the status that it got.',
    }),
    at: DateTime,
    id: Type.String({ description: 'Key of the item, which no other item of the user has.' }),
    record_id: NullableText(
      'Id of the order, import, lab report, task, note, export or event; null for what has no id.',
    ),
    subject: NullableText(
      'Slug of the provider, name of the lab test, source of the import, kind of the task or type of the event.',
    ),
    text: NullableText('Text of the note, reason of a failure, resources or interpretation.'),
    person: NullableText('Name of the person who wrote or acted.'),
  },
  { title: 'TimelineItem' },
)
export type TimelineItem = Type.Static<typeof TimelineItem>

export const TimelineQuery = Type.Object(
  {
    query: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 200,
          description: 'Words that an item has, in any order and case, at most 8.',
        }),
      ),
    ),
    kinds: Type.Optional(
      Nullable(
        Type.Array(TextEnum(TIMELINE_KINDS), {
          minItems: 1,
          maxItems: TIMELINE_KINDS.length,
          description: 'Kinds of items; all without it.',
        }),
      ),
    ),
    start_date: Type.Optional(Nullable(DateOrDateTime)),
    end_date: Type.Optional(Nullable(DateOrDateTime)),
    ...pageQuery(200),
  },
  { title: 'TimelineQuery', additionalProperties: false },
)
export type TimelineQuery = Type.Static<typeof TimelineQuery>

export const Timeline = Type.Object(
  {
    user_id: Uuid,
    data: Type.Array(TimelineItem, { description: 'Items, newest first.' }),
    next_cursor: NullableText('Cursor of the next page; null on the last one.'),
  },
  { title: 'Timeline' },
)
export type Timeline = Type.Static<typeof Timeline>
