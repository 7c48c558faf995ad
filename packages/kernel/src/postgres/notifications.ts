import { type Kysely, type KyselyPlugin, type QueryId, sql } from 'kysely'
import type pg from 'pg'

/**
 * PostgreSQL lets one transaction that notifies commit at a time, so that notifications come in the
 * order of commits. A transaction that waits for the disk then holds up all others. So statements
 * that wake listeners notify nothing: when they are committed, the process sends one notification
 * for all of them in a transaction of its own. Listeners poll too, and find what a process that
 * died in between has not announced.
 */

const channels = new WeakMap<QueryId, string>()
const plugins = new Map<string, KyselyPlugin>()

function pluginOf(channel: string): KyselyPlugin {
  const known = plugins.get(channel)
  if (known !== undefined) return known
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      channels.set(queryId, channel)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  plugins.set(channel, plugin)
  return plugin
}

/** Returns the handle whose statements wake the listeners of a channel when they are committed. */
export function notifying<Tables>(db: Kysely<Tables>, channel: string): Kysely<Tables> {
  return db.withPlugin(pluginOf(channel))
}

/** Wakes the listeners of a channel when the caller's transaction commits. */
export async function notifyAtCommit<Tables>(db: Kysely<Tables>, channel: string): Promise<void> {
  await sql`select`.execute(notifying(db, channel))
}

/** Returns the channel that a statement notifies. */
export const channelOf = (queryId: QueryId): string | undefined => channels.get(queryId)

/** Sends notifications of a process: one for all that become due while another one is sent. */
export class Notifier {
  readonly #pool: pg.Pool
  /** Number of commits to announce by channel. */
  readonly #due = new Map<string, number>()
  #isSending = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  notify(given: Iterable<string>): void {
    for (const channel of given) this.#due.set(channel, 1 + (this.#due.get(channel) ?? 0))
    if (!this.#isSending && this.#due.size > 0) void this.#send()
  }

  async #send(): Promise<void> {
    this.#isSending = true
    while (this.#due.size > 0) {
      // The queue wakes as many workers as there may be jobs; other listeners read no payload.
      const statements = [...this.#due].map(
        ([channel, count]) => `notify "${channel}", '{"count":${count}}'; `,
      )
      this.#due.clear()
      // What it announces is on disk already. A lost notification is found by the next poll.
      const text = `begin; set local synchronous_commit = off; ${statements.join('')}commit`
      await this.#pool.query(text).catch(() => undefined)
    }
    this.#isSending = false
  }
}
