import { Button, Textarea } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import { Failure } from '../../../components/failure.tsx'
import { type Order, useOrderChanged } from '../order-queries.ts'

/** Loads the services that are offered around the patient's address. */
export const areaQuery = ({ key, team }: Environment, zip: string) =>
  queryOptions({
    queryKey: [...key, 'area', zip],
    queryFn: ({ signal }) => {
      const query = { zip_code: zip.slice(0, 5) }
      return unwrapResponse(team.GET('/v3/order/area/info', { params: { query }, signal }))
    },
    staleTime: 300_000,
  })

/** Requests a visit whose time the phlebotomist sets. */
export function RequestVisit({ order }: { order: Order }): ReactNode {
  const environment = useEnvironment()
  const changed = useOrderChanged()
  const [notes, setNotes] = useState('')
  const address = order.patient_address
  const { data } = useQuery({
    ...areaQuery(environment, address?.zip ?? ''),
    enabled: address !== null,
  })
  const provider = data?.phlebotomy.providers.find(({ service_types: types }) =>
    types.includes('appointment-request'),
  )
  const request = useMutation({
    mutationFn: () => {
      if (!address || !provider) throw new Error('No phlebotomist can be requested.')
      const { first_line, second_line, city, state, zip: zip_code } = address
      const place = { first_line, second_line, city, state, zip_code }
      const body = {
        address: place,
        provider: provider.name,
        appointment_notes: notes.trim() || null,
      }
      const path = { order_id: order.id }
      return unwrapResponse(
        environment.team.POST('/v3/order/{order_id}/phlebotomy/appointment/request', {
          params: { path },
          body,
        }),
      )
    },
    onSuccess: () => changed(order.id),
  })
  if (!provider) return null
  return (
    <details className="choose-slots">
      <summary>Or let a phlebotomist set the time</summary>
      <div className="stack">
        <Textarea
          label="Preferred times and notes"
          maxLength={1000}
          rows={2}
          value={notes}
          onChange={({ currentTarget }) => setNotes(currentTarget.value)}
        />
        {request.error && <Failure error={request.error} />}
        <div>
          <Button variant="outline" loading={request.isPending} onClick={() => request.mutate()}>
            Request visit
          </Button>
        </div>
      </div>
    </details>
  )
}
