import { Button, NativeSelect } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Failure } from '../../components/failure.tsx'
import { IconPlayerPlay } from '../../components/icons.tsx'
import { INTERPRETATION_CHOICES } from '../../components/interpretations.ts'
import { ORDER_STATUSES } from '../../components/order-statuses.registry.ts'
import { describeOrderStatus, describeStatusDetail } from '../../components/order-words.ts'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { type Order, stateOf, useOrderChanged } from './order-queries.ts'

type Target = components['schemas']['SimulationTargets']['final_statuses'][number]
type Simulation = components['schemas']['OrderSimulation']

const targetsQuery = ({ key, team }: Environment, order: Order) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'targets', ...stateOf(order)],
    queryFn: async ({ signal }) => {
      const params = { path: { order_id: order.id } }
      const request = team.GET('/v3/order/{order_id}/test', { params, signal })
      return (await unwrapResponse(request)).final_statuses
    },
  })

/** Simulates the course of an order in the sandbox up to any status, good or bad. */
export function SimulateOrder({ order }: { order: Order }): ReactNode {
  const { data, error, refetch } = useQuery(targetsQuery(useEnvironment(), order))
  return (
    <Section
      title="Simulate"
      description="In a sandbox Salus simulates the laboratory, the courier and the phlebotomist."
    >
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Waiting label="Loading the possible statuses" lines={1} />
      ) : data.length === 0 ? (
        <p className="quiet">The order has ended, so nothing can be simulated.</p>
      ) : (
        <SimulationForm key={order.last_event.status} order={order} targets={data} />
      )}
    </Section>
  )
}

const DELAYS = [
  { value: '0', label: 'At once' },
  { value: '2', label: '2 seconds a step' },
  { value: '30', label: '30 seconds a step' },
  { value: '300', label: '5 minutes a step' },
]

/** The laboratory of the sandbox interprets every result. */
const SIMULATED_INTERPRETATIONS = INTERPRETATION_CHOICES.filter(({ value }) => value !== 'unknown')

/** Details that each status can have (docs/contract/12-order-lifecycle.md#status_detail). */
const DETAILS: Readonly<Record<string, readonly string[]>> = {
  lab_processing_blocked: [
    'date_of_collection_unspecified',
    'demographic_information_unspecified',
    'demographic_information_mismatch',
  ],
  sample_error: [
    'sample_quantity_not_sufficient',
    'sample_contaminated',
    'sample_improper_collection',
    'sample_hemolyzed',
    'sample_stability_exceeded',
  ],
}

const labelOf = (status: string): string => describeOrderStatus(status).label

interface FormProps {
  order: Order
  targets: readonly Target[]
}

function SimulationForm({ order, targets }: FormProps): ReactNode {
  const { team } = useEnvironment()
  const changed = useOrderChanged()
  const usual = targets.find(({ low_level_status: status }) => status === 'completed')
  const [chosen, setChosen] = useState((usual ?? targets[0])?.status ?? '')
  const [delay, setDelay] = useState('0')
  const [options, setOptions] = useState<Simulation>({ interpretation: 'normal' })
  const target = targets.find(({ status }) => status === chosen)
  const simulate = useMutation({
    mutationFn: () => {
      const query = { final_status: chosen as Target['status'], delay: Number(delay) }
      const params = { path: { order_id: order.id }, query }
      return unwrapResponse(team.POST('/v3/order/{order_id}/test', { params, body: options }))
    },
    onSuccess: () => changed(order.id),
  })
  const details = DETAILS[target?.low_level_status ?? ''] ?? []
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        simulate.mutate()
      }}
    >
      <div className="simulation">
        <NativeSelect
          size="sm"
          label="Target status"
          value={chosen}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value)
            setOptions({ ...options, status_detail: null })
          }}
          data={targets.map(({ status }) => ({ value: status, label: labelOf(status) }))}
        />
        <NativeSelect
          size="sm"
          label="Speed"
          value={delay}
          onChange={({ currentTarget }) => setDelay(currentTarget.value)}
          data={DELAYS}
        />
        {target && ORDER_STATUSES[target.low_level_status].hasResults && (
          <ResultOptions options={options} onChange={setOptions} />
        )}
        {details.length > 0 && (
          <NativeSelect
            size="sm"
            label="Reason"
            value={options.status_detail ?? ''}
            onChange={({ currentTarget }) => {
              const detail = (currentTarget.value || null) as Simulation['status_detail']
              setOptions({ ...options, status_detail: detail })
            }}
            data={[
              { value: '', label: 'No reason' },
              ...details.map((value) => ({ value, label: describeStatusDetail(value) })),
            ]}
          />
        )}
        <Button
          type="submit"
          loading={simulate.isPending}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
        >
          Simulate status
        </Button>
      </div>
      {target && target.path.length > 1 && (
        <p className="quiet">Steps: {target.path.map(labelOf).join(' → ')}</p>
      )}
      <p role="status" className="simulation-outcome">
        {simulate.data?.message}
      </p>
      {simulate.error && <Failure error={simulate.error} />}
    </form>
  )
}

function ResultOptions({
  options,
  onChange,
}: {
  options: Simulation
  onChange: (options: Simulation) => void
}): ReactNode {
  return (
    <>
      <NativeSelect
        size="sm"
        label="Interpretation"
        value={options.interpretation}
        onChange={({ currentTarget }) => {
          const interpretation = currentTarget.value as NonNullable<Simulation['interpretation']>
          onChange({ ...options, interpretation })
        }}
        data={SIMULATED_INTERPRETATIONS}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={options.has_missing_results === true}
          onChange={({ currentTarget }) =>
            onChange({ ...options, has_missing_results: currentTarget.checked })
          }
        />
        Some results are missing
      </label>
    </>
  )
}
