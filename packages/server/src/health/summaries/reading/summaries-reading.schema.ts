import Type, { type TSchema } from 'typebox'
import { DateOrDateTime, Nullable, Uuid } from '../../../platform/http/schema-types.ts'

export const ByUserId = Type.Object({ user_id: Uuid })
export const ByWorkoutId = Type.Object({ workout_id: Uuid })
export const BySleepId = Type.Object({ sleep_id: Uuid })

export const ProviderQuery = Type.Object({
  provider: Type.String({ default: '', description: 'Provider slug; empty is all.' }),
})

export const SummaryPeriodQuery = Type.Object({
  start_date: DateOrDateTime,
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  ...ProviderQuery.properties,
})

/** An answer that is a list under one key. */
export function listSchema(key: string, item: TSchema): TSchema {
  return Type.Object({ [key]: Type.Array(item) })
}
