import { randomBytes } from 'node:crypto'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { Role } from '../organization/teams.schema.ts'
import * as repository from './management-keys.repository.ts'

/** What an identity provider tells of a person. */
export interface PersonPower {
  label: string
  role: Role
  /** Null is every team. */
  teamIds: string[] | null
}

const columnsOf = ({ label, role, teamIds }: PersonPower) => ({
  label,
  role,
  team_role_bindings: teamIds?.map((team_id) => ({ team_id })) ?? null,
})

/** A management key that only sessions of a person use: it has no secret that anybody knows. */
export function makeKeyOfPerson(
  db: Db,
  organizationId: string,
  power: PersonPower,
  createdAt: Date,
): Promise<repository.ManagementKeyRow> {
  return repository.insertManagementKey(db, organizationId, {
    ...columnsOf(power),
    id: newId(),
    creator: { type: repository.OPENID_CREATOR },
    // The hash of nothing.
    key_hash: randomBytes(32),
    created_at: createdAt,
  })
}

/** Gives the key of a person who signed in again what they may do now. */
export function changeKeyOfPerson(
  db: Db,
  key: repository.ManagementKeyRow,
  power: PersonPower,
): Promise<repository.ManagementKeyRow> {
  return repository.updateManagementKey(db, key.organization_id, key.id, columnsOf(power))
}

/**
 * Ends the key of a person whom no rule lets in any more; credentials that are cached are the
 * caller's to forget.
 */
export async function revokeKeyOfPerson(
  db: Db,
  key: repository.ManagementKeyRow,
  at: Date,
): Promise<void> {
  await repository.deleteManagementKey(db, key.organization_id, key.id, at)
}
