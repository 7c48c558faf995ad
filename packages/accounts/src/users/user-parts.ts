import type { ConnectionsOfUsers } from './connections-of-users.ts'
import type { OrdersOfUsers } from './orders-of-users.ts'

/**
 * Parts of users that higher domains provide: records of users show them, and they end with the
 * user.
 */
export interface UserParts {
  orders: OrdersOfUsers
  connections: ConnectionsOfUsers
}

/** Source of connections, and the public URL of the deployment for logos. */
export interface UserViews extends Pick<UserParts, 'connections'> {
  baseUrl: string
}
