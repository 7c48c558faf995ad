import { randomUUID } from 'node:crypto'
import type { Interpretation } from '@salus/contracts/lab-gateway'
import type { CollectionMethod, LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type pg from 'pg'

/** What the list filters and sorts by. */
export interface ListedOrder {
  id: string
  user_id: string
  transaction_id: string
  method: CollectionMethod
  last_status: LowLevelStatus
  interpretation: Interpretation | null
  activate_by: string | null
  patient_name: string
  patient_dob: string | null
  shipping_recipient_name: string
  created_at: Date
  updated_at: Date
}

/** Something to run statements on: a pool or one of its connections. */
type Runner = Pick<pg.Pool, 'query'>

const ACCOUNT = '00000000-0000-4000-8000-0000000000a1'
const LAB_TEST = '00000000-0000-4000-8000-0000000000b1'

/** A new environment with what orders refer to, and some users and order transactions. */
export async function makeEnvironment(
  runner: Runner,
  counts: { users: number; transactions: number },
): Promise<{ id: string; userIds: string[]; transactionIds: string[] }> {
  const id = randomUUID()
  const [organizationId, teamId] = [randomUUID(), randomUUID()]
  await runner.query('insert into organizations values ($1, $2, now())', [organizationId, 'Test'])
  await runner.query(
    `insert into teams (id, organization_id, name, region, created_at)
    values ($1, $2, 'Test', 'us', now())`,
    [teamId, organizationId],
  )
  await runner.query(
    `insert into team_environments (id, team_id, environment, settings)
    values ($1, $2, 'sandbox', '{}')`,
    [id, teamId],
  )
  await runner.query(`insert into labs (id, slug, name, first_line_address, city, state, zipcode,
      collection_methods, sample_types)
    values (1, 'lab', 'Lab', '1 Street', 'City', 'NY', '10001', '{}', '{}')
    on conflict do nothing`)
  await runner.query(
    `insert into lab_accounts (id, lab_id, status, delegated_flow, provider_account_id,
      allowed_billing, created_at)
    values ($1, 1, 'active', 'not_delegated', '1', '{}', now()) on conflict do nothing`,
    [ACCOUNT],
  )
  await runner.query(
    `insert into lab_tests (environment_id, id, lab_id, slug, name, description, method, sample_type,
      status, created_at, updated_at)
    values ($1, $2, 1, 'test', 'Test', '', 'testkit', 'serum', 'active', now(), now())`,
    [id, LAB_TEST],
  )
  const userIds = Array.from({ length: counts.users }, () => randomUUID())
  await insertUsers(runner, id, userIds)
  const transactionIds = Array.from({ length: counts.transactions }, () => randomUUID())
  await runner.query(
    `insert into order_transactions (environment_id, id, status, created_at, updated_at)
    select $1, id, 'active', now(), now() from unnest($2::uuid[]) as id`,
    [id, transactionIds],
  )
  return { id, userIds, transactionIds }
}

export async function insertUsers(runner: Runner, environmentId: string, ids: string[]) {
  await runner.query(
    `insert into users (environment_id, id, client_user_id, created_at)
    select $1, id, id, now() from unnest($2::uuid[]) as id`,
    [environmentId, ids],
  )
}

/** Inserts orders; what the list does not look at is the same in all. */
export async function insertOrders(
  runner: Runner,
  environmentId: string,
  orders: readonly ListedOrder[],
): Promise<void> {
  await runner.query(
    `insert into orders (environment_id, id, user_id, transaction_id, origin, lab_id, lab_test_id,
      lab_account_id, method, marker_ids, details_id, billing_type, activate_by, last_status,
      last_status_at, interpretation, patient_name, patient_dob, shipping_recipient_name,
      created_at, updated_at)
    select $1, id, user_id, transaction_id, 'initial', 1, $3, $4, method, '{1}', id, 'client_bill',
      activate_by, last_status, updated_at, interpretation, patient_name, patient_dob,
      shipping_recipient_name, created_at, updated_at
    from jsonb_to_recordset($2) as new_orders (id uuid, user_id uuid, transaction_id uuid,
      method text, last_status text, interpretation text, activate_by date, patient_name text,
      patient_dob date, shipping_recipient_name text, created_at timestamptz,
      updated_at timestamptz)`,
    [environmentId, JSON.stringify(orders), LAB_TEST, ACCOUNT],
  )
}

/** Changes columns of one order. */
export async function updateOrder(
  runner: Runner,
  environmentId: string,
  id: string,
  change: Partial<ListedOrder>,
): Promise<void> {
  const columns = Object.entries(change)
  if (columns.length === 0) return
  const set = columns.map(([column], index) => `${column} = $${index + 3}`).join(', ')
  await runner.query(`update orders set ${set} where environment_id = $1 and id = $2`, [
    environmentId,
    id,
    ...columns.map(([, value]) => value),
  ])
}
