import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { UserParts } from './user-parts.ts'
import * as repository from './users.repository.ts'

/** Returns the counts of a team: its users, their connections and their orders. */
export async function getMetrics(scope: Scope, { orders, connections }: UserParts) {
  const [users, counted, weeks, ordered] = await Promise.all([
    repository.countUsers(scope),
    connections.count(scope),
    connections.countByWeek(scope),
    orders.count(scope),
  ])
  let all = 0
  return {
    team_id: scope.environment.teamId,
    number_of_connected_sources: counted.connected,
    number_of_users: users,
    number_of_errored_connected_sources: counted.errored,
    number_of_ordered_tests: ordered,
    number_of_connected_sources_by_week: weeks.map(({ week, made }) => {
      all += made
      return { date: formatInstant(week), value: made, all }
    }),
  }
}
