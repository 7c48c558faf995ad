import { defineEvent } from '@salus/contracts/event-type'
import { DateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const AttemptExhausted = Type.Object(
  {
    msg_id: Type.String(),
    endpoint_id: Uuid,
    event_type: Type.String(),
    last_attempt: Type.Object({
      timestamp: DateTime,
      response_status_code: Nullable(
        Type.Integer({ description: 'HTTP status of the answer; null when there was no answer.' }),
      ),
    }),
  },
  { title: 'AttemptExhausted' },
)

export const attemptExhausted = defineEvent({
  name: 'message.attempt.exhausted',
  data: AttemptExhausted,
  meaning:
    'All attempts to deliver a message failed. The event is sent to the other endpoints of the team.',
  isAboutUser: false,
  example: {
    msg_id: 'msg_01KJMZ2V7QH8B8W0T3C5D9E4FG',
    endpoint_id: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
    event_type: 'daily.data.heartrate.created',
    last_attempt: { timestamp: '2026-03-01T12:00:00+00:00', response_status_code: 500 },
  },
})

/** The events that this domain emits. */
export const WEBHOOK_EVENTS = [attemptExhausted]
