import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useContext, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { DocumentButton } from '../../components/document-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ShownZone } from '../../components/instant.tsx'
import { lowLevelStatus } from '../../components/order-statuses.registry.ts'
import { Section } from '../../components/page.tsx'
import { dateIn } from '../../people/person/local-time.ts'
import { type Order, transitionsQuery } from './order-queries.ts'

/** The documents of the order. */
export function OrderDocuments({ order }: { order: Order }): ReactNode {
  const { team } = useEnvironment()
  const params = { path: { order_id: order.id } }
  const parseAs = 'blob' as const
  const statuses = order.events.map(({ status }) => lowLevelStatus(status))
  const hasRequisition = statuses.includes('requisition_created')
  const hasResult = order.interpretation !== null
  const hasInstructions = order.lab_test.has_collection_instructions === true
  return (
    <Section title="Documents">
      <div className="document-buttons">
        {hasRequisition && (
          <DocumentButton
            title="Requisition"
            fileName={`requisition-${order.id}.pdf`}
            load={() =>
              unwrapResponse(team.GET('/v3/order/{order_id}/requisition/pdf', { params, parseAs }))
            }
          />
        )}
        {hasInstructions && (
          <DocumentButton
            title="How to collect the sample"
            fileName={`instructions-${order.id}.pdf`}
            load={() =>
              unwrapResponse(
                team.GET('/v3/order/{order_id}/collection_instruction_pdf', { params, parseAs }),
              )
            }
          />
        )}
        {order.has_abn && (
          <DocumentButton
            title="Notice to the patient (ABN)"
            fileName={`abn-${order.id}.pdf`}
            load={() =>
              unwrapResponse(team.GET('/v3/order/{order_id}/abn_pdf', { params, parseAs }))
            }
          />
        )}
        {hasResult && (
          <DocumentButton
            title="Report of the laboratory"
            fileName={`results-${order.id}.pdf`}
            load={() =>
              unwrapResponse(team.GET('/v3/order/{order_id}/result/pdf', { params, parseAs }))
            }
          />
        )}
      </div>
      {hasRequisition ? (
        <Labels order={order} />
      ) : (
        !hasResult &&
        !hasInstructions &&
        !order.has_abn && (
          <EmptyState title="No documents yet.">
            The requisition and the tube labels are created when the laboratory accepts the order.
          </EmptyState>
        )
      )}
    </Section>
  )
}

/** Labels show the day of collection; the number of tubes decides how many are printed. */
function Labels({ order }: { order: Order }): ReactNode {
  const environment = useEnvironment()
  const { team } = environment
  const { data } = useQuery(transitionsQuery(environment, order))
  const zone = useContext(ShownZone) ?? 'UTC'
  const [day, setDay] = useState(() => dateIn(zone, new Date().toISOString()))
  const [count, setCount] = useState('3')
  if (data?.is_final !== false) return null
  const number = Number(count)
  const isRight = Number.isInteger(number) && number >= 1 && number <= 20 && day !== ''
  return (
    <div className="labels">
      <TextInput
        size="sm"
        type="date"
        label="Day of collection"
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <TextInput
        size="sm"
        type="number"
        min={1}
        max={20}
        label="Labels (1 to 20)"
        value={count}
        onChange={({ currentTarget }) => setCount(currentTarget.value)}
      />
      {isRight && (
        <DocumentButton
          title="Tube labels"
          fileName={`labels-${order.id}.pdf`}
          load={() => {
            const path = { order_id: order.id }
            const query = {
              number_of_labels: number,
              collection_date: `${day}T12:00:00Z`,
            }
            const params = { path, query }
            return unwrapResponse(
              team.GET('/v3/order/{order_id}/labels/pdf', { params, parseAs: 'blob' }),
            )
          }}
        />
      )}
    </div>
  )
}
