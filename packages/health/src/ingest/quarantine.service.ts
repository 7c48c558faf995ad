import { getUserRow } from '@salus/accounts/users'
import { Batcher } from '@salus/kernel/batching/batcher'
import type { DataChange } from '@salus/kernel/data-changes'
import { KeysetPages, textKey } from '@salus/kernel/http/keyset-pages'
import type { Scope, Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { mapInSlices } from '@salus/kernel/time-slices'
import { beginWrite } from '../day-cache/index.ts'
import type { QuarantineQuery } from './ingest.schema.ts'
import {
  insertQuarantined,
  listQuarantined,
  type QuarantinedItem,
  quarantineRow,
} from './quarantine.repository.ts'
import type { SampleOwner } from './sample.ts'

/** How long the first caller waits for others: rarely is a whole upload quarantined. */
const BATCH_WAIT_MS = 25

/**
 * Stores quarantined items. Concurrent callers share an insert; otherwise a few bad items in each
 * upload would need one insert an upload, and delay the good ones.
 */
export class Quarantine {
  readonly #stores: Stores
  readonly #batcher: Batcher<{ owner: SampleOwner; rows: string }, undefined>

  constructor(stores: Stores) {
    this.#stores = stores
    this.#batcher = new Batcher({
      name: 'quarantine',
      waitMs: BATCH_WAIT_MS,
      flush: async (calls) => {
        // A write like any other: it waits while its people are switched to another shard.
        const write = await beginWrite(stores, changesOf(calls))
        await insertQuarantined(stores.clickhouse, calls.map(({ rows }) => rows).join(''))
        await write.end([])
        return calls.map(() => undefined)
      },
    })
  }

  /** Adds items; durable when it returns. */
  async add(owner: SampleOwner, items: readonly QuarantinedItem[]): Promise<void> {
    if (items.length === 0) return
    const at = this.#stores.clock.now()
    const rows = await mapInSlices(items, (item) => quarantineRow(owner, item, at))
    await this.#batcher.add([{ work: { owner, rows: rows.join('') }, size: rows.length }])
  }

  idle(): Promise<void> {
    return this.#batcher.idle()
  }
}

/** Returns one change for each person; quarantined items have no days. */
function changesOf(calls: readonly { owner: SampleOwner }[]): DataChange[] {
  const days = { resource: 'quarantined_items', from: 0, to: 0 }
  const people = new Map(
    calls.map(({ owner }) => [`${owner.environmentId} ${owner.userId}`, owner]),
  )
  return [...people.values()].map(({ environmentId, userId }) => ({
    environmentId,
    userId,
    ...days,
  }))
}

const PAGES = new KeysetPages({
  resource: textKey(),
  provider: textKey(),
  reason: textKey(),
  item_hash: textKey(/^\d{1,20}$/),
})

/** Returns a user's quarantined items with the reasons, a page at a time. */
export async function listQuarantinedItems(scope: Scope, userId: string, query: QuarantineQuery) {
  const user = await getUserRow(scope, userId)
  const { resource = null, provider = null, reason = null, next_cursor: cursor } = query
  const list = ['put_aside', user.id, resource, provider, reason]
  const after = PAGES.read(list, cursor)
  const filter = { resource, provider, reason }
  const rows = await listQuarantined(scope, user.id, filter, after, query.limit + 1)
  const { page, nextCursor } = PAGES.cut(list, rows, query.limit, (row) => row)
  return {
    items: page.map((row) => ({
      resource: row.resource,
      provider: row.provider,
      reason: row.reason,
      item: JSON.parse(row.item) as unknown,
      received_at: formatInstant(row.received_at_ms),
    })),
    next_cursor: nextCursor,
  }
}
