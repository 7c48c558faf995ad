import type { RowScope } from '@salus/kernel/scope'
import { listPayorsOfUser } from '@salus/lab/insurance'
import { listTestsOfUser } from '@salus/lab/orders'
import { listFirstFinalVersions } from '@salus/lab/results'

/** Names of the objects that rows reference by ids, for readers of the bundle elsewhere. */
export interface BundleNames {
  labTests: ReadonlyMap<string, string>
  payors: ReadonlyMap<string, { name: string; code: string }>
  /** By order: version from which its results were final. */
  firstFinal: ReadonlyMap<string, number>
}

export async function readBundleNames(scope: RowScope, userId: string): Promise<BundleNames> {
  const tests = await listTestsOfUser(scope, userId)
  const payors = await listPayorsOfUser(scope, userId)
  const versions = await listFirstFinalVersions(scope, userId)
  return {
    labTests: new Map(tests.map(({ id, name }) => [id, name])),
    payors: new Map(payors.map(({ id, name, payor_code: code }) => [id, { name, code }])),
    firstFinal: new Map(versions.map(({ order_id: id, version }) => [id, version])),
  }
}
