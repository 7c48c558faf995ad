import { type OrderUpdate, UnreadableMessage } from '@salus/contracts/lab-gateway'
import type { FhirRules } from '../connection.ts'
import { objectOf, textOf } from '../json.ts'
import { readFhirTime } from './observation-value.ts'
import { numbersOfReport, type OrderNumbers } from './order-numbers.ts'
import { readReport } from './read-report.ts'
import { readTaskUpdates } from './read-tasks.ts'
import { referTo } from './refer-to.ts'
import { type Resource, type Resources, readResources } from './resources.ts'

/** DiagnosticReports of one order. */
interface OrderGroup {
  reports: Resource[]
  numbers: OrderNumbers
}

/**
 * Reads a message into updates of orders: a Bundle of any type, or one DiagnosticReport or Task
 * with what it contains. The reports of an order are one update.
 * @throws UnreadableMessage for what is no JSON, no resource, or has neither reports nor Tasks
 */
export function readUpdates(rules: FhirRules, content: Buffer): OrderUpdate[] {
  const resources = readResources(content)
  const groups = groupByOrder(resources, rules)
  const isKnown = groups.length > 0 || resources.ofType('Task').length > 0
  if (!isKnown) throw new UnreadableMessage('wrong_message_type')
  const reports = groups.map(({ reports, numbers }): OrderUpdate => {
    const order = referTo(numbers, rules)
    const report = readReport(reports, { resources, rules, sampleId: order.sampleId ?? null })
    const at = report.reported_at ?? readFhirTime(updatedAt(reports), rules.timeZone)
    return { kind: 'report', order, ...(at && { at: at.timestamp }), report }
  })
  return [...readTaskUpdates(resources, rules), ...reports]
}

const updatedAt = ([report]: readonly Resource[]): unknown =>
  objectOf(report?.json.meta).lastUpdated

/**
 * Groups the reports of a message. Reports belong together by a number of the order and by the
 * person; one without a number of an order stays alone.
 */
function groupByOrder(resources: Resources, rules: FhirRules): OrderGroup[] {
  const groups = new Map<string, OrderGroup>()
  for (const report of resources.ofType('DiagnosticReport')) {
    const numbers = numbersOfReport(report, resources, rules)
    const { placers, requisitions, fillers } = numbers
    const subject = objectOf(report.json.subject)
    const patient = resources.find(subject, report)
    const person =
      patient === undefined ? textOf(subject.reference) : resources.all.indexOf(patient)
    const number = requisitions[0] ?? placers[0] ?? fillers[0] ?? `alone ${groups.size}`
    const key = JSON.stringify([person, number])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { reports: [report], numbers })
    else {
      group.reports.push(report)
      group.numbers = mergeNumbers(group.numbers, numbers)
    }
  }
  return [...groups.values()]
}

function mergeNumbers(one: OrderNumbers, other: OrderNumbers): OrderNumbers {
  const merge = (pick: (numbers: OrderNumbers) => string[]) => [
    ...new Set([...pick(one), ...pick(other)]),
  ]
  return {
    placers: merge(({ placers }) => placers),
    fillers: merge(({ fillers }) => fillers),
    requisitions: merge(({ requisitions }) => requisitions),
  }
}
