import type { UserInfo } from '@salus/accounts/users'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type {
  AppointmentRow,
  DeviceRow,
  OrderRow,
  PolicyRow,
  ResultRow,
  UserRow,
} from '../../resources/index.ts'
import type { OrderIdentifier } from './order-identifiers.repository.ts'
import type { RowFilter, RowPage } from './row-page.ts'

/** A row of a list, with its last change and, where it is about a person, their id. */
export interface ServedRow {
  id: string
  user_id: string
  at: Date
}

type Query = (scope: Scope) => RawBuilder<unknown>

/** Type of the ids of a list. */
type IdType = 'uuid' | 'text'

/** Lists rows of one query; all conditions on its columns reach the tables below it. */
async function list<Row extends ServedRow>(
  scope: Scope,
  query: Query,
  filter: RowFilter,
  page: RowPage,
  type: IdType = 'uuid',
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from (${query(scope)}) as found
    where ${conditionsOf(filter, page, type)}
    order by ${page.order === 'id' ? sql`id` : page.order === 'newest' ? sql`at desc, id desc` : sql`at, id`}
    limit ${page.limit}`.execute(scope.db)
  return rows
}

function conditionsOf(
  { userId, ids, since, before }: RowFilter,
  { order, after, isIncluded }: RowPage,
  type: IdType,
) {
  const known = type === 'uuid' ? ids?.filter((id) => isUuid(id)) : ids
  const conditions = [sql`true`]
  if (userId !== undefined) conditions.push(sql`user_id = ${userId}::uuid`)
  if (known !== undefined) conditions.push(sql`id = any(${[...known]}::${sql.raw(type)}[])`)
  if (since !== undefined) conditions.push(sql`at >= ${new Date(since)}`)
  if (before !== undefined) conditions.push(sql`at < ${new Date(before)}`)
  if (after !== null) {
    const id = sql`${after.id}::${sql.raw(type)}`
    if (order === 'id') conditions.push(sql`id > ${id}`)
    else {
      const position = sql`(${new Date(after.at)}::timestamptz, ${id})`
      conditions.push(
        sql`(at, id) ${sql.raw(order === 'newest' ? '<' : '>')}${sql.raw(isIncluded ? '=' : '')} ${position}`,
      )
    }
  }
  return sql.join(conditions, sql` and `)
}

/** JavaScript has no smaller parts of a second, so positions have none either. */
const changedAt = (at: RawBuilder<unknown>) => sql`date_trunc('milliseconds', ${at}) as at`

export type PatientRow = ServedRow & UserRow & { info: UserInfo | null }

export const listPatients = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<PatientRow>(
    scope,
    ({ environment }) => sql`
      select users.id as id, users.id as user_id, client_user_id, fallback_birth_date, info,
        ${changedAt(sql`greatest(users.created_at, user_demographics.updated_at, fallback_birth_date_updated_at)`)}
      from users left join user_demographics on user_demographics.environment_id = users.environment_id
        and user_demographics.user_id = users.id
      where users.environment_id = ${environment.id}::uuid and deleted_at is null`,
    filter,
    page,
  )

/** Columns of an order that resources about it and about its results need. */
const ORDER_COLUMNS = sql`orders.id as id, orders.user_id, orders.lab_id, orders.method, orders.last_status,
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
  list<ServedOrderRow>(
    scope,
    ({ environment }) => sql`
      select ${ORDER_COLUMNS}, (select json_agg(json_build_object('system', system, 'value', value))
          from fhir_order_identifiers given where given.environment_id = orders.environment_id
            and given.order_id = orders.id) as identifiers,
        ${changedAt(sql`orders.updated_at`)} ${ORDERS}
      where orders.environment_id = ${environment.id}::uuid and not orders.is_hidden`,
    filter,
    page,
  )

/** Lists orders whose sample has a number, with what the newest report says of the sample. */
export const listSpecimens = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<ServedSpecimenRow>(
    scope,
    ({ environment }) => sql`
      select ${ORDER_COLUMNS}, report -> 'collected_at' ->> 'timestamp' as reported_collection,
        report -> 'received_at' ->> 'timestamp' as reported_receipt,
        report ->> 'specimen_number' as specimen_number,
        ${changedAt(sql`greatest(orders.updated_at, newest.created_at)`)} ${ORDERS}
      left join lateral (select created_at, report from results
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
  list<ServedResultRow>(scope, queryResults(sql`true`), filter, page)

/** Lists results with a PDF of the laboratory. */
export const listResultDocuments = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<ServedResultRow>(scope, queryResults(sql`newest.pdf_file is not null`), filter, page)

const queryResults =
  (condition: RawBuilder<unknown>): Query =>
  ({ environment }) =>
    sql`
    select orders.id as id, orders.id as order_id, orders.user_id, orders.lab_id,
      orders.physician, orders.sample_id, orders.transaction_id, orders.collected_on,
      lab_tests.name as lab_test_name, lab_tests.sample_type,
      newest.version, newest.status, newest.report, newest.created_at,
      newest.pdf_file is not null as has_pdf,
      (select min(version) from results where results.environment_id = orders.environment_id
        and results.order_id = orders.id and results.status = 'final') as first_final,
      ${changedAt(sql`newest.created_at`)} ${ORDERS}
    cross join lateral (select version, status, report, pdf_file, created_at from results
      where results.environment_id = orders.environment_id and results.order_id = orders.id
      order by version desc limit 1) newest
    where orders.environment_id = ${environment.id}::uuid and not orders.is_hidden and ${condition}`

export type ServedPolicyRow = ServedRow & PolicyRow & { payor_name: string; payor_code: string }

export const listCoverages = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<ServedPolicyRow>(
    scope,
    ({ environment }) => sql`
      select policies.id as id, policies.user_id, payor_id, member_id, group_id, relationship,
        insured, is_primary, payors.name as payor_name, payor_code,
        ${changedAt(sql`policies.created_at`)}
      from insurance_policies policies join payors on payors.id = policies.payor_id
      join users on users.environment_id = policies.environment_id and users.id = policies.user_id
      where policies.environment_id = ${environment.id}::uuid and users.deleted_at is null`,
    filter,
    page,
  )

export type ServedAppointmentRow = ServedRow & AppointmentRow

export const listAppointments = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<ServedAppointmentRow>(
    scope,
    ({ environment }) => sql`
      select appointments.id as id, appointments.user_id, status, type, order_id, start_at,
        end_at, ${changedAt(sql`appointments.updated_at`)}
      from appointments join orders on orders.environment_id = appointments.environment_id
        and orders.id = appointments.order_id
      where appointments.environment_id = ${environment.id}::uuid and not orders.is_hidden`,
    filter,
    page,
  )

export type ServedDeviceRow = ServedRow & DeviceRow

export const listDevices = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<ServedDeviceRow>(
    scope,
    ({ environment }) => sql`
      select devices.id as id, devices.user_id, provider, source_type, device_manufacturer,
        device_model, device_version, ${changedAt(sql`devices.created_at`)}
      from devices join users on users.environment_id = devices.environment_id
        and users.id = devices.user_id
      where devices.environment_id = ${environment.id}::uuid and users.deleted_at is null`,
    filter,
    page,
  )

export interface ServedPractitionerRow extends ServedRow {
  npi: string
  first_name: string
  last_name: string
}

/** Lists physicians of orders, each once, by their national number. */
export const listPractitioners = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<ServedPractitionerRow>(
    scope,
    ({ environment }) => sql`
      select distinct on (npi) 'npi-' || npi as id, null::uuid as user_id, npi, first_name,
        last_name, ${changedAt(sql`created_at`)}
      from (select physician ->> 'npi' as npi, physician ->> 'first_name' as first_name,
          physician ->> 'last_name' as last_name, created_at
        from orders where environment_id = ${environment.id}::uuid and not is_hidden
          and physician ->> 'npi' <> '') as physicians
      order by npi, created_at desc`,
    filter,
    page,
    'text',
  )

export interface ServedOrganizationRow extends ServedRow {
  kind: 'lab' | 'payor'
  name: string
  code: string | null
  phone_number: string | null
  line: string | null
  city: string | null
  state: string | null
  zip: string | null
}

/**
 * Lists laboratories that accept orders of the environment or have one, and payors of its policies.
 * Rows of the catalog have no time of change.
 */
export const listOrganizations = (scope: Scope, filter: RowFilter, page: RowPage) =>
  list<ServedOrganizationRow>(
    scope,
    ({ environment }) => sql`
      select 'lab-' || id as id, null::uuid as user_id, 'lab' as kind, name, clia_number as code,
        phone_number, first_line_address as line, city, state, zipcode as zip,
        'epoch'::timestamptz as at
      from labs where is_enabled and (${environment.kind === 'sandbox'} or not is_sample)
        or exists (select from orders
          where environment_id = ${environment.id}::uuid and orders.lab_id = labs.id)
      union all
      select id::text, null, 'payor', name, payor_code, null, null, null, null, null, 'epoch'
      from payors where id in (select payor_id from insurance_policies
        where environment_id = ${environment.id}::uuid)`,
    filter,
    page,
    'text',
  )

/** Returns people of an environment after an id, for data that are read person by person. */
export async function listUserIds(
  { db, environment }: Scope,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where environment_id = ${environment.id}::uuid and deleted_at is null
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
