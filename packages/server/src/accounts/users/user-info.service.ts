import { notFound } from '../../platform/errors.ts'
import type { Db } from '../../platform/postgres/database.ts'
import * as repository from './users.repository.ts'
import type { UserInfo } from './users.schema.ts'
import { getUserRow, type UsersContext } from './users.service.ts'

/**
 * Stores demographics, in place of all that was stored before
 * (docs/contract/02-users.md#patch-v2useruser_idinfo).
 */
export async function putUserInfo(
  context: UsersContext,
  userId: string,
  info: UserInfo,
): Promise<UserInfo> {
  const { db, environment, clock } = context
  await getUserRow(db, environment.id, userId)
  const { address } = info
  const stored = {
    ...EMPTY_INFO,
    ...info,
    address: {
      ...address,
      second_line: address.second_line ?? '',
      access_notes: address.access_notes ?? null,
    },
  }
  const text = JSON.stringify(stored)
  await repository.upsertDemographics(db, environment.id, userId, text, clock.now())
  return stored
}

/** Answers carry every documented key (docs/contract/01-conventions.md#base-rules). */
const EMPTY_INFO = {
  medical_proxy: null,
  race: null,
  ethnicity: null,
  sexual_orientation: null,
  gender_identity: null,
}

/** Stored demographics; undefined when there are none. */
export async function findUserInfo(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<UserInfo | undefined> {
  const info = await repository.findDemographics(db, environmentId, userId)
  // Written by putUserInfo after validation, and by nothing else.
  return info as UserInfo | undefined
}

export async function getUserInfo(context: UsersContext, userId: string): Promise<UserInfo> {
  const { db, environment } = context
  await getUserRow(db, environment.id, userId)
  const info = await findUserInfo(db, environment.id, userId)
  if (info === undefined) throw notFound('Demographics')
  return info
}
