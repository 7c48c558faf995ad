import { notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import * as repository from './users.repository.ts'
import type { UserInfo } from './users.schema.ts'
import { getUserRow } from './users.service.ts'

/**
 * Stores demographics, in place of all that were stored before
 * (docs/contract/02-users.md#patch-v2useruser_idinfo).
 */
export async function putUserInfo(scope: Scope, userId: string, info: UserInfo): Promise<UserInfo> {
  await getUserRow(scope, userId)
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
  await repository.upsertDemographics(scope, userId, text, scope.clock.now())
  return stored
}

/** Answers have every documented key (docs/contract/01-conventions.md#base-rules). */
const EMPTY_INFO = {
  medical_proxy: null,
  race: null,
  ethnicity: null,
  sexual_orientation: null,
  gender_identity: null,
}

/** Returns the stored demographics; undefined when there are none. */
export async function findUserInfo(scope: Scope, userId: string): Promise<UserInfo | undefined> {
  const info = await repository.findDemographics(scope, userId)
  // Only putUserInfo writes it, after validation.
  return info as UserInfo | undefined
}

/**
 * Returns the newest demographics of a user.
 * @throws AppError 404 for an unknown user, and for one without demographics
 */
export async function getUserInfo(scope: Scope, userId: string): Promise<UserInfo> {
  await getUserRow(scope, userId)
  const info = await findUserInfo(scope, userId)
  if (info === undefined) throw notFound('Demographics')
  return info
}
