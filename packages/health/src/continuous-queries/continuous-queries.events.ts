import { defineEvent } from '@salus/contracts/event-type'
import { Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

const ResultTableChange = Type.Object(
  {
    query_id: Uuid,
    query_slug: Type.String(),
    data: Type.Record(Type.String(), Type.Array(Type.Unknown()), {
      description: 'New and changed rows as columns. The group keys identify the rows.',
    }),
  },
  { title: 'ResultTableChange' },
)
export type ResultTableChange = Type.Static<typeof ResultTableChange>

export const resultTableChanged = defineEvent({
  name: 'continuous_query.result_table.changed',
  data: Type.Array(ResultTableChange),
  meaning:
    'An evaluation of a continuous query created or changed rows. No event reports rows that vanished.',
  isAboutUser: true,
  example: [
    {
      query_id: '0f4c8d1e-2b3a-4c5d-8e6f-7a8b9c0d1e2f',
      query_slug: 'daily-heart-rate',
      data: {
        'group_key.0': ['2026-03-01T00:00:00', '2026-03-02T00:00:00'],
        'mean.heartrate.value': [71.5, 68.25],
      },
    },
  ],
})

/** The events that this domain raises. */
export const CONTINUOUS_QUERY_EVENTS = [resultTableChanged]
