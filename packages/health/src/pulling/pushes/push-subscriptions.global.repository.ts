import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'

/** Environments by the app of a vendor that sends messages. */

interface PushSubscriptionsTable {
  provider: string
  app_key: string
  environment_id: string
  subscribed_at: Date | null
}

interface VendorMessagesTable {
  id: string
  provider: string
  app_key: string
  body: Buffer
  received_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    push_subscriptions: PushSubscriptionsTable
    vendor_messages: VendorMessagesTable
    seen_vendor_messages: { digest: Buffer; seen_at: Date }
  }
}

export type PushSubscription = PushSubscriptionsTable
export type VendorMessage = VendorMessagesTable

/** Returns the subscriptions that the vendor did not refuse. */
export function listSubscriptions(db: Db): Promise<PushSubscription[]> {
  return db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('subscribed_at', 'is not', null)
    .execute()
}

/** Returns those of a provider, or of all. */
export function listPushApps(db: Db, provider?: string): Promise<PushSubscription[]> {
  let query = db.selectFrom('push_subscriptions').selectAll()
  if (provider !== undefined) query = query.where('provider', '=', provider)
  return query.orderBy('app_key').orderBy('environment_id').execute()
}

/** Records the app that an environment uses now. */
export async function putPushApp(
  db: Db,
  { provider, app_key, environment_id }: Omit<PushSubscription, 'subscribed_at'>,
): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('provider', '=', provider)
    .where('environment_id', '=', environment_id)
    .where('app_key', '<>', app_key)
    .execute()
  await db
    .insertInto('push_subscriptions')
    .values({ provider, app_key, environment_id, subscribed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Marks an app as subscribed at the vendor, for all environments that use it. */
export async function setAppSubscribed(
  db: Db,
  provider: string,
  appKey: string,
  at: Date | null,
): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set({ subscribed_at: at })
    .where('provider', '=', provider)
    .where('app_key', '=', appKey)
    .execute()
}

export async function insertMessage(db: Db, message: VendorMessage): Promise<void> {
  await db.insertInto('vendor_messages').values(message).execute()
}

/** Records a received message. @returns False when it was received before */
export async function recordSeenMessage(db: Db, digest: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .insertInto('seen_vendor_messages')
    .values({ digest, seen_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function removeSeenMessagesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('seen_vendor_messages').where('seen_at', '<', before).execute()
}

export function findMessage(db: Db, id: string): Promise<VendorMessage | undefined> {
  return db.selectFrom('vendor_messages').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function removeMessages(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('vendor_messages').where('id', '=', anyOf(ids)).execute()
}

/** Deletes old messages that could not be applied: polls have brought the announced data. */
export async function removeOldMessages(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('vendor_messages').where('received_at', '<', before).execute()
}
