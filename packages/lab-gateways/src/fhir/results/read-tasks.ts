import type { OrderUpdate } from '@salus/contracts/lab-gateway'
import type { FhirRules } from '../connection.ts'
import { codingsOf, objectOf, objectsOf, textOf } from '../json.ts'
import { readFhirTime } from './observation-value.ts'
import { numbersOfReferences, type OrderNumbers } from './order-numbers.ts'
import { referTo } from './refer-to.ts'
import { type Resource, type Resources, relativeOf } from './resources.ts'

/** States in which a laboratory works on an order. */
const ACCEPTED = ['accepted', 'in-progress']
const REFUSED = ['rejected', 'failed']

/**
 * Reads what Tasks say about their orders: a laboratory accepts, rejects or cancels. Other states
 * change nothing; reports of a completed Task are read as such. A Task of one request that is
 * cancelled may leave other tests of the order, so only one of a group cancels the order, and the
 * other is left to the operator as a refusal.
 */
export function readTaskUpdates(resources: Resources, rules: FhirRules): OrderUpdate[] {
  return resources
    .ofType('Task')
    .filter(({ container }) => container === null)
    .flatMap((task): OrderUpdate[] => {
      const references = [objectOf(task.json.focus), ...objectsOf(task.json.basedOn)]
      const numbers = numbersOfReferences(references, task, resources, rules)
      if (isEmpty(numbers)) return []
      const order = referTo(numbers, rules)
      const at = readFhirTime(objectOf(task.json.meta).lastUpdated, rules.timeZone)
      const shared = { order, ...(at && { at: at.timestamp }) }
      const status = textOf(task.json.status) ?? ''
      if (ACCEPTED.includes(status)) {
        return [{ kind: 'requisition_accepted', ...shared, sampleId: order.sampleId ?? null }]
      }
      if (status === 'cancelled' && isOfGroup(task)) {
        return [{ kind: 'cancelled_by_lab', ...shared }]
      }
      if (!REFUSED.includes(status) && status !== 'cancelled') return []
      return [
        { kind: 'requisition_refused', ...shared, code: codeOf(task, status), location: null },
      ]
    })
}

const isEmpty = ({ placers, fillers, requisitions }: OrderNumbers): boolean =>
  placers.length + fillers.length + requisitions.length === 0

const isOfGroup = ({ json }: Resource): boolean =>
  relativeOf(textOf(objectOf(json.focus).reference) ?? '')?.startsWith('RequestGroup/') ?? false

/** The state and the code of its reason, without text of the laboratory. */
function codeOf({ json }: Resource, status: string): string {
  const reason = codingsOf(json.statusReason)
    .map(({ code }) => textOf(code))
    .find((code) => code !== null && /^[\w.-]{1,60}$/.test(code))
  return ['Task', status, ...(reason == null ? [] : [reason])].join(' ')
}
