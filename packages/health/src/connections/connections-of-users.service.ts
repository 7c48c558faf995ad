import type { ConnectionsOfUsers } from '@salus/accounts/users'
import {
  findProvider,
  PROVIDER_SLUGS,
  ProviderRef,
  toProviderRef,
} from '@salus/contracts/providers'
import { DateTime, TextEnum } from '@salus/contracts/schema-types'
import { formatInstant } from '@salus/kernel/time/instants'
import Type from 'typebox'
import * as repository from './connections-of-users.repository.ts'
import { pauseEndedConnections } from './ended-bounds.service.ts'

/** States of connections that users show; other connections have ended. */
const STATES = ['connected', 'error', 'paused'] as const

/** docs/contract/02-users.md#connectedsource */
const ConnectedSource = Type.Object(
  { provider: ProviderRef, source: ProviderRef, created_on: DateTime },
  { title: 'ConnectedSource' },
)
type ConnectedSource = Type.Static<typeof ConnectedSource>

/** docs/contract/02-users.md#post-v2usersearch */
const FoundConnection = Type.Object({
  provider: ProviderRef,
  status: TextEnum(STATES),
  created_on: DateTime,
})
type FoundConnection = Type.Static<typeof FoundConnection>

/** Shows, searches, counts and ends the connections of users. */
export const connectionsOfUsers: ConnectionsOfUsers = {
  schemas: {
    connectedSources: Type.Array(ConnectedSource),
    foundConnections: Type.Array(FoundConnection),
    provider: TextEnum(PROVIDER_SLUGS, {
      description: 'Returns only users with a connection to this provider.',
    }),
    status: TextEnum(STATES, {
      description: 'Returns only users with a connection in this state.',
    }),
  },
  async show(scope, userIds, baseUrl) {
    const shown = new Map<
      string,
      { connectedSources: ConnectedSource[]; foundConnections: FoundConnection[] }
    >()
    if (userIds.length === 0) return shown
    for (const row of await repository.listShownConnections(scope, userIds)) {
      const found = findProvider(row.provider)
      const { status } = row
      if (found === undefined || status === 'deregistered') continue
      const provider = toProviderRef(baseUrl, found)
      const created_on = formatInstant(row.created_at)
      const ofUser = shown.get(row.user_id) ?? { connectedSources: [], foundConnections: [] }
      ofUser.connectedSources.push({ provider, source: provider, created_on })
      ofUser.foundConnections.push({ provider, status, created_on })
      shown.set(row.user_id, ofUser)
    }
    return shown
  },
  isConnected: repository.isConnected,
  count: repository.countConnections,
  countByWeek: repository.countConnectionsByWeek,
  end: (tx, userId) => repository.deregisterConnections(tx, userId, tx.clock.now()),
  async pauseEnded(tx, userId) {
    await pauseEndedConnections(tx, { environmentId: tx.environment.id, userId })
  },
}
