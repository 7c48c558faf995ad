import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import { REPLICA_STATES, type ReplicaState } from '@salus/kernel/postgres/replicas/replicas'
import Type from 'typebox'

/** A read replica, as the process that answers sees it. */
export const PostgresReplica = Type.Object({
  address: Type.String({ description: 'Host and port.' }),
  state: TextEnum(Object.keys(REPLICA_STATES) as ReplicaState[], {
    description: `${Object.entries(REPLICA_STATES)
      .map(([state, meaning]) => `\`${state}\`: ${meaning}`)
      .join('; ')}. Only replicas that are \`ok\` are read from.`,
  }),
  lag_seconds: Nullable(
    Type.Number({ description: 'Age of its rows; null while that is not known.' }),
  ),
})

/** A server of the ClickHouse cluster. */
export const ClusterServer = Type.Object(
  {
    host: Type.String(),
    shard: Nullable(
      Type.Integer({
        description: 'Null for a server that has not answered since the start of the process.',
      }),
    ),
    replica: Nullable(Type.Integer()),
    is_up: Type.Boolean({ description: 'Whether the server answers this process.' }),
  },
  { title: 'ClickHouseServer' },
)
