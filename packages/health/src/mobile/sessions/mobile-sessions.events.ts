import { defineEvent } from '@salus/contracts/event-type'
import { DateTime, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const MobileSessionEnded = Type.Object(
  {
    user_id: Uuid,
    session_id: Type.String({
      format: 'uuid',
      description: 'Id of the session in the audit log.',
    }),
    reason: TextEnum(['refresh_token_reused', 'revoked'], {
      description:
        'Reason of the end. `refresh_token_reused`: a used refresh token was presented after its grace period, so that two parties have a copy. `revoked`: the team ended the sessions of the user.',
    }),
    ended_at: DateTime,
  },
  { title: 'MobileSessionEnded' },
)

export const mobileSessionEnded = defineEvent({
  name: 'user.mobile_session.ended',
  data: MobileSessionEnded,
  meaning: 'A mobile session was ended early. The user has to sign in again.',
  isAboutUser: true,
  example: {
    user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    session_id: '0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3',
    reason: 'refresh_token_reused',
    ended_at: '2026-02-03T04:05:06+00:00',
  },
})

export const MOBILE_EVENTS = [mobileSessionEnded]
