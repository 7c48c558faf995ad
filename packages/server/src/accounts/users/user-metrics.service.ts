import { formatInstant } from '../../platform/time/instants.ts'
import type { OrdersOfUsers } from './orders-of-users.ts'
import * as repository from './users.repository.ts'
import type { UsersContext } from './users.service.ts'

/** Counts of a team: its users, their connections, what was ordered. */
export async function getMetrics(context: UsersContext, orders: OrdersOfUsers) {
  const { db, environment } = context
  const [users, connections, weeks, ordered] = await Promise.all([
    repository.countUsers(db, environment.id),
    repository.countConnections(db, environment.id),
    repository.countConnectionsByWeek(db, environment.id),
    orders.count(db, environment.id),
  ])
  let all = 0
  return {
    team_id: environment.teamId,
    number_of_connected_sources: connections.connected,
    number_of_users: users,
    number_of_errored_connected_sources: connections.errored,
    number_of_ordered_tests: ordered,
    number_of_connected_sources_by_week: weeks.map(({ week, made }) => {
      all += made
      return { date: formatInstant(week), value: made, all }
    }),
  }
}
