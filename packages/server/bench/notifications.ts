import { join } from 'node:path'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import pg from 'pg'
import { median, printColumns, printMachine, secondsOf } from './measure.ts'
import { newDirectory, removeDirectory, withDescendants } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

const CLIENTS = 16
const COMMITS = 1_600

type Commit = (client: pg.Client, notifier: Notifier) => Promise<unknown>

const INSERT = 'insert into commits default values'

/** A commit of a row by each way of notifying, in turns. */
const WAYS: Record<string, Commit> = {
  'without a notification': (client) => client.query(`begin; ${INSERT}; commit`),
  'in the transaction': (client) => client.query(`begin; ${INSERT}; notify bench; commit`),
  'after it, each': async (client) => {
    await client.query(`begin; ${INSERT}; commit`)
    await client.query('notify bench')
  },
  'after it, many by one': async (client, notifier) => {
    await client.query(`begin; ${INSERT}; commit`)
    notifier.notify()
  },
}

/** Sends one notification for all commits since the last one. */
class Notifier {
  readonly #client: pg.Client
  #isDue = false
  #sending: Promise<void> | undefined
  sent = 0

  constructor(client: pg.Client) {
    this.#client = client
  }

  notify(): void {
    this.#isDue = true
    this.#sending ??= this.#send()
  }

  async idle(): Promise<void> {
    await this.#sending
  }

  async #send(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      await this.#client.query('begin; set local synchronous_commit = off; notify bench; commit')
      this.sent += 1
    }
    this.#sending = undefined
  }
}

/** Commits by sixteen clients with and without notifications: syncs of the log, and rate. */
export async function benchNotifications(rounds: number): Promise<void> {
  const directory = newDirectory()
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    log: () => {},
  })
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    return client
  }
  const watch = await open()
  const listener = await open()
  const clients = await Promise.all(Array.from({ length: CLIENTS }, open))
  const sender = await open()
  const notifier = new Notifier(sender)
  const measured = new Map<string, { syncs: number[]; rate: number[]; postgres: number[] }>()
  try {
    await watch.query('create table commits (id bigint generated always as identity primary key)')
    await listener.query('listen bench')
    const syncs = async () => {
      await watch.query('select pg_stat_clear_snapshot()')
      const text = "select sum(fsyncs)::int as syncs from pg_stat_io where object = 'wal'"
      return (await watch.query<{ syncs: number }>(text)).rows[0]?.syncs ?? 0
    }
    for (let round = 0; round <= rounds; round++) {
      for (const [name, commit] of Object.entries(WAYS)) {
        const before = [await syncs(), processorSeconds(withDescendants(postgres.pid))] as const
        let next = 0
        const seconds = await secondsOf(async () => {
          await Promise.all(
            clients.map(async (client) => {
              while (next++ < COMMITS) await commit(client, notifier)
            }),
          )
          await notifier.idle()
        })
        // Statistics of backends come when they have been idle for a second.
        await new Promise((resolve) => setTimeout(resolve, 1_200))
        await Promise.all(
          clients.map((client) => client.query('select pg_stat_force_next_flush()')),
        )
        await Promise.all(clients.map((client) => client.query('select 1')))
        const after = [await syncs(), processorSeconds(withDescendants(postgres.pid))] as const
        if (round === 0) continue
        const known = measured.get(name) ?? { syncs: [], rate: [], postgres: [] }
        known.syncs.push((after[0] - before[0]) / COMMITS)
        known.rate.push(COMMITS / seconds)
        known.postgres.push((1000 * (after[1] - before[1])) / COMMITS)
        measured.set(name, known)
      }
    }
    printMachine()
    printColumns(
      ['16 clients', 'commits a second', 'syncs of the log a commit', 'PostgreSQL ms a commit'],
      [...measured].map(([name, { syncs, rate, postgres }]) => [
        name,
        median(rate).toFixed(0),
        median(syncs).toFixed(2),
        median(postgres).toFixed(2),
      ]),
    )
    console.log(
      `notifications of the last way: ${notifier.sent} of ${COMMITS * (rounds + 1)} commits`,
    )
  } finally {
    for (const client of [watch, listener, sender, ...clients]) await client.end()
    await postgres.stop()
    removeDirectory(directory)
  }
}
