import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import { listRows, type ServedRow } from './list-rows.repository.ts'
import type { RowFilter, RowPage } from './row-page.ts'

export interface ServedPractitionerRow extends ServedRow {
  npi: string
  first_name: string
  last_name: string
}

/** Lists physicians of orders by their national number, each as their newest order names them. */
export const listPractitioners = (scope: Scope, { ids, ...filter }: RowFilter, page: RowPage) =>
  listRows<ServedPractitionerRow>(
    scope,
    (within) => (ids === undefined ? queryAllPhysicians(within) : queryPhysicians(within, ids)),
    filter,
    page,
    'text',
  )

const PHYSICIAN = sql`'npi-' || (physician ->> 'npi') as id, null::uuid as user_id,
  physician ->> 'npi' as npi, physician ->> 'first_name' as first_name,
  physician ->> 'last_name' as last_name, created_at as at`

const ofOrders = ({ environment }: Scope) => sql`from orders
  where environment_id = ${environment.id}::uuid and not is_hidden and physician ->> 'npi' <> ''`

function queryPhysicians(scope: Scope, ids: readonly string[]) {
  const numbers = ids.flatMap((id) => /^npi-(.+)$/.exec(id)?.[1] ?? [])
  return sql`select newest.* from unnest(${[...new Set(numbers)]}::text[]) as asked (number)
    cross join lateral (select ${PHYSICIAN} ${ofOrders(scope)} and physician ->> 'npi' = number
      order by created_at desc limit 1) newest`
}

/** Goes from number to number in the index: there are many more orders than physicians. */
const queryAllPhysicians = (scope: Scope) => sql`
  with recursive numbered as (
    (select ${PHYSICIAN} ${ofOrders(scope)}
      order by physician ->> 'npi' desc, created_at desc limit 1)
    union all
    select next.* from numbered cross join lateral (select ${PHYSICIAN} ${ofOrders(scope)}
      and physician ->> 'npi' < npi order by physician ->> 'npi' desc, created_at desc limit 1) next
  ) select * from numbered`

export interface ServedOrganizationRow extends ServedRow {
  kind: 'lab' | 'payor' | 'team'
  name: string
  code: string | null
  phone_number: string | null
  line: string | null
  city: string | null
  state: string | null
  zip: string | null
}

/**
 * Lists laboratories that accept orders of the environment or have one, payors of its policies, and
 * its team. These rows have no time of change.
 */
export const listOrganizations = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedOrganizationRow>(
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
      from payors where exists (select from insurance_policies
        where environment_id = ${environment.id}::uuid and payor_id = payors.id)
      union all
      select 'team-' || teams.id, null, 'team', teams.name, null, null, null, null, null, null, 'epoch'
      from team_environments entered join teams on teams.id = entered.team_id
      where entered.id = ${environment.id}::uuid`,
    filter,
    page,
    'text',
  )
