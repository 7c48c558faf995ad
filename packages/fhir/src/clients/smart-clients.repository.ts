import type { Scope } from '@salus/kernel/scope'
import type { ColumnType, Selectable } from 'kysely'
import type { Jwks } from './smart-clients.schema.ts'

interface SmartClientsTable {
  environment_id: string
  id: string
  label: string
  jwks: ColumnType<Jwks | null, string | null, never>
  jwks_url: string | null
  scopes: string[]
  created_at: Date
}

interface SmartTokensTable {
  token_hash: Buffer
  environment_id: string
  client_id: string
  scopes: string[]
  expires_at: Date
}

interface SmartAssertionsTable {
  client_id: string
  jti_hash: Buffer
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    smart_clients: SmartClientsTable
    smart_tokens: SmartTokensTable
    smart_assertions: SmartAssertionsTable
  }
}

export type SmartClientRow = Selectable<SmartClientsTable>

export function insertSmartClient(
  { db, environment }: Scope,
  client: Omit<SmartClientRow, 'environment_id'>,
): Promise<SmartClientRow> {
  const jwks = client.jwks && JSON.stringify(client.jwks)
  return db
    .insertInto('smart_clients')
    .values({ ...client, jwks, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function listSmartClients({ db, environment }: Scope): Promise<SmartClientRow[]> {
  return db
    .selectFrom('smart_clients')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Deletes a client with its tokens. @returns false for an unknown one */
export async function deleteSmartClient({ db, environment }: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('smart_clients')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0
}
