import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openClickHouseCluster } from '@salus/kernel/clickhouse/cluster/open-clickhouse-cluster'
import { startTestCluster, type TestCluster } from './clickhouse-cluster.ts'
import { makeUser } from './kill-during-uploads.ts'
import { createFleet, type Fleet } from './processes/fleet.ts'
import type { ServerProcess } from './server-process.ts'
import { createShardLoad, type ShardLoad, startShards } from './shard-load.ts'

/** Two processes on three shards of ClickHouse, of which the third was added after all people. */
export interface ShardFixture {
  cluster: TestCluster
  fleet: Fleet
  /** Both serve; replaced ones are put here. */
  api: [ServerProcess, ServerProcess]
  /** The cluster, as a process sees it. */
  reader: ClickHouse
  load: ShardLoad
  startApi(roles?: string): Promise<ServerProcess>
  /** Runs "salus shards". */
  shards(...values: string[]): ReturnType<typeof startShards>
  /** Returns the people on each server. */
  heldBy(): Promise<string[][]>
  /**
   * Gives up writes of a killed process, or that failed with a server, after some seconds instead
   * of ten minutes.
   */
  giveUpWrites(): void
  close(): Promise<void>
}

export async function createShardFixture(people: number): Promise<ShardFixture> {
  const cluster = await startTestCluster(3, { hasRelays: true })
  const fleet = await createFleet()
  const settingsOf = (count: number): Record<string, string> => ({
    CLICKHOUSE_URL: cluster.urls
      .slice(0, count)
      .map((url) => `${url}/salus`)
      .join(','),
    CLICKHOUSE_CLUSTER: `shards_${count}`,
  })
  const first = await fleet.start('api', settingsOf(2))
  const users: string[] = []
  for (let index = 0; index < people; index += 1) {
    users.push(await makeUser(first.baseUrl, `person-${index}`))
  }
  const load = createShardLoad(users)
  for (const userId of users) await load.upload(first, userId)
  await first.end('SIGTERM')
  const startApi = (roles = 'api') => fleet.start(roles, settingsOf(3))
  const api: [ServerProcess, ServerProcess] = [await startApi('api,worker'), await startApi()]
  const urls = cluster.urls.map((url) => `${url}/salus`)
  const reader = await openClickHouseCluster({ urls, cluster: 'shards_3' })
  const timers: NodeJS.Timeout[] = []
  return {
    ...{ cluster, fleet, api, reader, load, startApi },
    shards: (...values) => startShards({ ...fleet.settings, ...settingsOf(3) }, ...values),
    heldBy: () =>
      Promise.all(
        (reader.cluster?.servers ?? []).map(async (server) => {
          const rows = await server.queryRows<{ user_id: string }>(
            'select distinct user_id from samples order by user_id',
          )
          return rows.map((row) => row.user_id)
        }),
      ),
    giveUpWrites() {
      const statement = `delete from day_writes where begun_at < now() - interval '40 seconds'`
      const giveUp = () => void fleet.database.pool.query(statement).catch(() => {})
      timers.push(setInterval(giveUp, 1_000))
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await load.end()
      await reader.close()
      await fleet.close()
      await cluster.stop()
    },
  }
}
