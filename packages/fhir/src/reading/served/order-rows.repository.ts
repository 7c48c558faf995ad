import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { AppointmentRow, OrderRow, ResultRow } from '../../resources/index.ts'
import { listRows, type Query, type ServedRow } from './list-rows.repository.ts'
import type { OrderIdentifier } from './order-identifiers.repository.ts'
import type { RowFilter, RowPage } from './row-page.ts'

/** Columns of an order that resources about it and about its results need. */
const ORDER_COLUMNS = sql`orders.id as id, orders.id as order_id, orders.user_id, orders.lab_id, orders.method, orders.last_status,
  orders.physician, orders.sample_id, orders.lab_test_id, orders.priority, orders.icd_codes,
  orders.created_at, orders.transaction_id, orders.collected_on, orders.patient_details is not null as has_patient,
  lab_tests.name as lab_test_name, lab_tests.sample_type`

const ORDERS = sql`from orders join lab_tests on lab_tests.environment_id = orders.environment_id
  and lab_tests.id = orders.lab_test_id`

interface OrderNames {
  lab_id: number
  lab_test_name: string
  sample_type: string
  transaction_id: string
  collected_on: string | null
}

export type ServedOrderRow = ServedRow &
  OrderRow &
  OrderNames & { identifiers?: OrderIdentifier[] | null }

/** Lists orders of people who are not deleted. */
export const listOrders = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedOrderRow>(
    scope,
    ({ environment }) => sql`
      select ${ORDER_COLUMNS}, (select json_agg(json_build_object('system', system, 'value', value))
          from fhir_order_identifiers given where given.environment_id = orders.environment_id
            and given.order_id = orders.id) as identifiers,
        orders.updated_at as at ${ORDERS}
      where orders.environment_id = ${environment.id}::uuid and not orders.is_hidden`,
    filter,
    page,
  )

/**
 * Lists orders whose sample has a number, with what the newest report says of the sample. New
 * results also change the time of their order.
 */
export const listSpecimens = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedSpecimenRow>(
    scope,
    ({ environment }) => sql`
      select ${ORDER_COLUMNS}, report -> 'collected_at' ->> 'timestamp' as reported_collection,
        report -> 'received_at' ->> 'timestamp' as reported_receipt,
        report ->> 'specimen_number' as specimen_number,
        orders.updated_at as at ${ORDERS}
      left join lateral (select report from results
        where results.environment_id = orders.environment_id and results.order_id = orders.id
        order by version desc limit 1) newest on true
      where orders.environment_id = ${environment.id}::uuid and not orders.is_hidden
        and (orders.sample_id is not null or report ->> 'specimen_number' is not null)`,
    filter,
    page,
  )

export type ServedSpecimenRow = ServedOrderRow & {
  specimen_number: string | null
  reported_collection: string | null
  reported_receipt: string | null
}

export type ServedResultRow = ServedRow &
  OrderNames &
  ResultRow & {
    physician: OrderRow['physician']
    sample_id: string | null
    first_final: number | null
    has_pdf: boolean
  }

/** Lists the newest version of the results of each order that has some. */
export const listResults = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedResultRow>(scope, queryResults(IS_NEWEST), filter, page)

/** Lists results with a PDF of the laboratory. */
export const listResultDocuments = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedResultRow>(
    scope,
    queryResults(sql`${IS_NEWEST} and results.pdf_file is not null`),
    filter,
    page,
  )

/** Returns all versions of the results of an order, the newest first. */
export async function listResultVersions(
  scope: Scope,
  orderId: string,
): Promise<ServedResultRow[]> {
  const { rows } = await sql<ServedResultRow>`
    select * from (${queryResults(sql`results.order_id = ${orderId}::uuid`)(scope)}) as found
    order by version desc`.execute(scope.db)
  return rows
}

/** Lists begin with the results and not with the orders, so that an index has their order. */
const IS_NEWEST = sql`not exists (select from results later
  where later.environment_id = results.environment_id and later.order_id = results.order_id
    and later.version > results.version)`

const queryResults =
  (condition: RawBuilder<unknown>): Query =>
  ({ environment }) =>
    sql`
    select results.order_id as id, results.order_id, orders.user_id, orders.lab_id,
      orders.physician, orders.sample_id, orders.transaction_id, orders.collected_on,
      lab_tests.name as lab_test_name, lab_tests.sample_type,
      results.version, results.status, results.report, results.created_at,
      results.pdf_file is not null as has_pdf,
      (select min(version) from results final where final.environment_id = orders.environment_id
        and final.order_id = orders.id and final.status = 'final') as first_final,
      results.created_at as at
    from results join orders on orders.environment_id = results.environment_id
      and orders.id = results.order_id
    join lab_tests on lab_tests.environment_id = orders.environment_id
      and lab_tests.id = orders.lab_test_id
    where results.environment_id = ${environment.id}::uuid and not orders.is_hidden and ${condition}`

export type ServedAppointmentRow = ServedRow & AppointmentRow

export const listAppointments = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedAppointmentRow>(
    scope,
    ({ environment }) => sql`
      select appointments.id as id, appointments.user_id, status, type, order_id, start_at,
        end_at, appointments.updated_at as at
      from appointments join orders on orders.environment_id = appointments.environment_id
        and orders.id = appointments.order_id
      where appointments.environment_id = ${environment.id}::uuid and not orders.is_hidden`,
    filter,
    page,
  )
