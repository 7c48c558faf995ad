import type { ConnectionsOfUsers } from './connections-of-users.ts'
import type { OrdersOfUsers } from './orders-of-users.ts'

/** What domains above bring along to users: their records show it, and it ends with them. */
export interface UserParts {
  orders: OrdersOfUsers
  connections: ConnectionsOfUsers
}

/** Where connections are read, and the public address of the deployment, for logos. */
export interface UserViews extends Pick<UserParts, 'connections'> {
  baseUrl: string
}
