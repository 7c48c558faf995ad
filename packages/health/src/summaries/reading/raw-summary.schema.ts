import { ProviderRef } from '@salus/contracts/providers'
import { DateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { SportReference } from '../workout/workout.schema.ts'

const meaningless = Type.Integer({ deprecated: true, description: 'Always 0; has no meaning.' })

const common = {
  id: Uuid,
  user_id: Uuid,
  timestamp: DateTime,
  data: Type.Object({}, { additionalProperties: true, description: 'Item as it was received.' }),
  provider_id: Type.String({ deprecated: true, description: 'Id of the record at the source.' }),
  source_id: meaningless,
  priority_id: meaningless,
  source_device_id: Nullable(Uuid),
  source: ProviderRef,
  created_at: DateTime,
  updated_at: DateTime,
}

const priority = Nullable(
  Type.Integer({ deprecated: true, description: 'Always null; has no meaning.' }),
)

/** Raw items of each resource with a raw read (docs/contract/06-summaries.md#raw-data). */
export const RawActivity = Type.Object(common, { title: 'RawActivity' })
export const RawBody = Type.Object({ ...common, priority }, { title: 'RawBody' })
export const RawSleep = Type.Object({ ...common, priority }, { title: 'RawSleep' })
export const RawWorkout = Type.Object(
  { ...common, sport_id: Type.Integer({ deprecated: true }), sport: SportReference },
  { title: 'RawWorkout' },
)

export const RawProfile = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    data: Type.Unknown({ description: 'Item as it was received.' }),
    source_id: meaningless,
    priority_id: meaningless,
    source: ProviderRef,
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'RawProfile' },
)
export type RawProfile = Type.Static<typeof RawProfile>

export const RawDevice = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'Device as it was received.' },
    ),
    provider_id: Type.String({ deprecated: true, description: 'Id of the device at the source.' }),
    source_id: meaningless,
    source: ProviderRef,
  },
  { title: 'RawDevice' },
)
export type RawDevice = Type.Static<typeof RawDevice>
