import type { ServerProcess } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

/** By this a ClickHouse server records what each of its queries took. */
export const QUERY_LOG = `<query_log><database>system</database><table>query_log</table>
  <flush_interval_milliseconds>1000</flush_interval_milliseconds></query_log>`

/** From when until when, milliseconds since 1970. */
export type Span = readonly [from: number, to: number]

/** Processor time by role, seconds. */
export interface Roles {
  salus: number
  postgres: number
  /** Of the servers that took statements: reading, dividing and sending rows, joining answers. */
  coordinator: number
  /** Of the servers that hold the rows, without merges. */
  shards: number
  /** What the ClickHouse servers took besides: merges, and everything without a query. */
  merges: number
}

export type Processes = Pick<Roles, 'salus' | 'postgres'> & { engines: number }

/** @param engines process ids of the ClickHouse servers */
export function readProcesses(server: ServerProcess, engines: readonly number[]): Processes {
  const [salus = 0, ...postgres] = server.processIds()
  return {
    salus: processorSeconds([salus]),
    postgres: processorSeconds(postgres),
    engines: processorSeconds(engines),
  }
}

export const addProcesses = (sum: Processes, after: Processes, before: Processes): Processes => ({
  salus: sum.salus + after.salus - before.salus,
  postgres: sum.postgres + after.postgres - before.postgres,
  engines: sum.engines + after.engines - before.engines,
})

/**
 * Divides what the ClickHouse servers took. A statement over all shards is an initial query on the
 * server that took it, and a further query on each server with rows of it, even on the same one.
 */
export async function readRoles(
  urls: readonly string[],
  spans: readonly Span[],
  { salus, postgres, engines }: Processes,
): Promise<Roles> {
  let [coordinator, shards] = [0, 0]
  for (const url of urls) {
    await ask(url, 'system flush logs')
    const within = spans.map(([from, to]) => `at between ${from} and ${to}`).join(' or ')
    const text = await ask(
      url,
      `select sumIf(seconds, is_initial_query), sumIf(seconds, not is_initial_query) from (
        select is_initial_query, toUnixTimestamp64Milli(event_time_microseconds) as at,
          ProfileEvents['OSCPUVirtualTimeMicroseconds'] / 1e6 as seconds
        from system.query_log where type != 'QueryStart')
      where ${within}`,
    )
    const [initial = 0, further = 0] = text.trim().split('\t').map(Number)
    coordinator += initial
    shards += further
  }
  return { salus, postgres, coordinator, shards, merges: engines - coordinator - shards }
}

async function ask(url: string, sql: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body: sql })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.text()
}

/** What each role takes for one of so many things, in microseconds. */
export function describeRoles(roles: Roles, count: number): string {
  const each = (seconds: number): string => {
    const micro = (seconds / count) * 1e6
    return micro < 100 ? `${micro.toFixed(2)} µs` : `${(micro / 1000).toFixed(2)} ms`
  }
  const { salus, postgres, coordinator, shards, merges } = roles
  return `Salus ${each(salus)}, PostgreSQL ${each(postgres)}, coordinator ${each(coordinator)}, shards ${each(shards)}, merges ${each(merges)}`
}
