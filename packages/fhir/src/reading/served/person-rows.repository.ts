import type { UserInfo } from '@salus/accounts/users'
import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { DeviceRow, PolicyRow, UserRow } from '../../resources/index.ts'
import { listRows, type ServedRow } from './list-rows.repository.ts'
import type { RowFilter, RowPage } from './row-page.ts'

export type PatientRow = ServedRow & UserRow & { info: UserInfo | null }

export const listPatients = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<PatientRow>(
    scope,
    ({ environment }) => sql`
      select users.id as id, users.id as user_id, client_user_id, fallback_birth_date, info,
        person_changed_at as at
      from users left join user_demographics on user_demographics.environment_id = users.environment_id
        and user_demographics.user_id = users.id
      where users.environment_id = ${environment.id}::uuid and deleted_at is null`,
    filter,
    page,
  )

export type ServedPolicyRow = ServedRow & PolicyRow & { payor_name: string; payor_code: string }

export const listCoverages = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedPolicyRow>(
    scope,
    ({ environment }) => sql`
      select policies.id as id, policies.user_id, payor_id, member_id, group_id, relationship,
        insured, is_primary, payors.name as payor_name, payor_code,
        policies.created_at as at
      from insurance_policies policies join payors on payors.id = policies.payor_id
      join users on users.environment_id = policies.environment_id and users.id = policies.user_id
      where policies.environment_id = ${environment.id}::uuid and users.deleted_at is null`,
    filter,
    page,
  )

export type ServedDeviceRow = ServedRow & DeviceRow

export const listDevices = (scope: Scope, filter: RowFilter, page: RowPage) =>
  listRows<ServedDeviceRow>(
    scope,
    ({ environment }) => sql`
      select devices.id as id, devices.user_id, provider, source_type, device_manufacturer,
        device_model, device_version, devices.created_at as at
      from devices join users on users.environment_id = devices.environment_id
        and users.id = devices.user_id
      where devices.environment_id = ${environment.id}::uuid and users.deleted_at is null`,
    filter,
    page,
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
