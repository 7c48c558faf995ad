import Type from 'typebox'
import { DateTime, Uuid } from '../../../platform/http/schema-types.ts'
import { flatSource } from './session-source.schema.ts'
import { provenance, TimeZone } from './summary-fields.schema.ts'

const offsets = (end: string) =>
  Type.Array(Type.Integer(), {
    description: `Seconds from session_start to the ${end} of each segment.`,
  })

/** The stages of a sleep in order (contract 06, section 5). */
export const SleepCycle = Type.Object(
  {
    id: Uuid,
    sleep_id: Uuid,
    user_id: Uuid,
    session_start: DateTime,
    session_end: DateTime,
    stage_start_offset_second: offsets('start'),
    stage_end_offset_second: offsets('end'),
    stage_type: Type.Array(Type.Integer(), {
      description:
        'Stage of each segment: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. As long as the lists of offsets.',
    }),
    time_zone: TimeZone,
    ...flatSource,
    ...provenance,
  },
  { title: 'SleepCycle' },
)
export type SleepCycle = Type.Static<typeof SleepCycle>
