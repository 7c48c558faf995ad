import { Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

export const RefreshQuery = Type.Object({
  timeout: Type.Number({
    default: 10,
    minimum: 0,
    maximum: 60,
    description: 'Maximum number of seconds to wait; with 0 the request does not wait.',
  }),
})

const Slugs = Type.Array(Type.String())

export const UserRefreshed = Type.Object(
  {
    success: Type.Boolean(),
    user_id: Uuid,
    refreshed_sources: Slugs,
    in_progress_sources: Slugs,
    failed_sources: Slugs,
  },
  { title: 'UserRefreshSuccessResponse' },
)
export type UserRefreshed = Type.Static<typeof UserRefreshed>

export const UserRefreshFailed = Type.Object(
  {
    success: Type.Boolean(),
    user_id: Uuid,
    error: Type.String(),
    failed_sources: Type.Optional(Slugs),
  },
  { title: 'UserRefreshErrorResponse' },
)
export type UserRefreshFailed = Type.Static<typeof UserRefreshFailed>
