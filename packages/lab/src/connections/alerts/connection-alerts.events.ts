import { defineEvent } from '@salus/contracts/event-type'
import { DateTime, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { CONNECTION_ALERTS } from '../connections.schema.ts'

export const connectionAlert = defineEvent({
  name: 'labtest.connection.alert',
  data: Type.Object(
    {
      connection: Type.String({ description: 'Name of the connection.' }),
      lab: Type.String({ description: 'Slug of the laboratory.' }),
      alert: TextEnum(CONNECTION_ALERTS),
      state: TextEnum(['began', 'ended']),
      noticed_at: DateTime,
    },
    { title: 'LabConnectionAlert' },
  ),
  meaning:
    'A connection to a laboratory needs the operator, or does so no longer. Each alert is emitted ' +
    'once when it begins and once when it ends.',
  isAboutUser: false,
  example: {
    connection: 'quest-main',
    lab: 'quest',
    alert: 'queue_old',
    state: 'began',
    noticed_at: '2026-03-02T09:00:00+00:00',
  },
})

/** The events that this domain raises. */
export const LAB_CONNECTION_EVENTS = [connectionAlert]
