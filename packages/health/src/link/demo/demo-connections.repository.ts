import type { RowScope } from '@salus/kernel/scope'
import type { DemoProvider } from './demo-data.ts'

interface DemoConnectionsTable {
  environment_id: string
  user_id: string
  provider: DemoProvider
  base_url: string
  generated_until: Date
  created_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    demo_connections: DemoConnectionsTable
  }
}

export type DemoConnectionRow = DemoConnectionsTable

/** Starts the data of a demo connection anew. */
export async function putDemoConnection(
  { db, environment }: RowScope,
  row: Omit<DemoConnectionRow, 'environment_id'>,
): Promise<void> {
  const { user_id, provider, ...content } = row
  await db
    .insertInto('demo_connections')
    .values({ environment_id: environment.id, user_id, provider, ...content })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'provider']).doUpdateSet(content),
    )
    .execute()
}

export function listDemoConnections(
  { db, environment }: RowScope,
  userId: string,
): Promise<DemoConnectionRow[]> {
  return db
    .selectFrom('demo_connections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('provider')
    .execute()
}

/** Stores until when there are data; a concurrent call made the same data. */
export async function saveDemoProgress(
  { db, environment }: RowScope,
  { user_id, provider }: Pick<DemoConnectionRow, 'user_id' | 'provider'>,
  until: Date,
): Promise<void> {
  await db
    .updateTable('demo_connections')
    .set({ generated_until: until })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('provider', '=', provider)
    .where('generated_until', '<', until)
    .execute()
}
