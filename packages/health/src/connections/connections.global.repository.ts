import type { TaskReasons } from '@salus/accounts/tasks'
import { sql } from 'kysely'

/** Connections that failed, of users who are not deleted. */
export const BROKEN_CONNECTIONS: TaskReasons = {
  kinds: ['provider_connection'],
  list: () => sql`select connections.environment_id, connections.id as focus_id,
      'provider_connection' as focus_type, connections.user_id, connections.updated_at as since,
      'provider_connection' as kind
    from connections join users on users.environment_id = connections.environment_id
      and users.id = connections.user_id and users.deleted_at is null
    where connections.status = 'error'`,
}
