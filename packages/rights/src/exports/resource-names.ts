import type { ResourceNames } from '@salus/fhir/resources'
import type { RowScope } from '@salus/kernel/scope'
import { listPayorsOfUser } from '@salus/lab/insurance'
import { listTestsOfUser } from '@salus/lab/orders'
import { listFirstFinalVersions } from '@salus/lab/results'

/** Reads the names of the objects that the rows of a user reference by ids. */
export async function readResourceNames(scope: RowScope, userId: string): Promise<ResourceNames> {
  const tests = await listTestsOfUser(scope, userId)
  const payors = await listPayorsOfUser(scope, userId)
  const versions = await listFirstFinalVersions(scope, userId)
  return {
    labTests: new Map(tests.map(({ id, name }) => [id, name])),
    payors: new Map(payors.map(({ id, name, payor_code: code }) => [id, { name, code }])),
    firstFinal: new Map(versions.map(({ order_id: id, version }) => [id, version])),
  }
}
