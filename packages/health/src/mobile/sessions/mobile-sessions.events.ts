import { defineEvent } from '@salus/contracts/event-type'
import { DateTime, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const MobileSessionEnded = Type.Object(
  {
    user_id: Uuid,
    session_id: Type.String({
      format: 'uuid',
      description: 'The session, as the audit log names it.',
    }),
    reason: TextEnum(['refresh_token_reused', 'revoked'], {
      description:
        '`refresh_token_reused`: a refresh token came again after its grace, so that two hold a copy; ' +
        '`revoked`: the team ended the sessions of the person.',
    }),
    ended_at: DateTime,
  },
  { title: 'MobileSessionEnded' },
)

export const mobileSessionEnded = defineEvent({
  name: 'user.mobile_session.ended',
  data: MobileSessionEnded,
  meaning: 'The session of an app was ended before its time: the person has to sign in again.',
  isAboutUser: true,
  example: {
    user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    session_id: '0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3',
    reason: 'refresh_token_reused',
    ended_at: '2026-02-03T04:05:06+00:00',
  },
})

export const MOBILE_EVENTS = [mobileSessionEnded]
