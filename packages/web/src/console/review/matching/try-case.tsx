import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TEST_CASE } from './matching-words.ts'

type TestCase = keyof typeof TEST_CASE
type Run = components['schemas']['UnmatchedResultTestRun']

/** The order must have had a visit of its own, so it cannot be created for the case. */
const WITH_OWN_ORDER: TestCase = 'wrong_collection'

/** Sends a result from a simulated laboratory that is held, and opens it. */
export function TryCase({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog title="Simulate case" isOpen={isOpen} onClose={onClose}>
      <TryCaseForm onClose={onClose} />
    </Dialog>
  )
}

function TryCaseForm({ onClose }: { onClose: () => void }): ReactNode {
  const environment = useEnvironment()
  const formId = useId()
  const [testCase, setTestCase] = useState<TestCase>('match_demo')
  const [labTest, setLabTest] = useState('')
  const [otherTest, setOtherTest] = useState('')
  const [orderId, setOrderId] = useState('')
  const start = useInitialDraft(environment)
  const run = useRun(environment, start.data?.run_id, onClose)
  const isOwn = testCase === WITH_OWN_ORDER
  const isRunning = start.isPending || run?.status === 'queued' || run?.status === 'running'
  return (
    <form
      id={formId}
      className="matching-form"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate({ testCase, labTest, otherTest, orderId: isOwn ? orderId : undefined })
      }}
    >
      <p>A laboratory of the sandbox reports a result that matches no order unambiguously.</p>
      <NativeSelect
        label="Case"
        value={testCase}
        data={Object.entries(TEST_CASE).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => setTestCase(currentTarget.value as TestCase)}
      />
      {isOwn ? (
        <TextInput
          label="Order"
          description="Id of an order for a phlebotomist at home that the laboratory has accepted."
          required
          value={orderId}
          onChange={({ currentTarget }) => setOrderId(currentTarget.value.trim())}
        />
      ) : (
        <LabTestSelect label="Lab test" value={labTest} onChange={setLabTest} />
      )}
      {testCase === 'wrong_lab' && (
        <LabTestSelect
          label="Lab test of the other laboratory"
          value={otherTest}
          onChange={setOtherTest}
        />
      )}
      {start.error !== null && <Failure error={start.error} />}
      {run?.error != null && <p className="reports-problem">{run.error.message}</p>}
      <Button type="submit" loading={isRunning}>
        Simulate case
      </Button>
    </form>
  )
}

interface LabTestSelectProps {
  label: string
  value: string
  onChange: (id: string) => void
}

/** The first test is preselected: any test works. */
function LabTestSelect({ label, value, onChange }: LabTestSelectProps): ReactNode {
  const { team, key } = useEnvironment()
  const { data, error } = useQuery({
    queryKey: [...key, 'lab tests', 'walk_in_test'],
    queryFn: ({ signal }) =>
      unwrapResponse(
        team.GET('/v3/lab_tests', {
          params: { query: { collection_method: 'walk_in_test', status: 'active' } },
          signal,
        }),
      ),
    staleTime: 60_000,
  })
  const [first] = data ?? []
  useEffect(() => {
    if (value === '' && first !== undefined) onChange(first.id)
  }, [value, first, onChange])
  if (error !== null) return <Failure error={error} />
  return (
    <NativeSelect
      label={label}
      value={value}
      disabled={data === undefined}
      data={(data ?? []).map(({ id, name, lab }) => ({
        value: id,
        label: lab ? `${name} (${lab.name})` : name,
      }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface StartInput {
  testCase: TestCase
  labTest: string
  otherTest: string
  /** Only for the case whose order cannot be created. */
  orderId: string | undefined
}

function useInitialDraft({ team }: Environment) {
  return useMutation({
    mutationFn: ({ testCase, labTest, otherTest, orderId }: StartInput) =>
      unwrapResponse(
        team.POST('/v3/unmatched_result_test', {
          params: { header: { 'x-idempotency-key': crypto.randomUUID() } },
          body: {
            case: testCase,
            order_source: orderId === undefined ? 'managed' : 'provided',
            ...(orderId === undefined ? { lab_test_id: labTest } : { orders: { order: orderId } }),
            ...(testCase === 'wrong_lab' && { wrong_lab_test_id: otherTest }),
          } as components['schemas']['UnmatchedResultTestCreate'],
        }),
      ),
  })
}

const FOLLOW_MS = 500
const hasEnded = (run: Run | undefined): boolean =>
  run?.status === 'succeeded' || run?.status === 'failed'

/** Follows a simulation, and opens its result. */
function useRun(
  { team, teamId, env, key }: Environment,
  runId: string | undefined,
  onDone: () => void,
): Run | undefined {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: run } = useQuery({
    queryKey: [...key, 'unmatched test', runId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        team.GET('/v3/unmatched_result_test/{run_id}', {
          params: { path: { run_id: runId ?? '' } },
          signal,
        }),
      ),
    enabled: runId !== undefined,
    refetchInterval: ({ state: { data } }) => (hasEnded(data) ? false : FOLLOW_MS),
  })
  const result = run?.status === 'succeeded' ? run.raw_result_id : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result
  useEffect(() => {
    if (result === null) return
    queryClient.invalidateQueries({ queryKey: [...key, 'unmatched'] })
    onDone()
    navigate({
      to: '/$team/$env/matching',
      params: { team: teamId, env },
      search: { result } as never,
    })
  }, [result])
  return run
}
