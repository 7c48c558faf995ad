import { getUserRow } from '@salus/accounts/users'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { Scope } from '@salus/kernel/scope'
import { listOrdersOfUser, listTestsOfUser, requireOrderOf } from '@salus/lab/orders'
import { listAllResults, type PersonResult } from '@salus/lab/result-history'
import { getResultPdf, listNewestOfUser } from '@salus/lab/results'
import type { PortalPanel } from './portal.schema.ts'

/**
 * Returns the results of a person by order and by lab report, the newest first. Results that wait
 * for a review are none of a person yet, and are not among them.
 * @throws AppError 404 for the user
 */
export async function readPortalResults(
  scope: Scope,
  userId: string,
): Promise<{ panels: PortalPanel[] }> {
  const user = await getUserRow(scope, userId)
  const [all, versions, names] = await Promise.all([
    listAllResults(scope, user.id),
    listNewestOfUser(scope, user.id),
    namesOfOrders(scope, user.id),
  ])
  const byOrder = new Map(versions.map((version) => [version.order_id, version]))
  const panels = new Map<string, PortalPanel>()
  for (const result of all) {
    const id = result.order_id ?? result.parsing_job_id ?? ''
    const version = byOrder.get(id)
    const panel = panels.get(id) ?? {
      id,
      source: result.source,
      name: names.get(id) ?? null,
      date: result.date,
      is_final: version === undefined || version.status !== 'partial',
      has_document: version !== undefined && version.pdf_file !== null,
      results: [],
    }
    panel.results.push(toResult(result))
    panels.set(id, panel)
  }
  return { panels: [...panels.values()] }
}

/** Returns the names of the lab tests by the ids of orders. */
async function namesOfOrders(scope: Scope, userId: string): Promise<Map<string, string>> {
  const [orders, tests] = await Promise.all([
    listOrdersOfUser(scope, userId),
    listTestsOfUser(scope, userId),
  ])
  const names = new Map(tests.map(({ id, name }) => [id, name]))
  return new Map(
    orders.flatMap(({ id, lab_test_id: testId }) => {
      const name = names.get(testId)
      return name === undefined ? [] : [[id, name]]
    }),
  )
}

function toResult(result: PersonResult): PortalPanel['results'][number] {
  const { name, value, unit, min_range_value, max_range_value, interpretation } = result
  return {
    name,
    value,
    unit,
    min_range_value,
    max_range_value,
    position: positionOf(result),
    interpretation,
  }
}

/** A number with a comparator, such as `<5`, is only somewhere where all numbers it covers are. */
function positionOf({
  number,
  comparator,
  min_range_value: min,
  max_range_value: max,
}: PersonResult): PortalPanel['results'][number]['position'] {
  if (number === null || (min === null && max === null)) return null
  const isAtMost = comparator === '<' || comparator === '<='
  const isAtLeast = comparator === '>' || comparator === '>='
  if (max !== null && number > max) return isAtMost ? null : 'above'
  if (max !== null && number === max && comparator === '>') return 'above'
  if (min !== null && number < min) return isAtLeast ? null : 'below'
  if (min !== null && number === min && comparator === '<') return 'below'
  if (isAtMost && min !== null) return null
  if (isAtLeast && max !== null) return null
  return 'within'
}

/** Returns the PDF of an order of the person. @throws AppError 404 */
export async function readPortalDocument(
  scope: Scope,
  files: FileStore,
  userId: string,
  orderId: string,
): Promise<{ name: string; content: Buffer }> {
  await requireOrderOf(scope, orderId, userId)
  return getResultPdf({ ...scope, files }, orderId)
}
