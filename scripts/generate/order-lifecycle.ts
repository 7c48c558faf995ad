import {
  CAUSES,
  COLLECTION_METHODS,
  type CollectionMethod,
  isTerminal,
  LOW_LEVEL_STATUSES,
  type LowLevelStatus,
  MACHINES,
  orderStatus,
  type Transition,
} from '@salus/contracts/order-lifecycle'
import { code, codeList, generatedNotice, joinParts, markdownTable } from './markdown.ts'

const INTRODUCTION = `# Order life cycle

The state of an order is the list of its events. An event has a status \`<group>.<method>.<low-level status>\`; the
group is the top-level status of the order. Every cause of a transition (a command of the API, an
update by a laboratory or courier, a result) appends one event, updates the order and its transaction, and writes
\`labtest.order.updated\`, all in one database transaction. A command for a transition that is not in the tables is
refused with 400 \`transition_not_allowed\`, which names the allowed statuses. Such an update by a laboratory or
courier is ignored, because feeds repeat, skip and delay updates.

Some transitions depend on more than the status:

- Only a kit that was ordered without a patient can be \`registered\`, once. Before that, scans of its return
  change only the shipment; the order gets their statuses after the registration. A registered kit is not shipped to
  a person again.
- A kit cannot be cancelled once the courier has scanned it, whatever status it has since.
- A redraw never causes another redraw.

An order transaction is \`active\` while one of its orders can still go on, \`cancelled\` when all were
cancelled, else \`completed\`.

A sandbox can simulate every status. This example simulates a kit that is lost on its way to the laboratory, with the
variables of [the tour](../README.md#five-minutes-with-curl):

\`\`\`sh run
read_field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }

export TEST_ID=$(curl -sS "$SALUS_URL/v3/lab_test?collection_method=testkit" \\
  -H "x-service-api-key: \${KEY:?}" | read_field 'data[0].id')

export ORDER_ID=$(curl -sS $SALUS_URL/v3/order -H "x-service-api-key: \${KEY:?}" \\
  -H 'content-type: application/json' -d "{
    \\"user_id\\": \\"\${USER_ID:?}\\", \\"order_set\\": {\\"lab_test_ids\\": [\\"\${TEST_ID:?}\\"]},
    \\"patient_details\\": {\\"first_name\\": \\"Ada\\", \\"last_name\\": \\"Moreau\\", \\"dob\\": \\"1990-04-12\\",
      \\"gender\\": \\"female\\", \\"phone_number\\": \\"555-010-0199\\", \\"email\\": \\"ada@example.com\\"},
    \\"patient_address\\": {\\"first_line\\": \\"1 Main St\\", \\"city\\": \\"Phoenix\\", \\"state\\": \\"AZ\\",
      \\"zip\\": \\"85004\\", \\"country\\": \\"US\\"}}" | read_field order.id)

curl -sS -X POST -H "x-service-api-key: \${KEY:?}" \\
  "$SALUS_URL/v3/order/\${ORDER_ID:?}/test?final_status=failed.testkit.lost"

curl -sS $SALUS_URL/v3/order/$ORDER_ID -H "x-service-api-key: $KEY" \\
  | read_field 'events.map((event) => event.status)'
\`\`\`
`

/**
 * Generates docs/order-lifecycle.md: statuses, transitions and a diagram for each collection
 * method.
 */
export function describeOrderLifecycle(): string {
  return joinParts(
    generatedNotice('packages/contracts/src/order-lifecycle/transitions.ts'),
    INTRODUCTION,
    describeStatuses(),
    ...COLLECTION_METHODS.map(section),
  )
}

const knows = (method: CollectionMethod, status: LowLevelStatus): boolean =>
  MACHINES[method].groups[status] !== undefined

function describeStatuses(): string {
  const rows = LOW_LEVEL_STATUSES.map((status) => [
    code(status),
    ...COLLECTION_METHODS.map((method) => MACHINES[method].groups[status] ?? ''),
  ])
  const titles = ['Low-level status', ...COLLECTION_METHODS.map(code)]
  return joinParts(
    'Statuses and the group that each belongs to, by method:',
    markdownTable(titles, rows),
  )
}

function section(method: CollectionMethod): string {
  const { transitions } = MACHINES[method]
  const groups = Map.groupBy(transitions, ({ causes, to }) => `${causes}|${to}`)
  const rows = [...groups.values()].map((all) => transitionRow(method, all))
  return [
    `## ${method}`,
    '',
    markdownTable(['From', 'Cause', 'To'], rows),
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> ordered',
    ...transitions.map(({ from, to }) => `  ${from} --> ${to}`),
    ...LOW_LEVEL_STATUSES.filter((status) => knows(method, status) && isTerminal(status)).map(
      (status) => `  ${status} --> [*]`,
    ),
    '```',
    '',
  ].join('\n')
}

function transitionRow(method: CollectionMethod, transitions: Transition[]): string[] {
  const [first] = transitions
  if (first === undefined) return []
  const what = first.causes.map((cause) => CAUSES[cause].meaning).join('; or ')
  return [codeList(transitions.map(({ from }) => from)), what, code(orderStatus(method, first.to))]
}
